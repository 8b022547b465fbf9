import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ImportDefaults, ImportField, ImportMapping } from '#contract/csv/import-fields.ts'
import type { Reading, ReadingOverride } from '#contract/yard-file/reading.ts'
import { compileRowCheck, type RowFields } from '#server/features/stock-files/read/check-row.ts'
import { openTable, type SentRow } from '#server/features/stock-files/table/open-table.ts'
import { collect, inPieces, tableOf } from '#tests/support/read-csv.ts'
import {
  fileRecords,
  type ImportFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'

/** A row's number, what is wrong with it, and in which column. */
type ExpectedIssue = [row: number, code: string, column: string]

/** What is expected of a file; stands beside it, under its name and `.json`. */
export type Expected = {
  /** What is odd about it. */
  about: string
  /** The kinds of odd files it is one of; `reading.test.ts` lists those that must not be missing. */
  kinds: string[]
  reading: Pick<Reading, 'encoding' | 'delimiter' | 'quote' | 'headerRow' | 'layout'>
  header: string[]
  /** The column of each field, as whoever knows the file would choose it. */
  mapping: ImportMapping
  defaults?: ImportDefaults
  /** Of a file that a shipped template is for: the mapping is its. */
  byTemplate?: true
  /** Other than in `mapping`: what is as good or better where the columns' names are gone. */
  ownColumns?: ImportMapping
  /** Fields whose column the names leave open. */
  unclear?: ImportField[]
  /** Tens of megabytes: it is read once. */
  large?: true
  /** Too few rows to tell a column by its values. */
  fewValues?: true
  /** Data rows, bad ones among them. */
  rows: number
  /** What all bad rows have; all others are good. */
  issues: ExpectedIssue[]
  notes: string[]
  /** What the page tells besides. */
  notesOfPage?: string[]
  /** The server reads it; the page says so, and what to do. */
  pageRefuses?: string
  /** What the values of a column of money say of its decimal mark, where it matters. */
  decimals?: Reading['decimals']
  /** Columns of money whose values do not say it. */
  undecided?: string[]
  /** Some good rows, by their numbers: all of their fields. */
  checked: Record<string, RowFields>
}

export type OddFile = { name: string; expected: Expected; content: () => Promise<Uint8Array<ArrayBuffer>> }

const FILES = join(import.meta.dirname, 'files')

/** The files that lie in `files/`. */
export function keptFiles(): OddFile[] {
  const names = readdirSync(FILES).filter((name) => !name.endsWith('.json'))
  return names.map((name) => ({
    name,
    expected: JSON.parse(readFileSync(join(FILES, `${name}.json`), 'utf8')) as Expected,
    content: async () => new Uint8Array(readFileSync(join(FILES, name))),
  }))
}

/** "utf-8.csv: Nothing odd …" */
export const titleOf = ({ name, expected: { about } }: OddFile) => `${name}: ${about}`

export type ReadRow = { row: number; cells: readonly string[]; problem?: SentRow['problem'] }
export type ReadFile = { header: readonly string[]; rows: ReadRow[]; reading: Reading; notes: string[] }

/** As the server reads what is sent to it, in pieces of so many bytes. */
export async function readOnServer(
  content: Uint8Array,
  overrides?: ReadingOverride,
  pieceBytes?: number,
): Promise<ReadFile> {
  const pieces = inPieces(Buffer.from(content), pieceBytes)
  const source = await openTable(
    tableOf(() => Readable.from(pieces)),
    { overrides },
  )
  const rows = await collect(source.batches)
  return { header: source.header, rows, reading: source.reading, notes: source.notes() }
}

/** As the page reads what was chosen there. */
export async function readOnPage(
  content: Uint8Array<ArrayBuffer>,
  name: string,
): Promise<ReadFile & { file: ImportFile }> {
  const file = await readImportFile(new File([content], name), {})
  const rows: ReadRow[] = []
  for await (const batch of fileRecords(file)) {
    for (const { row, cells, problem } of batch) rows.push({ row, cells, ...(problem && { problem }) })
  }
  return { header: file.headers, rows, reading: file.reading, notes: file.notes, file }
}

/** Remembers the last answer: the tests of a file that stand together share what they only look at. */
export function ofLastFile<T>(read: (file: OddFile) => Promise<T>): (file: OddFile) => Promise<T> {
  let last: { file: OddFile; answer: Promise<T> } | undefined
  return (file) => {
    if (last?.file !== file) last = { file, answer: read(file) }
    return last.answer
  }
}

const THIS_YEAR = 2026

/** Good rows by their numbers, and all that is wrong with the others. */
export function checkRows(
  header: readonly string[],
  rows: readonly ReadRow[],
  { mapping, defaults = {}, decimals }: Pick<Expected, 'mapping' | 'defaults' | 'decimals'>,
) {
  const check = compileRowCheck({ header, mapping, defaults, year: THIS_YEAR, decimals })
  const good = new Map<number, RowFields>()
  const issues: ExpectedIssue[] = []
  for (const { row, cells, problem } of rows) {
    const checked = check(cells, problem)
    if ('fields' in checked) good.set(row, checked.fields)
    else for (const { code, column } of checked.issues) issues.push([row, code, column])
  }
  return { good, issues }
}
