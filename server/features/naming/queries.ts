import { sql } from 'kysely'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import type { Db } from '#server/platform/database.ts'

/** Names that were looked at, by lookup. */
export async function loadReviewed(db: Db, kind: LookupKind): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select lookup_id as id, name from reviewed_name where kind = ${kind}
  `.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function markReviewed(
  trx: Db,
  kind: LookupKind,
  names: readonly { id: string; name: string }[],
): Promise<void> {
  if (names.length === 0) return
  await sql`
    insert into reviewed_name (kind, lookup_id, name)
    select ${kind}, id, name
    from unnest(${names.map(({ id }) => id)}::uuid[], ${names.map(({ name }) => name)}::text[]) as t(id, name)
    on conflict (kind, lookup_id) do update set name = excluded.name, reviewed_at = now()
  `.execute(trx)
}

/** Of lookups that are no more. */
export async function forgetGone(trx: Db): Promise<void> {
  await sql`
    delete from reviewed_name r
    where not exists (select from category t where t.id = r.lookup_id and t.merged_into is null)
      and not exists (select from manufacturer t where t.id = r.lookup_id and t.merged_into is null)
      and not exists (select from car_model t where t.id = r.lookup_id and t.merged_into is null)
  `.execute(trx)
}

/** Who started a job; a schedule is nobody. */
export async function findStarter(db: Db, jobId: string): Promise<string | undefined> {
  const { rows } = await sql<{ by: string | null }>`
    select created_by as by from job where id = ${jobId}
  `.execute(db)
  return rows[0]?.by ?? undefined
}
