import { joinChangeSet } from '#server/features/history/join-change-set.ts'
import { changeListings, lockListings } from '#server/features/listings/bulk-change-queries.ts'
import type { ListingColumns } from '#server/features/listings/listing-columns.ts'
import { changesSearch, diffColumns } from '#server/features/listings/listing-diff.ts'
import { renamedHeading } from '#server/features/listings/renamed-heading.ts'
import { writeSearchRows } from '#server/features/listings/search-row-queries.ts'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Label, readLabels } from './label-queries.ts'

type Page = { kind: LookupKind; ids: readonly string[]; changeSetId: string }

/**
 * Has some listings say what their lookups of this kind are and are called now, in the caller's transaction. The search
 * rows of all of them are made anew, as they also hold aliases. Answers how many changed.
 */
export async function relabelPage(trx: Db, { kind, ids, changeSetId }: Page): Promise<number> {
  await joinChangeSet(trx, changeSetId)
  const listings = [...(await lockListings(trx, ids)).values()]
  const columnsOf = await readColumns(trx, kind, listings)
  const changes = listings
    .map((before) => {
      const columns = columnsOf(before)
      return { before, columns: diffColumns(before, { ...columns, ...renamedHeading(before, columns) }) }
    })
    .filter(({ columns }) => Object.keys(columns).length > 0)
  await changeListings(trx, changes, changeSetId)
  const written = new Set(
    changes.filter(({ columns }) => changesSearch(columns)).map(({ before }) => before.id),
  )
  const others = listings.filter(({ id }) => !written.has(id)).map(({ id }) => id)
  if (others.length > 0) await writeSearchRows(trx, others)
  return changes.length
}

type Columns = Partial<ListingColumns>

async function readColumns(
  trx: Db,
  kind: LookupKind,
  listings: readonly ListingRecord[],
): Promise<(listing: ListingRecord) => Columns> {
  if (kind === 'category') {
    const categories = await readLabels(
      trx,
      kind,
      listings.map(({ category_id }) => category_id),
    )
    return ({ category_id }) => {
      const label = labelOf(categories, category_id)
      return label ? { category_id: label.id } : {}
    }
  }
  const makers =
    kind === 'manufacturer'
      ? await readLabels(
          trx,
          kind,
          listings.map(({ manufacturer_id }) => manufacturer_id),
        )
      : new Map<string, Label>()
  const models = await readLabels(
    trx,
    'car_model',
    listings.map(({ car_model_id }) => car_model_id),
  )
  return ({ manufacturer_id, car_model_id }) => {
    const maker = labelOf(makers, manufacturer_id)
    const model = labelOf(models, car_model_id)
    return {
      ...(maker && { manufacturer_id: maker.id, manufacturer_name: maker.name }),
      ...(model && { car_model_id: model.id, model_name: model.name }),
    }
  }
}

const labelOf = (labels: ReadonlyMap<string, Label>, id: string | null): Label | undefined =>
  id === null ? undefined : labels.get(id)
