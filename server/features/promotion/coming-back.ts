/** Why a full stock ends what it does not have. */
export const FULL_STOCK_END = 'sold-elsewhere'

type Ended = { readonly ended_at: Date | null; readonly ended_reason: string | null }

/**
 * Whether the next file that has a part makes it live again: where a full stock ended it, and nobody else since.
 * `COMES_BACK` says the same of sets; a test holds them together.
 */
export function comesBack(listing: Ended, sourceEndedAt: Date | null): boolean {
  return (
    listing.ended_at !== null &&
    listing.ended_reason === FULL_STOCK_END &&
    listing.ended_at.getTime() === sourceEndedAt?.getTime()
  )
}
