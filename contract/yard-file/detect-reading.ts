import { nameColumns } from '#contract/csv/csv-header.ts'
import {
  columnNames,
  detectHeaderRow,
  detectTwoRows,
  isBlankRow,
  judgeDialects,
  type NumberedRecord,
  readSample,
  usualWidth,
} from './detect-dialect.ts'
import { detectEncoding, markBytesOf } from './encoding.ts'
import { layoutOf, shopAttributes } from './layouts.ts'
import { TableEnd } from './other-table.ts'
import {
  COMMA_AND_SPACE,
  type Dialect,
  type Encoding,
  type Reading,
  type ReadingOverride,
  ruledDialect,
} from './reading.ts'
import { fieldsIn, findRuler } from './reports/find-ruler.ts'
import { HeaderWatch } from './reports/header-again.ts'
import type { Ruler } from './reports/ruler.ts'
import { findTypedList } from './reports/typed-list.ts'

/** The start of a file that is enough to detect how to read it. */
export const SAMPLE_BYTES = 256 * 1024

export const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
  'windows-1252': 'Windows-1252',
  macintosh: 'Mac Roman',
}

const delimiterNames = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
  [':', 'colons'],
  [' ', 'spaces'],
  [COMMA_AND_SPACE, 'commas with a space'],
])

/** A delimiter in words. */
export function describeDelimiter(delimiter: string): string {
  const named = delimiterNames.get(delimiter)
  if (named) return named
  if (delimiter > ' ' && delimiter < '\x7f') return `“${delimiter}”`
  return `the character 0x${delimiter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** "Windows-1252, semicolons, header in row 4". */
export function describeReading(reading: Reading): string {
  const { encoding, quote, ruler, headerRow, headerRows, layout, sheet, sheets } = reading
  const isText = sheet === undefined
  const place = sheets ? `${sheets.length} sheets` : `sheet “${sheet}”`
  const parts = isText ? [encodingNames[encoding], cutWords(reading)] : [place]
  if (isText && quote === "'") parts.push('single quotes')
  if (isText && quote === '' && !ruler) parts.push('no quotes')
  parts.push(headerWords(headerRow, headerRows))
  if (layout !== 'plain') parts.push(layoutWords[layout])
  return parts.join(', ')
}

const programs: Partial<Record<Reading['layout'], string>> = {
  ebay: 'eBay file',
  shopify: 'Shopify export',
  woocommerce: 'WooCommerce export',
  magento: 'Magento export',
  square: 'Square item list',
  'item paths': 'QuickBooks item list',
  'dated item paths': 'QuickBooks item list',
}

const layoutWords: Readonly<Record<Exclude<Reading['layout'], 'plain'>, string>> = {
  ebay: 'eBay listings',
  shopify: 'Shopify products',
  woocommerce: 'WooCommerce products',
  magento: 'Magento products',
  square: 'Square items',
  'item paths': 'QuickBooks items',
  'dated item paths': 'QuickBooks items',
  'donor lines': 'vehicles above their parts',
  'cars once': 'vehicles filled down',
}

function cutWords({ delimiter, ruler }: Reading): string {
  if (ruler) return ruler.starts ? 'columns of a report' : 'columns without separators'
  return describeDelimiter(delimiter)
}

function headerWords(headerRow: number, headerRows: Reading['headerRows']): string {
  if (headerRow === 0) return 'no header'
  return headerRows === 2 ? `header in rows ${headerRow - 1} and ${headerRow}` : `header in row ${headerRow}`
}

const MAX_SHOWN = 5

/** Notes on detected settings that differ from a plain CSV; not on chosen ones. */
export function readingNotes(reading: Reading, overrides: ReadingOverride): string[] {
  const notes: string[] = []
  const { encoding, delimiter, quote, ruler, headerRow, headerRows, layout } = reading
  if (encoding !== 'utf-8' && overrides.encoding === undefined) notes.push(encodingNote(encoding))
  if (ruler && overrides.ruler === undefined) notes.push(rulerNote(ruler, headerRow === 0))
  else if (delimiter !== ',' && overrides.delimiter === undefined) {
    notes.push(`The cells of the file are separated by ${describeDelimiter(delimiter)}.`)
  }
  if (quote === "'" && overrides.quote === undefined) notes.push('Cells are in single quotation marks.')
  if (quote === '' && !ruler && overrides.quote === undefined) {
    notes.push(
      'Quotation marks are read as text, because in this file they don’t come in pairs around cells.',
    )
  }
  if (headerRow !== 1 && !ruler?.typed && overrides.headerRow === undefined)
    notes.push(headerNote(headerRow, headerRows))
  const program = overrides.layout === undefined ? programs[layout] : undefined
  if (program) notes.push(`This is your ${program}. We know how to read it.`)
  return notes
}

function rulerNote({ starts, typed }: Ruler, isTitled: boolean): string {
  if (typed) {
    if (isTitled)
      return 'This is a typed list: each line has a car, its part and a price. Check the first rows.'
    return 'This is a typed list: a line names each car, and its parts and their prices are below it. Check the first rows.'
  }
  return starts
    ? 'This is a printed report. Its columns are found by where they are in the line.'
    : 'Nothing separates the columns of this list, so cells are found by what each column has. Check the first rows.'
}

/**
 * Lines of a report that are not parts, such as page headers.
 * @param rows the numbers of the first few
 */
export function skippedLinesNotes(count: number, rows: readonly number[]): string[] {
  if (count === 0) return []
  const some = rows.slice(0, MAX_SHOWN)
  const shown = some.map((row) => row.toLocaleString('en-US')).join(', ')
  if (count === 1) return [`Line ${shown} is not a part. We skip it.`]
  return [
    `${count.toLocaleString('en-US')} lines are not parts. We skip them (lines ${shown}${count > some.length ? ', …' : ''}).`,
  ]
}

function encodingNote(encoding: Encoding): string {
  const name = encodingNames[encoding]
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return `The file is read as ${name} text.`
  return `The file is not UTF-8 and is read as ${name}. Check accented letters, and choose another encoding if they look wrong.`
}

function headerNote(headerRow: number, headerRows: Reading['headerRows']): string {
  if (headerRow === 0) {
    return 'The file has no header row. Its columns are called “Column 1”, “Column 2” and so on.'
  }
  if (headerRows === 2) {
    const above = headerRow > 2 ? ' The rows above them are left out.' : ''
    return `The columns are named in rows ${headerRow - 1} and ${headerRow} together.${above}`
  }
  const above = headerRow === 2 ? 'The row above it is' : 'The rows above it are'
  return `The columns are named in row ${headerRow}. ${above} left out.`
}

/** Repeated header rows, as in a file joined from several. */
export function repeatsNotes(rows: readonly number[]): string[] {
  if (rows.length === 0) return []
  const shown = rows.slice(0, MAX_SHOWN).join(', ')
  const more = rows.length > MAX_SHOWN ? ' and more' : ''
  return [`The header is repeated in row ${shown}${more}. Repeated headers are left out.`]
}

/** A further table below the parts, which is not read. */
export function otherTableNotes(row: number, cells: readonly string[]): string[] {
  if (row === 0) return []
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const shown = names.slice(0, 3).map((name) => `“${name.slice(0, 40)}”`)
  return [
    `Another table begins in row ${row.toLocaleString('en-US')} (${shown.join(', ')}${names.length > 3 ? ', …' : ''}). Reading stops there: only the first table is imported. If the other one has parts too, upload it as a separate file.`,
  ]
}

/**
 * Rows whose quotation mark opens and is never closed: one is a slip, many are inches.
 * @param rows the numbers of the first few
 */
export function brokenRowsNotes(count: number, rows: readonly number[]): string[] {
  if (count === 0) return []
  const some = rows.slice(0, MAX_SHOWN)
  const shown = some.map((row) => row.toLocaleString('en-US')).join(', ')
  if (count === 1) {
    return [`In row ${shown} a quotation mark is never closed, so that row cannot be read.`]
  }
  const more = count > some.length ? ', …' : ''
  return [
    `${count.toLocaleString('en-US')} rows have a quotation mark that is never closed (row ${shown}${more}), so they cannot be read. If the marks are inches, set the quote character to None.`,
  ]
}

/** The beginning of a file's text; `whole` if that is all of it. A few hundred kilobytes are enough. */
export type Sample = { readonly bytes: Uint8Array; readonly whole: boolean }

type OtherReading = {
  reading: Reading
  /** "Windows-1252, semicolons, header in row 4" */
  words: string
  header: string[]
  /** The first three data rows. */
  rows: string[][]
}

export type Detection = {
  reading: Reading
  /** As `nameColumns` names them. */
  header: string[]
  /** The rows above the header. */
  above?: string[][]
  /** The first data rows, up to 200. */
  rows: string[][]
  /** Other plausible readings, most likely first. */
  alternatives: OtherReading[]
  /** Notes on detected settings that differ from a plain CSV; not on chosen ones. */
  notes: string[]
}

const MAX_ROWS = 200
// Including those above the header and blank ones.
const MAX_RECORDS = 500
const MAX_ALTERNATIVES = 5
const ROWS_PER_ALTERNATIVE = 3
// Readings with a third of the best one's score are worth a look.
const MIN_SHARE = 0.3

/**
 * Detects how to read a file, from its beginning; chosen settings apply. The same bytes always give the same result. For
 * text only; `fileKind` recognizes packed files and workbooks.
 */
export function detectReading(sample: Sample, overrides: ReadingOverride = {}): Detection {
  const { source, text, table, judged } = readBest(sample, overrides)
  const { encoding } = table.reading
  const [best, ...others] = judged
  const plausible = others
    .filter(
      ({ score, dialect }) => score >= MIN_SHARE * best.score && isOtherDelimiter(dialect, best.dialect),
    )
    .map(({ dialect }) => readTable(source, { text, encoding, dialect }))
  const alternatives = [...plausible, ...otherEncodings(source, table), ...otherHeaders(source, table, text)]
  return {
    reading: table.reading,
    header: table.header,
    above: table.above,
    rows: table.rows.slice(0, MAX_ROWS),
    alternatives: distinctReadings(alternatives, table).slice(0, MAX_ALTERNATIVES),
    notes: [...readingNotes(table.reading, overrides), ...repeatsNotes(table.repeats)],
  }
}

/** The reading that `detectReading` finds, in half the time, for callers that show no alternatives. */
export function bestReading(
  sample: Sample,
  overrides: ReadingOverride = {},
): Pick<Detection, 'reading' | 'header'> {
  const { reading, header } = readBest(sample, overrides).table
  return { reading, header }
}

function readBest(sample: Sample, overrides: ReadingOverride) {
  const encoding = overrides.encoding ?? detectEncoding(sample.bytes, sample.whole)
  const source: Source = { sample, overrides }
  const text = decodeSample(sample, encoding)
  const judged = judgeDialects(text, {
    ...(overrides.delimiter !== undefined && { delimiter: overrides.delimiter }),
    ...(overrides.quote !== undefined && { quote: overrides.quote }),
  })
  const table = readTable(source, { text, encoding, dialect: judged[0].dialect })
  const report = reportIn(text, overrides, table)
  if (!report) return { source, text, judged, table }
  const dialect = { ...ruledDialect, ruler: report.ruler }
  const { headerRow } = report
  return {
    source,
    text,
    judged: [{ dialect, score: judged[0].score }, ...judged] as typeof judged,
    table: readTable(source, { text, encoding, dialect, ...(headerRow !== undefined && { headerRow }) }),
  }
}

// With this many known column names on its first line, a text is a table.
const FIELDS_OF_TABLE = 4

/** How a printed report is cut, if no delimiter finds as many columns; detected or chosen. */
function reportIn(
  text: string,
  { ruler, delimiter, headerRow }: ReadingOverride,
  { header, reading }: Table,
): { ruler: Ruler; headerRow?: number } | undefined {
  if (ruler) return { ruler }
  if (delimiter !== undefined) return undefined
  const fields = reading.headerRow === 0 ? 0 : fieldsIn(header)
  if (fields >= Math.min(FIELDS_OF_TABLE, header.length) && header.length > 2) return undefined
  // A person who chose the line of names needs no known ones, if nothing else finds columns.
  if (headerRow !== undefined && headerRow > 0)
    return header.length < 3 ? findRuler(text, headerRow) : undefined
  const found = findRuler(text)
  return found && found.fields > fields ? found : findTypedList(text)
}

type Source = { readonly sample: Sample; readonly overrides: ReadingOverride }
type Table = { reading: Reading; header: string[]; rows: string[][]; above: string[][]; repeats: number[] }

/** The text without its byte order mark; a character that the sample cuts in two is left out. */
function decodeSample({ bytes, whole }: Sample, encoding: Encoding): string {
  const text = bytes.subarray(markBytesOf(bytes, encoding))
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(text, { stream: !whole })
}

type TableText = { text: string; encoding: Encoding; dialect: Dialect; headerRow?: number }

function readTable({ sample, overrides }: Source, { text, encoding, dialect, ...known }: TableText): Table {
  const records = readSample(text, dialect, { whole: sample.whole, most: MAX_RECORDS })
  const filled = records.filter(({ record }) => !isBlankRow(record))
  const rows = filled.map(({ row, record }) => ({ row, cells: record.cells }))
  const width = usualWidth(rows)
  const chosenRow = overrides.headerRow ?? known.headerRow
  const oneRow = chosenRow ?? detectHeaderRow(rows, width)
  const twoRows = chosenRow === undefined ? detectTwoRows(rows, oneRow) : undefined
  const headerRow = twoRows ?? oneRow
  const headerRows = twoRows === undefined ? overrides.headerRows : 2
  const nameRows = records.slice(headerRow - (headerRows ?? 1), headerRow).map(({ record }) => record.cells)
  const above = rows.filter(({ row }) => row <= headerRow - (headerRows ?? 1)).map(({ cells }) => [...cells])
  const header = headerOf(nameRows, { above, width: headerRow === 0 && records.length > 0 ? width : 0 })
  const watch = headerRow === 0 ? undefined : new HeaderWatch(header, nameRows)
  const { filledRows, repeats } = rowsInOrder(rowsOfTable(records, header, headerRow), watch)
  const reading: Reading = {
    encoding,
    ...dialect,
    headerRow,
    ...(headerRows === 2 && { headerRows }),
    ...layoutIn(overrides, header, filledRows),
    decimals: overrides.decimals ?? {},
    ...onlyChosen(overrides),
    rowOffset: overrides.rowOffset ?? 0,
  }
  return {
    reading,
    header,
    rows: filledRows,
    above,
    repeats,
  }
}

function layoutIn(
  overrides: ReadingOverride,
  header: readonly string[],
  rows: readonly string[][],
): Pick<Reading, 'layout' | 'attributes'> {
  const layout = overrides.layout ?? layoutOf(header, rows)
  const attributes = overrides.attributes ?? shopAttributes(layout, header, rows)
  return { layout, ...(attributes && { attributes }) }
}

/** The settings that only a user or a file's first rows decide. */
const onlyChosen = ({
  miles,
  grades,
  corners,
  amounts,
  sheet,
  sheets,
}: ReadingOverride): Partial<Reading> => ({
  ...(miles && { miles }),
  ...(grades && { grades }),
  ...(corners && { corners }),
  ...(amounts && { amounts }),
  ...(sheet !== undefined && { sheet }),
  ...(sheets && { sheets }),
})

/** @param width of a file without a header */
function headerOf(
  nameRows: readonly (readonly string[])[],
  { above, width }: { above: readonly (readonly string[])[]; width: number },
): string[] {
  if (width > 0) return nameColumns(Array.from({ length: width }, () => ''))
  return columnNames(nameRows, above)
}

/** The cells of the rows that don't repeat the header, and the numbers of those that do. */
function rowsInOrder(rows: readonly NumberedRecord[], watch: HeaderWatch | undefined) {
  const filledRows: string[][] = []
  const repeats: number[] = []
  for (const { row, record } of rows) {
    if (!watch?.names(record)) {
      filledRows.push(watch?.isMoved ? watch.arranged(record.cells) : [...record.cells])
    } else if (!watch.isMoved) repeats.push(row)
  }
  return { filledRows, repeats }
}

/** The data rows up to another table below them. */
function rowsOfTable(
  records: readonly NumberedRecord[],
  header: readonly string[],
  headerRow: number,
): NumberedRecord[] {
  const end = headerRow === 0 ? undefined : new TableEnd<NumberedRecord & { cells: string[] }>(header)
  const data: NumberedRecord[] = []
  for (const { row, record } of records.slice(headerRow)) {
    if (isBlankRow(record)) end?.passBlank()
    else if (end?.isWatching) data.push(...end.take({ row, record, cells: record.cells }))
    else data.push({ row, record })
  }
  return [...data, ...(end?.rest() ?? [])].filter(({ record }) => record.problem === undefined)
}

const isOtherDelimiter = (dialect: Dialect, best: Dialect) =>
  dialect.delimiter !== best.delimiter || dialect.quote === '' || best.quote === ''

/** Both single-byte encodings can read any bytes; only a person can see which one is right. */
function otherEncodings(source: Source, { reading }: Table): Table[] {
  const others: Partial<Record<Encoding, Encoding>> = {
    'windows-1252': 'macintosh',
    macintosh: 'windows-1252',
  }
  const other = others[reading.encoding]
  if (other === undefined || source.overrides.encoding !== undefined) return []
  const text = decodeSample(source.sample, other)
  return [
    readTable(source, { text, encoding: other, dialect: dialectOf(reading), headerRow: reading.headerRow }),
  ]
}

const dialectOf = ({ delimiter, quote, ruler }: Reading): Dialect => ({
  delimiter,
  quote,
  ...(ruler && { ruler }),
})

/** A header in row 1 if none was found; otherwise no header, or the next row. */
function otherHeaders(source: Source, { reading }: Table, text: string): Table[] {
  if (source.overrides.headerRow !== undefined) return []
  const { encoding, headerRow } = reading
  const rows = headerRow === 0 ? [1] : [0, headerRow + 1]
  return rows.map((row) => readTable(source, { text, encoding, dialect: dialectOf(reading), headerRow: row }))
}

function distinctReadings(tables: readonly Table[], best: Table): OtherReading[] {
  const seen = new Set([describeReading(best.reading)])
  return tables.flatMap(({ reading, header, rows }) => {
    const words = describeReading(reading)
    if (seen.has(words) || rows.length === 0) return []
    seen.add(words)
    return { reading, words, header, rows: rows.slice(0, ROWS_PER_ALTERNATIVE) }
  })
}
