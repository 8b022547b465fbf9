import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { type ColumnChanges, changesSearch } from './listing-diff.ts'
import { type ListingRecord, writeSearchRows } from './write-queries.ts'

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
export async function changeListings(
  trx: Db,
  changes: readonly BulkChange[],
  changeSetId: string,
): Promise<void> {
  if (changes.length === 0) return
  const columns = [...new Set(changes.flatMap((change) => Object.keys(change.columns)))]
  const rows = changes.map((change) => rowAfter(change, columns))
  const set = sql.join([
    ...columns.map((column) => sql`${sql.ref(column)} = n.${sql.ref(column)}`),
    sql`version = l.version + 1`,
    sql`updated_at = now()`,
  ])
  await sql`
    update listing l set ${set}
    from jsonb_populate_recordset(null::listing, ${JSON.stringify(rows)}::jsonb) n
    where l.id = n.id
  `.execute(trx)
  await insertChanges(trx, changes, changeSetId)
  const searched = changes.filter((change) => changesSearch(change.columns)).map(({ before }) => before.id)
  if (searched.length > 0) await writeSearchRows(trx, searched)
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

async function insertChanges(trx: Db, changes: readonly BulkChange[], changeSetId: string): Promise<void> {
  const rows = changes.map(({ before, columns, elsewhere }) => ({
    id: before.id,
    version: before.version + 1,
    changes: { ...columns, ...elsewhere },
  }))
  await sql`
    insert into listing_change (change_set_id, listing_id, version, changes)
    select ${changeSetId}::uuid, id, version, changes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(id uuid, version integer, changes jsonb)
  `.execute(trx)
}
