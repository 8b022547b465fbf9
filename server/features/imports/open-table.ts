import type { Readable } from 'node:stream'
import { isBlank, isSameHeader } from '#contract/yard-file/data-rows.ts'
import { bestReading, type Sample } from '#contract/yard-file/detect-reading.ts'
import { ebayAddedColumns } from '#contract/yard-file/ebay-columns.ts'
import type { Reading, SaidReading } from '#contract/yard-file/reading.ts'
import { brokenRowsNotes, readingNotes, repeatsNotes } from '#contract/yard-file/reading-notes.ts'
import { ebayRows } from './ebay-rows.ts'
import { refuseFile } from './file-refusal.ts'
import { isOtherHeader, readHeader } from './header.ts'
import { otherColumns, otherDelimiter, type RowSource } from './row-source.ts'
import { beginningOf, openBytes } from './table-bytes.ts'
import { type DataRow, dataRows, headerAgain, newTrace, type Table, textRows } from './table-records.ts'
import { decideEncoding, readText } from './table-text.ts'
import { openWorkbookTable } from './workbook-table.ts'

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
