import { setImmediate } from 'node:timers/promises'
import { isBlank } from '#contract/yard-file/detect-dialect.ts'
import { type RowFolder, rowFolder } from '#contract/yard-file/layouts.ts'
import { TableEnd } from '#contract/yard-file/other-table.ts'
import type { Dialect, Reading, ReadingOverride } from '#contract/yard-file/reading.ts'
import { type RecordProblem, RecordReader } from '#contract/yard-file/records.ts'
import { HeaderWatch } from '#contract/yard-file/reports/header-again.ts'
import {
  newSheetTrace,
  readingOf,
  type SheetTrace,
  sampleSheets,
  sheetNotes,
  stockRows,
} from '#contract/yard-file/workbook/stock-sheets.ts'
import { openWorkbook, type Workbook } from '#contract/yard-file/workbook/workbook.ts'
import { WorkbookProblem } from '#contract/yard-file/workbook/workbook-zip.ts'
import { refuseFile } from './file-bytes.ts'

/** A row of a table, possibly blank. */
type TableRow = {
  readonly cells: string[]
  readonly problem?: RecordProblem | undefined
  /** A line without a part, whose cells are blank. */
  readonly remark?: string | undefined
}

/** A file of any kind as rows; each iteration starts over. */
export type Table = {
  readonly reading: Reading
  readonly rows: () => AsyncGenerator<TableRow[]>
  /** About a workbook's sheets. */
  readonly notes?: () => string[]
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
  /** The first row that names the columns in another order. */
  moved: number | undefined
  /** The first few rows with an unclosed quotation mark, and how many there are. */
  broken: number[]
  brokenCount: number
  /** The first few lines without a part, and how many there are. */
  skipped: number[]
  skippedCount: number
  /** The row that begins another table; reading stopped there. */
  otherTable: DataRow | undefined
}

export const newTrace = (lastRow: number): ReadingTrace => ({
  lastRow,
  repeats: [],
  moved: undefined,
  broken: [],
  brokenCount: 0,
  skipped: [],
  skippedCount: 0,
  otherTable: undefined,
})

const MAX_KEPT = 6

type RowRules = {
  /** The header's row, 0 if there is none. */
  readonly headerAt: number
  /** The number of the first row sent. */
  readonly firstRow: number
  /** The rows that name the columns. */
  readonly names: readonly (readonly string[])[]
  /** Undefined if the file has no header, so that another header cannot be distinguished from a part. */
  readonly header: readonly string[] | undefined
}

/** Leaves out blank rows, the header and everything above it, and repeated headers. */
export async function* dataRows(
  rows: AsyncIterable<TableRow[]>,
  rules: RowRules,
  trace: ReadingTrace,
): AsyncGenerator<DataRow[]> {
  const yieldTurn = turnTaker()
  Object.assign(trace, newTrace(rules.firstRow - 1))
  const end = new TableEnd<DataRow>(rules.header ?? [])
  const watch = rules.header && new HeaderWatch(rules.header, rules.names)
  let read = 0
  for await (const batch of rows) {
    const kept = keepData(batch, rules, { trace, end, watch })
    read += kept.length
    if (read > MAX_ROWS) throw refuseFile(tooManyRows, 'TOO_LARGE')
    yield kept
    trace.otherTable = end.found
    if (end.found) return
    await yieldTurn()
  }
  yield end.rest()
}

type Watching = { trace: ReadingTrace; end: TableEnd<DataRow>; watch: HeaderWatch | undefined }

function keepData(
  batch: readonly TableRow[],
  { headerAt, header }: RowRules,
  { trace, end, watch }: Watching,
): DataRow[] {
  const kept: DataRow[] = []
  const passBlank = (row: number, remark: string | undefined): void => {
    if (remark === undefined && header) end.passBlank()
    if (remark !== undefined && ++trace.skippedCount <= MAX_KEPT) trace.skipped.push(row)
  }
  const isData = (row: number, cells: readonly string[], remark: string | undefined): boolean => {
    if (row <= headerAt) return false
    if (isBlank(cells)) {
      passBlank(row, remark)
      return false
    }
    if (!watch?.names({ cells, text: cells[0] ?? '' })) return true
    if (watch.isMoved) trace.moved ??= row
    else if (trace.repeats.length < MAX_KEPT) trace.repeats.push(row)
    return false
  }
  for (const { cells: sent, problem, remark } of batch) {
    const row = trace.lastRow + 1
    trace.lastRow = row
    if (!isData(row, sent, remark)) continue
    const cells = watch?.isMoved ? watch.arranged(sent) : sent
    if (end.isWatching) kept.push(...end.take({ row, cells, problem }))
    else kept.push({ row, cells, problem })
    if (end.found) return kept
    if (problem === 'UNCLOSED_QUOTE' && ++trace.brokenCount <= MAX_KEPT) trace.broken.push(row)
  }
  return kept
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

/**
 * Folds the rows of a file in which several rows are one part; undefined for any other file. Rows keep their numbers.
 */
export function foldedRows(
  reading: Pick<Reading, 'layout' | 'attributes'>,
  header: readonly string[],
  begin: Parameters<typeof rowFolder>[2],
) {
  const first = rowFolder(reading, header, begin)
  if (!first) return undefined
  const start = (): RowFolder => rowFolder(reading, header, begin) ?? first
  let folder = start()

  /** The folder returns as many rows as it takes, so each gets its own number back. */
  async function* fold(rows: AsyncGenerator<DataRow[]>): AsyncGenerator<DataRow[]> {
    folder = start()
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

/**
 * The sheets of a workbook that have the parts.
 * @throws AppError with the workbook's problem, here and from the rows
 */
export async function openWorkbookTable(blob: Blob, overrides: ReadingOverride): Promise<Table> {
  const workbook = await refused(openWorkbook(blob))
  const { sample, settings } = await refused(sampleSheets(workbook, overrides))
  const { reading } = readingOf(sample, settings)
  const trace = newSheetTrace()
  let width = 0
  return {
    reading,
    rows: async function* () {
      width = 0
      let row = 0
      for await (const rows of sheetRows(workbook, reading, trace)) {
        yield rows.map((cells): TableRow => {
          row += 1
          if (row <= reading.headerRow && row > reading.headerRow - (reading.headerRows ?? 1)) {
            width = Math.max(width, cells.length)
          }
          return { cells: row > reading.headerRow ? padded(cells, width) : cells }
        })
      }
    },
    notes: () => sheetNotes(workbook, reading, trace),
  }
}

/** A sheet's rows end at their last value; pads them to the table's width. */
function padded(cells: string[], width: number): string[] {
  if (cells.length === 0 || cells.length >= width) return cells
  return [...cells, ...Array.from({ length: width - cells.length }, () => '')]
}

async function* sheetRows(
  workbook: Workbook,
  reading: Reading,
  trace: SheetTrace,
): AsyncGenerator<string[][]> {
  try {
    yield* stockRows(workbook, reading, trace)
  } catch (error) {
    throw refusedError(error)
  }
}

export const refused = <T>(promise: Promise<T>): Promise<T> =>
  promise.catch((error: unknown) => {
    throw refusedError(error)
  })

/** The API's error for a problem of the file. */
export const refusedError = (error: unknown) =>
  error instanceof WorkbookProblem ? refuseFile(error.message, error.code) : error
