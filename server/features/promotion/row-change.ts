import { type ColumnChanges, diffColumns } from '#server/features/listings/listing-diff.ts'
import { staleHeading } from '#server/features/listings/stale-heading.ts'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import type { RowListing } from './listing-of-row.ts'

export type UpdatedListing = {
  readonly listing: ListingRecord
  /** The address of its picture from a file. */
  readonly imageUrl: string | null
  /** Equal rows that it came from before; undefined where it came from none. */
  readonly copiesBefore: number | undefined
  readonly reopens: boolean
}

export type RowChange = {
  readonly columns: ColumnChanges
  /** What changes in other tables. */
  readonly elsewhere: { imageUrl: [before: string | null, after: string | null] } | undefined
}

/**
 * What a row changes in its listing: only columns that the file has, and of those only what differs; everything else of
 * the listing is its seller's.
 */
export function rowChange(
  { listing, imageUrl, copiesBefore = 1, reopens }: UpdatedListing,
  said: RowListing | undefined,
  copies: number,
): RowChange {
  const columns = {
    ...(copies !== copiesBefore && { quantity: copies }),
    ...said?.columns,
    ...(reopens && { ended_at: null, ended_reason: null }),
  }
  const url = said?.imageUrl
  return {
    columns: diffColumns(listing, { ...columns, ...staleHeading(listing, columns) }),
    elsewhere: url === undefined || url === imageUrl ? undefined : { imageUrl: [imageUrl, url] },
  }
}
