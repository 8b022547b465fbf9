import { sql } from 'kysely'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import { relabelListingsQueue } from '#server/features/lookups/lookup-queues.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Where a lookup goes; undefined where it is gone, null where it stays. */
export async function findTarget(db: Db, kind: LookupKind, id: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ into: string | null }>`
    select merged_into as into from ${sql.table(kind)} where id = ${id}
  `.execute(db)
  return rows[0]?.into
}

/** Models of a manufacturer that is to go: those on their way into others, and whether there are any else. */
export async function listModelsLeft(
  db: Db,
  manufacturerId: string,
): Promise<{ merged: string[]; others: boolean }> {
  const { rows } = await sql<{ id: string; merged: boolean }>`
    select id, merged_into is not null as merged from car_model where manufacturer_id = ${manufacturerId} order by id
  `.execute(db)
  const merged = rows.filter((row) => row.merged).map(({ id }) => id)
  return { merged, others: merged.length < rows.length }
}

/**
 * Deletes a merged lookup, and models that went with it, if nothing points to them any more. The lock makes whoever is
 * about to point there wait, and then fail.
 */
export async function deleteMerged(trx: Db, kind: LookupKind, id: string): Promise<boolean> {
  await sql`select from ${sql.table(kind)} where id = ${id} for update`.execute(trx)
  if (kind === 'manufacturer') {
    await sql`select from car_model where manufacturer_id = ${id} order by id for update`.execute(trx)
    const { rows } = await sql`
      select from car_model m where manufacturer_id = ${id}
        and (merged_into is null or exists (select from listing where car_model_id = m.id))
      limit 1
    `.execute(trx)
    if (rows.length > 0) return false
  }
  if (await isPointedTo(trx, kind, id)) return false
  if (kind === 'manufacturer') await sql`delete from car_model where manufacturer_id = ${id}`.execute(trx)
  await sql`delete from ${sql.table(kind)} where id = ${id}`.execute(trx)
  return true
}

async function isPointedTo(trx: Db, kind: LookupKind, id: string): Promise<boolean> {
  const models =
    kind === 'category' ? sql`or exists (select from car_model where category_id = ${id})` : sql``
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from listing where ${sql.ref(`${kind}_id`)} = ${id}) ${models} as used
  `.execute(trx)
  return rows[0]?.used === true
}

type Unfinished = { kind: LookupKind; id: string }

/** Of a merged manufacturer its models are part. */
const merged = sql`
  select 'category' as kind, id from category where merged_into is not null
  union all
  select 'manufacturer', id from manufacturer where merged_into is not null
  union all
  select 'car_model', m.id from car_model m join manufacturer f on f.id = m.manufacturer_id
  where m.merged_into is not null and f.merged_into is null
`

/**
 * The last job of each lookup, and whether it fell short: those that were renamed, and those that others were merged into,
 * whose own row is gone by then.
 */
const worked = sql`
  select distinct on (worked.id) payload ->> 'kind' as kind, worked.id::uuid, status in ('failed', 'cancelled') as failed
  from job cross join unnest(array[payload ->> 'id', checkpoint ->> 'target']) as worked(id)
  where queue = ${relabelListingsQueue.name} and worked.id is not null
  order by worked.id, job.id desc
`

const unfinished = sql<Unfinished>`
  select * from (${merged}) merged
  where not exists (
    select from job
    where queue = ${relabelListingsQueue.name} and status in ('queued', 'retrying', 'running', 'waiting-manual')
      and payload ->> 'id' = merged.id::text
  )
  union
  select kind, id from (${worked}) worked
  where failed and (exists (select from category where id = worked.id)
    or exists (select from manufacturer where id = worked.id) or exists (select from car_model where id = worked.id))
`

/** Renamed and merged lookups that nobody works on: their job failed or was cancelled. There hardly ever are any. */
export async function listUnfinished(db: Db): Promise<Unfinished[]> {
  const { rows } = await unfinished.execute(db)
  return rows
}

export async function hasUnfinished(db: Db): Promise<boolean> {
  return (await listUnfinished(db)).length > 0
}
