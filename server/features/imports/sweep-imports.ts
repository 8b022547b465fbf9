import { UNDO_DAYS } from '#server/features/promotion/promotion-state.ts'
import { SEGMENT_FOLDER, segmentInKey } from '#server/features/staging/segment.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore, StoredFile } from '#server/platform/file-store/file-store.ts'
import { untilNone } from '#server/platform/until-none.ts'
import {
  abandonImports,
  deleteDryRuns,
  deletePastActions,
  deletePastKeptRows,
  listUsedSegments,
} from './sweep-queries.ts'

const DAY_MS = 86_400_000
// Whoever began an import last week and did not come back has another file by now.
const UNFINISHED_MS = 7 * DAY_MS
// A day more than an import can be taken back or a plan stands: what began at the last moment must find what it does.
const PAST_UNDO_MS = (UNDO_DAYS + 1) * DAY_MS
// Between a segment's file and the rows that name it lie minutes; a day also covers a clock that is wrong.
const YOUNG_MS = DAY_MS

const ROWS_AT_ONCE = 5_000
const IMPORTS_AT_ONCE = 20
const FILES_AT_ONCE = 500

type Sweeping = { db: Db; files: FileStore; now: Date; signal: AbortSignal }
type SegmentSweeping = Omit<Sweeping, 'now'> & { before: Date }

export type SweptImports = {
  abandoned: number
  dryRuns: number
  actions: number
  keptRows: number
  segments: number
  bytes: number
}

/** One round of removing what imports left that nobody needs any more; safe to repeat and to break off anywhere. */
export async function sweepImports({ db, files, now, signal }: Sweeping): Promise<SweptImports> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const unfinished = ago(UNFINISHED_MS)
  return {
    abandoned: await untilNone(signal, IMPORTS_AT_ONCE, (most) => abandonImports(db, unfinished, most)),
    dryRuns: await untilNone(signal, IMPORTS_AT_ONCE, (most) =>
      deleteDryRuns(db, { finished: unfinished, unfinished: ago(DAY_MS) }, most),
    ),
    actions: await untilNone(signal, ROWS_AT_ONCE, (most) => deletePastActions(db, ago(PAST_UNDO_MS), most)),
    keptRows: await untilNone(signal, ROWS_AT_ONCE, (most) =>
      deletePastKeptRows(db, ago(PAST_UNDO_MS), most),
    ),
    ...(await sweepSegments({ db, files, before: ago(YOUNG_MS), signal })),
  }
}

/** Removes segments that were written before a time and that no file and no import names. */
async function sweepSegments({ db, files, before, signal }: SegmentSweeping) {
  const swept = { segments: 0, bytes: 0 }
  for await (const batch of inBatches(files.list(SEGMENT_FOLDER))) {
    signal.throwIfAborted()
    const old = batch.filter(({ key, modifiedAt }) => modifiedAt < before && segmentInKey(key))
    const used = await listUsedSegments(
      db,
      old.flatMap(({ key }) => segmentInKey(key) ?? []),
    )
    for (const { key, bytes } of old) {
      if (used.has(segmentInKey(key) ?? '') || !(await isStillOld(files, key, before))) continue
      await files.delete(key)
      swept.segments += 1
      swept.bytes += bytes
    }
  }
  return swept
}

/** Asked again at the last moment: equal rows may just have been sent anew, and are not yet named. */
async function isStillOld(files: FileStore, key: string, before: Date): Promise<boolean> {
  const file = await files.find(key)
  return file !== undefined && file.modifiedAt < before
}

async function* inBatches(files: AsyncIterable<StoredFile>): AsyncGenerator<StoredFile[]> {
  let batch: StoredFile[] = []
  for await (const file of files) {
    batch.push(file)
    if (batch.length < FILES_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
