import type { ListingBody } from '#contract/listing-body.ts'
import type { Listing } from '#contract/listings.ts'

/** Who edits a listing, and what they may do with it: its seller, or an admin. */
export type ListingEditor = {
  own: boolean
  /** The list that saving leads to. */
  leadsTo: string
  read: (id: string) => Promise<Listing>
  save: (
    id: string,
    body: ListingBody & { status?: Listing['status'] },
    picture: File | undefined,
  ) => Promise<Listing>
  /** Takes a deletion back; an editor without it cannot. */
  restore?: (id: string) => Promise<Listing>
  maySetStatus?: boolean
  mayMoveAddress?: boolean
}
