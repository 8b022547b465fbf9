import { sql } from 'kysely'
import { type LookupKind, pageKindOf } from '#server/features/lookups/lookup-kind.ts'
import type { Db } from '#server/platform/database.ts'
import type { StandingLookups } from './former-lookups.ts'

/** What lookups with these ids are now: themselves, or what they were merged into; those that are gone are left out. */
export async function findStandingLookups(
  db: Db,
  kind: LookupKind,
  ids: readonly string[],
): Promise<StandingLookups[LookupKind]> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ asked: string; id: string; name: string }>`
    select asked.id as asked, l.id, l.name
    from unnest(${[...new Set(ids)]}::uuid[]) as asked(id)
    left join landing_heir h on h.kind = ${pageKindOf(kind)} and h.lookup_id = asked.id
    join ${sql.table(kind)} l on l.id = coalesce(h.heir_id, asked.id)
  `.execute(db)
  return new Map(rows.map(({ asked, id, name }) => [asked, { id, name }]))
}
