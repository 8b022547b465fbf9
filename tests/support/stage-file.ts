import { randomBytes } from 'node:crypto'
import { readRecords } from '#server/features/stock-files/store/read-contents.ts'
import { openSegmentWriter, type Segment } from '#server/features/stock-files/store/segments.ts'
import {
  createStagingFile,
  findStagingFile,
  listSegments,
} from '#server/features/stock-files/store/staged-files.ts'
import {
  type Fields,
  type StagedRecord,
  toSegmentLine,
} from '#server/features/stock-files/store/staged-record.ts'
import type { TestApp } from './test-app.ts'

type Staged = {
  sellerId: string
  path?: string
  rows: readonly Fields[]
  /** Rows of one chunk of the import; each makes segments of its own. */
  chunk?: number
}

/** Stages rows as an import does, each with an id and its cells as the yard's file had them. */
export async function stageFile(
  app: Pick<TestApp, 'db' | 'files'>,
  { sellerId, path, rows, chunk = rows.length }: Staged,
): Promise<{ fileId: string; path: string; segments: Segment[] }> {
  const segments: Segment[] = []
  for (let from = 0; from < rows.length; from += chunk) {
    const writer = openSegmentWriter(app.files)
    for (const [index, fields] of rows.slice(from, from + chunk).entries()) {
      const cells = [...Object.values(fields).map(String), 'not mapped']
      const { line, bytes } = toSegmentLine({ id: `${from / chunk}.${index + 1}`, fields, original: cells })
      await writer.add(line, bytes)
    }
    segments.push(...(await writer.finish()))
  }
  const columns = [...new Set(rows.flatMap((fields) => Object.keys(fields)))]
  const made = await app.db.transaction().execute((trx) =>
    createStagingFile(trx, {
      root: 'ecomm',
      path: path ?? `/yard/${randomBytes(6).toString('hex')}.json`,
      sellerId,
      createdBy: undefined,
      header: [...columns, 'extra'],
      segments,
      columns,
      message: 'Imported',
    }),
  )
  return { ...made, segments }
}

/** The records of the version that counts, and its segments. */
export async function currentVersion(
  { db, files }: Pick<TestApp, 'db' | 'files'>,
  path: string,
): Promise<{ records: StagedRecord[]; segments: Segment[]; version: number; sellerId: string }> {
  const file = await findStagingFile(db, 'ecomm', path)
  if (!file) throw new Error(`There is no staged file ${path}`)
  const segments = await listSegments(db, file.id, file.version)
  const records: StagedRecord[] = []
  for await (const numbered of readRecords(files, segments, { fromRow: 0 })) {
    records.push(...numbered.map(({ record }) => record))
  }
  return { records, segments, version: file.version, sellerId: file.sellerId }
}
