import { type RawBuilder, sql } from 'kysely'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The lookup that an id stands for now, and its name. */
export type Label = { id: string; name: string }

/** What these ids stand for: themselves, or what they were merged into. */
export async function readLabels(
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

/** Some listings of a lookup, deleted ones too, in no order: those that have followed are not among the next. */
export async function listSomeListings(
  db: Db,
  { kind, id, limit }: { kind: LookupKind; id: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id ${listingsOf(kind, id)} limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** The next listings of a lookup by their ids. Each asking sorts all of them, so ask for many. */
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

/** Who asked for a job. */
export async function findCreator(db: Db, jobId: string): Promise<string | undefined> {
  const { rows } = await sql<{
    by: string | null
  }>`select created_by as by from job where id = ${jobId}`.execute(db)
  return rows[0]?.by ?? undefined
}
