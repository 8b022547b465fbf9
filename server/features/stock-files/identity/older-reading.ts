import { type RawBuilder, sql } from 'kysely'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  isPriceList,
} from '#contract/csv/import-fields.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * How the seller's last file with the same columns was read, if that was before columns were checked: its kilometers
 * may be listed as miles, and its "Used" as grade C. The next file corrects this, and its receipt says so.
 */

// A yard sends a file of each shape within a few weeks; programs that send single parts make thousands of imports.
const LATEST_IMPORTS = 200

/** Programs write columns in any order, and people change their case and spacing. */
const columnsOf = (header: RawBuilder<unknown>) =>
  sql`array(
    select distinct lower(regexp_replace(name, '\\s', '', 'g')) as plain from unnest(${header}) as name order by plain)`

type Mappings = {
  readonly older: ImportMapping
  readonly mapping: ImportMapping
  readonly defaults: ImportDefaults
}

async function findOlderReading(db: Db, importId: string): Promise<Mappings | undefined> {
  const { rows } = await sql<Mappings & { isOlder: boolean }>`
    select before.mapping as older, this.mapping, this.defaults,
           -- Imports store answers since, if only that there were none.
           before.answers is null as "isOlder"
    from import this cross join lateral (
      select * from import
      where seller_id = this.seller_id and not dry_run and state = 'staged' and id < this.id and header is not null
      order by id desc limit ${LATEST_IMPORTS}
    ) before
    where this.id = ${importId} and ${columnsOf(sql`before.header`)} = ${columnsOf(sql`this.header`)}
    order by before.id desc limit 1
  `.execute(db)
  return rows[0]?.isOlder ? rows[0] : undefined
}

/** Whether an import is the first of its columns since they are checked. */
export const correctsOlderReading = async (db: Db, importId: string | null): Promise<boolean> =>
  importId !== null && (await findOlderReading(db, importId)) !== undefined

/** Values taken from less specific columns, such as a shop's tax column read as its name. */
const madeUp: readonly ImportField[] = ['partgrade', 'partmiles', 'dealername']

/**
 * Fields that the older reading filled this way: their values are cleared even if this reading finds none in any row.
 */
export async function listWronglyFilled(db: Db, importId: string | null): Promise<readonly ImportField[]> {
  const found = importId === null ? undefined : await findOlderReading(db, importId)
  if (!found || isPriceList(found.mapping, found.defaults)) return []
  return madeUp.filter((field) => found.older[field] !== undefined)
}
