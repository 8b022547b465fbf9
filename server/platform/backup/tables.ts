import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { Refusal } from '#server/platform/errors.ts'
import type { ArchivedTable, ArchiveItem, EntryOf } from './archive.ts'

/*
 * Dumps and loads all rows of a database in COPY format. Tables, columns, partitions and sequences are read from the
 * catalog, so that additions of migrations are included automatically.
 */

/** Why rows are not backed up, by table (for a partition, its root) or by schema (`name.*`). */
export type LeftOut = Readonly<Record<string, string>>

// Its only parameter is the list of excluded schemas.
const OURS = `n.nspname !~ '^(pg_|information_schema$)' and n.nspname <> all($1) and not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

const schemasOf = (leftOut: LeftOut): string[] =>
  Object.keys(leftOut).flatMap((name) => (name.endsWith('.*') ? [name.slice(0, -2)] : []))

/** Lists every table with its own rows (plain tables and partitions) by name. */
export async function listTables(client: pg.ClientBase, leftOut: LeftOut): Promise<ArchivedTable[]> {
  const { rows } = await client.query<{
    name: string
    root: string
    columns: string[]
    of: string | null
    bound: string | null
  }>(
    `
    select format('%I.%I', n.nspname, c.relname) as name,
           coalesce(root.relname, c.relname)::text as root,
           array(select quote_ident(attname) from pg_attribute a
                 where a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
                 order by attnum) as columns,
           (select format('%I.%I', pn.nspname, p.relname) from pg_inherits i
            join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace
            where i.inhrelid = c.oid and c.relispartition) as of,
           pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join pg_class root on c.relispartition and root.oid = pg_partition_root(c.oid)
    where c.relkind = 'r' and c.relpersistence <> 't' and ${OURS}
    order by n.nspname, c.relname`,
    [schemasOf(leftOut)],
  )
  return rows
    .filter(({ root }) => !(root in leftOut))
    .map(({ name, columns, of, bound }) => ({
      name,
      columns,
      ...(of && bound && { partition: { of, bound } }),
    }))
}

// Makes COPY write the same text on every server, and scan large tables from their beginning.
const AS_TEXT = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local synchronize_seqscans = off`

/**
 * Yields all rows and sequences as of one moment. The caller's connection stays in a transaction until the last item is
 * taken; writers are not blocked. A caller that stops before that ends the connection: an unread COPY blocks it.
 */
export async function* dumpTables(client: pg.ClientBase, leftOut: LeftOut): AsyncGenerator<ArchiveItem> {
  const before = await listTables(client, leftOut)
  await client.query('begin isolation level repeatable read read only')
  // Locks first, because the first query takes the snapshot: a table truncated or dropped after it would come out empty.
  await client.query(`lock table ${before.map(({ name }) => name).join(', ')} in access share mode`)
  await client.query(AS_TEXT)
  for (const table of await listTables(client, leftOut)) {
    yield { kind: 'table', table }
    yield* copyOut(client, table)
  }
  // After the tables: sequences are not part of the snapshot and must not be behind the rows.
  yield* listSequences(client, leftOut)
  await client.query('rollback')
}

async function* copyOut(
  client: pg.ClientBase,
  table: ArchivedTable,
): AsyncGenerator<Buffer | EntryOf<'rows'>> {
  const hash = createHash('sha256')
  const stream = client.query(to(`copy ${table.name} (${table.columns.join(', ')}) to stdout`))
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    hash.update(bytes)
    yield bytes
  }
  yield { kind: 'rows', table, rows: stream.rowCount, sha256: hash.digest('hex') }
}

async function* listSequences(client: pg.ClientBase, leftOut: LeftOut): AsyncGenerator<EntryOf<'sequence'>> {
  const { rows } = await client.query<{ sequence: string; value: string; isCalled: boolean }>(
    `
    select format('%I.%I', schemaname, sequencename) as sequence,
           coalesce(last_value, start_value)::text as value, last_value is not null as "isCalled"
    from pg_sequences where schemaname !~ '^(pg_|information_schema$)' and schemaname <> all($1)
    order by schemaname, sequencename`,
    [schemasOf(leftOut)],
  )
  for (const sequence of rows) yield { kind: 'sequence', ...sequence }
}

/**
 * Replaces the rows of all tables by the archive's, in the caller's transaction, and then compares the hash of every
 * table. Drops foreign keys, triggers and indexes first and recreates them afterwards, which checks every row and is
 * faster than one row at a time.
 * @throws Refusal if the tables differ from the archive's, or do not contain its rows afterwards
 */
export async function loadTables(
  client: pg.ClientBase,
  items: AsyncIterable<ArchiveItem>,
  { archived, leftOut }: { archived: readonly EntryOf<'rows'>[]; leftOut: LeftOut },
): Promise<void> {
  const tables = archived.map(({ table }) => table)
  await matchPartitions(client, tables, leftOut)
  requireSameTables(await listTables(client, leftOut), tables)
  const recreateStatements = await dropConstraintsAndIndexes(client, leftOut)
  // Listings have a dozen indexes, and building a search index needs memory.
  await client.query(`set local maintenance_work_mem = '256MB'; ${AS_TEXT}`)
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  await copyIn(client, items)
  for (const { table, sha256 } of archived) await requireHash(client, table, sha256)
  for (const statement of recreateStatements) await client.query(statement)
}

async function requireHash(client: pg.ClientBase, table: ArchivedTable, sha256: string): Promise<void> {
  for await (const item of copyOut(client, table)) {
    if (!Buffer.isBuffer(item) && item.sha256 !== sha256) {
      throw new Refusal(`${table.name} does not contain the rows of the backup.`)
    }
  }
}

/** Monthly partitions depend on the date; creates and drops them to match the archive. */
async function matchPartitions(
  client: pg.ClientBase,
  tables: readonly ArchivedTable[],
  leftOut: LeftOut,
): Promise<void> {
  const wanted = tables.filter(({ partition }) => partition)
  const found = (await listTables(client, leftOut)).filter(({ partition }) => partition)
  for (const { name } of missingFrom(wanted, found)) await client.query(`drop table ${name}`)
  for (const { name, partition } of missingFrom(found, wanted)) {
    await client.query(`create table ${name} partition of ${partition?.of} ${partition?.bound}`)
  }
}

/** The tables of `all` that are missing from `some`. */
function missingFrom(some: readonly ArchivedTable[], all: readonly ArchivedTable[]): ArchivedTable[] {
  const names = new Set(some.map(({ name }) => name))
  return all.filter(({ name }) => !names.has(name))
}

function requireSameTables(found: readonly ArchivedTable[], wanted: readonly ArchivedTable[]): void {
  const shapesOf = (all: readonly ArchivedTable[]) =>
    new Set(all.map(({ name, columns }) => `${name} (${columns.toSorted().join(', ')})`))
  const [here, there] = [shapesOf(found), shapesOf(wanted)]
  const differing = [...here, ...there].filter((shape) => !here.has(shape) || !there.has(shape))
  if (differing.length > 0) {
    throw new Refusal(`The tables of this database differ from those of the backup: ${differing.join('; ')}.`)
  }
}

/** Drops everything that would reject, change or slow down incoming rows; returns the statements that recreate it. */
async function dropConstraintsAndIndexes(client: pg.ClientBase, leftOut: LeftOut): Promise<string[]> {
  const { rows } = await client.query<{ off: string; back: string }>(
    `
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid)) as back,
           3 as turn
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where contype = 'f' and conparentid = 0 and ${OURS}
    union all
    select format('alter table %s disable trigger %I', tgrelid::regclass, tgname),
           format('alter table %s enable trigger %I', tgrelid::regclass, tgname), 4
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where not tgisinternal and tgparentid = 0 and tgenabled = 'O' and ${OURS}
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 1
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and not c.relispartition and ${OURS}
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    order by turn, 2`,
    [schemasOf(leftOut)],
  )
  // In reverse order, because a foreign key may depend on an index.
  for (const { off } of rows.toReversed()) await client.query(off)
  return rows.map(({ back }) => back)
}

async function copyIn(client: pg.ClientBase, items: AsyncIterable<ArchiveItem>): Promise<void> {
  let rows: CopyIn | undefined
  for await (const item of items) {
    if (Buffer.isBuffer(item)) await rows?.write(item)
    else if (item.kind === 'table') rows = new CopyIn(client, item.table)
    else if (item.kind === 'rows') await rows?.close()
    else if (item.kind === 'sequence') {
      const { sequence, value, isCalled } = item
      await client.query('select setval($1::regclass, $2::bigint, $3)', [sequence, value, isCalled])
    }
  }
}

class CopyIn {
  readonly #stream: Writable
  readonly #ended: Promise<void>

  constructor(client: pg.ClientBase, { name, columns }: ArchivedTable) {
    this.#stream = client.query(from(`copy ${name} (${columns.join(', ')}) from stdin`))
    this.#ended = finished(this.#stream)
    // Thrown by the next write or the close.
    this.#ended.catch(() => undefined)
  }

  async write(bytes: Buffer): Promise<void> {
    if (!this.#stream.write(bytes)) await Promise.race([once(this.#stream, 'drain'), this.#ended])
  }

  async close(): Promise<void> {
    this.#stream.end()
    await this.#ended
  }
}
