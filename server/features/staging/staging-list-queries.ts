import { type RawBuilder, sql } from 'kysely'
import type { StagingRoot } from '#contract/staging.ts'
import type { StagingState } from '#contract/staging-desk.ts'
import type { Db } from '#server/platform/database.ts'
import type { TimePlace } from '#server/platform/time-cursor.ts'

export type StagingFilter = {
  readonly root: StagingRoot
  /** Words that all stand in the path or in the seller's name. */
  readonly q?: string | undefined
  readonly state?: StagingState | undefined
  /** Only files with names that wait for a decision. */
  readonly openNames?: 'yes' | undefined
}

export type StagingListRow = {
  readonly id: string
  readonly root: StagingRoot
  readonly path: string
  readonly seller: { id: string; name: string }
  readonly rows: number
  readonly bytes: number
  readonly version: number
  readonly state: StagingState
  readonly openNames: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly updatedBy: string | null
  readonly message: string
}

/** The last changed first, after a place. Without words a page reads little more than itself. */
export async function listFiles(
  db: Db,
  filter: StagingFilter,
  { after, limit }: { after: TimePlace | undefined; limit: number },
): Promise<StagingListRow[]> {
  const { rows } = await sql<StagingListRow>`
    select f.id, f.root, f.path, jsonb_build_object('id', s.id, 'name', s.name) as seller, v.rows, v.bytes, f.version, f.state,
           (select count(*)::int from lookup_question q where q.file_id = f.id) as "openNames", f.created_at as "createdAt", f.changed_at as "updatedAt",
           u.name as "updatedBy", v.message
    from (
      select f.* from staging_file f
      where ${matching(filter, after)} order by f.changed_at desc, f.id desc limit ${limit}
    ) f
    join staging_version v on v.file_id = f.id and v.version = f.version
    join seller s on s.id = f.seller_id
    left join app_user u on u.id = v.author_user_id
    order by f.changed_at desc, f.id desc
  `.execute(db)
  return rows
}

function matching({ root, q = '', state, openNames }: StagingFilter, after: TimePlace | undefined) {
  const words = q.trim().split(/\s+/).filter(Boolean)
  const asked: RawBuilder<unknown>[] = [sql`f.root = ${root}`]
  if (after) asked.push(sql`(f.changed_at, f.id) < (${after.at}, ${after.id}::uuid)`)
  for (const word of words) {
    const part = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`
    asked.push(
      sql`(f.path ilike ${part} or f.seller_id = any(array(select id from seller where name ilike ${part})))`,
    )
  }
  if (openNames) asked.push(sql`f.id in (select file_id from lookup_question where file_id is not null)`)
  if (state) asked.push(sql`f.state = ${state}`)
  return sql.join(asked, sql` and `)
}
