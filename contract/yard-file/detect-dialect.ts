import { nameColumns } from '#contract/csv/csv-header.ts'
import { nameSays, namesField } from '#contract/csv/field-headers.ts'
import {
  COMMA_AND_SPACE,
  type Dialect,
  MOST_ROWS_ABOVE,
  type Quote,
  quotes,
  standardDialect,
} from './reading.ts'
import { type FileRecord, RecordReader } from './records.ts'

/** Programs of DOS write it behind their last line. */
const DOS_END_OF_FILE = '\x1a'

/** Also a line of nothing but commas, as spreadsheets write rows that were emptied. */
export function isBlankRow(record: FileRecord): boolean {
  if (record.text === '') return true
  // Most rows begin with a letter or a digit, and need not be cut into cells to know.
  const first = record.text.charCodeAt(0)
  if (isLetterOrDigit(first)) return false
  return isBlank(record.cells)
}

const isLetterOrDigit = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

export function isBlank(cells: readonly string[]): boolean {
  if (cells.length === 1 && cells[0] === DOS_END_OF_FILE) return true
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false
  return true
}

// A header's first name begins within so many characters, a quotation mark and spaces before it included.
const BEGINNING = 64

/**
 * Tells whether a record is the header again, as in a file that was put together from several, or in front of every chunk
 * of one.
 * @param header names as `nameColumns` answers them
 */
export function repeatsOf(
  header: readonly string[],
): (record: { readonly cells: readonly string[]; readonly text: string }) => boolean {
  // Few rows begin with the first word of the first name: the others are not cut into cells to know.
  const word = /^Column \d+$/.test(header[0] ?? '')
    ? ''
    : (header[0]?.split(' ')[0] ?? '').slice(0, BEGINNING / 2)
  return (record) => record.text.slice(0, BEGINNING).includes(word) && isSameHeader(record.cells, header)
}

/**
 * Tells whether a record is the header again. Of a header of two rows either row is.
 * @param names the rows that name the columns, as they stand in the file
 */
export function headerRepeats(
  header: readonly string[],
  names: readonly (readonly string[])[],
): ReturnType<typeof repeatsOf> {
  if (names.length < 2) return repeatsOf(header)
  return ({ cells }) => names.some((row) => isSameRow(cells, row))
}

/** Nearly always decided by the first cell that is not blank. */
function isSameRow(cells: readonly string[], row: readonly string[]): boolean {
  for (let at = 0; at < Math.max(cells.length, row.length); at++) {
    if ((cells[at] ?? '').trim() !== (row[at] ?? '').trim()) return false
  }
  return true
}

/** Whether cells name these columns. */
export function isSameHeader(cells: readonly string[], header: readonly string[]): boolean {
  return cells.length === header.length && nameColumns(cells).every((name, at) => name === header[at])
}

/** A row of a sample that has anything in it. */
type SampleRow = { readonly row: number; readonly cells: readonly string[] }

// Titles stand above a header, not dozens of wide rows.
const MOST_CANDIDATES = 8
// As many tell what a row is; a line without its end may have a hundred thousand.
const MOST_CELLS = 1_000
const LEAST_KNOWN = 0.4
const MOST_VALUES = 0.25

type Candidate = { row: number; named: number; values: number; known: number; worth: number }

/**
 * The row that names the columns, as a spreadsheet numbers it; 0 where the first one is a part's already.
 * @param width how many cells most rows have
 */
export function detectHeaderRow(rows: readonly SampleRow[], width: number): number {
  const found = rows
    .filter(({ row, cells }) => row <= MOST_ROWS_ABOVE + 1 && namedCells(cells).length >= leastNamed(width))
    .slice(0, MOST_CANDIDATES)
    .map(weigh)
  const candidates = aboveFirstPart(found)
  const [first] = candidates
  if (!first) return rows[0] && rows[0].row <= MOST_ROWS_ABOVE + 1 ? rows[0].row : 0
  const best = candidates.filter(isHeader).sort((a, b) => b.worth - a.worth || a.row - b.row)[0]
  if (best) return best.row
  const isData = first.values >= 2 || first.values > MOST_VALUES * first.named
  return isData && first.known === 0 ? 0 : first.row
}

/** Without those below the first part: another table may have a header with more names. */
function aboveFirstPart(candidates: readonly Candidate[]): Candidate[] {
  const header = candidates.findIndex(isHeader)
  const part = candidates.findIndex(({ values }, at) => header !== -1 && at > header && values >= 2)
  return candidates.slice(0, part === -1 ? candidates.length : part)
}

/** A row with fewer cells is a title, or a group of columns. */
const leastNamed = (width: number) => Math.max(Math.min(2, width), Math.ceil(width / 2))

const namedCells = (cells: readonly string[]) =>
  cells.map((cell) => cell.trim()).filter((cell) => cell !== '')

function weigh({ row, cells }: SampleRow): Candidate {
  const named = namedCells(cells).slice(0, MOST_CELLS)
  const values = named.filter(isValue).length
  // What is full of values is no header: its cells need not be compared with all names of fields.
  const known = values > MOST_VALUES * named.length ? 0 : named.filter(isKnownName).length
  const distinct = new Set(named).size
  return { row, named: named.length, values, known, worth: 2 * known + distinct / 2 - 2 * values }
}

const isHeader = ({ known, named, values }: Candidate) =>
  known >= Math.min(2, named) && known >= LEAST_KNOWN * named && values <= MOST_VALUES * named

/**
 * The names of columns in two rows, such as "Stock" over "No." or a group over its columns. What the lower row names alone
 * keeps its name; what it leaves blank, repeats or does not say has that of the row above.
 */
function joinedNames(above: readonly string[], cells: readonly string[]): string[] {
  const width = Math.max(above.length, cells.length)
  const times = new Map<string, number>()
  for (const cell of cells) times.set(plainName(cell), (times.get(plainName(cell)) ?? 0) + 1)
  let group = ''
  return Array.from({ length: width }, (_, at) => {
    const upper = above[at]?.trim() ?? ''
    const lower = cells[at]?.trim() ?? ''
    if (upper !== '') group = upper
    // A blank above a name belongs to the group on its left; one above a blank ends it.
    else if (lower === '') group = ''
    if (lower === '' || plainName(lower) === plainName(upper)) return upper || lower
    const isClear = times.get(plainName(lower)) === 1 && namesField(lower)
    return isClear || group === '' ? lower : `${group} ${lower}`
  })
}

/** The unique names of columns that one or two rows name. */
export function columnNames(rows: readonly (readonly string[])[]): string[] {
  const [first = [], second] = rows
  return nameColumns(second ? joinedNames(first, second) : first)
}

const plainName = (name: string) => name.trim().toLowerCase()

/**
 * The lower of two rows that name the columns together; undefined if the header is one row. Both rows have names alone, and
 * together they name more fields than either.
 */
export function detectTwoRows(rows: readonly SampleRow[], headerRow: number): number | undefined {
  if (headerRow === 0) return undefined
  const cellsOf = (row: number) => rows.find((one) => one.row === row)?.cells
  for (const lower of [headerRow, headerRow + 1]) {
    const [above, cells] = [cellsOf(lower - 1), cellsOf(lower)]
    if (!above || !cells || above.length < 2 || lower > MOST_ROWS_ABOVE + 1) continue
    const [first, second] = [weighFields(above), weighFields(cells)]
    const joined = weighFields(joinedNames(above, cells))
    const isHeader = first.values === 0 && second.values === 0 && second.fields >= Math.min(2, second.named)
    if (isHeader && first.fields > 0 && joined.fields > Math.max(first.fields, second.fields)) return lower
  }
  return undefined
}

/** Counts different names of fields: a repeated one names one column. */
function weighFields(cells: readonly string[]) {
  const named = namedCells(cells).slice(0, MOST_CELLS)
  const names = new Set(named.map(plainName))
  return {
    named: named.length,
    values: named.filter(isValue).length,
    fields: [...names].filter((name) => name.length <= LONGEST_NAME && namesField(name)).length,
  }
}

// A row of a part has no three cells that are names of columns and nothing else.
const LEAST_FIELDS = 3

/**
 * Tells whether a row below the header begins another table. Call only for rows behind a gap, since it takes a
 * thousand times as long as to read the row.
 */
export function beginsOtherTable(cells: readonly string[], header: readonly string[]): boolean {
  const { named, values, fields } = weighFields(cells)
  if (values > 0 || fields < LEAST_FIELDS || 2 * fields < named || fields > MOST_FIELDS) return false
  return !isSameHeader(cells, header)
}

const MOST_FIELDS = 500

/** Whether cells are names of columns as yards call theirs. */
const namesColumns = (cells: readonly string[]): boolean =>
  cells.length > 1 && isHeader(weigh({ row: 1, cells }))

const LONGEST_NAME = 80

function isKnownName(cell: string): boolean {
  if (cell.length > LONGEST_NAME) return /^\*?action\s*\(/i.test(cell)
  const says = nameSays(cell)
  return says === 'field' || says === 'other'
}

const VIN = /^(?=.*\d)[A-HJ-NPR-Z0-9]{17}$/i
const ADDRESS = /^(https?:\/\/|www\.)|^\S+@\S+\.\S+$/i

/** A number, a date, an address, a code: what stands in rows and names no column. */
function isValue(cell: string): boolean {
  const digits = cell.replaceAll(/\D/g, '').length
  if (digits === 0) return ADDRESS.test(cell)
  return !/\p{L}/u.test(cell) || 2 * digits >= cell.length || VIN.test(cell) || ADDRESS.test(cell)
}

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
    .map((dialect) => ({ dialect, ...judge(start, dialect) }))
    .filter(({ score }) => score > 0)
  const [best, ...others] = judged
    .map((one) => ({ dialect: one.dialect, score: scoreAmong(judged, one) }))
    .sort((a, b) => b.score - a.score)
  return best ? [best, ...others] : [{ dialect: { ...standardDialect, ...said }, score: 0 }]
}

type Judgment = {
  score: number
  /** How evenly the rows are cut, from 0 to 1. */
  evenness: number
  /** Delimiters with which the rows above the first full one would be a header. */
  headersAbove: readonly string[]
}

/** Lists in the cells of a table, such as `a|b|c`, may be more cells than the table has columns, but its rows are more even. */
function scoreAmong(all: readonly (JudgedDialect & Judgment)[], one: Judgment): number {
  const tables = all.filter(
    ({ dialect, evenness }) => one.headersAbove.includes(dialect.delimiter) && evenness >= one.evenness,
  )
  return Math.min(one.score, ...tables.map(({ score }) => score / 2))
}

function delimitersIn(text: string, said: string | undefined): string[] {
  if (said !== undefined) return [said]
  return [...usual, COMMA_AND_SPACE, ...strange].filter((delimiter) => text.includes(delimiter))
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
  // A cell that begins with a mark of its own is written with three: that is quoting, not a mark left open.
  const unescaped = records.flatMap(({ record }) => (record.text.includes('"""') ? [] : record.cells))
  const open = broken + count(unescaped, /^".*[^"]$/s)
  const hasDouble = text.includes(`${delimiter}"`) || /(^|[\r\n])"/.test(text)
  const single = hasDouble ? 0 : Math.min(count(cells, /^'/), count(cells, /'$/))
  const likely = { '"': true, "'": single >= LEAST_CELLS, '': open >= LEAST_CELLS }
  return quotes.filter((quote) => likely[quote])
}

const count = (cells: readonly string[], like: RegExp) => cells.filter((cell) => like.test(cell)).length

/** Rows of the same many cells, in as many columns as can be, beneath names. */
function judge(text: string, dialect: Dialect): Judgment {
  const records = readSample(text, dialect, { whole: false, most: MOST_ROWS })
    .filter(({ record }) => !isBlankRow(record))
    .slice(0, MOST_ROWS)
  const rows = records.map(({ row, record }) => ({ row, cells: record.cells }))
  const width = usualWidth(rows)
  if (width < 2) return { score: 0, evenness: 0, headersAbove: [] }
  const first = rows.findIndex(({ cells }) => cells.length === width)
  const fitting = rows.filter(({ cells }) => cells.length === width).length
  const beneath = fitting / (rows.length - first)
  const evenness = 0.7 * beneath ** 2 + 0.3 * (fitting / rows.length)
  const broken = records.filter(({ record }) => record.problem !== undefined).length / records.length
  const headersAbove = headersIn(rows.slice(0, first), dialect)
  const named = detectHeaderRow(rows, width) === 0 || headersAbove.length > 0 ? 0.5 : 1
  const clean = (1 - broken) * (1 - wrappedOtherwise(rows, dialect.quote)) ** 2
  return { score: evenness * Math.log2(width) * named * clean * liking(dialect), evenness, headersAbove }
}

/** Other delimiters with which rows that would be titles are a header. */
function headersIn(titles: readonly SampleRow[], { delimiter }: Dialect): string[] {
  return usual
    .filter((other) => other !== delimiter)
    .filter((other) => titles.some(({ cells }) => namesColumns(cells.join(delimiter).split(other))))
}

/** Of equal ones the more usual. */
function liking({ delimiter, quote }: Dialect): number {
  const place = usual.indexOf(delimiter)
  let ofDelimiter = delimiter < ' ' ? 0.95 : 0.8
  if (place !== -1) ofDelimiter = 1 - place / 1_000
  // Nearly always a comma with spaces around it.
  if (delimiter === COMMA_AND_SPACE) ofDelimiter = 0.95
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
  const records = new RecordReader(dialect).feed(text).end().take(most)
  if (!whole && records.length > 1 && records.length < most && !/[\r\n]$/.test(text)) records.pop()
  return records.map((record, at) => ({ row: at + 1, record }))
}
