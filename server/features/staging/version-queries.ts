import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

export type VersionRow = {
  readonly version: number
  readonly author: string | null
  readonly message: string
  readonly rows: number
  readonly bytes: number
  readonly columns: readonly string[]
  readonly createdAt: Date
}

const versionColumns = sql`
  v.version, u.name as author, v.message, v.rows, v.bytes, v.columns, v.created_at as "createdAt"
`

export async function findVersion(db: Db, fileId: string, version: number): Promise<VersionRow | undefined> {
  const { rows } = await sql<VersionRow>`
    select ${versionColumns} from staging_version v left join app_user u on u.id = v.author_user_id
    where v.file_id = ${fileId} and v.version = ${version}
  `.execute(db)
  return rows[0]
}

/** Newest first. */
export async function listVersions(db: Db, fileId: string, limit: number): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select ${versionColumns} from staging_version v left join app_user u on u.id = v.author_user_id
    where v.file_id = ${fileId} order by v.version desc limit ${limit}
  `.execute(db)
  return rows
}
