import type { Readable } from 'node:stream'
import { findColumn, headerProblem, nameColumns } from '#contract/csv/csv-header.ts'
import {
  type ImportField,
  type ImportMapping,
  importFieldLabels,
  importFields,
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
import { wrongField } from '#server/features/stock-files/receive/import-order.ts'
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
  /** As a spreadsheet numbers it within what was sent: the header is row 1, and blank lines count; and `rowOffset` higher. */
  readonly row: number
  readonly cells: readonly string[]
  /** Its cells cannot be told apart. */
  readonly problem?: RecordProblem | undefined
}

/** The rows of one call, however they came. */
export type RowSource = {
  /** How the file was read; of rows that came in no file nothing. */
  readonly reading?: Reading
  /** How the file was read where that was detected, and what was left out so far; in sentences. */
  readonly notes?: () => string[]
  /** The column names: those in front of these rows, or those of the import where these come without. */
  readonly header: readonly string[]
  /** In their order, a few hundred at a time; from the first one each time they are asked for. */
  readonly batches: AsyncIterable<readonly SentRow[]>
  /** The number of the last row that was read within what was sent, blank lines counted. */
  readonly lastRow: () => number
}

/** The refusal of a chunk that was cut from another file. */
const otherColumns = () =>
  wrongField(
    'file',
    'The columns of this chunk are not those of the import’s other chunks. Cut all chunks from one file.',
  )

/** The refusal of a chunk whose cells are separated otherwise than those of the import's other chunks. */
const otherDelimiter = (found: string, fixed: string) =>
  wrongField(
    'file',
    `The cells of this chunk are separated by ${describeDelimiter(found)}, those of the import’s other chunks by ${describeDelimiter(fixed)}. Cut all chunks from one file.`,
  )

const rowSourceIsSameHeader = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, column) => name === b[column])

/**
 * All chunks of an import have the columns of the one that was taken first.
 * @throws AppError VALIDATION_FAILED
 */
export function requireSameHeader(fixed: readonly string[], sent: readonly string[]): void {
  if (!rowSourceIsSameHeader(fixed, sent)) throw otherColumns()
}

const MOST_SHOWN = 12

/**
 * The names of a file's columns, all different, from its first record.
 * @throws AppError VALIDATION_FAILED where it cannot be a header
 */
function readHeader(cells: readonly string[]): string[] {
  const problem = headerProblem(cells)
  if (problem !== undefined) throw refuseFile(problem)
  return nameColumns(cells)
}

/** Whether a record is the header again, as every chunk of a file may begin with it. */
function repeatsHeader(cells: readonly string[], header: readonly string[]): boolean {
  if (cells.length !== header.length) return false
  return nameColumns(cells).every((name, at) => name === header[at])
}

/** Whether a record names columns, and others than these or in another order: no row of a part says so often "Price". */
function isOtherHeader(cells: readonly string[], header: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter((name) => name !== '')
  // A record may have millions of cells.
  const columns = new Set(header)
  const known = names.filter((name) => columns.has(name))
  return known.length > 1 && 2 * known.length >= names.length && !repeatsHeader(cells, header)
}

/**
 * Where each mapped field stands in the file.
 * @throws AppError VALIDATION_FAILED, listing the columns that the mapping names and the file lacks
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
  if (missing.length === 0) return columns
  const shown = header.slice(0, MOST_SHOWN).map((name) => `“${name.slice(0, 60)}”`)
  const more = header.length > MOST_SHOWN ? ', …' : ''
  throw refuseFile(
    `The mapping names ${missing.length === 1 ? 'a column' : 'columns'} that the file does not have: ${missing.join(', ')}. The file’s columns are ${shown.join(', ')}${more}.`,
  )
}

/** What was uploaded; may be read more than once. */
export type TableFile = { open(): Readable; blob(): Promise<Blob> }

export type TableTerms = {
  /** Holds; the rest is detected. */
  readonly said?: SaidReading | undefined
  /** What the first chunk of the same file fixed. */
  readonly knownHeader?: readonly string[] | undefined
  readonly knownReading?: Reading | undefined
}

export type TableSource = RowSource & {
  readonly reading: Reading
  /** How the file was read where that was detected, and what was left out so far; in sentences. */
  readonly notes: () => string[]
}

// Enough to tell how a file is read.
const SAMPLE_BYTES = 256 * 1024

/**
 * Reads any yard's file as a stream: text of any encoding and dialect, packed or not, or a workbook; from the beginning
 * each time its batches are asked for. With `knownHeader` (fixed by an earlier chunk of the same file) all records are rows
 * unless that header stands in front of them; another header is refused. Rows are numbered as a spreadsheet does: in a
 * chunk the header is row 1 even where it was left out, blank lines count and are no rows.
 * @throws AppError VALIDATION_FAILED, WRONG_TYPE, TOO_LARGE, here and from the batches, with a sentence for `file`
 */
export async function openTable(file: TableFile, terms: TableTerms = {}): Promise<TableSource> {
  const bytes = await openBytes(() => file.open())
  const table =
    bytes.kind === 'workbook'
      ? await openWorkbookTable(await file.blob(), saidOf(terms))
      : await openText(bytes.read, terms)
  return sourceOf(table, terms)
}

/** What holds for this call: what was said, and else what the file's first chunk was read as. */
const saidOf = ({ said, knownReading }: TableTerms): SaidReading => ({
  ...knownReading,
  ...said,
  // What its values told is in the one, what was said in both.
  ...(knownReading && { decimals: knownReading.decimals }),
})

async function openText(read: () => AsyncGenerator<Buffer>, terms: TableTerms): Promise<Table> {
  const head = await beginningOf(read(), SAMPLE_BYTES)
  const encoding = terms.said?.encoding ?? (await decideEncoding(read, head, terms.knownReading?.encoding))
  const sample = { bytes: head, whole: head.length < SAMPLE_BYTES }
  const { sheet: _, ...said } = saidOf(terms)
  const { reading } = bestReading(sample, { ...said, encoding })
  if (terms.knownHeader) requireSameDelimiter(sample, { ...terms, reading })
  return { reading, rows: () => textRows(readText(read, encoding), reading) }
}

/** A chunk whose header is the import's if it is cut at other delimiters was written otherwise than the first one. */
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
  // A chunk that comes without its header is numbered as if it had it.
  const firstRow = headerAt === 0 && knownHeader !== undefined ? 2 : 1
  const trace = newTrace(firstRow - 1)
  // What has no header has none again.
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

/** The columns that stand in the file: folding eBay's rows adds some. */
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
    if (!cells) throw refuseFile(`The file has no row ${headerRow}, which was to name its columns.`)
    return { header: readHeader(cells), headerAt: headerRow }
  }
  if (named && isSameHeader(named, known)) return { header: known, headerAt: headerRow }
  if (isSameHeader(first, known)) return { header: known, headerAt: firstAt }
  if (isOtherHeader(first, known)) throw otherColumns()
  return { header: known, headerAt: 0 }
}

/** The first row with anything in it, and the one that names the columns; whichever comes later ends the reading. */
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
