import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { findColumn, headerProblem, nameColumns } from '#contract/csv/csv-header.ts'
import {
  type ImportField,
  type ImportMapping,
  importFieldLabels,
  importFields,
  splitsOf,
} from '#contract/csv/import-fields.ts'
import { isBlank, isSameHeader } from '#contract/yard-file/detect-dialect.ts'
import {
  bestReading,
  brokenRowsNotes,
  describeDelimiter,
  readingNotes,
  repeatsNotes,
  type Sample,
} from '#contract/yard-file/detect-reading.ts'
import { ebayAddedColumns } from '#contract/yard-file/ebay-columns.ts'
import type { Reading, SaidReading } from '#contract/yard-file/reading.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'
import { beginningOf, decideEncoding, openBytes, readText, refuseFile } from './file-bytes.ts'
import {
  type DataRow,
  dataRows,
  ebayRows,
  headerAgain,
  newTrace,
  openWorkbookTable,
  type Table,
  textRows,
} from './table-rows.ts'

/** A row as it was sent. */
export type SentRow = {
  /** Its number in a spreadsheet: the header is row 1, and blank lines count; plus `rowOffset`. */
  readonly row: number
  readonly cells: readonly string[]
  /** Why it cannot be split into cells. */
  readonly problem?: RecordProblem | undefined
}

/** The rows of one call. */
export type RowSource = {
  /** How the file was read; absent for rows that were not sent as a file. */
  readonly reading?: Reading
  /** Messages on what was detected and what was left out so far. */
  readonly notes?: () => string[]
  /** The column names: of this file, or of the import if this chunk has no header. */
  readonly header: readonly string[]
  /** In order, a few hundred at a time; each iteration starts over. */
  readonly batches: AsyncIterable<readonly SentRow[]>
  /** The number of the last row that was read, counting blank lines. */
  readonly lastRow: () => number
}

const otherColumns = () =>
  refuseFile('The columns of this chunk differ from the import’s other chunks. Cut all chunks from one file.')

const otherDelimiter = (found: string, fixed: string) =>
  refuseFile(
    `This chunk’s cells are separated by ${describeDelimiter(found)}, the import’s other chunks’ by ${describeDelimiter(fixed)}. Cut all chunks from one file.`,
  )

/**
 * Requires the columns of the import's first chunk.
 * @throws AppError VALIDATION_FAILED
 */
export function requireSameHeader(fixed: readonly string[], sent: readonly string[]): void {
  if (!isDeepStrictEqual(fixed, sent)) throw otherColumns()
}

const MAX_SHOWN = 12

/** Whether a record is a different header. A part's row does not contain that many column names. */
function isOtherHeader(cells: readonly string[], header: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter((name) => name !== '')
  // A record may have millions of cells.
  const columns = new Set(header)
  const known = names.filter((name) => columns.has(name))
  return known.length > 1 && 2 * known.length >= names.length && !isSameHeader(cells, header)
}

/**
 * The column of each mapped field.
 * @throws AppError VALIDATION_FAILED, listing the mapped columns that the file lacks
 */
export function resolveColumns(header: readonly string[], mapping: ImportMapping): Map<ImportField, number> {
  const columns = new Map<ImportField, number>()
  const missing: string[] = []
  for (const field of importFields) {
    const name = mapping[field]
    if (name === undefined) continue
    const at = findColumn(header, name)
    if (at === -1) missing.push(`“${name}” (${importFieldLabels[field]})`)
    else columns.set(field, at)
  }
  for (const { from, as } of splitsOf(mapping)) {
    if (findColumn(header, from) === -1) missing.push(`“${from}” (split as ${as})`)
  }
  if (missing.length === 0) return columns
  const shown = header.slice(0, MAX_SHOWN).map((name) => `“${name.slice(0, 60)}”`)
  const more = header.length > MAX_SHOWN ? ', …' : ''
  throw refuseFile(
    `The mapping names ${missing.length === 1 ? 'a column' : 'columns'} that the file does not have: ${missing.join(', ')}. The file’s columns are ${shown.join(', ')}${more}.`,
  )
}

/** An upload; can be read more than once. */
export type TableFile = { open(): Readable; blob(): Promise<Blob> }

export type TableTerms = {
  /** The caller's choices; the rest is detected. */
  readonly said?: SaidReading | undefined
  /** Set by the first chunk of the same file. */
  readonly knownHeader?: readonly string[] | undefined
  readonly knownReading?: Reading | undefined
}

export type TableSource = RowSource & Required<Pick<RowSource, 'reading' | 'notes'>>

// Enough to detect how to read the file.
const SAMPLE_BYTES = 256 * 1024

/**
 * Streams the rows of any yard's file: text of any encoding and dialect, compressed or not, or a workbook. Each iteration
 * of its batches starts over. With `knownHeader` (from an earlier chunk of the same file) all records are rows, except for
 * that header in front of them; another header is refused. Rows are numbered as in a spreadsheet: a chunk's header is row
 * 1 even if it was left out, and blank lines count.
 * @throws AppError VALIDATION_FAILED, WRONG_TYPE, TOO_LARGE, here and from the batches, with a sentence for `file`
 */
export async function openTable(file: TableFile, terms: TableTerms = {}): Promise<TableSource> {
  const bytes = await openBytes(() => file.open())
  const table =
    bytes.kind === 'workbook'
      ? await openWorkbookTable(await file.blob(), settingsOf(terms))
      : await openText(bytes.read, terms)
  return sourceOf(table, terms)
}

/** The settings for this call: the caller's choices, or else those of the first chunk. */
const settingsOf = ({ said, knownReading }: TableTerms): SaidReading => ({
  ...knownReading,
  ...said,
  // The known reading includes both the chosen and the detected decimal marks.
  ...(knownReading && { decimals: knownReading.decimals }),
})

async function openText(read: () => AsyncGenerator<Buffer>, terms: TableTerms): Promise<Table> {
  const head = await beginningOf(read(), SAMPLE_BYTES)
  const encoding = terms.said?.encoding ?? (await decideEncoding(read, head, terms.knownReading?.encoding))
  const sample = { bytes: head, whole: head.length < SAMPLE_BYTES }
  const { sheet: _, ...settings } = settingsOf(terms)
  const { reading } = bestReading(sample, { ...settings, encoding })
  if (terms.knownHeader) requireSameDelimiter(sample, { ...terms, reading })
  return { reading, rows: () => textRows(readText(read, encoding), reading) }
}

/** Refuses a chunk that has the import's header only if it is split at another delimiter. */
function requireSameDelimiter(
  sample: Sample,
  { reading, knownHeader, said }: TableTerms & { reading: Reading },
): void {
  const { encoding, delimiter } = reading
  const own = bestReading(sample, { ...said, encoding })
  if (own.reading.delimiter === delimiter) return
  if (isSameHeader(own.header, fileColumns(knownHeader, own.reading) ?? [])) {
    throw otherDelimiter(own.reading.delimiter, delimiter)
  }
}

async function sourceOf(table: Table, terms: TableTerms): Promise<TableSource> {
  const { reading } = table
  const { knownHeader, said = {} } = terms
  const { header, headerAt } = await findHeader(table, fileColumns(knownHeader, reading))
  // A chunk without its header is numbered as if it had it.
  const firstRow = headerAt === 0 && knownHeader !== undefined ? 2 : 1
  const trace = newTrace(firstRow - 1)
  // A file without a header cannot repeat it.
  const isHeaderAgain = reading.headerRow === 0 ? () => false : headerAgain(header)
  const data = () => dataRows(table.rows(), { headerAt, firstRow, isHeaderAgain }, trace)
  const folded = reading.layout === 'ebay' ? ebayRows(header, Math.max(headerAt + 1, firstRow)) : undefined
  const rows = folded ? () => folded.fold(data()) : data
  const numbersOf = (found: readonly number[]) => found.map((row) => row + reading.rowOffset)
  return {
    header: knownHeader ?? folded?.header ?? header,
    reading,
    batches: { [Symbol.asyncIterator]: () => numbered(rows(), reading.rowOffset) },
    lastRow: () => trace.lastRow,
    notes: () => [
      ...(knownHeader === undefined ? readingNotes(reading, said) : []),
      ...repeatsNotes(numbersOf(trace.repeats)),
      ...(said.quote === undefined ? brokenRowsNotes(trace.brokenCount, numbersOf(trace.broken)) : []),
      ...(folded?.notes() ?? []),
    ],
  }
}

/** The columns in the file itself: folding eBay's rows adds some. */
function fileColumns(
  known: readonly string[] | undefined,
  { layout }: Reading,
): readonly string[] | undefined {
  return layout === 'ebay' ? known?.slice(0, -ebayAddedColumns.length) : known
}

type FoundHeader = { header: readonly string[]; headerAt: number }

async function findHeader(table: Table, known: readonly string[] | undefined): Promise<FoundHeader> {
  const { headerRow } = table.reading
  const { first, firstAt, named } = await readFirst(table, headerRow)
  if (!known) {
    const cells = headerRow === 0 ? first.map(() => '') : named
    if (!cells) throw refuseFile(`The file has no row ${headerRow} for the column names.`)
    const problem = headerProblem(cells)
    if (problem !== undefined) throw refuseFile(problem)
    return { header: nameColumns(cells), headerAt: headerRow }
  }
  if (named && isSameHeader(named, known)) return { header: known, headerAt: headerRow }
  if (isSameHeader(first, known)) return { header: known, headerAt: firstAt }
  if (isOtherHeader(first, known)) throw otherColumns()
  return { header: known, headerAt: 0 }
}

/** The first row with any content, and the header row. */
async function readFirst(table: Table, headerRow: number) {
  let row = 0
  let found: { first: readonly string[]; firstAt: number } | undefined
  let named: readonly string[] | undefined
  for await (const rows of table.rows()) {
    for (const { cells } of rows) {
      row += 1
      if (!found && !isBlank(cells)) found = { first: cells, firstAt: row }
      if (row === headerRow) named = cells
      if (found && row >= headerRow) return { ...found, named }
    }
  }
  if (found) return { ...found, named }
  throw refuseFile('The file is empty. Choose the CSV file of your parts.')
}

async function* numbered(rows: AsyncGenerator<DataRow[]>, offset: number): AsyncGenerator<DataRow[]> {
  for await (const batch of rows) {
    yield offset === 0 ? batch : batch.map((one) => ({ ...one, row: one.row + offset }))
  }
}
