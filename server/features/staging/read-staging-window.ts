import type { Answer } from '#contract/endpoint.ts'
import { MOST_CONTENTS_BYTES } from '#contract/staging.ts'
import type { stagingDeskEndpoints } from '#contract/staging-desk.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { waitingLine } from '#server/platform/waiting-line.ts'
import type { AskedFile } from './find-typed-file.ts'
import { listSegments } from './queries.ts'
import { readRecords } from './read-records.ts'
import { requireTypedFile } from './require-typed-file.ts'
import { requireVersion } from './require-version.ts'
import { inColumnOrder } from './staged-fields.ts'
import { toSegmentLine } from './staged-record.ts'

export type AskedWindow = AskedFile & {
  /** The newest without. */
  readonly version: number | undefined
  readonly fromRow: number
  readonly rows: number
}

type Window = Answer<typeof stagingDeskEndpoints.readStagingWindow>

// A segment and its rows stand in memory until they are sent.
const inTurn = waitingLine({ atOnce: 2, waiting: 20 })

/**
 * Rows of a version with their hidden ids. Only the segments that hold them are read, wherever in the file they are.
 * Fewer than asked for where they would be more than 8 MB.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, BUSY
 */
export async function readStagingWindow(db: Db, files: FileStore, asked: AskedWindow): Promise<Window> {
  const { file, shownPath } = await requireTypedFile(db, asked)
  const version = asked.version ?? file.version
  const { rows: total, columns } = await requireVersion(db, file, version)
  const segments = await listSegments(db, file.id, version)
  return inTurn(async () => {
    const rows: Window['rows'] = []
    const names = new Set(columns)
    let bytes = 0
    read: for await (const records of readRecords(files, segments, asked)) {
      for (const { record } of records) {
        bytes += toSegmentLine(record).bytes
        if (bytes > MOST_CONTENTS_BYTES && rows.length > 0) break read
        for (const name of Object.keys(record.fields)) names.add(name)
        rows.push({ id: record.id, fields: record.fields })
      }
    }
    const columnsShown = inColumnOrder(names)
    const { root, fromRow: from } = asked
    return { root, path: shownPath, version, total, from, columns: columnsShown, rows }
  })
}
