import { Readable } from 'node:stream'
import { csvLine, withoutFormulaGuard } from '#contract/csv-cell.ts'
import { readSegmentLines } from '#server/features/staging/read-segment-lines.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { type FoundImport, listRejectedSegments, type RejectedSegment } from './queries.ts'
import { fromRejectedLine } from './rejected-row.ts'

/**
 * The rejected rows of an import as CSV: the row's number in the file, what is wrong with it, then its cells as they were
 * sent. A segment at a time, however many there are.
 */
export async function openRejectedRows(
  db: Db,
  files: FileStore,
  { id, header }: Pick<FoundImport, 'id' | 'header'>,
): Promise<Readable> {
  const segments = await listRejectedSegments(db, id)
  return Readable.from(csvPieces(files, { header: header ?? [], segments }))
}

async function* csvPieces(
  files: FileStore,
  rejected: { header: readonly string[]; segments: readonly RejectedSegment[] },
): AsyncGenerator<string> {
  // The mark makes Excel read UTF-8.
  yield `\ufeff${csvLine([...ourColumns(rejected.header), ...rejected.header])}`
  for (const { sha256, linesBefore } of rejected.segments) {
    const lines = await readSegmentLines(files, sha256)
    yield lines.map((line) => toCsvLine(line, linesBefore)).join('')
  }
}

/** What the file itself calls so keeps its name: a mapping finds it again when the file is imported once more. */
const ourColumns = (header: readonly string[]) =>
  ['row', 'errors'].map((name) => (header.includes(name) ? `import ${name}` : name))

function toCsvLine(line: string, linesBefore: number): string {
  const { row, issues, cells } = fromRejectedLine(line)
  const errors = issues.map(({ message }) => message).join(' ')
  // A cell that our own file guarded is not guarded twice.
  return csvLine([String(linesBefore + row), errors, ...cells.map(withoutFormulaGuard)])
}
