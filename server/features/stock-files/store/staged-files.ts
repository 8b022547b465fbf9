import { type RawBuilder, sql } from 'kysely'
import type { StagingRoot, StagingState, stagingDeskEndpoints } from '#contract/admin/staging.ts'
import type { Answer } from '#contract/endpoint.ts'
import { readCursor, type TimePosition, toCursor } from '#server/platform/database/cursors.ts'
import type { Db } from '#server/platform/database/database.ts'
import { likePart } from '#server/platform/database/quoted-text.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Segment } from './segments.ts'
import {
  type Caller,
  namesServerFolder,
  readStagingPath,
  refusePath,
  type StagingPath,
  viewPath,
} from './staging-path.ts'

export type StagingFile = {
  readonly id: string
  readonly root: StagingRoot
  readonly path: string
  readonly sellerId: string
  /** Headers of the file its rows came from; a row's original cells are in this order. */
  readonly header: readonly string[]
  /** The current version, with its row count and the approximate length of its JSON view. */
  readonly version: number
  readonly rows: number
  readonly bytes: number
  /** Names of all fields its records may have. */
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

/** The root and path of a file. */
export async function findStagingName(
  db: Db,
  id: string,
): Promise<Pick<StagingFile, 'root' | 'path'> | undefined> {
  const { rows } = await sql<Pick<StagingFile, 'root' | 'path'>>`
    select root, path from staging_file where id = ${id}
  `.execute(db)
  return rows[0]
}

/** The file's current version; blocks other writers until the transaction ends. */
export async function lockStagingFile(trx: Db, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    select version from staging_file where id = ${id} for update
  `.execute(trx)
  return rows[0]?.version
}

/** The id of the new file, or undefined if the path is taken. It has no version until `insertVersion`. */
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

/** Inserts a version and makes it the current one. */
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

/** Inserts a version with the rows of the given one, and returns its number. The caller must have locked the file. */
export async function repeatVersion(
  trx: Db,
  { id: fileId, version: from, columns }: Pick<StagingFile, 'id' | 'version' | 'columns'>,
  by: Pick<NewVersion, 'authorUserId' | 'message'>,
): Promise<number> {
  const version = from + 1
  const segments = await listSegments(trx, fileId, from)
  await insertVersion(trx, { fileId, version, segments, columns, ...by })
  return version
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

export type NewStagingFile = {
  readonly root: StagingRoot
  /** Ends in `.json`; normalized by `readStagingPath`, so that the file can be found by its name. */
  readonly path: string
  readonly sellerId: string
  readonly createdBy: string | undefined
  /** Headers of the file the rows came from; empty for rows made by hand. */
  readonly header: readonly string[]
  readonly segments: readonly Segment[]
  /** Names of all fields the records may have. */
  readonly columns: readonly string[]
  readonly message: string
}

/**
 * Creates a file and its version 1 from stored segments. A taken path gets -2, -3 and so on; the unique constraint
 * decides, so that two concurrent calls get different paths.
 */
export async function createStagingFile(
  trx: Db,
  file: NewStagingFile,
): Promise<{ fileId: string; path: string }> {
  const wanted = readStagingPath(file.path)
  if (typeof wanted === 'string') throw new Error(`${file.path} is not a staging path: ${wanted}`)
  const stem = wanted.path.slice(0, -'.json'.length)
  for (let copy = 1; ; copy += 1) {
    const path = copy === 1 ? wanted.path : `${stem}-${copy}.json`
    const fileId = await insertStagingFile(trx, { ...file, path })
    if (fileId === undefined) continue
    await insertVersion(trx, {
      fileId,
      version: 1,
      authorUserId: file.createdBy,
      message: file.message,
      segments: file.segments,
      columns: file.columns,
    })
    return { fileId, path }
  }
}

export type TypedFile = StagingPath & { readonly file: StagingFile | undefined }

export type FileRequest = Caller & {
  readonly root: StagingRoot
  /** As typed. */
  readonly path: string
  /** Folders that a typed absolute path may start with. */
  readonly folders: readonly string[]
}

/**
 * The file at a typed path; `file` is undefined if there is none.
 * @throws AppError VALIDATION_FAILED with `fields.path`, or the given field
 */
export async function findTypedFile(
  db: Db,
  request: FileRequest,
  field: 'path' | 'paths' = 'path',
): Promise<TypedFile> {
  const { root, path: typed, folders } = request
  const refuse = (sentence: string) => refusePath(db, { root, typed, sentence, field, caller: request })
  const read = readStagingPath(typed, folders)
  if (typeof read === 'string') return refuse(read)
  const file = await findStagingFile(db, root, read.path)
  if (!file && namesServerFolder(read.path)) {
    return refuse('This folder of the server is not available for staging. Enter a path inside the root.')
  }
  return { ...read, file }
}

export type RequiredFile = {
  readonly file: StagingFile
  readonly format: StagingPath['format']
  /** The path of the requested view. */
  readonly shownPath: string
}

/**
 * The file at a typed path.
 * @throws AppError VALIDATION_FAILED with `fields.path`, NOT_FOUND
 */
export async function requireTypedFile(db: Db, request: FileRequest): Promise<RequiredFile> {
  const { file, ...typed } = await findTypedFile(db, request)
  if (!file) throw new AppError('NOT_FOUND', `There is no staged file ${typed.path} in ${request.root}.`)
  return { file, format: typed.format, shownPath: viewPath(typed) }
}

type StagingFilter = {
  readonly root: StagingRoot
  /** Words that must all occur in the path or the seller's name. */
  readonly q?: string | undefined
  readonly state?: StagingState | undefined
  /** Only files with undecided names. */
  readonly openNames?: 'yes' | undefined
}

type StagingListRow = {
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

/** Last changed first. Without words, a page reads little more than itself. */
async function listFiles(
  db: Db,
  filter: StagingFilter,
  { after, limit }: { after: TimePosition | undefined; limit: number },
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

function matching({ root, q = '', state, openNames }: StagingFilter, after: TimePosition | undefined) {
  const words = q.trim().split(/\s+/).filter(Boolean)
  const conditions: RawBuilder<unknown>[] = [sql`f.root = ${root}`]
  if (after) conditions.push(sql`(f.changed_at, f.id) < (${after.at}, ${after.id}::uuid)`)
  for (const word of words) {
    const part = likePart(word)
    conditions.push(
      sql`(f.path ilike ${part} or f.seller_id = any(array(select id from seller where name ilike ${part})))`,
    )
  }
  if (openNames) conditions.push(sql`f.id in (select file_id from lookup_question where file_id is not null)`)
  if (state) conditions.push(sql`f.state = ${state}`)
  return sql.join(conditions, sql` and `)
}

export type StagingListRequest = StagingFilter & {
  readonly cursor?: string | undefined
  readonly limit: number
}

/**
 * A page of a root's staged files, last changed first.
 * @throws AppError MALFORMED for an invalid cursor
 */
export async function listStagingFiles(
  db: Db,
  { cursor, limit, ...filter }: StagingListRequest,
): Promise<Answer<typeof stagingDeskEndpoints.listStagingFiles>> {
  const after = cursor ? readCursor(cursor) : undefined
  // One extra row shows whether there is another page.
  const found = await listFiles(db, filter, { after, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => ({
      ...row,
      csvPath: viewPath({ path: row.path, format: 'csv' }),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    })),
    nextCursor: last && found.length > limit ? toCursor({ at: last.updatedAt, id: last.id }) : null,
  }
}
