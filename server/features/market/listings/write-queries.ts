import { type RawBuilder, sql } from 'kysely'
import { holdStatements } from '#server/features/market/listings/search-row/held-statements.ts'
import {
  makeSearchRows,
  namesFor,
  type SearchRow,
  searchColumns,
  updateSearchRows,
  writeSearchRows,
} from '#server/features/market/listings/search-row/search-rows.ts'
import { reviewNames } from '#server/features/people/yard-names/name-reviews.ts'
import type { Db } from '#server/platform/database/database.ts'
import { afterSending, allSettledOrThrow } from '#server/platform/processes/concurrency.ts'
import type { ListingColumns } from './listing-columns.ts'

/** Column → its values before and after, as stored in the history. */
export type ColumnChanges = Record<string, [before: unknown, after: unknown]>

/** What these columns would change in the row, without those that stay the same. */
export function diffColumns(before: object, columns: Partial<ListingColumns>): ColumnChanges {
  const changes: ColumnChanges = {}
  for (const [column, after] of Object.entries(columns)) {
    const value = (before as Record<string, unknown>)[column]
    if (!isSame(value, after)) changes[column] = [value, after]
  }
  return changes
}

function isSame(before: unknown, after: unknown): boolean {
  if (before instanceof Date && after instanceof Date) return before.getTime() === after.getTime()
  return before === after
}

/** Whether the search row depends on any of them; it does not depend on price or quantity. */
export function changesSearch(changes: ColumnChanges): boolean {
  return Object.keys(changes).some((column) => searchColumns.has(column))
}

/** Ids for new listings, in list order. */
export async function newListingIds(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id from generate_series(1, ${count})`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/**
 * Inserts a few listings with their search rows, and records their source in the change set, in the caller's transaction.
 * Thousands are faster by `copyListings`.
 */
export async function insertListings(
  trx: Db,
  rows: (ListingColumns & { id: string })[],
  history: { changeSetId: string; source: string },
): Promise<void> {
  const ids = rows.map((row) => row.id)
  await trx.insertInto('listing').values(rows).execute()
  await writeSearchRows(trx, ids)
  await reviewNames(trx, rows)
  await holdStatements(trx, rows)
  await sql`
    insert into listing_change (change_set_id, listing_id, version, changes)
    select ${history.changeSetId}, id, 1, jsonb_build_object('created', jsonb_build_array(null, ${history.source}::text))
    from unnest(${ids}::uuid[]) as id
  `.execute(trx)
}

/** Locks the row until the transaction ends; undefined if it does not exist. */
export async function lockListing(trx: Db, id: string) {
  return trx.selectFrom('listing').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export type ListingRecord = NonNullable<Awaited<ReturnType<typeof lockListing>>>

/**
 * Sets columns of a locked listing: increments its version and writes the values before and after to the history, with
 * those of other tables (`elsewhere`, see `changes.ts`). Returns whether anything changed.
 */
export async function changeListing(
  trx: Db,
  before: ListingRecord,
  change: { changeSetId: string; columns: Partial<ListingColumns>; elsewhere?: ColumnChanges | undefined },
): Promise<boolean> {
  const columns = diffColumns(before, change.columns)
  const changes: ColumnChanges = { ...columns, ...change.elsewhere }
  if (Object.keys(changes).length === 0) return false
  await trx
    .updateTable('listing')
    .set(Object.fromEntries(Object.entries(columns).map(([column, [, after]]) => [column, after])))
    .set({ version: before.version + 1, updated_at: sql`now()` })
    .where('id', '=', before.id)
    .execute()
  await sql`
    insert into listing_change (change_set_id, listing_id, version, changes)
    values (${change.changeSetId}, ${before.id}, ${before.version + 1}, ${JSON.stringify(changes)})
  `.execute(trx)
  if (changesSearch(columns)) await writeSearchRows(trx, [before.id])
  await reviewNames(trx, renamed([{ before, columns }]))
  await holdStatements(trx, restated([{ before, columns }]))
  return true
}

/** Remembers a listing's former slug, so that it redirects; a slug in use is no longer a former one. */
export async function rememberSlug(
  trx: Db,
  listingId: string,
  slugs: { old: string; now: string },
): Promise<void> {
  await sql`delete from listing_slug where slug = ${slugs.now}`.execute(trx)
  await sql`
    insert into listing_slug (slug, listing_id) values (${slugs.old}, ${listingId})
    on conflict (slug) do update set listing_id = excluded.listing_id
  `.execute(trx)
}

/** Whether a slug is a current or former one of another listing that is not deleted. */
export async function isSlugTaken(db: Db, slug: string, listingId: string): Promise<boolean> {
  const { rows } = await sql`
    select from listing where slug = ${slug} and deleted_at is null and id <> ${listingId}
    union all
    select from listing_slug o join listing l on l.id = o.listing_id
    where o.slug = ${slug} and o.listing_id <> ${listingId} and l.deleted_at is null
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Rows by id, locked until the transaction ends; always in the order of ids, against deadlocks. */
export async function lockListings(trx: Db, ids: readonly string[]): Promise<Map<string, ListingRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await trx
    .selectFrom('listing')
    .selectAll()
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export type BulkChange = {
  before: ListingRecord
  /** Columns of the listing that change (see `diffColumns`). */
  columns: ColumnChanges
  /** Changes in other tables, for the history. */
  elsewhere?: ColumnChanges | undefined
}

/**
 * Changes any number of locked listings in a few statements, with versions, history and search rows. The caller leaves out
 * rows without changes.
 */
export function changeListings(trx: Db, changes: readonly BulkChange[], changeSetId: string): Promise<void> {
  return changeListingsWhile(trx, { changes, changeSetId }, () => undefined)
}

/**
 * The same, running `work` while the database writes and returning its result. The next statement is also prepared then,
 * so that the database hardly waits for this process.
 */
export async function changeListingsWhile<T>(
  trx: Db,
  { changes, changeSetId }: { changes: readonly BulkChange[]; changeSetId: string },
  work: () => T,
): Promise<T> {
  if (changes.length === 0) return work()
  const searched = changes.filter(({ columns }) => changesSearch(columns)).map(recordAfter)
  const found = searched.filter((record) => record.deleted_at === null)
  const [names, update] = await allSettledOrThrow([
    namesFor(trx, found),
    afterSending(() => updateOf(changes)),
  ])
  const updating = update.execute(trx)
  const prepared = afterSending(() => ({ result: work(), history: historyOf(changes) }))
  const writing = Promise.all([prepared, updating]).then(([{ history }]) =>
    insertChanges(trx, history, changeSetId),
  )
  const making = prepared.then(() => makeSearchRows(trx, found, names))
  const [{ result }, searchRows] = await allSettledOrThrow([prepared, making, writing, updating])
  await followSearch(trx, searched, searchRows)
  await reviewNames(trx, renamed(changes))
  await holdStatements(trx, restated(changes))
  return result
}

/** The listings whose seller or location differs after the change. */
const renamed = (changes: readonly Pick<BulkChange, 'before' | 'columns'>[]): ListingRecord[] =>
  changes
    .filter(({ columns }) => columns.dealer_name || columns.city || columns.state || columns.zip)
    .map(recordAfter)

const restated = (changes: readonly Pick<BulkChange, 'before' | 'columns'>[]): ListingRecord[] =>
  changes.filter(({ columns }) => columns.interchange || columns.part_number).map(recordAfter)

/** Deleted listings lose their search row; if one of the others was missing, all are rewritten. */
async function followSearch(
  trx: Db,
  searched: readonly ListingRecord[],
  rows: readonly SearchRow[],
): Promise<void> {
  const isComplete = (await updateSearchRows(trx, rows)) === rows.length
  const others = isComplete ? searched.filter((record) => record.deleted_at !== null) : searched
  const ids = others.map(({ id }) => id)
  if (ids.length > 0) await writeSearchRows(trx, ids)
}

/** The row after the change, except for its version and what the database sets. */
export function recordAfter({ before, columns }: Pick<BulkChange, 'before' | 'columns'>): ListingRecord {
  const after: Record<string, unknown> = { ...before }
  for (const [column, [, value]] of Object.entries(columns)) after[column] = value
  return after as ListingRecord
}

function updateOf(changes: readonly BulkChange[]): RawBuilder<unknown> {
  const columns = [...new Set(changes.flatMap((change) => Object.keys(change.columns)))]
  const rows = changes.map((change) => rowAfter(change, columns))
  const set = sql.join([
    ...columns.map((column) => sql`${sql.ref(column)} = n.${sql.ref(column)}`),
    sql`version = l.version + 1`,
    sql`updated_at = now()`,
  ])
  return sql`
    update listing l set ${set}
    from jsonb_populate_recordset(null::listing, ${JSON.stringify(rows)}::jsonb) n
    where l.id = n.id
  `
}

/** Every row needs every column that changes in any of them. */
function rowAfter({ before, columns: changed }: BulkChange, columns: readonly string[]) {
  const row: Record<string, unknown> = { id: before.id }
  for (const column of columns) {
    const change = changed[column]
    row[column] = change ? change[1] : before[column as keyof ListingRecord]
  }
  return row
}

/** The rows of the history, as JSON. */
function historyOf(changes: readonly BulkChange[]): string {
  const rows = changes.map(({ before, columns, elsewhere }) => ({
    id: before.id,
    version: before.version + 1,
    changes: elsewhere ? { ...columns, ...elsewhere } : columns,
  }))
  return JSON.stringify(rows)
}

async function insertChanges(trx: Db, history: string, changeSetId: string): Promise<void> {
  await sql`
    insert into listing_change (change_set_id, listing_id, version, changes)
    select ${changeSetId}::uuid, id, version, changes
    from jsonb_to_recordset(${history}::jsonb) as t(id uuid, version integer, changes jsonb)
  `.execute(trx)
}
