import { UNDO_DAYS } from '#server/features/promotion/promotion-state.ts'
import { SEGMENT_FOLDER, segmentInKey } from '#server/features/staging/segment.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { removeUnused } from '#server/platform/file-store/remove-unused.ts'
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

type Sweeping = { db: Db; files: FileStore; now: Date; signal: AbortSignal }

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
  const rows = {
    abandoned: await untilNone(signal, IMPORTS_AT_ONCE, (most) => abandonImports(db, unfinished, most)),
    dryRuns: await untilNone(signal, IMPORTS_AT_ONCE, (most) =>
      deleteDryRuns(db, { finished: unfinished, unfinished: ago(DAY_MS) }, most),
    ),
    actions: await untilNone(signal, ROWS_AT_ONCE, (most) => deletePastActions(db, ago(PAST_UNDO_MS), most)),
    keptRows: await untilNone(signal, ROWS_AT_ONCE, (most) =>
      deletePastKeptRows(db, ago(PAST_UNDO_MS), most),
    ),
  }
  // Last: segments that something named until now go at once.
  const segments = await removeUnused(files, {
    folder: SEGMENT_FOLDER,
    before: ago(YOUNG_MS),
    nameIn: segmentInKey,
    listUsed: (shas) => listUsedSegments(db, shas),
    signal,
  })
  return { ...rows, segments: segments.files, bytes: segments.bytes }
}
