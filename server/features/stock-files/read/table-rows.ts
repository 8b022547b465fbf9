import { setImmediate } from 'node:timers/promises'
import { isBlank, repeatsOf } from '#contract/yard-file/detect-dialect.ts'
import { bestReading } from '#contract/yard-file/detect-reading.ts'
import { ebayFolder } from '#contract/yard-file/ebay-layout.ts'
import { type Dialect, type Reading, type SaidReading, standardDialect } from '#contract/yard-file/reading.ts'
import { type RecordProblem, recordReader, standardLine } from '#contract/yard-file/records.ts'
import { openWorkbook, type Workbook } from '#contract/yard-file/workbook.ts'
import { WorkbookProblem } from '#contract/yard-file/workbook-zip.ts'
import { refuseFile } from './file-bytes.ts'

/** A row of a table as it stands there, blank ones among them. */
type TableRow = { readonly cells: string[]; readonly problem?: RecordProblem | undefined }

/** Rows of a file, whatever it is: from the beginning each time. */
export type Table = {
  readonly reading: Reading
  readonly rows: () => AsyncGenerator<TableRow[]>
}

const MOST_ROWS_A_BATCH = 200
// What is remembered of each row while a file is checked (32 bytes), and the statement that compares them, stay bounded.
const MOST_ROWS = 3_000_000
// Others wait for the event loop meanwhile: reading and what is done with the rows together.
const LONGEST_TURN_MS = 5

/** The rows of a text, a few hundred at a time. */
export async function* textRows(texts: AsyncIterable<string>, dialect: Dialect): AsyncGenerator<TableRow[]> {
  const reader = recordReader(dialect)
  const ready = function* () {
    for (let few = reader.take(MOST_ROWS_A_BATCH); few.length > 0; few = reader.take(MOST_ROWS_A_BATCH))
      yield few
  }
  for await (const text of texts) {
    reader.feed(text)
    yield* ready()
  }
  reader.end()
  yield* ready()
}

/** Data rows with the numbers that a spreadsheet gives them, and what was passed over. */
export type DataRow = TableRow & { readonly row: number }

export type ReadingTrace = {
  /** The number of the last row that was read. */
  lastRow: number
  /** Where the header stood again; the first few. */
  repeats: number[]
  /** Where a quotation mark was never closed; the first few, and how often. */
  broken: number[]
  brokenCount: number
}

export const newTrace = (lastRow: number): ReadingTrace => ({
  lastRow,
  repeats: [],
  broken: [],
  brokenCount: 0,
})

const MOST_KEPT = 6

type RowRules = {
  /** The header's place in what was sent, 0 where there is none. */
  readonly headerAt: number
  /** The number of the first row that was sent. */
  readonly firstRow: number
  readonly isHeaderAgain: (cells: readonly string[]) => boolean
}

/** Leaves out blank rows, the header with what is above it, and the header where it stands again. */
export async function* dataRows(
  rows: AsyncIterable<TableRow[]>,
  rules: RowRules,
  trace: ReadingTrace,
): AsyncGenerator<DataRow[]> {
  const breathe = turnTaker()
  Object.assign(trace, newTrace(rules.firstRow - 1))
  let read = 0
  for await (const batch of rows) {
    const kept = keepData(batch, rules, trace)
    read += kept.length
    if (read > MOST_ROWS) throw refuseFile(tooManyRows, 'TOO_LARGE')
    yield kept
    await breathe()
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
      if (trace.repeats.length < MOST_KEPT) trace.repeats.push(row)
      continue
    }
    kept.push({ row, cells, problem })
    if (problem === 'UNCLOSED_QUOTE' && ++trace.brokenCount <= MOST_KEPT) trace.broken.push(row)
  }
  return kept
}

/** Whether a row is the header once more. */
export function headerAgain(header: readonly string[]): (cells: readonly string[]) => boolean {
  const isAgain = repeatsOf(header)
  return (cells) => isAgain({ cells, text: cells[0] ?? '' })
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

/** Rows of an eBay file, those of a part's vehicles and variations folded; rows keep their numbers. */
export function ebayRows(header: readonly string[], firstRow: number) {
  let folder = ebayFolder(header, firstRow)

  /** As many rows come back as went in: each gets the number that it had. */
  async function* fold(rows: AsyncGenerator<DataRow[]>): AsyncGenerator<DataRow[]> {
    folder = ebayFolder(header, firstRow)
    const waiting: DataRow[] = []
    const take = (folded: readonly string[][]): DataRow[] =>
      folded.flatMap((cells): DataRow[] => {
        const sent = waiting.shift()
        if (!sent) throw new Error('more rows were folded than there are')
        // What could not be told apart is shown as it is.
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
 * A sheet of a workbook, the first one where none is said.
 * @throws AppError, in the words of the problem, here and from the rows
 */
export async function openWorkbookTable(blob: Blob, said: SaidReading): Promise<Table> {
  const workbook = await inWords(openWorkbook(blob))
  const sheet = said.sheet ?? workbook.sheets[0] ?? ''
  const lines = await firstLines(workbook, sheet)
  // It has no letters and no delimiters of its own.
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

/** A sheet's rows end with their last value; those of a table have a cell for each column. */
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
    throw inFile(error)
  }
}

const inWords = <T>(promise: Promise<T>): Promise<T> =>
  promise.catch((error: unknown) => {
    throw inFile(error)
  })

const inFile = (error: unknown) =>
  error instanceof WorkbookProblem ? refuseFile(error.message, error.code) : error
