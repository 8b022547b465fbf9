import { nameReader } from '#contract/column-mapping/value-shapes.ts'
import { headerName, matchHeader, namesField } from '#contract/csv/field-headers.ts'
import { bestReading, skippedLinesNotes } from '#contract/yard-file/detect-reading.ts'
import {
  MAX_ROWS_ABOVE,
  type Reading,
  type ReadingOverride,
  standardDialect,
} from '#contract/yard-file/reading.ts'
import { standardLine } from '#contract/yard-file/records.ts'
import { isRemarkLine } from '#contract/yard-file/reports/remark-lines.ts'
import type { Workbook } from './workbook.ts'

/*
 * Which sheets of a workbook are the stock. The parts are often not on the first sheet: covers, instructions and lists are
 * before them, or every make has a sheet of its own.
 */

/** What reading the sheets found, for notes. */
export type SheetTrace = {
  /** The sheets that are read, with the row number at which each begins. */
  begun: { sheet: string; row: number }[]
  /** The first few rows that are hidden in the workbook, and how many there are. */
  hidden: number[]
  hiddenCount: number
  /** The first few rows that are not parts, such as each sheet's total, and their number. */
  skipped: number[]
  skippedCount: number
}

export const newSheetTrace = (): SheetTrace => ({
  begun: [],
  hidden: [],
  hiddenCount: 0,
  skipped: [],
  skippedCount: 0,
})

type ChosenSheets = Pick<Reading, 'sheet' | 'sheets'> & {
  /** All sheets with the same columns as the chosen one, to choose from. */
  readonly together: readonly string[]
}

// A workbook with more sheets than this is a book of records; the first ones decide.
const MAX_JUDGED = 200
const GLANCED_ROWS = 60

/** Sold parts, and copies of the list. Sheets with these names are read only if chosen. */
const NOT_STOCK =
  /\b(?:sold|scrap(?:ped)?|crush(?:ed)?|junk(?:ed)?|gone|deleted?|archived?|old|history|back\s?up|copy|kopie|copia|template|example|sample|do not use|vendid[oa]s?|vendus?|verkauft)\b|\(\d+\)\s*$/i

type Judged = { sheet: string; isVisible: boolean; names: string[]; fields: number; rows: number }

/**
 * The sheets to read: the chosen one, else the one that was open when the workbook was saved if it has a table of parts,
 * else the first that has. All visible sheets of the same columns are read together.
 */
async function chooseSheets(workbook: Workbook, overrides: ReadingOverride): Promise<ChosenSheets> {
  const { sheet, sheets } = overrides
  const [first = ''] = workbook.sheets
  if (workbook.sheets.length < 2) return { sheet: sheet ?? first, together: [] }
  const judged: Judged[] = []
  const visible = workbook.sheets.length - workbook.hidden
  for (const [at, name] of workbook.sheets.slice(0, MAX_JUDGED).entries()) {
    judged.push(await judge(workbook, { sheet: name, isVisible: at < visible }))
  }
  const own = sheets?.[0] ?? sheet
  const chosen = judged.find((one) => one.sheet === own) ?? bestOf(judged, workbook.active)
  const together = chosen ? sheetsLike(chosen, judged) : []
  if (sheets) return { sheet: sheets[0], sheets, together }
  if (sheet !== undefined) return { sheet, together }
  return together.length > 1
    ? { sheet: together[0], sheets: [...together], together }
    : { sheet: chosen?.sheet ?? first, together }
}

async function judge(
  workbook: Workbook,
  { sheet, isVisible }: Pick<Judged, 'sheet' | 'isVisible'>,
): Promise<Judged> {
  const rows = await firstRows(workbook.rows(sheet, { isGlance: true }), GLANCED_ROWS)
  const { header, reading } = readingOf(rows, {})
  const names = reading.headerRow === 0 ? [] : header.filter((name) => !/^Column \d+$/.test(name))
  const below = rows
    .slice(reading.headerRow)
    .filter((cells) => cells.filter((cell) => cell !== '').length > 1)
  const fields = new Set(names.filter(namesField).map((name) => name.toLowerCase())).size
  return { sheet, isVisible, names, fields, rows: below.length }
}

// A list of parts has more columns that we know than a legend, such as “Code” and “Grade”.
const FEWEST_FIELDS = 3

function bestOf(judged: readonly Judged[], active: string): Judged | undefined {
  const most = Math.max(...judged.map(({ fields }) => fields))
  const isStock = ({ fields, rows }: Judged) =>
    rows > 0 && fields >= Math.min(FEWEST_FIELDS, most) && 2 * fields >= most
  const usual = judged.filter(({ isVisible, sheet }) => isVisible && !NOT_STOCK.test(sheet))
  for (const some of [usual, judged.filter(({ isVisible }) => isVisible), judged]) {
    const tables = some.filter(isStock)
    const best = tables.find(({ sheet }) => sheet === active) ?? tables[0]
    if (best && best.fields > 0) return best
  }
  // Without headers, the longest sheet is the list.
  return [...usual].sort((one, other) => other.rows - one.rows)[0]
}

function sheetsLike(chosen: Judged, judged: readonly Judged[]): string[] {
  const columns = new Set(chosen.names.map(plain))
  if (!chosen.isVisible || columns.size < FEWEST_FIELDS || NOT_STOCK.test(chosen.sheet)) return []
  const alike = judged.filter(
    ({ sheet, isVisible, names, rows }) =>
      isVisible &&
      rows > 0 &&
      !NOT_STOCK.test(sheet) &&
      names.length === columns.size &&
      names.every((name) => columns.has(plain(name))),
  )
  // Lists of several days are the same parts again.
  return alike.length > 1 && !alike.some(({ sheet }) => isDay(sheet)) ? alike.map(({ sheet }) => sheet) : []
}

/** "11-20", "2026.11.20", "Nov 20"; "Tahoe 07-14" is a model with its years. */
const isDay = (sheet: string) =>
  /^\W*\d{1,2}[-. ]\d{1,2}\W*$|\d{1,4}[-. ]\d{1,2}[-. ]\d{1,4}\W*$|^\W*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b[\s\d]*$/i.test(
    sheet.trim(),
  )

const plain = (name: string) => name.trim().replaceAll(/\s+/g, ' ').toLowerCase()

type SheetOrder = Pick<Reading, 'headerRow' | 'headerRows'> & Pick<ReadingOverride, 'sheet' | 'sheets'>

/**
 * The rows of the chosen sheets, one below the other, all in the columns of the first. If no column names the make and
 * the sheets do, it becomes a column.
 */
export async function* stockRows(
  workbook: Workbook,
  reading: SheetOrder,
  trace: SheetTrace = newSheetTrace(),
): AsyncGenerator<string[][]> {
  Object.assign(trace, newSheetTrace())
  const sheets = reading.sheets ?? [reading.sheet ?? workbook.sheets[0] ?? '']
  let read = 0
  let table: JoinedTable | undefined
  for (const sheet of sheets) {
    const start = read
    trace.begun.push({ sheet, row: start + 1 })
    const isFirst = start === 0 && table === undefined
    const onHidden = (row: number) => {
      if (isFirst && row <= reading.headerRow) return
      trace.hiddenCount += 1
      if (trace.hidden.length < MAX_SHOWN) trace.hidden.push(start + row)
    }
    table ??= new JoinedTable(reading, sheets)
    table.begin(sheet)
    for await (const rows of workbook.rows(sheet, { onHidden })) {
      const taken = table.take(rows)
      yield sheets.length > 1 ? withoutRemarks(taken, read, trace) : taken
      read += rows.length
    }
  }
}

const MAX_SHOWN = 6

function withoutRemarks(rows: string[][], before: number, trace: SheetTrace): string[][] {
  return rows.map((cells, at) => {
    if (!isRemark(cells)) return cells
    trace.skippedCount += 1
    if (trace.skipped.length < MAX_SHOWN) trace.skipped.push(before + at + 1)
    return []
  })
}

const MOST_IN_REMARK = 4
/** A total at the end of a sheet, which also contains the sheet's name. */
function isRemark(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '')
  return filled.length > 0 && filled.length <= MOST_IN_REMARK && isRemarkLine(filled[0]?.trim() ?? '')
}

/** Puts the rows of each sheet into the columns of the first one. */
class JoinedTable {
  readonly #order: SheetOrder
  readonly #sheets: readonly string[]
  #header: string[] = []
  /** The name of the column that the sheets' names become. */
  #added: string | undefined
  #isFirst = false
  #row = 0
  #sheet = ''
  /** The position of each column of the first sheet in this sheet; undefined before its header. */
  #places: number[] | undefined

  constructor(order: SheetOrder, sheets: readonly string[]) {
    this.#order = order
    this.#sheets = sheets
  }

  begin(sheet: string): void {
    this.#isFirst = this.#sheet === ''
    this.#sheet = sheet
    this.#row = 0
    this.#places = undefined
  }

  take(rows: readonly string[][]): string[][] {
    return rows.map((cells) => {
      this.#row += 1
      return this.#isFirst ? this.#ofFirst(cells) : this.#ofOther(cells)
    })
  }

  #ofFirst(cells: string[]): string[] {
    const { headerRow } = this.#order
    if (this.#row < headerRow || headerRow === 0) return cells
    if (this.#row > headerRow) return this.#with(cells, makeIn(this.#sheet))
    this.#header = cells
    this.#added = addedColumn(cells, this.#sheets)
    return this.#with(cells, this.#added)
  }

  #ofOther(cells: string[]): string[] {
    if (this.#places) {
      const places = this.#places
      return cells.length === 0
        ? cells
        : this.#with(
            places.map((at) => cells[at] ?? ''),
            makeIn(this.#sheet),
          )
    }
    if (this.#row > MAX_ROWS_ABOVE + 1) return []
    const names = cells.map(plain)
    const places = this.#header.map((name, at) =>
      names[at] === plain(name) ? at : names.indexOf(plain(name)),
    )
    if (this.#header.every((name, at) => plain(name) === '' || places[at] !== -1)) this.#places = places
    return []
  }

  #with(cells: string[], value: string | undefined): string[] {
    if (this.#added === undefined || value === undefined || cells.length === 0) return cells
    const width = this.#header.length
    const padding = Array.from({ length: Math.max(width - cells.length, 0) }, () => '')
    return [...cells.slice(0, width), ...padding, value, ...cells.slice(width)]
  }
}

const readNames = nameReader(undefined)
const namesMake = (sheet: string) => readNames(makeIn(sheet)).includes('make')

/** “Chevy parts” is Chevy. */
const makeIn = (sheet: string): string =>
  sheet
    .replaceAll(/\b(?:used|parts?|stock|inventory|list|yard)\b/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim() || sheet

function addedColumn(header: readonly string[], sheets: readonly string[]): string | undefined {
  const named = new Set(header.map(plain))
  const isNamed = header.some((name) => (matchHeader('partmanu', headerName(name))?.score ?? 0) > MAKE_FROM)
  if (isNamed) return undefined
  const makes = sheets.filter(namesMake).length
  if (makes > 0 && 2 * makes >= sheets.length) return named.has('make') ? undefined : 'Make'
  if (sheets.length < 2) return undefined
  return named.has('sheet') ? undefined : 'Sheet'
}

const MAKE_FROM = 0.9

/** How to read the sheet that begins with `rows`, apart from choosing it. */
export function readingOf(rows: readonly string[][], overrides: ReadingOverride) {
  const text = linesOf(rows).join('\n')
  const { encoding: _, delimiter: __, quote: ___, ruler: ____, ...settings } = overrides
  return bestReading(
    { bytes: new TextEncoder().encode(text), whole: true },
    { ...settings, ...standardDialect, encoding: 'utf-8' },
  )
}

/** A workbook's rows end at their last value; a CSV's have all cells. */
export function linesOf(rows: readonly string[][]): string[] {
  const width = Math.max(0, ...rows.map((cells) => cells.length))
  return rows.map((cells) =>
    cells.length === 0
      ? ''
      : standardLine([...cells, ...Array.from({ length: width - cells.length }, () => '')]),
  )
}

async function firstRows(rows: AsyncIterable<string[][]>, most: number): Promise<string[][]> {
  const found: string[][] = []
  for await (const batch of rows) {
    found.push(...batch.slice(0, most - found.length))
    if (found.length >= most) break
  }
  return found
}

export const SAMPLED_ROWS = 300

/**
 * Which sheets are read and how, from their first rows. The rows themselves come from `stockRows`.
 */
export async function sampleSheets(workbook: Workbook, overrides: ReadingOverride) {
  const { together, ...chosen } = await chooseSheets(workbook, overrides)
  const sheet = chosen.sheet ?? workbook.sheets[0] ?? ''
  const glance = await firstRows(workbook.rows(sheet), SAMPLED_ROWS)
  const { reading } = readingOf(glance, overrides)
  const sample = await firstRows(stockRows(workbook, { ...reading, ...chosen }), SAMPLED_ROWS)
  return { together, settings: { ...overrides, ...chosen }, sample }
}

/** Notes on the sheets of a workbook; not on chosen ones. */
export function sheetNotes(
  { sheets }: Pick<Workbook, 'sheets'>,
  { sheet, sheets: several }: Pick<Reading, 'sheet' | 'sheets'>,
  { begun, hidden, hiddenCount, skipped, skippedCount }: SheetTrace,
): string[] {
  const notes = several ? severalNotes(sheets, several, begun) : []
  if (!several && sheets.length > 1)
    notes.push(`The workbook has ${sheets.length} sheets; “${sheet}” is read.`)
  return [...notes, ...hiddenNotes(hidden, hiddenCount), ...skippedLinesNotes(skippedCount, skipped)]
}

function severalNotes(
  all: readonly string[],
  several: readonly string[],
  begun: SheetTrace['begun'],
): string[] {
  const places = begun
    .slice(0, MAX_SHOWN)
    .map(({ sheet, row }) => `“${sheet}” from row ${row.toLocaleString('en-US')}`)
  const more = begun.length > MAX_SHOWN ? ', …' : ''
  const others = all.filter((name) => !several.includes(name))
  return [
    `${several.length} sheets have the same columns and are read as one list: ${places.join(', ')}${more}.`,
    ...(others.length > 0 ? [`${quoted(others)} ${others.length === 1 ? 'is' : 'are'} not read.`] : []),
  ]
}

function hiddenNotes(hidden: readonly number[], count: number): string[] {
  if (count === 0) return []
  const rows = hidden.map((row) => row.toLocaleString('en-US')).join(', ')
  return [
    count === 1
      ? `1 hidden row is read (row ${rows}).`
      : `${count.toLocaleString('en-US')} hidden rows are read (rows ${rows}${count > hidden.length ? ', …' : ''}).`,
  ]
}

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SHOWN).map((name) => `“${name.slice(0, 60)}”`)
  return names.length > MAX_SHOWN
    ? `${shown.join(', ')} and ${names.length - MAX_SHOWN} more sheets`
    : shown.join(', ')
}
