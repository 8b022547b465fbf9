import type { ListingDraft } from '#server/features/listings/listing-draft.ts'
import type { SearchNames } from '#server/features/listings/search-name-queries.ts'
import type { LookupNames } from '#server/features/lookups/lookup-names.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import type { PlannedAction } from './action-decision.ts'
import type { RowListing } from './listing-of-row.ts'
import type { PromotionRow } from './promotion-queries.ts'
import type { StagedRows } from './staged-rows.ts'

/** A promotion that is going live: what its pages share. */
export type Ingest = {
  readonly db: Db
  readonly files: FileStore
  readonly now: () => Date
  readonly run: JobRun<unknown>
  readonly promotion: PromotionRow
  /** Of the whole promotion, however many pages and runs it takes. */
  readonly changeSetId: string
  readonly rows: StagedRows
  /** Loaded again where a lookup was renamed, merged or deleted under them; of this version. */
  names: LookupNames
  lookupVersion: number
  searchNames: SearchNames
  /** Characters of the id that end an address. */
  slugTail: 6 | 12
}

export type PageRow = {
  readonly action: PlannedAction
  /** For the case that a listing is made. */
  readonly newId: string
  /** What the file says; undefined for an end, which has no row, and for a creation that stands in the draft. */
  readonly listing: RowListing | undefined
  readonly imageUrl: RowListing['imageUrl']
}

/** Some actions in the order of the plan, ready to be written in one transaction. */
export type Page = {
  /** Of the names that its rows were read with. */
  readonly lookupVersion: number
  /** The row number before the first. */
  readonly after: number
  readonly through: number
  readonly rows: readonly PageRow[]
  /** The listings of the planned creations, made before the page's transaction begins. */
  readonly draft: ListingDraft
}

/** A lookup was renamed or merged after a page was prepared. */
export class LookupsChanged extends Error {
  override name = 'LookupsChanged'
}

/** A listing that was to be made is there by now, and its row was not kept. */
export class CreatedMeanwhile extends Error {
  override name = 'CreatedMeanwhile'
}
