import { Readable } from 'node:stream'
import { standardColumns } from '#contract/column-mapping/shipped-templates.ts'
import { csvLine, withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import {
  type ListedPart,
  listPartsBelow,
  standardText,
} from '#server/features/stock-files/identity/listed-part.ts'
import type { FoundIssue } from '#server/features/stock-files/read/field-text.ts'
import { readSegmentLines } from '#server/features/stock-files/store/segments.ts'
import { type Db, HIGHEST_ID } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { type FoundImport, listRejectedSegments, type RejectedSegment } from './imports.ts'

/**
 * A rejected row as stored: its number within its chunk, its issues, and its cells as sent, cut only where no spreadsheet
 * could show them.
 */
export type RejectedRow = {
  readonly row: number
  readonly issues: readonly FoundIssue[]
  readonly cells: readonly string[]
}

// A spreadsheet's limit for a cell. Longer cells are usually the reason for the rejection.
const LONGEST_CELL = 32_767
// A row of 1,000 cells can still be this long, and many rows are read at once.
const LONGEST_ROW = 250_000
const MAX_CELLS = 1_000

/** A rejected row as a line of a segment. */
export function toRejectedLine({ row, issues, cells }: RejectedRow): { line: string; bytes: number } {
  const line = JSON.stringify([row, issues, cutCells(cells)])
  return { line, bytes: Buffer.byteLength(line) }
}

function cutCells(cells: readonly string[]): string[] {
  let room = LONGEST_ROW
  return cells.slice(0, MAX_CELLS).map((cell) => {
    const kept = cutText(cell, Math.min(LONGEST_CELL, room))
    room -= kept.length
    return kept
  })
}

/** Ends in an ellipsis if it was cut; never splits a character. */
function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text
    .slice(0, Math.max(0, longest - 1))
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`
}

export function fromRejectedLine(line: string): RejectedRow {
  const [row, issues, cells] = JSON.parse(line) as [number, FoundIssue[], string[]]
  return { row, issues, cells }
}

/**
 * The rejected rows of an import as CSV: the row number in the file, its issues, then its cells as sent. Read a segment at
 * a time.
 */
export async function openRejectedRows(
  db: Db,
  files: FileStore,
  { id, header }: Pick<FoundImport, 'id' | 'header'>,
): Promise<Readable> {
  const segments = await listRejectedSegments(db, id)
  return Readable.from(rejectedPieces(files, { header: header ?? [], segments }))
}

async function* rejectedPieces(
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

/** Renames our columns if the file has columns of the same name, which its mapping must find again. */
const ourColumns = (header: readonly string[]) =>
  ['row', 'errors'].map((name) => (header.includes(name) ? `import ${name}` : name))

function toCsvLine(line: string, linesBefore: number): string {
  const { row, issues, cells } = fromRejectedLine(line)
  const errors = issues.map(({ message }) => message).join(' ')
  // A cell from our own export is not guarded twice.
  return csvLine([String(linesBefore + row), errors, ...cells.map(withoutFormulaGuard)])
}

// About 500 kB of text, all that is in memory at a time.
const PARTS_PER_PAGE = 1_000

/**
 * A seller's active listings in the columns of the Standard CSV, newest first, read page by page as the client consumes
 * it. No connection is held in between, and a disconnect stops it. Later listings are not included.
 */
export function openPartsExport(db: Db, sellerId: string): Readable {
  return Readable.from(exportPieces(db, sellerId))
}

async function* exportPieces(db: Db, sellerId: string): AsyncGenerator<string> {
  // The mark makes Excel read UTF-8.
  yield `\ufeff${csvLine(standardColumns)}`
  for (let below: string | undefined = HIGHEST_ID; below !== undefined; ) {
    const parts: ListedPart[] = await listPartsBelow(db, sellerId, { below, limit: PARTS_PER_PAGE })
    if (parts.length > 0) yield parts.map(toLine).join('')
    below = parts.length < PARTS_PER_PAGE ? undefined : parts.at(-1)?.listing.id
  }
}

function toLine(part: ListedPart): string {
  const text = standardText(part)
  return csvLine(standardColumns.map((field) => text[field]))
}
