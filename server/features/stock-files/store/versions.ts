import { sql } from 'kysely'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { readSegmentLines, type Segment, sameSegments } from './segments.ts'
import {
  type FileRequest,
  insertVersion,
  listSegments,
  lockStagingFile,
  requireTypedFile,
  type StagingFile,
} from './staged-files.ts'
import type { Caller } from './staging-path.ts'

type VersionRow = {
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

async function findVersion(db: Db, fileId: string, version: number): Promise<VersionRow | undefined> {
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

/**
 * A version of a file by its number.
 * @throws AppError NOT_FOUND
 */
export async function requireVersion(db: Db, file: StagingFile, version: number): Promise<VersionRow> {
  const found = await findVersion(db, file.id, version)
  if (found) return found
  throw new AppError(
    'NOT_FOUND',
    `${file.path} has no version ${version}; its versions are 1 to ${file.version}.`,
  )
}

/** The refusal to save over a version that is no longer the newest. */
export const staleVersion = (newest: number, read: number) =>
  new AppError(
    'STALE',
    `The file was changed by someone else since you loaded it: it is now at version ${newest}, you have version ${read}. Compare the two versions, then load the file again and repeat your change.`,
  )

type SavedVersion = {
  readonly file: Pick<StagingFile, 'id' | 'root' | 'path'>
  readonly version: number
  readonly segments: readonly Segment[]
  readonly columns: readonly string[]
  readonly message: string
  readonly caller: Caller
}
/** `file.version` is the one that was edited. */
type NextVersion = Omit<SavedVersion, 'version'> & { readonly file: StagingFile }

/**
 * Stores an edit as the newest version and logs who made it.
 * @throws AppError STALE if the file was saved again since it was read
 */
export function storeNextVersion(db: Db, next: NextVersion): Promise<number> {
  const { file } = next
  return inTransaction(db, async (trx) => {
    const newest = await lockStagingFile(trx, file.id)
    if (newest !== file.version) throw staleVersion(newest ?? 0, file.version)
    const version = file.version + 1
    await insertSavedVersion(trx, { ...next, version })
    return version
  })
}

/** Inserts a user's version and logs it. */
export async function insertSavedVersion(
  trx: Db,
  { file, version, segments, columns, message, caller }: SavedVersion,
): Promise<void> {
  const authorUserId = caller.actor.userId
  await insertVersion(trx, { fileId: file.id, version, authorUserId, message, segments, columns })
  await writeAudit(trx, {
    action: 'staging-file-saved',
    actorUserId: authorUserId,
    target: `${file.root}:${file.path}`,
    ip: caller.ip,
    requestId: caller.requestId,
    detail: { version, rows: segments.reduce((sum, { rows }) => sum + rows, 0), message },
  })
}

export type RestoreVersion = FileRequest & {
  readonly version: number
  /** The newest version the client saw. */
  readonly current: number
}

/**
 * Restores an earlier version as a new one that shares its segments. If the newest has the same content, it stays.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, STALE
 */
export async function restoreStagingVersion(
  db: Db,
  restore: RestoreVersion,
): Promise<{ path: string; version: number }> {
  const { file, shownPath: path } = await requireTypedFile(db, restore)
  if (restore.current !== file.version) throw staleVersion(file.version, restore.current)
  const { columns } = await requireVersion(db, file, restore.version)
  const segments = await listSegments(db, file.id, restore.version)
  if (sameSegments(segments, await listSegments(db, file.id, file.version))) {
    return { path, version: file.version }
  }
  const message = `Restored version ${restore.version}`
  return {
    path,
    version: await storeNextVersion(db, { file, segments, columns, message, caller: restore }),
  }
}

export type VersionLines = {
  /** The line of a row, counted from 0. */
  at(row: number): Promise<string>
  /** Whether the row is the last of its segment. */
  endsSegment(row: number): boolean
}

// Rows are requested nearly in order; this many characters of segments are cached for those that are not.
const MAX_CHARACTERS = 16_000_000

/** Random access to the lines of a version. Only the most recently used segments are in memory. */
export function openVersionLines(files: FileStore, segments: readonly Segment[]): VersionLines {
  const ends: number[] = []
  for (const { rows } of segments) ends.push((ends.at(-1) ?? 0) + rows)
  const kept = new Map<number, { lines: string[]; characters: number }>()
  let characters = 0

  const linesOf = async (place: number, sha256: string) => {
    const known = kept.get(place)
    if (known) return known.lines
    const lines = await readSegmentLines(files, sha256)
    const length = lines.reduce((sum, line) => sum + line.length, 0)
    kept.set(place, { lines, characters: length })
    characters += length
    // Evict in the order of loading.
    for (const [oldest, { characters: freed }] of kept) {
      if (characters <= MAX_CHARACTERS || oldest === place) break
      kept.delete(oldest)
      characters -= freed
    }
    return lines
  }

  return {
    async at(row) {
      const place = ends.findIndex((end) => row < end)
      const segment = segments[place]
      const lines = segment && (await linesOf(place, segment.sha256))
      const line = lines?.[row - (ends[place - 1] ?? 0)]
      if (line === undefined) throw new Error(`The version has no row ${row}`)
      return line
    },
    endsSegment: (row) => ends.includes(row + 1),
  }
}
