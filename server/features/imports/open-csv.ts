import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { csvBytes } from './csv-bytes.ts'
import { csvRecords } from './csv-records.ts'
import { refuseFile } from './csv-refusal.ts'
import { isOtherHeader, readHeader, repeatsHeader } from './header.ts'
import { otherColumns, type RowSource, type SentRow } from './row-source.ts'

const MOST_ROWS_A_BATCH = 200
// What is remembered of each row while a file is checked (32 bytes), and the statement that compares them, stay bounded.
const MOST_ROWS = 3_000_000
// Others wait for the event loop meanwhile: reading and what is done with the rows together.
const LONGEST_TURN_MS = 5

/**
 * Reads a CSV or CSV.GZ as a stream, from the beginning each time its batches are asked for. With `knownHeader` (fixed by
 * an earlier chunk of the same file) the first record is a row unless it is that header again; another header is refused.
 * Rows are numbered as a spreadsheet does: the header is row 1 even where it was left out, blank lines count and are no
 * rows.
 * @throws AppError VALIDATION_FAILED, WRONG_TYPE, TOO_LARGE, here and from the batches, with a sentence for `file`
 */
export async function openCsv(
  open: () => Readable,
  { knownHeader }: { knownHeader?: readonly string[] | undefined } = {},
): Promise<RowSource> {
  const { cells, row } = await readFirst(open)
  if (knownHeader && isOtherHeader(cells, knownHeader)) {
    throw otherColumns()
  }
  const isHeader = knownHeader === undefined || repeatsHeader(cells, knownHeader)
  const where: Where = isHeader ? { after: row } : { from: 2 }
  let lastRow = 0
  const onRead = (number: number) => {
    lastRow = number
  }
  return {
    header: knownHeader ?? readHeader(cells),
    batches: { [Symbol.asyncIterator]: () => readRows(open(), where, onRead) },
    lastRow: () => lastRow,
  }
}

/** The first record with anything in it. */
async function readFirst(open: () => Readable): Promise<SentRow> {
  let row = 0
  for await (const records of csvRecords(csvBytes(open()))) {
    for (const cells of records) {
      row += 1
      if (!isBlank(cells)) return { row, cells }
    }
  }
  throw refuseFile('The file is empty. Choose the CSV file of your parts.')
}

/** Rows behind the header's, or all of them numbered from some row. */
type Where = { after: number; from?: never } | { from: number; after?: never }

async function* readRows(
  source: Readable,
  where: Where,
  onRead: (lastRow: number) => void,
): AsyncGenerator<SentRow[]> {
  let row = where.after === undefined ? where.from - 1 : 0
  const header = where.after ?? 0
  let read = 0
  const breathe = turnTaker()
  for await (const records of csvRecords(csvBytes(source))) {
    // Never more than the parser found at once: with fields of 10 MB, 200 rows are 2 GB.
    const rows: SentRow[] = []
    for (const cells of records) {
      row += 1
      if (row > header && !isBlank(cells)) rows.push({ row, cells })
    }
    read += rows.length
    onRead(row)
    if (read > MOST_ROWS) throw refuseFile(tooManyRows, 'TOO_LARGE')
    await breathe()
    for (let from = 0; from < rows.length; from += MOST_ROWS_A_BATCH) {
      yield rows.slice(from, from + MOST_ROWS_A_BATCH)
      await breathe()
    }
  }
}

const tooManyRows = `The file has more than ${MOST_ROWS.toLocaleString('en-US')} rows. Cut it into several files and upload each.`

/** To be awaited often: leaves the event loop to others whenever it was held for long enough. */
function turnTaker(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < LONGEST_TURN_MS) return
    await setImmediate()
    began = performance.now()
  }
}

/** Also a line of nothing but commas, as spreadsheets write rows that were emptied. */
function isBlank(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false
  return true
}
