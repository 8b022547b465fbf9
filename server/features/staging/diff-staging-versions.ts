import { isDeepStrictEqual } from 'node:util'
import type { RowDifference, StagingDiff } from '#contract/staging-desk.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { waitingLine } from '#server/platform/waiting-line.ts'
import type { DifferingRow, DifferingRows } from './differing-rows.ts'
import { findDifferences } from './find-differences.ts'
import type { AskedFile } from './find-typed-file.ts'
import { openVersionLines, type VersionLines } from './open-version-lines.ts'
import { listSegments } from './queries.ts'
import { requireTypedFile } from './require-typed-file.ts'
import { requireVersion } from './require-version.ts'
import type { Segment } from './segment.ts'
import { type Fields, fieldOf } from './staged-fields.ts'
import { fromSegmentLine, type StagedRecord } from './staged-record.ts'

export type AskedDiff = AskedFile & {
  readonly from: number
  readonly to: number
  readonly cursor: string | undefined
  readonly limit: number
}

// Two versions without a common segment are read to their ends.
const inTurn = waitingLine({ atOnce: 1, waiting: 20 })

/**
 * What differs between two versions, a page of it, and how much in all.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, MALFORMED for a cursor that is not ours, BUSY
 */
export async function diffStagingVersions(db: Db, files: FileStore, asked: AskedDiff): Promise<StagingDiff> {
  const { from, to, limit } = asked
  const { file } = await requireTypedFile(db, asked)
  const start = startOf(asked.cursor)
  for (const version of [from, to]) await requireVersion(db, file, version)
  const [before, after] = await Promise.all([listSegments(db, file.id, from), listSegments(db, file.id, to)])
  return inTurn(async () => {
    const found = await rememberedDifferences(`${file.id} ${from} ${to}`, () =>
      findDifferences(files, before, after),
    )
    const page = found.slice(start, start + limit)
    const rows = await readRows(files, page, { before, after })
    const end = start + page.length
    return { from, to, ...found.counts, rows, nextCursor: end < found.length ? String(end) : null }
  })
}

/** Versions never change, so that a place in what differs between two of them stays one. */
function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor)
  throw new AppError('MALFORMED', 'The cursor is not one of ours. Take the nextCursor of the page before.')
}

// Pages of one comparison follow one another; a million rows that differ are 8 MB.
let remembered: { key: string; found: DifferingRows } | undefined

async function rememberedDifferences(
  key: string,
  find: () => Promise<DifferingRows>,
): Promise<DifferingRows> {
  if (remembered?.key === key) return remembered.found
  remembered = { key, found: await find() }
  return remembered.found
}

async function readRows(
  files: FileStore,
  page: readonly DifferingRow[],
  segments: Record<'before' | 'after', readonly Segment[]>,
): Promise<RowDifference[]> {
  const [before, after] = [openVersionLines(files, segments.before), openVersionLines(files, segments.after)]
  const rows: RowDifference[] = []
  for (const differing of page) {
    const old = await recordAt(before, differing.before)
    const young = await recordAt(after, differing.after)
    rows.push(toDifference(differing, old, young))
  }
  return rows
}

const recordAt = async (lines: VersionLines, row: number): Promise<StagedRecord | undefined> =>
  row < 0 ? undefined : fromSegmentLine(await lines.at(row))

function toDifference(
  { before, after }: DifferingRow,
  old: StagedRecord | undefined,
  young: StagedRecord | undefined,
): RowDifference {
  if (old && young) {
    const names = [...new Set([...Object.keys(old.fields), ...Object.keys(young.fields)])].filter(
      (name) => !isDeepStrictEqual(fieldOf(old.fields, name), fieldOf(young.fields, name)),
    )
    const [was, is] = [only(old.fields, names), only(young.fields, names)]
    return { id: young.id, kind: 'changed', row: after, before: was, after: is }
  }
  if (young) return { id: young.id, kind: 'added', row: after, before: null, after: young.fields }
  if (old) return { id: old.id, kind: 'removed', row: before, before: old.fields, after: null }
  throw new Error('a row that differs is in neither version')
}

const only = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
