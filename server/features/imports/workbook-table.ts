import { bestReading } from '#contract/yard-file/detect-reading.ts'
import { type SaidReading, standardDialect } from '#contract/yard-file/reading.ts'
import { standardLine } from '#contract/yard-file/standard-csv.ts'
import { openWorkbook, type Workbook } from '#contract/yard-file/workbook.ts'
import { WorkbookProblem } from '#contract/yard-file/workbook-problem.ts'
import { refuseFile } from './file-refusal.ts'
import type { Table, TableRow } from './table-records.ts'

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
