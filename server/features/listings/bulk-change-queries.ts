import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { allEnded, onceSent } from '#server/platform/processes/concurrency.ts'
import { type ColumnChanges, changesSearch } from './listing-diff.ts'
import {
  makeSearchRows,
  namesFor,
  type SearchRow,
  updateSearchRows,
  writeSearchRows,
} from './search-row-queries.ts'
import type { ListingRecord } from './write-queries.ts'

/** Rows as they stand, locked until the transaction ends, by id; always in the order of ids, so that nobody waits in a circle. */
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
  /** What changes in other tables, for the history. */
  elsewhere?: ColumnChanges | undefined
}

/**
 * Changes any number of locked listings in a few statements: their versions grow, the history gets the values before
 * and after, search rows follow. Rows in which nothing changes are left out by the caller.
 */
export function changeListings(trx: Db, changes: readonly BulkChange[], changeSetId: string): Promise<void> {
  return changeListingsWhile(trx, { changes, changeSetId }, () => undefined)
}

/**
 * The same, and work of this process that is done while the database writes: what it makes is answered. What the next
 * statement says is made then too, so that the database hardly waits for this process.
 */
export async function changeListingsWhile<T>(
  trx: Db,
  { changes, changeSetId }: { changes: readonly BulkChange[]; changeSetId: string },
  work: () => T,
): Promise<T> {
  if (changes.length === 0) return work()
  const searched = changes.filter(({ columns }) => changesSearch(columns)).map(recordAfter)
  const found = searched.filter((record) => record.deleted_at === null)
  const [names, update] = await allEnded([namesFor(trx, found), onceSent(() => updateOf(changes))])
  const updating = update.execute(trx)
  const made = onceSent(() => ({ told: work(), history: historyOf(changes) }))
  const writing = Promise.all([made, updating]).then(([{ history }]) =>
    insertChanges(trx, history, changeSetId),
  )
  const making = made.then(() => makeSearchRows(trx, found, names))
  const [{ told }, searchRows] = await allEnded([made, making, writing, updating])
  await followSearch(trx, searched, searchRows)
  return told
}

/** Deleted listings lose their search row; if one of the others was not there, all are written anew. */
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

/** The row as the change leaves it, but for its version and what the database fills in itself. */
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

/** Every row says every column that changes in any of them. */
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
