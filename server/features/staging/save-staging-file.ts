import { MOST_CONTENTS_BYTES } from '#contract/staging.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { waitingLine } from '#server/platform/waiting-line.ts'
import { readCsvContents } from './csv-contents.ts'
import type { EditedRows } from './edited-rows.ts'
import { type AskedFile, findTypedFile } from './find-typed-file.ts'
import { readJsonContents } from './json-contents.ts'
import {
  insertStagingFile,
  insertVersion,
  listSegments,
  lockStagingFile,
  type StagingFile,
} from './queries.ts'
import type { Segment } from './segment.ts'
import { type StagingPath, viewPath } from './staging-path.ts'
import { changedMeanwhile } from './stale-version.ts'
import { storeEditedRows } from './store-edited-rows.ts'

export type StagingSave = AskedFile & {
  readonly contents: string
  readonly message: string | undefined
  /** The version that was edited; undefined saves over whatever is there. */
  readonly version: number | undefined
}

type Saved = { path: string; bytes: number; version: number }

// A text of 8 MB and its rows take some 60 MB.
const inTurn = waitingLine({ atOnce: 1, waiting: 20 })

/**
 * Saves an edited text as the next version of a staged file; where there is none, as a new file of the admin's own
 * seller. Where nothing changed the version stays. Jobs that work on an earlier version keep that.
 * @throws AppError VALIDATION_FAILED, STALE, TOO_LARGE, STORAGE_FULL, BUSY
 */
export function saveStagingFile(db: Db, files: FileStore, save: StagingSave): Promise<Saved> {
  const bytes = Buffer.byteLength(save.contents)
  if (bytes > MOST_CONTENTS_BYTES) throw tooLarge('The contents are')
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

/** Again from what stands now, where somebody saved in between; who named a version is told instead. */
async function saveRows(db: Db, files: FileStore, edit: Edit): Promise<Omit<Saved, 'bytes'>> {
  for (;;) {
    const { file, ...typed } = await findTypedFile(db, edit)
    const version = file
      ? await saveVersion(db, files, { ...edit, file })
      : await saveNew(db, files, { ...edit, typed })
    if (version !== undefined) return { path: viewPath(typed), version }
  }
}

/** The version that now says so; undefined where another one came in between. */
async function saveVersion(
  db: Db,
  files: FileStore,
  edit: Edit & { file: StagingFile },
): Promise<number | undefined> {
  const { file } = edit
  if (edit.version !== undefined && edit.version !== file.version) throw stale(file, edit.version)
  // Whoever sends a part of it as the whole would lose the rest.
  if (file.bytes > MOST_CONTENTS_BYTES) throw tooLarge('The staged file is')
  const before = await listSegments(db, file.id, file.version)
  const segments = await storeEditedRows(files, edit.edited, before)
  if (!segments) return file.version
  return inTransaction(db, async (trx) => {
    if ((await lockStagingFile(trx, file.id)) !== file.version) return undefined
    const version = file.version + 1
    await insertEdit(trx, edit, { ...file, fileId: file.id, version, segments })
    return version
  })
}

/** Undefined where somebody else made a file of that path in between. */
async function saveNew(
  db: Db,
  files: FileStore,
  edit: Edit & { typed: StagingPath },
): Promise<number | undefined> {
  const { root, actor, typed } = edit
  const segments = (await storeEditedRows(files, edit.edited, [])) ?? []
  return inTransaction(db, async (trx) => {
    const { sellerId, userId: createdBy } = actor
    const fileId = await insertStagingFile(trx, { root, path: typed.path, sellerId, createdBy, header: [] })
    if (fileId === undefined) return undefined
    await insertEdit(trx, edit, { fileId, path: typed.path, version: 1, segments })
    return 1
  })
}

type NextVersion = { fileId: string; path: string; version: number; segments: readonly Segment[] }

async function insertEdit(trx: Db, edit: Edit, { path, ...next }: NextVersion): Promise<void> {
  const { actor, root, edited, ip, requestId } = edit
  const message = edit.message?.trim() || 'UI save'
  const { fileId, version, segments } = next
  await insertVersion(trx, {
    fileId,
    version,
    segments,
    authorUserId: actor.userId,
    message,
    columns: edited.columns,
  })
  await writeAudit(trx, {
    action: 'staging-file-saved',
    actorUserId: actor.userId,
    target: `${root}:${path}`,
    ip,
    requestId,
    detail: { version, rows: edited.count, message },
  })
}

const stale = ({ version }: StagingFile, read: number) =>
  new AppError('STALE', changedMeanwhile({ newest: version, read }))

const tooLarge = (what: string) =>
  new AppError(
    'TOO_LARGE',
    `${what} larger than 8 MB, which is not saved as a whole. Save a smaller file under another path.`,
  )
