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

/*
 * What a file's rows look like on their way: lines as they stand in it; where rows were edited, or the file is no text of
 * one part a line, as standard CSV.
 */

const keepsLines = ({ sheets, reading }: ImportFile, edits: RowEdits): boolean =>
  edits.size === 0 && sheets.length === 0 && reading.layout === 'plain'

export function dialectOf(file: ImportFile, edits: RowEdits): Dialect {
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

export function lineWriter(file: ImportFile, edits: RowEdits): LineOf {
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
