import type { ColumnChanges } from '#server/features/listings/listing-diff.ts'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import type { PlannedAction, Source } from './action-decision.ts'
import type { Kept, LastChange } from './page-queries.ts'

export type Undo =
  /** It was made by the import and nobody touched it: it goes. */
  | { readonly kind: 'delete'; readonly listing: ListingRecord }
  /** It is as the import left it: what was before returns. */
  | {
      readonly kind: 'restore'
      readonly listing: ListingRecord
      readonly columns: ColumnChanges
      /** Undefined where the import did not change it. */
      readonly imageUrl: [before: string | null, after: string | null] | undefined
    }
  /** Somebody changed it since: it stays, and is named. */
  | { readonly kind: 'keep'; readonly listing: ListingRecord; readonly why: Kept['kept'] }
  /** It is gone already. */
  | { readonly kind: 'gone' }
  /** The import changed nothing in it, or it belongs to another import by now. */
  | { readonly kind: 'nothing' }

type Facts = {
  readonly action: PlannedAction
  /** Undefined where another import has its place. */
  readonly source: Source | undefined
  readonly listing: ListingRecord | undefined
  readonly change: LastChange | undefined
}

export function decideUndo(facts: Facts): Undo {
  return facts.action.action === 'create' ? undoCreation(facts) : undoChange(facts)
}

function undoCreation({ source, listing, change }: Facts): Undo {
  if (!source || !listing) return { kind: 'nothing' }
  if (listing.deleted_at !== null) return { kind: 'gone' }
  const followed = change?.relabelled ?? 0
  if (isUntouched(listing, 1 + followed, change)) return { kind: 'delete', listing }
  return { kind: 'keep', listing, why: whyKept(listing, change) }
}

/** As the import left it; what later imports changed and an undo of them brought back is no change. */
function isUntouched(listing: ListingRecord, left: number | null, change: LastChange | undefined): boolean {
  return left !== null && listing.version === left + (change?.cancelled ?? 0)
}

function undoChange({ listing, change }: Facts): Undo {
  if (!listing || !change?.changes) return { kind: 'nothing' }
  if (!isUntouched(listing, leftAt(change), change)) {
    return { kind: 'keep', listing, why: whyKept(listing, change) }
  }
  const { imageUrl, ...changed } = change.changes
  const columns = Object.fromEntries(
    Object.entries(changed).map(([column, [before, after]]) => [
      column,
      [after, before] as [unknown, unknown],
    ]),
  )
  return {
    kind: 'restore',
    listing,
    columns,
    imageUrl: imageUrl && [textOrNull(imageUrl[1]), textOrNull(imageUrl[0])],
  }
}

const LOOKUP_COLUMNS = ['category_id', 'manufacturer_id', 'manufacturer_name', 'car_model_id', 'model_name']

/** A listing that followed a renamed or merged lookup is untouched, unless what would return is what was renamed. */
function leftAt({ version, changes, relabelled }: LastChange): number | null {
  const namesReturn = LOOKUP_COLUMNS.some((column) => changes && column in changes)
  return version === null || namesReturn ? version : version + relabelled
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

function whyKept(listing: ListingRecord, change: LastChange | undefined): Kept['kept'] {
  if (listing.deleted_at !== null) return 'deleted'
  if (change?.laterImport) return 'imported'
  return listing.ended_at === null ? 'edited' : 'ended'
}
