import { setImmediate } from 'node:timers/promises'
import { isBlank, repeatsOf } from '#contract/yard-file/detect-dialect.ts'
import { bestReading } from '#contract/yard-file/detect-reading.ts'
import { ebayFolder } from '#contract/yard-file/ebay-layout.ts'
import { type Dialect, type Reading, type SaidReading, standardDialect } from '#contract/yard-file/reading.ts'
import { type RecordProblem, RecordReader, standardLine } from '#contract/yard-file/records.ts'
import { openWorkbook, type Workbook } from '#contract/yard-file/workbook.ts'
import { WorkbookProblem } from '#contract/yard-file/workbook-zip.ts'
import { refuseFile } from './file-bytes.ts'

/** A row of a table, possibly blank. */
type TableRow = { readonly cells: string[]; readonly problem?: RecordProblem | undefined }

/** A file of any kind as rows; each iteration starts over. */
export type Table = {
  readonly reading: Reading
  readonly rows: () => AsyncGenerator<TableRow[]>
}

const MAX_BATCH_ROWS = 200
// Bounds the 32 bytes kept for each row while a file is checked, and the statement that compares them.
const MAX_ROWS = 3_000_000
// Yields to the event loop after this long.
const LONGEST_TURN_MS = 5

/** The rows of a text, in batches. */
export async function* textRows(texts: AsyncIterable<string>, dialect: Dialect): AsyncGenerator<TableRow[]> {
  const reader = new RecordReader(dialect)
  for await (const text of texts) {
    reader.feed(text)
    yield* reader.batches(MAX_BATCH_ROWS)
  }
  reader.end()
  yield* reader.batches(MAX_BATCH_ROWS)
}

/** A data row with its spreadsheet number. */
export type DataRow = TableRow & { readonly row: number }

export type ReadingTrace = {
  /** The number of the last row read. */
  lastRow: number
  /** The first few rows that repeat the header. */
  repeats: number[]
  /** The first few rows with an unclosed quotation mark, and how many there are. */
  broken: number[]
  brokenCount: number
}

export const newTrace = (lastRow: number): ReadingTrace => ({
  lastRow,
  repeats: [],
  broken: [],
  brokenCount: 0,
})

const MAX_KEPT = 6

type RowRules = {
  /** The header's row, 0 if there is none. */
  readonly headerAt: number
  /** The number of the first row sent. */
  readonly firstRow: number
  readonly isHeaderAgain: (cells: readonly string[]) => boolean
}

/** Leaves out blank rows, the header and everything above it, and repeated headers. */
export async function* dataRows(
  rows: AsyncIterable<TableRow[]>,
  rules: RowRules,
  trace: ReadingTrace,
): AsyncGenerator<DataRow[]> {
  const yieldTurn = turnTaker()
  Object.assign(trace, newTrace(rules.firstRow - 1))
  let read = 0
  for await (const batch of rows) {
    const kept = keepData(batch, rules, trace)
    read += kept.length
    if (read > MAX_ROWS) throw refuseFile(tooManyRows, 'TOO_LARGE')
    yield kept
    await yieldTurn()
  }
}

function keepData(
  batch: readonly TableRow[],
  { headerAt, isHeaderAgain }: RowRules,
  trace: ReadingTrace,
): DataRow[] {
  const kept: DataRow[] = []
  for (const { cells, problem } of batch) {
    const row = trace.lastRow + 1
    trace.lastRow = row
    if (row <= headerAt || isBlank(cells)) continue
    if (isHeaderAgain(cells)) {
      if (trace.repeats.length < MAX_KEPT) trace.repeats.push(row)
      continue
    }
    kept.push({ row, cells, problem })
    if (problem === 'UNCLOSED_QUOTE' && ++trace.brokenCount <= MAX_KEPT) trace.broken.push(row)
  }
  return kept
}

/** Whether a row repeats the header. */
export function headerAgain(header: readonly string[]): (cells: readonly string[]) => boolean {
  const isAgain = repeatsOf(header)
  return (cells) => isAgain({ cells, text: cells[0] ?? '' })
}

const tooManyRows = `The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows. Split it into several files and upload each.`

/** Call often: yields to the event loop when it has been blocked for long enough. */
function turnTaker(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < LONGEST_TURN_MS) return
    await setImmediate()
    began = performance.now()
  }
}

/** The rows of an eBay file with each part's vehicles and variations folded into one; rows keep their numbers. */
export function ebayRows(header: readonly string[], firstRow: number) {
  let folder = ebayFolder(header, firstRow)

  /** The folder returns as many rows as it takes, so each gets its own number back. */
  async function* fold(rows: AsyncGenerator<DataRow[]>): AsyncGenerator<DataRow[]> {
    folder = ebayFolder(header, firstRow)
    const waiting: DataRow[] = []
    const take = (folded: readonly string[][]): DataRow[] =>
      folded.flatMap((cells): DataRow[] => {
        const sent = waiting.shift()
        if (!sent) throw new Error('more rows were folded than there are')
        // A row that could not be split is returned as it is.
        if (sent.problem) return [sent]
        return isBlank(cells) ? [] : [{ row: sent.row, cells }]
      })
    for await (const batch of rows) {
      waiting.push(...batch)
      yield take(folder.push(batch.map(({ cells }) => cells)))
    }
    yield take(folder.finish())
  }
  return { header: folder.header, fold, notes: () => folder.notes() }
}

const SAMPLE_ROWS = 300

/**
 * A sheet of a workbook, by default the first.
 * @throws AppError with the workbook's problem, here and from the rows
 */
export async function openWorkbookTable(blob: Blob, said: SaidReading): Promise<Table> {
  const workbook = await refused(openWorkbook(blob))
  const sheet = said.sheet ?? workbook.sheets[0] ?? ''
  const lines = await firstLines(workbook, sheet)
  // A workbook has no encoding or delimiter of its own.
  const { reading } = bestReading(
    { bytes: Buffer.from(lines.join('\n')), whole: true },
    { ...said, ...standardDialect, encoding: 'utf-8', sheet },
  )
  let width = 0
  return {
    reading,
    rows: async function* () {
      width = 0
      let row = 0
      for await (const rows of sheetRows(workbook, sheet)) {
        yield rows.map((cells): TableRow => {
          row += 1
          if (row === reading.headerRow) width = cells.length
          return { cells: row > reading.headerRow ? padded(cells, width) : cells }
        })
      }
    },
  }
}

/** A sheet's rows end at their last value; pads them to the table's width. */
function padded(cells: string[], width: number): string[] {
  if (cells.length === 0 || cells.length >= width) return cells
  return [...cells, ...Array.from({ length: width - cells.length }, () => '')]
}

async function firstLines(workbook: Workbook, sheet: string): Promise<string[]> {
  const found: string[][] = []
  for await (const rows of sheetRows(workbook, sheet)) {
    found.push(...rows.slice(0, SAMPLE_ROWS - found.length))
    if (found.length >= SAMPLE_ROWS) break
  }
  const width = Math.max(0, ...found.map((cells) => cells.length))
  return found.map((cells) => (cells.length === 0 ? '' : standardLine(padded(cells, width))))
}

async function* sheetRows(workbook: Workbook, sheet: string): AsyncGenerator<string[][]> {
  try {
    yield* workbook.rows(sheet)
  } catch (error) {
    throw refusedError(error)
  }
}

const refused = <T>(promise: Promise<T>): Promise<T> =>
  promise.catch((error: unknown) => {
    throw refusedError(error)
  })

const refusedError = (error: unknown) =>
  error instanceof WorkbookProblem ? refuseFile(error.message, error.code) : error
