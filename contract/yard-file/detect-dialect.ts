import { withCurrencySaid } from '#contract/column-questions/currency-columns.ts'
import { nameColumns } from '#contract/csv/csv-header.ts'
import { nameSays, namesField } from '#contract/csv/field-headers.ts'
import {
  COMMA_AND_SPACE,
  type Dialect,
  MAX_ROWS_ABOVE,
  type Quote,
  quotes,
  standardDialect,
} from './reading.ts'
import { type FileRecord, RecordReader } from './records.ts'
import { isReport } from './reports/remark-lines.ts'

/** DOS programs write it after the last line. */
const DOS_END_OF_FILE = '\x1a'

/** Includes lines of only commas, as spreadsheets write rows that were emptied. */
export function isBlankRow(record: FileRecord): boolean {
  if (record.text === '') return true
  // Most rows start with a letter or a digit, so they need not be split into cells.
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

/** Whether cells name these columns. */
export function isSameHeader(cells: readonly string[], header: readonly string[]): boolean {
  return cells.length === header.length && nameColumns(cells).every((name, at) => name === header[at])
}

/** A row of a sample that is not blank. */
type SampleRow = { readonly row: number; readonly cells: readonly string[] }

// A header has titles above it, not dozens of wide rows.
const MAX_CANDIDATES = 8
// Enough to judge a row; a line whose end is missing may have a hundred thousand.
const MAX_CELLS = 1_000
const MIN_KNOWN = 0.4
const MAX_VALUES = 0.25

type Candidate = { row: number; named: number; values: number; known: number; worth: number }

/**
 * The spreadsheet number of the row that names the columns; 0 if the first row is already a part.
 * @param width how many cells most rows have
 */
export function detectHeaderRow(rows: readonly SampleRow[], width: number): number {
  const found = rows
    .filter(({ row, cells }) => row <= MAX_ROWS_ABOVE + 1 && namedCells(cells).length >= leastNamed(width))
    .slice(0, MAX_CANDIDATES)
    .map(weigh)
  const candidates = aboveFirstPart(found)
  const [first] = candidates
  if (!first) return rows[0] && rows[0].row <= MAX_ROWS_ABOVE + 1 ? rows[0].row : 0
  const best = candidates.filter(isHeader).sort((a, b) => b.worth - a.worth || a.row - b.row)[0]
  if (best) return best.row
  const isData = first.values >= 2 || first.values > MAX_VALUES * first.named
  return isData && first.known === 0 ? 0 : first.row
}

/** Leaves out rows below the first part, since another table may have a header with more names. */
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
  const named = namedCells(cells).slice(0, MAX_CELLS)
  const values = named.filter(isValue).length
  // A row full of values is not a header, so its cells need not be compared with all field names.
  const known = values > MAX_VALUES * named.length ? 0 : named.filter(isKnownName).length
  const distinct = new Set(named).size
  return { row, named: named.length, values, known, worth: 2 * known + distinct / 2 - 2 * values }
}

const isHeader = ({ known, named, values }: Candidate) =>
  known >= Math.min(2, named) && known >= MIN_KNOWN * named && values <= MAX_VALUES * named

/**
 * The names of columns in two rows, such as "Stock" over "No." or a group over its columns. A clear name in the lower
 * row stays; a blank, repeated or unclear one gets the name of the row above.
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

/** The unique column names in one or two rows, with what the lines above them say of the prices. */
export function columnNames(
  rows: readonly (readonly string[])[],
  above: readonly (readonly string[])[] = [],
): string[] {
  const [first = [], second] = rows
  return withCurrencySaid(nameColumns(second ? joinedNames(first, second) : first), above)
}

const plainName = (name: string) => name.trim().toLowerCase()

/**
 * The lower of two rows that name the columns together; undefined if the header is one row. Both rows contain only
 * names, and together they name more fields than either alone.
 */
export function detectTwoRows(rows: readonly SampleRow[], headerRow: number): number | undefined {
  if (headerRow === 0) return undefined
  const cellsOf = (row: number) => rows.find((one) => one.row === row)?.cells
  for (const lower of [headerRow, headerRow + 1]) {
    const [above, cells] = [cellsOf(lower - 1), cellsOf(lower)]
    if (!above || !cells || above.length < 2 || lower > MAX_ROWS_ABOVE + 1) continue
    const [first, second] = [weighFields(above), weighFields(cells)]
    const joined = weighFields(joinedNames(above, cells))
    const isHeader = first.values === 0 && second.values === 0 && second.fields >= Math.min(2, second.named)
    if (isHeader && first.fields > 0 && joined.fields > Math.max(first.fields, second.fields)) return lower
  }
  return undefined
}

/** Counts distinct field names, since a repeated one names only one column. */
function weighFields(cells: readonly string[]) {
  const named = namedCells(cells).slice(0, MAX_CELLS)
  const names = new Set(named.map(plainName))
  return {
    named: named.length,
    values: named.filter(isValue).length,
    fields: [...names].filter((name) => name.length <= LONGEST_NAME && namesField(name)).length,
  }
}

// A part's row does not have three cells that are exactly column names.
const MIN_FIELDS = 3

/**
 * Whether a row below the header starts another table. Call it only for rows after a gap, since it takes a thousand
 * times as long as reading the row.
 */
export function beginsOtherTable(cells: readonly string[], header: readonly string[]): boolean {
  const { named, values, fields } = weighFields(cells)
  if (values > 0 || fields < MIN_FIELDS || 2 * fields < named || fields > MAX_FIELDS) return false
  return !isSameHeader(cells, header)
}

const MAX_FIELDS = 500

/** Whether cells are column names that yards use. */
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

/** A number, a date, an address or a code: a value of a row, not a column name. */
function isValue(cell: string): boolean {
  const digits = cell.replaceAll(/\D/g, '').length
  if (digits === 0) return ADDRESS.test(cell)
  return !/\p{L}/u.test(cell) || 2 * digits >= cell.length || VIN.test(cell) || ADDRESS.test(cell)
}

/** How well a dialect explains a sample; 0 if it finds no columns. */
export type JudgedDialect = { readonly dialect: Dialect; readonly score: number }

const commonDelimiters = [',', ';', '\t', '|']
const rareDelimiters = ['\x1f', '\x1e', '\x1d', '\x1c', '\x01', '\x02', '^', '~', '#', '*', '!', '%', ':']
// Enough to judge by; each dialect reads it once.
const JUDGED_CHARACTERS = 64 * 1024
const MAX_ROWS = 300

/** All dialects that explain the beginning of a file, best first; always the same for the same file. */
export function judgeDialects(
  text: string,
  overrides: Partial<Dialect>,
): [JudgedDialect, ...JudgedDialect[]] {
  const start = text.slice(0, JUDGED_CHARACTERS)
  const judged = delimitersIn(start, overrides.delimiter)
    .flatMap((delimiter) =>
      quotesIn(start, delimiter, overrides.quote).map((quote) => ({ delimiter, quote })),
    )
    .map((dialect) => ({ dialect, ...judge(start, dialect) }))
    .filter(({ score }) => score > 0)
  const [best, ...others] = judged
    .map((one) => ({ dialect: one.dialect, score: scoreAmong(judged, one) }))
    .sort((a, b) => b.score - a.score)
  if (best) return [best, ...others]
  const delimiter = hasOnlyGroups(start) ? '\t' : standardDialect.delimiter
  return [{ dialect: { ...standardDialect, delimiter, ...overrides }, score: 0 }]
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

function delimitersIn(text: string, overrides: string | undefined): string[] {
  if (overrides !== undefined) return [overrides]
  const found = [...commonDelimiters, COMMA_AND_SPACE, ...rareDelimiters].filter((delimiter) =>
    text.includes(delimiter),
  )
  return found.includes(',') && hasOnlyGroups(text) ? found.filter((delimiter) => delimiter !== ',') : found
}

const DIGIT_GROUPS = /(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)/g
const FEWEST_COMMAS = 0.2

/** Whether commas are those of 211,253 in a report: hardly any line has another one. */
function hasOnlyGroups(text: string): boolean {
  const lines = text.split(/[\r\n]+/, MAX_ROWS).filter((line) => line.trim() !== '')
  if (!isReport(lines)) return false
  const others = lines.filter((line) => line.replaceAll(DIGIT_GROUPS, '').includes(',')).length
  return others < FEWEST_COMMAS * lines.length
}

// One may be a slip; several mean a program that quotes differently or not at all.
const MIN_CELLS = 3

/** Considers others than double quotation marks only if these leave cells that look quoted differently or unclosed. */
function quotesIn(text: string, delimiter: string, overrides: Quote | undefined): Quote[] {
  if (overrides !== undefined) return [overrides]
  if (!/["']/.test(text)) return ['"']
  const records = readSample(text, { delimiter, quote: '"' }, { whole: false, most: MAX_ROWS })
  const cells = records.flatMap(({ record }) => record.cells)
  const broken = records.filter(({ record }) => record.problem !== undefined).length
  // A quoted cell that starts with a quotation mark is written with three: that is quoting, not an unclosed mark.
  const unescaped = records.flatMap(({ record }) => (record.text.includes('"""') ? [] : record.cells))
  const open = broken + count(unescaped, /^".*[^"]$/s)
  const hasDouble = text.includes(`${delimiter}"`) || /(^|[\r\n])"/.test(text)
  const single = hasDouble ? 0 : Math.min(count(cells, /^'/), count(cells, /'$/))
  const likely = { '"': true, "'": single >= MIN_CELLS, '': open >= MIN_CELLS }
  return quotes.filter((quote) => likely[quote])
}

const count = (cells: readonly string[], like: RegExp) => cells.filter((cell) => like.test(cell)).length

/** Prefers many rows with the same number of cells, many columns, and names above them. */
function judge(text: string, dialect: Dialect): Judgment {
  const records = readSample(text, dialect, { whole: false, most: MAX_ROWS })
    .filter(({ record }) => !isBlankRow(record))
    .slice(0, MAX_ROWS)
  const rows = records.map(({ row, record }) => ({ row, cells: record.cells }))
  const width = usualWidth(rows)
  if (width < 2) return { score: 0, evenness: 0, headersAbove: [] }
  const first = rows.findIndex(({ cells }) => cells.length === width)
  const fitting = rows.filter(({ cells }) => cells.length === width).length
  const below = fitting / (rows.length - first)
  const evenness = 0.7 * below ** 2 + 0.3 * (fitting / rows.length)
  const broken = records.filter(({ record }) => record.problem !== undefined).length / records.length
  const headersAbove = headersIn(rows.slice(0, first), dialect)
  const named = detectHeaderRow(rows, width) === 0 || headersAbove.length > 0 ? 0.5 : 1
  const clean = (1 - broken) * (1 - quotedShare(rows, dialect.quote)) ** 2
  return { score: evenness * Math.log2(width) * named * clean * preference(dialect), evenness, headersAbove }
}

/** Other delimiters with which rows that would be titles are a header. */
function headersIn(titles: readonly SampleRow[], { delimiter }: Dialect): string[] {
  return commonDelimiters
    .filter((other) => other !== delimiter)
    .filter((other) => titles.some(({ cells }) => namesColumns(cells.join(delimiter).split(other))))
}

/** Among equal dialects, prefers the more common one. */
function preference({ delimiter, quote }: Dialect): number {
  const place = commonDelimiters.indexOf(delimiter)
  let ofDelimiter = delimiter < ' ' ? 0.95 : 0.8
  if (place !== -1) ofDelimiter = 1 - place / 1_000
  // Nearly always a comma with spaces around it.
  if (delimiter === COMMA_AND_SPACE) ofDelimiter = 0.95
  // Times and addresses have it in every row.
  if (delimiter === ':') ofDelimiter = 0.5
  return ofDelimiter * (1 - quotes.indexOf(quote) / 50)
}

/** The number of cells that is most typical: many columns in many rows. */
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

/** The share of filled cells that are in quotation marks which this reading takes for text. */
function quotedShare(rows: readonly SampleRow[], quote: Quote): number {
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

/** The first records of a sample; the last one is left out unless the file ends with it. */
export function readSample(
  text: string,
  dialect: Dialect,
  { whole, most }: { whole: boolean; most: number },
): NumberedRecord[] {
  const records = new RecordReader(dialect).feed(text).end().take(most)
  if (!whole && records.length > 1 && records.length < most && !/[\r\n]$/.test(text)) records.pop()
  return records.map((record, at) => ({ row: at + 1, record }))
}
