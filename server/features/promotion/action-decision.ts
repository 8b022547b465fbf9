import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import { comesBack } from './coming-back.ts'

/** What the plan does with one listing. */
export type PlannedAction = {
  readonly rowNo: number
  readonly action: 'create' | 'update' | 'end'
  readonly listingId: string | null
  /** Hex. */
  readonly key: string
  readonly ordinal: number
  /** Null for an end, and for an update of the listing that a row names by its id: what it came from stays as it is. */
  readonly hash: string | null
  readonly copies: number
  readonly priorHash: string | null
  readonly priorCopies: number | null
  /** Where its source stood before the file gave the part a stock number; null where it stays. */
  readonly priorKey: string | null
  readonly priorOrdinal: number | null
  /** What its source is also found by: its key without the stock number. Null where it has none. */
  readonly partKey: string | null
  /** What its source says besides the stock number; null where the part has none. */
  readonly partHash: string | null
  readonly priorPartHash: string | null
}

/** What a seller's listing came from, as it stands. */
export type Source = {
  readonly key: string
  readonly ordinal: number
  readonly listingId: string
  readonly hash: string
  readonly partHash: string | null
  readonly copies: number
  readonly createdBy: string | null
  /** The end that a full stock set. */
  readonly endedAt: Date | null
}

export type Decided =
  | { readonly kind: 'create'; readonly replaces: Source | undefined }
  | {
      readonly kind: 'update'
      readonly listing: ListingRecord
      /** Undefined where a listing made by hand becomes the file's, or where the row names it by its id. */
      readonly source: Source | undefined
      /** The listing that the source pointed to before is gone. */
      readonly replaces: Source | undefined
      readonly reopens: boolean
    }
  | { readonly kind: 'end'; readonly listing: ListingRecord; readonly source: Source }
  | { readonly kind: 'skip' }

/**
 * What becomes of a planned action when its page is written. Between plan and page another import may have made the
 * listing, a person may have deleted or ended it: what stands now decides, so that no part is ever made twice and no
 * person's decision is overruled.
 */
export function decideAction(
  action: PlannedAction,
  source: Source | undefined,
  listings: ReadonlyMap<string, ListingRecord>,
): Decided {
  if (namesListing(action)) return decideNamed(listings.get(action.listingId ?? ''))
  const listing = source && listings.get(source.listingId)
  if (source && listing && listing.deleted_at === null) return decideLiving(action, source, listing)
  if (action.action === 'end') return { kind: 'skip' }
  const adopted = action.listingId === null ? undefined : listings.get(action.listingId)
  if (action.priorHash === null && adopted?.deleted_at === null) {
    return { kind: 'update', listing: adopted, source: undefined, replaces: source, reopens: false }
  }
  return { kind: 'create', replaces: source }
}

/** Whether it is an update of the listing that its row names by its id. */
export const namesListing = ({ action, hash }: Pick<PlannedAction, 'action' | 'hash'>): boolean =>
  action === 'update' && hash === null

function decideNamed(listing: ListingRecord | undefined): Decided {
  if (!listing || listing.deleted_at !== null || listing.ended_at !== null) return { kind: 'skip' }
  return { kind: 'update', listing, source: undefined, replaces: undefined, reopens: false }
}

function decideLiving(action: PlannedAction, source: Source, listing: ListingRecord): Decided {
  if (action.action === 'end') {
    return listing.ended_at === null ? { kind: 'end', listing, source } : { kind: 'skip' }
  }
  const reopens = comesBack(listing, source.endedAt)
  const isSame = source.hash === action.hash && source.copies === action.copies
  if (isSame && !reopens) return { kind: 'skip' }
  return { kind: 'update', listing, source, replaces: undefined, reopens }
}
