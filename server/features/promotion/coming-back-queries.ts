import { sql } from 'kysely'

/*
 * A part comes back where it was ended because a full stock did not have it, and by nobody else since: then the next file
 * that has it makes it live again. The rule for sets (over listing_source s and its listing l) and for one of them.
 */

export const COMES_BACK = sql`coalesce(l.ended_at = s.ended_at and l.ended_reason = 'sold-elsewhere', false)`

type Ended = { readonly ended_at: Date | null; readonly ended_reason: string | null }

/** `sourceEndedAt`: the end that a full stock set. */
export function comesBack(listing: Ended, sourceEndedAt: Date | null): boolean {
  return (
    listing.ended_at !== null &&
    listing.ended_reason === 'sold-elsewhere' &&
    listing.ended_at.getTime() === sourceEndedAt?.getTime()
  )
}
