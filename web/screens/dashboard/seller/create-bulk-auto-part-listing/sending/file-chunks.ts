import { type Dialect, type ReadingOverride, standardDialect } from '#contract/yard-file/reading.ts'
import { dialectLine, standardLine } from '#contract/yard-file/records.ts'
import type {
  FileRow,
  ImportFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  editedRow,
  type RowEdits,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type { RunOrder } from './run-order.ts'

/** Ends a chunk of very long rows early, so that no request takes minutes on a slow connection. */
const MAX_CHARACTERS = 8 * 1024 * 1024
/** A reply lists at most a thousand failing rows. */
const MAX_CHECKED_ROWS = 1_000
/** Below this, compression costs more than it saves. */
const MIN_COMPRESSED_BYTES = 4 * 1024

/** The server refuses anything that compresses better than this as a zip bomb. */
const MAX_RATIO = 100

export type Chunk = {
  index: number
  records: number
  /** The spreadsheet row number of the first line after the header. */
  firstRow: number
  characters: number
  /** A CSV with the header line and the rows, compressed. */
  content: () => Promise<Blob>
}

type Rows = AsyncIterable<readonly FileRow[]>

const recordsOf = ({ chunkSize, dryRun }: RunOrder) =>
  dryRun ? Math.min(chunkSize, MAX_CHECKED_ROWS) : chunkSize

/** The file's chunks in order. The same order always gives the same chunks. */
export async function* fileChunks(order: RunOrder, rows: Rows): AsyncGenerator<Chunk, undefined> {
  const { file, edits } = order
  const most = recordsOf(order)
  const lineOf = lineWriter(file, edits)
  const header = `${dialectLine(file.headers, dialectOf(file, edits))}\n`
  const empty = { records: 0, characters: 0 }
  let index = 0
  let firstRow = file.reading.headerRow + 1
  let nextRow = firstRow
  let lines = [header]
  let now = empty

  function cut(): Chunk {
    const parts = lines
    const chunk = { ...now, index, firstRow, content: () => compressed(new Blob(parts)) }
    index++
    firstRow = nextRow
    lines = [header]
    now = empty
    return chunk
  }
  for await (const batch of rows) {
    for (const row of batch) {
      const line = lineOf(row)
      if (line === undefined) continue
      // Skipped lines become blank ones, so that rows keep their numbers.
      lines.push('\n'.repeat(row.row - nextRow), line, '\n')
      nextRow = row.row + 1
      now = { records: now.records + 1, characters: now.characters + line.length }
      if (now.records >= most || now.characters >= MAX_CHARACTERS) yield cut()
    }
  }
  if (now.records > 0) yield cut()
}

/** The number of chunks. Reads the file only if it cannot be computed from known facts. */
export async function countChunks(order: RunOrder, rows: () => Rows): Promise<number> {
  const { file, edits } = order
  const most = recordsOf(order)
  if (edits.size === 0 && file.densest * Math.ceil(most / 100) < MAX_CHARACTERS) {
    return Math.ceil(file.records / most)
  }
  let count = 0
  for await (const _ of fileChunks(order, rows())) count++
  return count
}

/** A yard's upload speed is a tenth of its download speed, and a CSV compresses to a tenth. */
async function compressed(content: Blob): Promise<Blob> {
  if (content.size < MIN_COMPRESSED_BYTES) return content
  const small = await new Response(content.stream().pipeThrough(new CompressionStream('gzip'))).blob()
  return small.size * MAX_RATIO < content.size ? content : small
}

/* Rows are sent as they are in the file, or as standard CSV if they were edited or the file is not one part per line. */

const keepsLines = ({ sheets, reading }: ImportFile, edits: RowEdits): boolean =>
  edits.size === 0 && sheets.length === 0 && reading.layout === 'plain' && reading.ruler === undefined

function dialectOf(file: ImportFile, edits: RowEdits): Dialect {
  return keepsLines(file, edits) ? file.reading : standardDialect
}

/** Tells the server how to read a chunk, so that it detects nothing and numbers rows as the file does. */
export function sentReading({ file, mapping, edits }: RunOrder): ReadingOverride {
  const { delimiter, quote } = dialectOf(file, edits)
  return {
    encoding: 'utf-8',
    delimiter,
    quote,
    headerRow: 1,
    layout: 'plain',
    decimals: decimalsOf(file, mapping),
    rowOffset: file.reading.headerRow - 1,
  }
}

/** The decimal marks chosen by the user, else those detected in the columns. */
function decimalsOf(
  { reading, decimals }: ImportFile,
  mapping: RunOrder['mapping'],
): ReadingOverride['decimals'] {
  const fields = ['partprice', 'partshipping'] as const
  const marks = fields.flatMap((field) => {
    const found = reading.decimals[field] ?? decimals[mapping[field] ?? '']
    return found === 'point' || found === 'comma' ? [[field, found]] : []
  })
  return Object.fromEntries(marks)
}

/** The line to send for a row, or undefined if it is left out. */
function lineWriter(file: ImportFile, edits: RowEdits): (row: FileRow) => string | undefined {
  if (keepsLines(file, edits)) return (row) => ownLine(row, file.reading)
  return (row) => {
    const cells = editedRow(edits, row.row, row.cells)
    if (cells === undefined) return undefined
    // Rewritten, a line with an unclosed quote would look valid. An extra cell makes the server reject it.
    const isBroken = row.problem !== undefined && !edits.has(row.row)
    return standardLine(isBroken ? tooMany(cells, file.headers.length) : cells)
  }
}

/** Sends an overlong record as a single cell, so that the server rejects it. */
function ownLine({ text, problem }: FileRow, { delimiter, quote }: Dialect): string {
  if (problem !== 'RECORD_TOO_LONG') return text
  const marks = [delimiter, quote, '\r', '\n'].filter((mark) => mark !== '')
  return marks.reduce((line, mark) => line.replaceAll(mark, ' '), text)
}

const tooMany = (cells: readonly string[], columns: number): string[] => [
  ...Array.from({ length: Math.max(columns, cells.length) }, (_, at) => cells[at] ?? ''),
  'The line has an open quotation mark',
]
