import type { ImportField } from '#contract/import-fields.ts'
import type { PlannedRow } from '#contract/staging-desk.ts'
import { changedFields, type RecordedChange } from '#server/features/history/change-fields.ts'
import { listingTitle } from '#server/features/listings/listing-title.ts'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import { comesBack } from './coming-back.ts'
import type { RowListing } from './listing-of-row.ts'
import type { WhyKept } from './page-queries.ts'
import type { PlannedRowState } from './planned-row-queries.ts'
import { rowChange } from './row-change.ts'
import type { StagedText } from './row-text.ts'

type Changes = PlannedRow['changes']

/** Of a new listing everything that the row says. */
export function changesOfNew(text: StagedText): Changes {
  const said = Object.entries(text) as [ImportField, string][]
  return Object.fromEntries(
    said
      .filter(([field, value]) => value !== '' && field !== 'listingid')
      .map(([field, value]) => [field, [null, value]]),
  )
}

export type Live = {
  readonly listing: ListingRecord
  /** The address of its picture from a file. */
  readonly imageUrl: string | null
}

/** What the row would change in its listing as it stands, by columns. */
export function plannedChange(
  { copies, sourceCopies, sourceEndedAt }: PlannedRowState,
  live: Live,
  said: RowListing,
): RecordedChange {
  const reopens = comesBack(live.listing, sourceEndedAt)
  const updated = { ...live, copiesBefore: sourceCopies ?? undefined, reopens }
  const { columns, elsewhere } = rowChange(updated, said, copies)
  return { ...columns, ...elsewhere }
}

/** Changes in the fields' words; a category that is yet to be made is called as the row calls it. */
export function changesInWords(
  change: RecordedChange,
  { text, categoryName }: { text: StagedText; categoryName: (id: string) => string },
): Changes {
  const told = changedFields(change, categoryName).map(({ field, before, after }) => {
    const isNewCategory = field === 'partcategory' && after === null && text.partcategory
    return [field, [before, isNewCategory ? text.partcategory : after]] as const
  })
  return Object.fromEntries(told) as Changes
}

/** As the row says it; of an ending, which has none, as the listing does. */
export function titleOfPart(text: StagedText | undefined, listing: ListingRecord | undefined): string {
  if (!text) return listing ? titleOfListing(listing) : ''
  const words = [text.partyear?.replace('-', '–'), text.partmanu, text.partmodel, text.partname]
  return words.filter((word) => word !== undefined && word !== '').join(' ')
}

const titleOfListing = (listing: ListingRecord): string =>
  listingTitle({
    yearFrom: listing.year_from,
    yearTo: listing.year_to,
    manufacturerName: listing.manufacturer_name,
    modelName: listing.model_name,
    name: listing.name,
  })

const reasons = {
  deleted: 'It was deleted after the import.',
  'lookup-deleted': 'The category, make or model that it had before was deleted after the import.',
  ended: 'It was ended after the import.',
  imported: 'A later import changed it.',
  edited: 'It was edited after the import.',
} as const satisfies Record<WhyKept, string>

/** Why an undo left a listing as it is. */
export const reasonKept = (kept: WhyKept): string => reasons[kept]
