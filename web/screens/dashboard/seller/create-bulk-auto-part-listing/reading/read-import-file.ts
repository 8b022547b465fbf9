import { headerProblem } from '#contract/csv/csv-header.ts'
import { type DecimalDecision, decimalEvidence } from '#contract/yard-file/decimals.ts'
import {
  brokenRowsNotes,
  type Detection,
  detectReading,
  readingNotes,
  repeatsNotes,
  SAMPLE_BYTES,
} from '#contract/yard-file/detect-reading.ts'
import { type FileKind, fileKind, unpackedKind, ZIP_IN_ZIP } from '#contract/yard-file/file-kind.ts'
import { rowFolder } from '#contract/yard-file/layouts.ts'
import type { ReadingOverride } from '#contract/yard-file/reading.ts'
import { areSentences, isReport } from '#contract/yard-file/reports/remark-lines.ts'
import { WorkbookProblem } from '#contract/yard-file/workbook/workbook-zip.ts'
import {
  FileProblem,
  type FileRow,
  type FileStart,
  fileRecords,
  fileStart,
  type ImportFile,
  NotUtf8,
  type OnRead,
  rawStart,
  type SkippedRows,
} from './import-file.ts'

/** `settings` override detected ones; `onRead` receives the share that was read, from 0 to 1. */
export type ReadingOrder = { settings?: ReadingOverride; onRead?: OnRead; signal?: AbortSignal }

const unreadable = 'Failed to read CSV'
const noHeaders = 'Could not detect headers'

/**
 * Reads the whole file once, without keeping it, to detect its format and columns and count its rows.
 * @throws FileProblem if it cannot be imported, and the signal's reason
 */
export async function readImportFile(file: File, order: ReadingOrder): Promise<ImportFile> {
  try {
    if (file.size === 0) throw new FileProblem(`${noHeaders}: the file is empty.`)
    const { kind } = requireReadable(fileKind(await rawStart(file)))
    if (kind === 'zip') return await readImportFile(await unzipped(file), order)
    if (kind === 'workbook') return await readWorkbook(file, order)
    const start = await fileStart(file, SAMPLE_BYTES)
    if (kind === 'gzip') requireReadable(unpackedKind(start.bytes))
    return await readText(file, start, order)
  } catch (cause) {
    if (order.signal?.aborted || cause instanceof FileProblem) throw cause
    if (cause instanceof WorkbookProblem) throw new FileProblem(cause.message, { cause })
    // A disk error, or the file changed after it was chosen.
    throw new FileProblem(unreadable, { cause })
  }
}

/** The table in a ZIP archive as a file of its own; a browser keeps large ones on its disk. */
async function unzipped(file: File): Promise<File> {
  // Loaded on demand, because few files are archives.
  const { openZippedTable } = await import('#contract/yard-file/workbook/zip-table.ts')
  const table = await openZippedTable(file)
  const content = await new Response(table.open()).blob()
  const inner = new File([content], table.name, { lastModified: file.lastModified })
  if (fileKind(await rawStart(inner)).kind === 'zip') throw new FileProblem(ZIP_IN_ZIP)
  return inner
}

function requireReadable(found: FileKind): FileKind {
  if (found.kind === 'other') throw new FileProblem(found.sentence)
  return found
}

async function readText(file: File, start: FileStart, order: ReadingOrder): Promise<ImportFile> {
  try {
    return await surveyed({ file, detection: detectReading(start, order.settings), sheets: [] }, order)
  } catch (error) {
    if (!(error instanceof NotUtf8) || order.settings?.encoding !== undefined) throw error
    // The start was plain ASCII, so the encoding only shows in these later bytes.
    const detection = detectReading(start, { ...order.settings, encoding: error.encoding })
    return await surveyed({ file, detection, sheets: [] }, order)
  }
}

async function readWorkbook(file: File, order: ReadingOrder): Promise<ImportFile> {
  const { openSheet } = await import('./open-sheet.ts')
  const { dialect, ...opened } = await openSheet(file, order.settings ?? {})
  return await surveyed({ file, ...opened }, { ...order, settings: { ...order.settings, ...dialect } })
}

type Opened = Pick<ImportFile, 'file' | 'detection' | 'sheets' | 'together'>

async function surveyed(
  opened: Opened,
  { settings = {}, onRead, signal }: ReadingOrder,
): Promise<ImportFile> {
  const { file, detection, sheets, together = [] } = opened
  const { reading } = detection
  const { headers, samples } = tableOf(opened)
  const survey = fileSurvey(headers, samples)
  const rows = fileRecords({ file, reading, sheets, headers }, signal, onRead)
  let found: Survey | undefined
  let sheetNotes: string[] = []
  while (found === undefined) {
    const { value, done } = await rows.next()
    if (done) {
      found = survey.finish(value)
      sheetNotes = value.sheets ?? []
    } else for (const row of value) survey.add(row)
  }
  // The detection's own notes only cover the start of the file.
  const notes = [...sheetNotes, ...readingNotes(reading, settings), ...found.notes]
  return { file, detection, reading, sheets, together, headers, samples, ...found, notes }
}

/** @throws FileProblem, with what is known of a file without a table */
function tableOf({ detection, sheets }: Opened): ReturnType<typeof columnsOf> {
  try {
    return columnsOf(detection)
  } catch (problem) {
    if (problem instanceof FileProblem) {
      const { reading, rows, header } = detection
      problem.opened = { reading, sheets, isReport: isReport([header, ...rows].map(([line = '']) => line)) }
    }
    throw problem
  }
}

/** Folding rows may add columns. */
function columnsOf({ reading, header, rows, above }: Detection): { headers: string[]; samples: string[][] } {
  if (header.length < 2) throw new FileProblem(`${noHeaders}${oneColumn(header, rows)}`)
  const problem = headerProblem(header)
  if (problem !== undefined) throw new FileProblem(problem)
  const folder = rowFolder(reading, header, { firstRow: reading.headerRow + 1, above })
  if (!folder) return { headers: header, samples: rows }
  const folded = [...folder.push(rows), ...folder.finish()]
  return { headers: [...folder.header], samples: folded.filter((cells) => cells.length > 0) }
}

/** Explains what a text without columns is, and how to get a file with columns. */
function oneColumn([only = '']: readonly string[], rows: readonly (readonly string[])[]): string {
  if (only.trim() === '') return ': one row must contain the column names.'
  const lines = [only, ...rows.map(([line = '']) => line)]
  if (isReport(lines)) {
    return '. This looks like a printed report. Save it from your yard program as CSV or Excel, then drop it here.'
  }
  return areSentences(lines)
    ? '. This looks like a letter or an email. If it has a parts list, copy the list into a spreadsheet, save it as CSV or Excel, then drop it here.'
    : '. Each line has only one value. Save your list as CSV or Excel with a column each for part, year, make, model and price, then drop it here.'
}

/** Facts that require reading the whole file. */
type Survey = Pick<ImportFile, 'records' | 'characters' | 'densest' | 'decimals' | 'undecided'> & {
  notes: string[]
}

/** Chunk sizes are multiples of this. */
const BLOCK_ROWS = 100
/** Parts lists have few amount columns, and checking more would take longer than reading the file. */
const MAX_AMOUNT_COLUMNS = 8
const SHOWN_ROWS = 5

/** Collects the facts row by row. The sample rows show which columns may be amounts. */
export function fileSurvey(headers: readonly string[], samples: readonly string[][]) {
  const amounts = amountColumns(headers, samples).map((column) => ({ column, evidence: decimalEvidence() }))
  const found = { records: 0, characters: 0, densest: 0 }
  const broken: number[] = []
  let brokenCount = 0
  let block = 0

  return {
    add(row: FileRow): void {
      const { length } = row.text
      if (found.records % BLOCK_ROWS === 0) block = 0
      found.records++
      found.characters += length
      block += length
      if (block > found.densest) found.densest = block
      if (row.problem !== undefined) {
        brokenCount++
        if (broken.length < SHOWN_ROWS) broken.push(row.row)
        return
      }
      if (amounts.length === 0) return
      const { cells } = row
      for (const { column, evidence } of amounts) evidence.add(cells[column] ?? '')
    },
    finish(skipped: SkippedRows): Survey {
      const decided = amounts.map(({ column, evidence }): [string, DecimalDecision] => [
        headers[column] ?? '',
        evidence.decide(),
      ])
      return {
        ...found,
        decimals: Object.fromEntries(decided),
        undecided: decided.flatMap(([header, decision]) => (decision === 'undecided' ? [header] : [])),
        notes: [...repeatsNotes(skipped.repeats), ...brokenRowsNotes(brokenCount, broken), ...skipped.notes],
      }
    },
  }
}

/** Digits with marks, and at most a currency around them: "$1,299.00", "85", "1.299,00 €". */
const AMOUNT = /^\D{0,4}\d[\d.,' \u00a0]*\D{0,4}$/
const MONEY_HEADER = /price|cost|amount|ship|freight|retail|preis|versand|prix|precio/i

function amountColumns(headers: readonly string[], samples: readonly string[][]): number[] {
  const columns = headers.map((_, column) => column)
  const named = columns.filter((column) => MONEY_HEADER.test(headers[column] ?? ''))
  const alike = columns.filter((column) => !named.includes(column) && hasAmounts(samples, column))
  return [...named, ...alike].slice(0, MAX_AMOUNT_COLUMNS)
}

/** Without a telling header, a column counts only if it has decimal marks. */
function hasAmounts(samples: readonly string[][], column: number): boolean {
  const values = samples.flatMap((row) => row[column]?.trim() || [])
  const amounts = values.filter((value) => AMOUNT.test(value))
  return amounts.length * 2 > values.length && amounts.some((value) => /\d[.,]\d/.test(value))
}
