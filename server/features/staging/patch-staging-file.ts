import type { z } from 'zod'
import type { stagingDeskEndpoints } from '#contract/staging-desk.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { waitingLine } from '#server/platform/waiting-line.ts'
import { MOST_COLUMNS, tooManyColumns } from './edited-rows.ts'
import type { AskedFile } from './find-typed-file.ts'
import { rowProblem } from './json-contents.ts'
import { rowPatches } from './patched-row.ts'
import { listSegments, type StagingFile } from './queries.ts'
import { requireTypedFile } from './require-typed-file.ts'
import { type Segment, sameSegments } from './segment.ts'
import type { Fields } from './staged-fields.ts'
import { changedMeanwhile } from './stale-version.ts'
import { storeNextVersion } from './store-next-version.ts'
import { storePatchedRows } from './store-patched-rows.ts'

type Sent = z.output<(typeof stagingDeskEndpoints)['patchStagingFile']['body']>

export type StagingPatch = AskedFile & Pick<Sent, 'version' | 'message' | 'cells' | 'deleteRows' | 'addRows'>

// A segment is held as text and as rows, and is compressed anew.
const inTurn = waitingLine({ atOnce: 1, waiting: 20 })

/**
 * Changes cells, deletes and adds rows of a file of any size: one new version of which all untouched segments are shared,
 * or nothing. Where nothing changes the version stays.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, STALE (somebody saved since; or a cell says something else than was read),
 * STORAGE_FULL, BUSY
 */
export async function patchStagingFile(
  db: Db,
  files: FileStore,
  patch: StagingPatch,
): Promise<{ path: string; version: number; rows: number }> {
  const { file, shownPath: path } = await requireTypedFile(db, patch)
  if (patch.version !== file.version) {
    throw new AppError('STALE', changedMeanwhile({ newest: file.version, read: patch.version }))
  }
  const columns = columnsAfter(file, patch)
  requireStorable(patch)
  return inTurn(async () => {
    const before = await listSegments(db, file.id, file.version)
    const added = patch.addRows as Fields[]
    const segments = await storePatchedRows(files, before, { rows: rowPatches(patch), added })
    const version = await storeVersion(db, { patch, file, columns, before, segments })
    return { path, version, rows: segments.reduce((sum, { rows }) => sum + rows, 0) }
  })
}

type Stored = {
  patch: StagingPatch
  file: StagingFile
  columns: readonly string[]
  before: readonly Segment[]
  segments: readonly Segment[]
}

async function storeVersion(db: Db, { patch, file, columns, before, segments }: Stored): Promise<number> {
  if (sameSegments(before, segments)) return file.version
  const message = patch.message?.trim() || 'UI save'
  return storeNextVersion(db, { file, segments, columns, message, caller: patch })
}

function columnsAfter(file: StagingFile, { cells, addRows }: StagingPatch): string[] {
  const names = new Set(file.columns)
  for (const { field, new: value } of cells) if (value !== undefined) names.add(field)
  for (const row of addRows) for (const name of Object.keys(row)) names.add(name)
  if (names.size > MOST_COLUMNS) throw refused(tooManyColumns, 'cells')
  return [...names]
}

function requireStorable({ cells, addRows }: StagingPatch): void {
  for (const [index, { field, row, new: value }] of cells.entries()) {
    const problem = value === undefined ? undefined : rowProblem({ [field]: value })
    if (problem)
      throw refused(`${row === undefined ? `Cell ${index + 1}` : `Row ${row + 1}`}${problem}`, 'cells')
  }
  for (const [index, row] of addRows.entries()) {
    const problem = rowProblem(row)
    if (problem) throw refused(`New row ${index + 1}${problem}`, 'addRows')
  }
}

const refused = (sentence: string, field: 'cells' | 'addRows') =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
