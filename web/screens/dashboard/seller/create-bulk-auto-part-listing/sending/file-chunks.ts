import { type Dialect, type SaidReading, standardDialect } from '#contract/yard-file/reading.ts'
import { dialectLine, standardLine } from '#contract/yard-file/records.ts'
import type {
  FileRow,
  ImportFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  editedRow,
  type RowEdits,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type { RunOrder } from './import-run.ts'

/** A chunk of very long rows ends before its last row, so that no piece takes minutes on a yard's line. */
const MOST_CHARACTERS = 8 * 1024 * 1024
/** An answer lists at most a thousand failing rows. */
const MOST_CHECKED = 1_000
/** Below this, packing costs more than it saves. */
const WORTH_PACKING_BYTES = 4 * 1024

/** What packs better than any list of parts, the server takes for a bomb and refuses. */
const MOST_RATIO = 100

export type Chunk = {
  index: number
  records: number
  /** As Excel numbers the line behind the header that is sent. */
  firstRow: number
  characters: number
  /** A CSV of its own: the header line and the rows. Packed where the browser can. */
  content: () => Promise<Blob>
}

type Rows = AsyncIterable<readonly FileRow[]>

const recordsOf = ({ chunkSize, dryRun }: RunOrder) =>
  dryRun ? Math.min(chunkSize, MOST_CHECKED) : chunkSize

/** Puts lines together until they are a chunk; lines that are not sent stay as blank ones, so that rows keep their numbers. */
function chunkMaker(order: RunOrder) {
  const { file, edits } = order
  const most = recordsOf(order)
  const lineOf = lineWriter(file, edits)
  const header = `${headerLine(file.headers, dialectOf(file, edits))}\n`
  let index = 0
  let firstRow = file.reading.headerRow + 1
  let nextRow = firstRow
  let lines: string[] = []
  let records = 0
  let characters = 0

  function cut(): Chunk {
    const parts = [header, ...lines]
    const chunk = { index, records, firstRow, characters, content: () => packed(new Blob(parts)) }
    index++
    firstRow = nextRow
    lines = []
    records = 0
    characters = 0
    return chunk
  }
  return {
    add(row: FileRow): Chunk | undefined {
      const line = lineOf(row)
      if (line === undefined) return undefined
      lines.push('\n'.repeat(row.row - nextRow), line, '\n')
      nextRow = row.row + 1
      records++
      characters += line.length
      return records >= most || characters >= MOST_CHARACTERS ? cut() : undefined
    },
    finish: (): Chunk | undefined => (records > 0 ? cut() : undefined),
  }
}

/** The chunks of a file in its order; the same order gives the same chunks, each time. */
export async function* fileChunks(order: RunOrder, rows: Rows): AsyncGenerator<Chunk, undefined> {
  const maker = chunkMaker(order)
  for await (const batch of rows) {
    for (const row of batch) {
      const chunk = maker.add(row)
      if (chunk) yield chunk
    }
  }
  const last = maker.finish()
  if (last) yield last
}

/** How many chunks there will be; reads the file through only where that cannot be told from what is known of it. */
export async function countChunks(order: RunOrder, rows: () => Rows): Promise<number> {
  const { file, edits } = order
  const most = recordsOf(order)
  if (edits.size === 0 && file.densest * Math.ceil(most / 100) < MOST_CHARACTERS) {
    return Math.ceil(file.records / most)
  }
  let count = 0
  for await (const _ of fileChunks(order, rows())) count++
  return count
}

/** A yard's line sends a tenth of what it receives; a CSV packs to a tenth. */
async function packed(content: Blob): Promise<Blob> {
  if (content.size < WORTH_PACKING_BYTES || typeof CompressionStream === 'undefined') return content
  const small = await new Response(content.stream().pipeThrough(new CompressionStream('gzip'))).blob()
  return small.size * MOST_RATIO < content.size ? content : small
}

/*
 * What a file's rows look like on their way: lines as they stand in it; where rows were edited, or the file is no text of
 * one part a line, as standard CSV.
 */

const keepsLines = ({ sheets, reading }: ImportFile, edits: RowEdits): boolean =>
  edits.size === 0 && sheets.length === 0 && reading.layout === 'plain'

function dialectOf(file: ImportFile, edits: RowEdits): Dialect {
  return keepsLines(file, edits) ? file.reading : standardDialect
}

/** How the server is to read a chunk; it detects nothing, and numbers rows as the file does. */
export function sentReading({ file, mapping, edits }: RunOrder): SaidReading {
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

/** What somebody said of a column of money, else what its values say; nothing where they say nothing. */
function decimalsOf(
  { reading, decimals }: ImportFile,
  mapping: RunOrder['mapping'],
): SaidReading['decimals'] {
  const fields = ['partprice', 'partshipping'] as const
  const told = fields.flatMap((field) => {
    const found = reading.decimals[field] ?? decimals[mapping[field] ?? '']
    return found === 'point' || found === 'comma' ? [[field, found]] : []
  })
  return Object.fromEntries(told)
}

/** The first line of every chunk. */
export const headerLine = (headers: readonly string[], dialect: Dialect): string =>
  dialectLine(headers, dialect)

/** The line of a row as it is sent; undefined for one that is left out. */
export type LineOf = (row: FileRow) => string | undefined

function lineWriter(file: ImportFile, edits: RowEdits): LineOf {
  if (keepsLines(file, edits)) return (row) => ownLine(row, file.reading)
  return (row) => {
    const cells = editedRow(edits, row.row, row.cells)
    if (cells === undefined) return undefined
    // Written anew, a line without an end would pass for whole: one cell too many keeps it from being taken.
    const isBroken = row.problem !== undefined && !edits.has(row.row)
    return standardLine(isBroken ? tooMany(cells, file.headers.length) : cells)
  }
}

/** What there is of a record that is too long stays one cell of one line, so that nobody takes it for a part. */
function ownLine({ text, problem }: FileRow, { delimiter, quote }: Dialect): string {
  if (problem !== 'RECORD_TOO_LONG') return text
  const signs = [delimiter, quote, '\r', '\n'].filter((sign) => sign !== '')
  return signs.reduce((line, sign) => line.replaceAll(sign, ' '), text)
}

const tooMany = (cells: readonly string[], columns: number): string[] => [
  ...Array.from({ length: Math.max(columns, cells.length) }, (_, at) => cells[at] ?? ''),
  'The line has an open quotation mark',
]
