import { type RawBuilder, sql } from 'kysely'
import { joinChangeSet } from '#server/features/market/history/change-sets.ts'
import type { ListingColumns } from '#server/features/market/listings/listing-columns.ts'
import { writeSearchRows } from '#server/features/market/listings/search-row/search-rows.ts'
import {
  changeListings,
  changesSearch,
  diffColumns,
  type ListingRecord,
  lockListings,
} from '#server/features/market/listings/write-queries.ts'
import type { LookupKind } from '#server/features/market/lookups/lookup-kind.ts'
import { followingTexts } from '#server/features/market/writing/following-texts.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'

/** A run that updates listings after their lookup changed. */
export type Relabeling = {
  readonly db: Db
  readonly run: JobRun<{ kind: LookupKind; id: string }>
  /** One for the whole job, across its runs and pages. */
  readonly changeSetId: string
}

/** The checkpoint where the next run continues. */
export type Progress = {
  readonly changeSetId: string
  /** Set once a merged lookup is deleted: the target, whose listings after `after` remain. */
  readonly target: string | null
  readonly after: string | null
}

type Label = { id: string; name: string }

/** Reads these lookups, or the ones they were merged into. */
async function readLabels(
  db: Db,
  kind: LookupKind,
  ids: readonly (string | null)[],
): Promise<Map<string, Label>> {
  const asked = [...new Set(ids.filter((id) => id !== null))]
  if (asked.length === 0) return new Map()
  const { rows } = await sql<Label & { asked: string }>`
    select l.id as asked, t.id, t.name
    from ${sql.table(kind)} l join ${sql.table(kind)} t on t.id = coalesce(l.merged_into, l.id)
    where l.id = any(${asked}::uuid[])
  `.execute(db)
  return new Map(rows.map(({ asked: id, ...label }) => [id, label]))
}

const listingsOf = (kind: LookupKind, id: string): RawBuilder<unknown> =>
  sql`from listing where ${sql.ref(`${kind}_id`)} = ${id}`

/** Some listings of a lookup, including deleted ones, in no order; moved ones no longer match. */
export async function listSomeListings(
  db: Db,
  { kind, id, limit }: { kind: LookupKind; id: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id ${listingsOf(kind, id)} limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** The next listings of a lookup by id. Each query sorts all of them, so use a large limit. */
export async function listNextListings(
  db: Db,
  { kind, id, after, limit }: { kind: LookupKind; id: string; after: string | null; limit: number },
): Promise<string[]> {
  const further = after === null ? sql`` : sql`and id > ${after}`
  const { rows } = await sql<{ id: string }>`
    select id ${listingsOf(kind, id)} ${further} order by id limit ${limit}
  `.execute(db)
  return rows.map((row) => row.id)
}

type Page = { kind: LookupKind; ids: readonly string[]; changeSetId: string }

/**
 * Gives listings the current ids and names of their lookups of this kind, in the caller's transaction. Rewrites the
 * search rows of all of them, as those also contain aliases. Returns how many changed.
 */
export async function relabelPage(trx: Db, { kind, ids, changeSetId }: Page): Promise<number> {
  await joinChangeSet(trx, changeSetId)
  const listings = [...(await lockListings(trx, ids)).values()]
  const columnsOf = await readColumns(trx, kind, listings)
  const changes = listings
    .map((before) => {
      const columns = columnsOf(before)
      const texts = followingTexts(before, columns, { isRename: true })
      return { before, columns: diffColumns(before, { ...columns, ...texts }) }
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
