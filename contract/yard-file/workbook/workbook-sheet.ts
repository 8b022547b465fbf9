import { plainNumber, type ShowNumber } from './plain-number.ts'
import { cellText, type SharedStrings, textRuns, xmlReader } from './workbook-cells.ts'
import {
  AS_CSV,
  damagedWorkbook,
  largeWorkbook,
  MAX_WORKBOOK_COLUMNS,
  MAX_WORKBOOK_ROWS,
} from './workbook-zip.ts'

/** What the cells of all sheets refer to. */
export type CellMeaning = {
  readonly strings: SharedStrings
  /** By a cell's style; undefined if its numbers are shown as stored. */
  readonly shows: readonly (ShowNumber | undefined)[]
}

const LAST_ROW = 1_048_576
const ROWS_PER_BATCH = 200
const TEXT_PER_BATCH = 1024 * 1024
const LONGEST_ROW = 4 * 1024 * 1024
const MAX_TEXT = 1024 * 1024 * 1024

/**
 * A sheet's rows in batches, from row 1 on: rows without anything are [], holes in a row '', and rows end with their last
 * value. Blank rows at the end are left out.
 * @throws WorkbookProblem
 */
export async function* sheetRows(
  texts: AsyncIterable<string>,
  meaning: CellMeaning,
  onHidden?: (row: number) => void,
): AsyncGenerator<string[][]> {
  const batches = rowBatches()
  for await (const rows of foundRows(texts, meaning, onHidden)) yield* batches.take(rows)
  yield* batches.rest()
}

type NumberedRow = { row: number; cells: string[]; length: number; isHidden: boolean }

/** Rows that are not blank, some at a time. */
async function* foundRows(
  texts: AsyncIterable<string>,
  meaning: CellMeaning,
  onHidden?: (row: number) => void,
): AsyncGenerator<NumberedRow[]> {
  const found: NumberedRow[] = []
  const take = (row: NumberedRow) => {
    found.push(row)
    if (row.isHidden) onHidden?.(row.row)
  }
  const reader = xmlReader(sheetReader(meaning, take))
  for await (const text of texts) {
    reader.write(text)
    yield found.splice(0)
  }
  reader.close()
}

/** Adds the blank rows in between, and groups rows into batches. */
function rowBatches() {
  let batch: string[][] = []
  let text = 0
  let last = 0
  function* rest(): Generator<string[][]> {
    if (batch.length > 0) yield batch
    batch = []
    text = 0
  }
  function* add(row: string[]): Generator<string[][]> {
    batch.push(row)
    last += 1
    if (batch.length >= ROWS_PER_BATCH || text > TEXT_PER_BATCH) yield* rest()
  }
  function* take(rows: readonly NumberedRow[]): Generator<string[][]> {
    for (const { row, cells, length } of rows) {
      while (last < row - 1) yield* add([])
      text += length
      yield* add(cells)
    }
  }
  return { take, rest }
}

type Cell = { column: number; type: string; style: number; value: string }

function sheetReader(meaning: CellMeaning, found: (row: NumberedRow) => void) {
  const runs = textRuns()
  let isData = false
  let isValue = false
  let row = 0
  let isHidden = false
  let cells: string[] = []
  let length = 0
  let column = 0
  let cell: Cell | undefined
  let rows = 0
  let text = 0

  const endCell = ({ column: at, type, style, value }: Cell) => {
    const shown = type === 'inlineStr' ? runs.take() : showCell({ type, style, value }, meaning)
    if (shown === '') return
    if (at > MAX_WORKBOOK_COLUMNS) throw tooManyColumns(row)
    while (cells.length < at - 1) cells.push('')
    // If two cells are in one place, the later one counts, as in Excel.
    cells[at - 1] = shown
    length += shown.length
    if (length > LONGEST_ROW)
      throw largeWorkbook(`Row ${row} of the workbook has more than 4 MB of text. ${AS_CSV}`)
  }
  const endRow = () => {
    rows += 1
    text += length
    // One more for the header.
    if (rows > MAX_WORKBOOK_ROWS + 1) throw tooManyRows()
    if (text > MAX_TEXT) throw largeWorkbook(`The sheet has more than 1 GB of text. ${AS_CSV}`)
    found({ row, cells, length, isHidden })
  }
  return {
    open: (name: string, attributes: Readonly<Record<string, string>>) => {
      if (name === 'sheetData') isData = true
      else if (!isData) return
      else if (name === 'row') {
        row = nextRow(row, attributes.r)
        isHidden = /^(1|true|on)$/.test(attributes.hidden ?? '')
        column = 0
        cells = []
        length = 0
      } else if (name === 'c') {
        column = columnOf(attributes.r) ?? column + 1
        cell = { column, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), value: '' }
      } else if (name === 'v') isValue = true
      else runs.open(name)
    },
    text: (piece: string) => {
      if (isValue && cell) cell.value += piece
      else if (cell) runs.text(piece)
    },
    close: (name: string) => {
      if (!isData) return
      if (name === 'v') isValue = false
      else if (name === 'c' && cell) {
        endCell(cell)
        cell = undefined
      } else if (name === 'row' && cells.length > 0) endRow()
      else if (name === 'sheetData') isData = false
      else runs.close(name)
    },
  }
}

function showCell({ type, style, value }: Omit<Cell, 'column'>, { strings, shows }: CellMeaning): string {
  if (value === '') return ''
  switch (type) {
    case 's': {
      const text = strings.at(Number(value))
      if (text === undefined) throw damagedWorkbook('a cell refers to a text that is missing')
      return text
    }
    case 'n':
      return (shows[style] ?? plainNumber)(value)
    case 'b':
      return value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
    case 'e':
      return ''
    case 'd':
      return value.replace(/T00:00:00(\.0+)?Z?$/, '').replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ')
    default:
      return cellText(value)
  }
}

/** Rows without a number follow the one before. */
function nextRow(last: number, written: string | undefined): number {
  const row = written === undefined ? last + 1 : Number(written)
  if (!(Number.isInteger(row) && row > last && row <= LAST_ROW)) {
    throw damagedWorkbook(`row ${last} is followed by one with a wrong number`)
  }
  return row
}

/** "AB12" is column 28. */
function columnOf(place: string | undefined): number | undefined {
  if (place === undefined) return undefined
  let column = 0
  for (let at = 0; at < place.length; at++) {
    const letter = place.charCodeAt(at) & ~32
    if (letter < 65 || letter > 90) break
    column = 26 * column + letter - 64
  }
  return column === 0 ? undefined : column
}

const tooManyRows = () =>
  largeWorkbook(
    `The sheet has more than ${MAX_WORKBOOK_ROWS.toLocaleString('en-US')} rows. Split it into several, or save it as “CSV UTF-8”, which may have more.`,
  )
const tooManyColumns = (row: number) =>
  largeWorkbook(
    `Row ${row} has a value beyond column ${MAX_WORKBOOK_COLUMNS.toLocaleString('en-US')}, and no more columns are read. Delete the columns you don’t need. Keep one part per row.`,
  )
