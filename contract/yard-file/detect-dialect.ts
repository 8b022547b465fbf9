import { isBlankRow } from './data-rows.ts'
import { detectHeaderRow, namesColumns, type SampleRow } from './detect-header.ts'
import { type Dialect, type Quote, quotes, standardDialect } from './reading.ts'
import { type FileRecord, recordReader } from './records.ts'

/** How well a dialect explains a sample; 0 where it finds no columns. */
export type JudgedDialect = { readonly dialect: Dialect; readonly score: number }

const usual = [',', ';', '\t', '|']
const strange = ['\x1f', '\x1e', '\x1d', '\x1c', '\x01', '\x02', '^', '~', '#', '*', '!', '%', ':']
// So much tells; each dialect reads it once.
const LONGEST_LOOKED_AT = 64 * 1024
const MOST_ROWS = 300

/** All dialects that explain the beginning of a file, the best first; the same for the same file. */
export function judgeDialects(text: string, said: Partial<Dialect>): [JudgedDialect, ...JudgedDialect[]] {
  const start = text.slice(0, LONGEST_LOOKED_AT)
  const judged = delimitersIn(start, said.delimiter)
    .flatMap((delimiter) => quotesIn(start, delimiter, said.quote).map((quote) => ({ delimiter, quote })))
    .map((dialect) => ({ dialect, score: judge(start, dialect) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const [best, ...others] = judged
  return best ? [best, ...others] : [{ dialect: { ...standardDialect, ...said }, score: 0 }]
}

function delimitersIn(text: string, said: string | undefined): string[] {
  if (said !== undefined) return [said]
  return [...usual, ...strange].filter((delimiter) => text.includes(delimiter))
}

// One may be a slip; several are a program that quotes otherwise, or nothing.
const LEAST_CELLS = 3

/** Others than double quotation marks are thought of only where these leave cells that look quoted otherwise, or open. */
function quotesIn(text: string, delimiter: string, said: Quote | undefined): Quote[] {
  if (said !== undefined) return [said]
  if (!/["']/.test(text)) return ['"']
  const records = readSample(text, { delimiter, quote: '"' }, { whole: false, most: MOST_ROWS })
  const cells = records.flatMap(({ record }) => record.cells)
  const broken = records.filter(({ record }) => record.problem !== undefined).length
  const open = broken + count(cells, /^".*[^"]$/s)
  const hasDouble = text.includes(`${delimiter}"`) || /(^|[\r\n])"/.test(text)
  const single = hasDouble ? 0 : Math.min(count(cells, /^'/), count(cells, /'$/))
  const likely = { '"': true, "'": single >= LEAST_CELLS, '': open >= LEAST_CELLS }
  return quotes.filter((quote) => likely[quote])
}

const count = (cells: readonly string[], like: RegExp) => cells.filter((cell) => like.test(cell)).length

/** Rows of the same many cells, in as many columns as can be, beneath names. */
function judge(text: string, dialect: Dialect): number {
  const records = readSample(text, dialect, { whole: false, most: MOST_ROWS })
    .filter(({ record }) => !isBlankRow(record))
    .slice(0, MOST_ROWS)
  const rows = records.map(({ row, record }) => ({ row, cells: record.cells }))
  const width = usualWidth(rows)
  if (width < 2) return 0
  const first = rows.findIndex(({ cells }) => cells.length === width)
  const fitting = rows.filter(({ cells }) => cells.length === width).length
  const beneath = fitting / (rows.length - first)
  const evenness = 0.7 * beneath ** 2 + 0.3 * (fitting / rows.length)
  const broken = records.filter(({ record }) => record.problem !== undefined).length / records.length
  const named = detectHeaderRow(rows, width) === 0 || isHeaderAbove(rows.slice(0, first), dialect) ? 0.5 : 1
  const clean = (1 - broken) * (1 - wrappedOtherwise(rows, dialect.quote)) ** 2
  return evenness * Math.log2(width) * named * clean * liking(dialect)
}

/** Whether rows that would be titles are a header, read with another delimiter. */
function isHeaderAbove(titles: readonly SampleRow[], { delimiter }: Dialect): boolean {
  const others = usual.filter((other) => other !== delimiter)
  return titles.some(({ cells }) => others.some((other) => namesColumns(cells.join(delimiter).split(other))))
}

/** Of equal ones the more usual. */
function liking({ delimiter, quote }: Dialect): number {
  const place = usual.indexOf(delimiter)
  let ofDelimiter = delimiter < ' ' ? 0.95 : 0.8
  if (place !== -1) ofDelimiter = 1 - place / 1_000
  // Times and addresses have it in every row.
  if (delimiter === ':') ofDelimiter = 0.5
  return ofDelimiter * (1 - quotes.indexOf(quote) / 50)
}

/** The number of cells that explains most: many columns in many rows. */
export function usualWidth(rows: readonly SampleRow[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  let width = 1
  let most = 0
  for (const [cells, count] of counts) {
    const weight = count * Math.log2(cells)
    if (weight <= most) continue
    width = cells
    most = weight
  }
  return width
}

/** The share of cells with text that stand in quotation marks which this reading takes for text. */
function wrappedOtherwise(rows: readonly SampleRow[], quote: Quote): number {
  let cells = 0
  let wrapped = 0
  for (const row of rows) {
    for (const cell of row.cells) {
      if (cell === '') continue
      cells += 1
      if (cell !== quote && cell.length > 1 && /^(["']).*\1$/s.test(cell)) wrapped += 1
    }
  }
  return cells === 0 ? 0 : wrapped / cells
}

export type NumberedRecord = { readonly row: number; readonly record: FileRecord }

/** The first records of a beginning; the last one is left out unless it is the end of the file. */
export function readSample(
  text: string,
  dialect: Dialect,
  { whole, most }: { whole: boolean; most: number },
): NumberedRecord[] {
  const reader = recordReader(dialect)
  reader.feed(text)
  reader.end()
  const records = reader.take(most)
  if (!whole && records.length > 1 && records.length < most && !/[\r\n]$/.test(text)) records.pop()
  return records.map((record, at) => ({ row: at + 1, record }))
}
