import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { findColumn, headerProblem, nameColumns } from '#contract/csv/csv-header.ts'
import {
  type ImportField,
  type ImportMapping,
  importFieldLabels,
  importFields,
  splitsOf,
} from '#contract/csv/import-fields.ts'
import { beginsOtherTable, columnNames, isBlank, isSameHeader } from '#contract/yard-file/detect-dialect.ts'
import {
  bestReading,
  brokenRowsNotes,
  describeDelimiter,
  otherTableNotes,
  readingNotes,
  repeatsNotes,
  SAMPLE_BYTES,
  type Sample,
  skippedLinesNotes,
} from '#contract/yard-file/detect-reading.ts'
import { ZIP_IN_ZIP } from '#contract/yard-file/file-kind.ts'
import { columnsInFile } from '#contract/yard-file/layouts.ts'
import type { Reading, ReadingOverride } from '#contract/yard-file/reading.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'
import { movedNotes } from '#contract/yard-file/reports/header-again.ts'
import { MAX_WORKBOOK_BYTES } from '#contract/yard-file/workbook/workbook-zip.ts'
import { openZippedTable, type ZippedTable } from '#contract/yard-file/workbook/zip-table.ts'
import { beginningOf, decideEncoding, openBytes, readText, refuseFile } from './file-bytes.ts'
import {
  type DataRow,
  dataRows,
  foldedRows,
  newTrace,
  openWorkbookTable,
  refused,
  refusedError,
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
  readonly overrides?: ReadingOverride | undefined
  /** Set by the first chunk of the same file. */
  readonly knownHeader?: readonly string[] | undefined
  readonly knownReading?: Reading | undefined
}

export type TableSource = RowSource & Required<Pick<RowSource, 'reading' | 'notes'>>

/**
 * Streams the rows of any yard's file: text of any encoding and dialect, compressed or not, or a workbook. Each
 * iteration of its batches starts over. With `knownHeader` (from an earlier chunk of the same file) all records are
 * rows, except for that header at the start; another header is refused. Rows are numbered as in a spreadsheet: a
 * chunk's header is row 1 even if it was left out, and blank lines count.
 * @throws AppError VALIDATION_FAILED, WRONG_TYPE, TOO_LARGE, here and from the batches, with a sentence for `file`
 */
export async function openTable(file: TableFile, terms: TableTerms = {}): Promise<TableSource> {
  const bytes = await openBytes(() => file.open())
  if (bytes.kind === 'zip') return openTable(await unzippedFile(file), terms)
  const table =
    bytes.kind === 'text'
      ? await openText(bytes.read, terms)
      : await openWorkbookTable(await file.blob(), settingsOf(terms))
  return sourceOf(table, terms)
}

/**
 * The table in a ZIP archive.
 * @throws AppError WRONG_TYPE also for an archive in an archive
 */
async function unzippedFile(file: TableFile): Promise<TableFile> {
  const table = await refused(openZippedTable(await file.blob()))
  const open = () => Readable.from(unpacked(table))
  if ((await openBytes(open)).kind === 'zip') throw refuseFile(ZIP_IN_ZIP, 'WRONG_TYPE')
  return {
    open,
    blob: async () => {
      if (table.bytes > MAX_WORKBOOK_BYTES) throw largeInZip()
      const pieces: Buffer<ArrayBuffer>[] = []
      let bytes = 0
      for await (const piece of unpacked(table)) {
        bytes += piece.length
        // The size that an archive gives may be wrong.
        if (bytes > MAX_WORKBOOK_BYTES) throw largeInZip()
        pieces.push(piece)
      }
      return new Blob(pieces)
    },
  }
}

const largeInZip = () =>
  refuseFile(
    'The workbook in this ZIP archive has more than 50 MB. Save its sheet as “CSV UTF-8” and upload that.',
    'TOO_LARGE',
  )

async function* unpacked(table: ZippedTable): AsyncGenerator<Buffer<ArrayBuffer>> {
  try {
    for await (const piece of table.open())
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  } catch (error) {
    throw refusedError(error)
  }
}

/** The settings for this call: the caller's choices, or else those of the first chunk. */
const settingsOf = ({ overrides, knownReading }: TableTerms): ReadingOverride => ({
  ...knownReading,
  ...overrides,
  // The known reading includes both the chosen and the detected decimal marks.
  ...(knownReading && { decimals: knownReading.decimals }),
})

async function openText(read: () => AsyncGenerator<Buffer>, terms: TableTerms): Promise<Table> {
  const head = await beginningOf(read(), SAMPLE_BYTES)
  const encoding =
    terms.overrides?.encoding ?? (await decideEncoding(read, head, terms.knownReading?.encoding))
  const sample = { bytes: head, whole: head.length < SAMPLE_BYTES }
  const { sheet: _, sheets: __, ...settings } = settingsOf(terms)
  const { reading } = bestReading(sample, { ...settings, encoding })
  if (terms.knownHeader) requireSameDelimiter(sample, { ...terms, reading })
  return { reading, rows: () => textRows(readText(read, encoding), reading) }
}

/** Refuses a chunk that has the import's header only if it is split at another delimiter. */
function requireSameDelimiter(
  sample: Sample,
  { reading, knownHeader, overrides }: TableTerms & { reading: Reading },
): void {
  const { encoding, delimiter } = reading
  const own = bestReading(sample, { ...overrides, encoding })
  if (own.reading.delimiter === delimiter) return
  if (isSameHeader(own.header, fileColumns(knownHeader, own.reading) ?? [])) {
    throw otherDelimiter(own.reading.delimiter, delimiter)
  }
}

async function sourceOf(table: Table, terms: TableTerms): Promise<TableSource> {
  const { reading } = table
  const { knownHeader, overrides = {} } = terms
  const { header, headerAt, names, above } = await findHeader(table, fileColumns(knownHeader, reading))
  // A chunk without its header is numbered as if it had it.
  const firstRow = headerAt === 0 && knownHeader !== undefined ? 2 : 1
  const trace = newTrace(firstRow - 1)
  // A file without a header cannot repeat it.
  const rules = { headerAt, firstRow, names, header: reading.headerRow === 0 ? undefined : header }
  const data = () => dataRows(table.rows(), rules, trace)
  const folded = foldedRows(reading, header, { firstRow: Math.max(headerAt + 1, firstRow), above })
  const rows = folded ? () => folded.fold(data()) : data
  const numbersOf = (found: readonly number[]) => found.map((row) => row + reading.rowOffset)
  return {
    header: knownHeader ?? folded?.header ?? header,
    reading,
    batches: { [Symbol.asyncIterator]: () => numbered(rows(), reading.rowOffset) },
    lastRow: () => trace.lastRow,
    notes: () => [
      ...(table.notes?.() ?? []),
      ...(knownHeader === undefined ? readingNotes(reading, overrides) : []),
      ...repeatsNotes(numbersOf(trace.repeats)),
      ...movedNotes(trace.moved === undefined ? undefined : trace.moved + reading.rowOffset),
      ...skippedLinesNotes(trace.skippedCount, numbersOf(trace.skipped)),
      ...(trace.otherTable
        ? otherTableNotes(trace.otherTable.row + reading.rowOffset, trace.otherTable.cells)
        : []),
      ...(overrides.quote === undefined ? brokenRowsNotes(trace.brokenCount, numbersOf(trace.broken)) : []),
      ...(folded?.notes() ?? []),
    ],
  }
}

/** The columns in the file itself: folding rows adds some. */
const fileColumns = (known: readonly string[] | undefined, reading: Reading): readonly string[] | undefined =>
  known && columnsInFile(reading, known)

type FoundHeader = {
  header: readonly string[]
  headerAt: number
  /** The rows that name the columns. */
  names: readonly (readonly string[])[]
  /** The rows above them. */
  above?: readonly (readonly string[])[]
}

async function findHeader(table: Table, known: readonly string[] | undefined): Promise<FoundHeader> {
  const { headerRow } = table.reading
  const begun = await readFirst(table)
  const { first, firstAt, names, next, above } = begun
  if (!known) return ownHeader(begun, headerRow)
  if (names.length > 0 && isDeepStrictEqual(columnNames(names, above), known))
    return { header: known, headerAt: headerRow, names }
  if (isSameHeader(first, known)) return { header: known, headerAt: firstAt, names: [first] }
  if (isOtherHeader(first, known) || isForeign([first, ...next], known)) throw otherColumns()
  return { header: known, headerAt: 0, names: [] }
}

function ownHeader({ first, names, above }: Beginning, headerRow: number): FoundHeader {
  const named = headerRow === 0 ? first.map(() => '') : names.at(-1)
  if (!named) throw refuseFile(`The file has no row ${headerRow} for the column names.`)
  const problem = headerProblem(named)
  if (problem !== undefined) throw refuseFile(problem)
  return {
    header: headerRow === 0 ? nameColumns(named) : columnNames(names, above),
    headerAt: headerRow,
    names,
    above,
  }
}

// Enough rows to show whether a chunk has other columns than its import.
const ROWS_COMPARED = 20

/**
 * Whether a chunk without the header is from another file: it starts with other column names, or all of its rows have
 * another number of cells and the first has only words. Otherwise its rows would be rejected one by one.
 */
function isForeign(rows: readonly (readonly string[])[], known: readonly string[]): boolean {
  const [first = [], ...others] = rows
  if (beginsOtherTable(first, known)) return true
  const isOfOtherWidth = rows.every((cells) => cells.length === first.length) && first.length !== known.length
  return isOfOtherWidth && first.length > 1 && others.length > 0 && first.every((cell) => !/\d/.test(cell))
}

type Beginning = {
  /** The first row with any content. */
  first: readonly string[]
  firstAt: number
  /** Some rows below it that are not blank. */
  next: (readonly string[])[]
  /** The rows that name the columns. */
  names: (readonly string[])[]
  /** The rows above them. */
  above: (readonly string[])[]
}

async function readFirst({ rows, reading: { headerRow, headerRows = 1 } }: Table): Promise<Beginning> {
  let row = 0
  const filled: { cells: readonly string[]; at: number }[] = []
  const names: (readonly string[])[] = []
  const above: (readonly string[])[] = []
  const take = (cells: readonly string[]): void => {
    row += 1
    if (filled.length <= ROWS_COMPARED && !isBlank(cells)) filled.push({ cells, at: row })
    if (row > headerRow) return
    if (row > headerRow - headerRows) names.push(cells)
    else if (!isBlank(cells)) above.push(cells)
  }
  for await (const batch of rows()) {
    for (const { cells } of batch) take(cells)
    if (filled.length > ROWS_COMPARED && row >= headerRow) break
  }
  const [first, ...next] = filled
  if (!first) throw refuseFile('The file is empty. Choose your parts list.')
  return {
    first: first.cells,
    firstAt: first.at,
    next: next.map(({ cells }) => cells),
    names,
    above,
  }
}

async function* numbered(rows: AsyncGenerator<DataRow[]>, offset: number): AsyncGenerator<DataRow[]> {
  for await (const batch of rows) {
    yield offset === 0 ? batch : batch.map((one) => ({ ...one, row: one.row + offset }))
  }
}
