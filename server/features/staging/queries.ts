import { sql } from 'kysely'
import type { StagingRoot } from '#contract/staging.ts'
import type { Db } from '#server/platform/database.ts'
import type { Segment } from './segment.ts'

export type StagingFile = {
  readonly id: string
  readonly root: StagingRoot
  readonly path: string
  readonly sellerId: string
  /** Headers of the file its rows came from; the original cells of a row stand in this order. */
  readonly header: readonly string[]
  /** The version that counts, with its rows and the length of its JSON view, about. */
  readonly version: number
  readonly rows: number
  readonly bytes: number
  /** Names of all fields that its records may have. */
  readonly columns: readonly string[]
}

export async function findStagingFile(
  db: Db,
  root: StagingRoot,
  path: string,
): Promise<StagingFile | undefined> {
  const { rows } = await sql<StagingFile>`
    select f.id, f.root, f.path, f.seller_id as "sellerId", f.header, f.version, v.rows, v.bytes, v.columns
    from staging_file f
    join staging_version v on v.file_id = f.id and v.version = f.version
    where f.root = ${root} and f.path = ${path}
  `.execute(db)
  return rows[0]
}

/** How people call a file. */
export async function findStagingName(
  db: Db,
  id: string,
): Promise<Pick<StagingFile, 'root' | 'path'> | undefined> {
  const { rows } = await sql<Pick<StagingFile, 'root' | 'path'>>`
    select root, path from staging_file where id = ${id}
  `.execute(db)
  return rows[0]
}

/** The file's current version; whoever else wants to give it a new one waits until the transaction ends. */
export async function lockStagingFile(trx: Db, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    select version from staging_file where id = ${id} for update
  `.execute(trx)
  return rows[0]?.version
}

/** The id of the new file, or undefined where the path is taken. It has no version until `insertVersion`. */
export async function insertStagingFile(
  trx: Db,
  file: Pick<StagingFile, 'root' | 'path' | 'sellerId' | 'header'> & { createdBy: string | undefined },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into staging_file (root, path, seller_id, created_by, header)
    values (${file.root}, ${file.path}, ${file.sellerId}, ${file.createdBy ?? null}, ${[...file.header]}::text[])
    on conflict on constraint staging_file_path_unique do nothing
    returning id
  `.execute(trx)
  return rows[0]?.id
}

export type NewVersion = {
  readonly fileId: string
  readonly version: number
  readonly authorUserId: string | undefined
  readonly message: string
  readonly segments: readonly Segment[]
  readonly columns: readonly string[]
}

/** Writes a version and makes it the one that counts. */
export async function insertVersion(
  trx: Db,
  { fileId, version, segments, ...by }: NewVersion,
): Promise<void> {
  await sql`
    insert into staging_version (file_id, version, author_user_id, message, rows, bytes, columns)
    values (${fileId}, ${version}, ${by.authorUserId ?? null}, ${by.message},
            ${sum(segments, 'rows')}, ${sum(segments, 'bytes')}, ${[...by.columns]}::text[])
  `.execute(trx)
  await sql`
    insert into staging_segment (file_id, version, position, sha256, rows, bytes)
    select ${fileId}, ${version}, ordinality - 1, sha256, rows, bytes
    from unnest(${segments.map(({ sha256 }) => sha256)}::text[], ${segments.map(({ rows }) => rows)}::int[],
                ${segments.map(({ bytes }) => bytes)}::bigint[]) with ordinality as s (sha256, rows, bytes)
  `.execute(trx)
  await sql`update staging_file set version = ${version}, changed_at = now() where id = ${fileId}`.execute(
    trx,
  )
}

const sum = (segments: readonly Segment[], of: 'rows' | 'bytes') =>
  segments.reduce((total, segment) => total + segment[of], 0)

/** The segments of a version in the order of its rows. */
export async function listSegments(db: Db, fileId: string, version: number): Promise<Segment[]> {
  const { rows } = await sql<Segment>`
    select sha256, rows, bytes from staging_segment
    where file_id = ${fileId} and version = ${version} order by position
  `.execute(db)
  return rows
}
