import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

/* The fastest way to get the same rows into PostgreSQL: what an import is measured against. */

// In all three tables rows are in the order of the yard's file.
const SOURCE_OF = {
  listing: 'listing t join listing_source s on s.listing_id = t.id',
  listing_search: 'listing_search t join listing_source s using (listing_id)',
  listing_source: 'listing_source t join listing_source s using (listing_id)',
} as const
type Table = keyof typeof SOURCE_OF
const TABLES = Object.keys(SOURCE_OF) as Table[]

type CopyOf = {
  readonly databaseUrl: string
  /** All listings of this seller are from one import. */
  readonly sellerId: string
  /** For the files. */
  readonly folder: string
  /** Called before each measurement. */
  readonly settle: () => Promise<void>
}

/** Milliseconds of the same COPY into tables without and with foreign keys. */
type CopyTimes = { readonly alone: number; readonly withKeys: number }

/**
 * Writes the rows of an applied import to files, and measures how long COPY takes to load them into empty tables with
 * the same columns, checks and indexes; then once more with the same foreign keys. Neither has our triggers.
 */
export async function measureCopyAlone(of: CopyOf): Promise<CopyTimes> {
  const { databaseUrl, sellerId, folder, settle } = of
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const columns = new Map<Table, string>()
    for (const table of TABLES) {
      columns.set(table, await storedColumns(client, table))
      await pipeline(
        client.query(copyTo(dumpStatement(table, columns.get(table) ?? '', sellerId))),
        createWriteStream(fileOf(folder, table)),
      )
    }
    const copyAll = async (withKeys: boolean) => {
      for (const table of TABLES) await client.query(emptyTable(table))
      if (withKeys) for (const statement of await foreignKeys(client)) await client.query(statement)
      await settle()
      const begin = performance.now()
      for (const table of TABLES) {
        const target = client.query(copyFrom(`copy alone.${table} (${columns.get(table)}) from stdin`))
        await pipeline(createReadStream(fileOf(folder, table)), target)
      }
      const ms = performance.now() - begin
      await client.query('drop schema alone cascade')
      return ms
    }
    return { alone: await copyAll(false), withKeys: await copyAll(true) }
  } finally {
    await client.end()
  }
}

const fileOf = (folder: string, table: Table) => join(folder, `${table}.copy`)
const emptyTable = (table: Table) =>
  `create schema if not exists alone; create table alone.${table} (like public.${table} including all)`

/** They point to the tables of the import, which have the rows. */
async function foreignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table alone.%I add %s', r.relname, pg_get_constraintdef(c.oid)) as statement
     from pg_constraint c join pg_class r on r.oid = c.conrelid
     where c.contype = 'f' and r.relnamespace = 'public'::regnamespace and r.relname = any($1)`,
    [TABLES],
  )
  return rows.map(({ statement }) => statement)
}

function dumpStatement(table: Table, columns: string, sellerId: string): string {
  const named = columns.split(', ').map((column) => `t.${column}`)
  const rows = `from ${SOURCE_OF[table]} where s.seller_id = '${sellerId}' order by s.row_no`
  return `copy (select ${named.join(', ')} ${rows}) to stdout`
}

/** Generated columns are computed again. */
async function storedColumns(client: pg.Client, table: Table): Promise<string> {
  const { rows } = await client.query<{ column: string }>(
    `select quote_ident(column_name) as column from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  return rows.map(({ column }) => column).join(', ')
}
