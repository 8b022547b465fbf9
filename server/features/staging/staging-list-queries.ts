import { type RawBuilder, sql } from 'kysely'
import type { StagingRoot } from '#contract/staging.ts'
import type { StagingState } from '#contract/staging-desk.ts'
import type { Db } from '#server/platform/database.ts'

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

/** The last file of a page: the next page begins after it. */
export type StagingPlace = { readonly at: Date; readonly id: string }

/** What became of the newest version `v` of a file `f`: the newest of its promotions says so. */
const stateOfFile = sql`
  case
    when p.state = 'undone' and (p.applied > 0 or p.applied_at is not null) then 'rolled back'
    when p.state in ('applied', 'undoing') or (p.state = 'failed' and p.applied > 0) then 'live'
    when p.state = 'applying' or (p.state in ('planning', 'planned') and p.approved_at is not null) then 'promoted'
    when v.message = 'Taxonomy' then 'resolved'
    else 'staged'
  end
`

const newestVersion = sql`
  join staging_version v on v.file_id = f.id and v.version = f.version
  left join lateral (
    select state, applied, applied_at, approved_at from promotion
    where file_id = f.id and version = f.version order by id desc limit 1
  ) p on true
`

/** The same for all files of a root at once: file by file a state that few have takes many times longer to look for. */
const newestVersions = (root: StagingRoot) => sql`
  join staging_version v on v.file_id = f.id and v.version = f.version
  left join (
    select distinct on (p.file_id) p.file_id, p.state, p.applied, p.applied_at, p.approved_at
    from promotion p join staging_file f on f.id = p.file_id and f.version = p.version
    where f.root = ${root}
    order by p.file_id, p.id desc
  ) p on p.file_id = f.id
`

/** The last changed first, after a place. Without words or a state a page reads little more than itself. */
export async function listFiles(
  db: Db,
  filter: StagingFilter,
  { after, limit }: { after: StagingPlace | undefined; limit: number },
): Promise<StagingListRow[]> {
  const { rows } = await sql<StagingListRow>`
    select f.id, f.root, f.path, jsonb_build_object('id', s.id, 'name', s.name) as seller, v.rows, v.bytes, f.version,
           ${stateOfFile} as state,
           (select count(*)::int from lookup_question q where q.file_id = f.id) as "openNames", f.created_at as "createdAt", f.changed_at as "updatedAt",
           u.name as "updatedBy", v.message
    from (
      select f.* from staging_file f ${filter.state ? newestVersions(filter.root) : sql``}
      where ${matching(filter, after)} order by f.changed_at desc, f.id desc limit ${limit}
    ) f
    ${newestVersion}
    join seller s on s.id = f.seller_id
    left join app_user u on u.id = v.author_user_id
    order by f.changed_at desc, f.id desc
  `.execute(db)
  return rows
}

function matching({ root, q = '', state, openNames }: StagingFilter, after: StagingPlace | undefined) {
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
  if (state) asked.push(sql`${stateOfFile} = ${state}`)
  return sql.join(asked, sql` and `)
}
