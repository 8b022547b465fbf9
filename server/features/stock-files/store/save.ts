import { randomUUID } from 'node:crypto'
import { MAX_CONTENTS_BYTES } from '#contract/admin/staging.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import { type EditedRows, readCsvContents, readJsonContents } from './contents.ts'
import { readRecords } from './read-contents.ts'
import { openSegmentWriter, type Segment } from './segments.ts'
import {
  type FileRequest,
  findTypedFile,
  insertStagingFile,
  listSegments,
  lockStagingFile,
  type StagingFile,
} from './staged-files.ts'
import { fromSegmentLine, toSegmentLine, withFollowingTexts } from './staged-record.ts'
import { type StagingPath, viewPath } from './staging-path.ts'
import { insertSavedVersion, openVersionLines, staleVersion } from './versions.ts'

/**
 * Finds the previous version's row that each edited row comes from: first rows with equal content, in order; then rows
 * between two such neighbors, if their number is unchanged. -1 is a new row.
 */
export function pairRows(before: readonly string[], after: readonly string[]): Int32Array {
  const pairs = pairEqual(before, after)
  const taken = new Uint8Array(before.length)
  for (const row of pairs) if (row >= 0) taken[row] = 1
  let from = 0
  while (from < after.length) {
    let to = from
    while (to < after.length && pairs[to] === -1) to += 1
    if (to > from) pairGap(pairs, taken, { from, to })
    from = to + 1
  }
  return pairs
}

function pairEqual(before: readonly string[], after: readonly string[]): Int32Array {
  const places = new Map<string, number[]>()
  // From the end, so that the first of equal rows is the last of its list.
  for (let row = before.length - 1; row >= 0; row -= 1) {
    const key = before[row] as string
    const found = places.get(key)
    if (found) found.push(row)
    else places.set(key, [row])
  }
  return Int32Array.from(after, (key) => places.get(key)?.pop() ?? -1)
}

/** Rows `from` to `to` of the new version have no equal; their neighbors have one, or are the edges of the file. */
function pairGap(pairs: Int32Array, taken: Uint8Array, gap: { from: number; to: number }): void {
  const first = gap.from === 0 ? 0 : (pairs[gap.from - 1] as number) + 1
  const end = gap.to === pairs.length ? taken.length : (pairs[gap.to] as number)
  if (end - first !== gap.to - gap.from || taken.subarray(first, end).includes(1)) return
  for (let step = 0; step < end - first; step += 1) pairs[gap.from + step] = first + step
}

/**
 * Stores the rows of an edited text as segments. A row from the previous version keeps its id and original cells;
 * unchanged segments stay the same. Returns undefined if nothing changed.
 * @throws AppError STORAGE_FULL, BUSY
 */
async function storeEditedRows(
  files: FileStore,
  edited: EditedRows,
  before: readonly Segment[],
): Promise<Segment[] | undefined> {
  const keys = await keysOf(files, edited, before)
  const pairs = pairRows(
    keys,
    Array.from({ length: edited.count }, (_, place) => edited.keyAt(place)),
  )
  const lines = openVersionLines(files, before)
  const writer = openSegmentWriter(files)
  let changed = edited.count !== keys.length
  for (const [place, origin] of pairs.entries()) {
    const old = origin < 0 ? undefined : await lines.at(origin)
    const { line, bytes } = editedLine(edited, place, old)
    changed ||= line !== old || origin !== place
    await writer.add(line, bytes)
    if (origin >= 0 && lines.endsSegment(origin)) await writer.cut()
  }
  const segments = await writer.finish()
  return changed ? segments : undefined
}

async function keysOf(files: FileStore, edited: EditedRows, before: readonly Segment[]): Promise<string[]> {
  const keys: string[] = []
  for await (const records of readRecords(files, before, { fromRow: 0 })) {
    for (const { record } of records) keys.push(edited.keyOf(record.fields))
  }
  return keys
}

function editedLine(edited: EditedRows, place: number, old: string | undefined) {
  const record = old === undefined ? { id: randomUUID(), original: [] } : fromSegmentLine(old)
  const before = 'fields' in record ? record.fields : undefined
  const after = edited.fieldsAt(place, before)
  return toSegmentLine({ ...record, fields: before ? withFollowingTexts(before, after) : after })
}

export type StagingSave = FileRequest & {
  readonly contents: string
  readonly message: string | undefined
  /** The version that was edited; undefined overwrites the current one. */
  readonly version: number | undefined
}

type SavedFile = { path: string; bytes: number; version: number }

// A text of 8 MB and its rows take about 60 MB.
const inTurn = taskQueue({ atOnce: 1, waiting: 20 })

/**
 * Saves an edited text as the next version of a staged file, or as a new file of the admin's own seller. If nothing
 * changed, the version stays. Jobs that work on an earlier version keep it.
 * @throws AppError VALIDATION_FAILED, STALE, TOO_LARGE, STORAGE_FULL, BUSY
 */
export function saveStagingFile(db: Db, files: FileStore, save: StagingSave): Promise<SavedFile> {
  const bytes = Buffer.byteLength(save.contents)
  if (bytes > MAX_CONTENTS_BYTES) throw tooLarge('The contents are')
  return inTurn(async () => {
    const { format } = await findTypedFile(db, save)
    const edited = format === 'json' ? readJsonContents(save.contents) : await readCsvContents(save.contents)
    if (typeof edited === 'string') {
      throw new AppError('VALIDATION_FAILED', edited, { fields: { contents: edited } })
    }
    return { ...(await saveRows(db, files, { ...save, edited })), bytes }
  })
}

type Edit = StagingSave & { readonly edited: EditedRows }

/** Retries on the current version if another save came in between, unless the caller named a version. */
async function saveRows(db: Db, files: FileStore, edit: Edit): Promise<Omit<SavedFile, 'bytes'>> {
  for (;;) {
    const { file, ...typed } = await findTypedFile(db, edit)
    const version = file
      ? await saveVersion(db, files, { ...edit, file })
      : await saveNew(db, files, { ...edit, typed })
    if (version !== undefined) return { path: viewPath(typed), version }
  }
}

/** The version with this content, or undefined if another one came in between. */
async function saveVersion(
  db: Db,
  files: FileStore,
  edit: Edit & { file: StagingFile },
): Promise<number | undefined> {
  const { file } = edit
  if (edit.version !== undefined && edit.version !== file.version)
    throw staleVersion(file.version, edit.version)
  // Saving an excerpt as the whole file would lose the rest.
  if (file.bytes > MAX_CONTENTS_BYTES) throw tooLarge('The staged file is')
  const before = await listSegments(db, file.id, file.version)
  const segments = await storeEditedRows(files, edit.edited, before)
  if (!segments) return file.version
  return inTransaction(db, async (trx) => {
    if ((await lockStagingFile(trx, file.id)) !== file.version) return undefined
    const version = file.version + 1
    await insertSavedVersion(trx, { file, version, segments, ...versionOf(edit) })
    return version
  })
}

/** Undefined if someone else created a file at that path in between. */
async function saveNew(
  db: Db,
  files: FileStore,
  edit: Edit & { typed: StagingPath },
): Promise<number | undefined> {
  const { root, actor, typed } = edit
  const segments = (await storeEditedRows(files, edit.edited, [])) ?? []
  return inTransaction(db, async (trx) => {
    const { sellerId, userId: createdBy } = actor
    const { path } = typed
    const id = await insertStagingFile(trx, { root, path, sellerId, createdBy, header: [] })
    if (id === undefined) return undefined
    await insertSavedVersion(trx, { file: { id, root, path }, version: 1, segments, ...versionOf(edit) })
    return 1
  })
}

const versionOf = (edit: Edit) => ({
  columns: edit.edited.columns,
  message: edit.message?.trim() || 'UI save',
  caller: edit,
})

const tooLarge = (what: string) =>
  new AppError(
    'TOO_LARGE',
    `${what} larger than 8 MB, too large to save as a whole. Save a smaller file under another path.`,
  )
