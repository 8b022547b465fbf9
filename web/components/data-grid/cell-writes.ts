import { escapeFormula, withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import { plainNumber } from '#contract/text/typed-number.ts'
import { type CellRange, cellsOf, type GridSize } from './selection.ts'

export type CellWrite = { row: number; column: number; text: string }

export type BlockWrites = {
  writes: CellWrite[]
  range: CellRange
  /** Rows of the block that did not fit. */
  rowsLeftOut: number
}

type TextAt = (row: number, column: number) => string

/**
 * Writes a block at the start of the range, repeated if it fits into the range a whole number of times, so that a single
 * value fills the range. Drops what goes beyond the last row or column.
 */
export function pasteWrites(
  block: readonly (readonly string[])[],
  at: CellRange,
  size: GridSize,
): BlockWrites {
  const height = block.length
  const width = Math.max(1, ...block.map(({ length }) => length))
  const rows = at.bottom - at.top + 1
  const columns = at.right - at.left + 1
  const repeats = rows % height === 0 && columns % width === 0
  const range = {
    top: at.top,
    left: at.left,
    bottom: Math.min(at.top + (repeats ? rows : height), size.rows) - 1,
    right: Math.min(at.left + (repeats ? columns : width), size.columns) - 1,
  }
  const writes: CellWrite[] = []
  for (const { row, column } of cellsOf(range)) {
    const text = block[(row - at.top) % height]?.[(column - at.left) % width]
    if (text !== undefined) writes.push({ row, column, text })
  }
  return { writes, range, rowsLeftOut: repeats ? 0 : Math.max(0, at.top + height - size.rows) }
}

export function fillDownWrites(range: CellRange, textAt: TextAt): CellWrite[] {
  const source = range.top === range.bottom ? range.top - 1 : range.top
  if (source < 0) return []
  const target = { ...range, top: source + 1 }
  return [...cellsOf(target)].map((cell) => ({ ...cell, text: textAt(source, cell.column) }))
}

/** Repeats a range down or up to a row, when its handle is dragged. */
export function fillToWrites(range: CellRange, toRow: number, textAt: TextAt): CellWrite[] {
  const target =
    toRow > range.bottom
      ? { ...range, top: range.bottom + 1, bottom: toRow }
      : { ...range, top: toRow, bottom: range.top - 1 }
  const height = range.bottom - range.top + 1
  const sourceOf = (row: number) => range.top + ((((row - range.top) % height) + height) % height)
  return [...cellsOf(target)].map((cell) => ({ ...cell, text: textAt(sourceOf(cell.row), cell.column) }))
}

export const clearWrites = (range: CellRange): CellWrite[] =>
  [...cellsOf(range)].map((cell) => ({ ...cell, text: '' }))

/** The clipboard format of spreadsheets: tabs between cells, line breaks between rows. */

// A cell with line breaks, tabs, or quotation marks is quoted; one that only starts with a quotation mark
// (`"Best" offer`) is read literally.
const CELL = /(?:"([^"]*(?:""[^"]*)*)"(?=\t|\r|\n|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/y

/** The rows of a copied block; they may differ in length. The final line break that spreadsheets add is not a row. */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = []
  let cells: string[] = []
  CELL.lastIndex = 0
  while (CELL.lastIndex <= text.length) {
    const [, quoted, plain = '', end = ''] = CELL.exec(text) ?? []
    cells.push(withoutFormulaGuard(quoted === undefined ? plain : quoted.replaceAll('""', '"')))
    if (end === '\t') continue
    rows.push(cells)
    cells = []
    if (end === '' || CELL.lastIndex === text.length) break
  }
  return rows
}

/** A block for pasting into a spreadsheet, with formulas escaped. */
export function formatTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(formatCell).join('\t')).join('\r\n')
}

function formatCell(text: string): string {
  const safe = escapeFormula(text)
  return /[\t\r\n"]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export type Search = { find: string; matchCase: boolean; wholeCell: boolean }

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

function pattern({ find, matchCase, wholeCell }: Search): RegExp {
  const words = escapeRegExp(find)
  return new RegExp(wholeCell ? `^${words}$` : words, matchCase ? 'gu' : 'giu')
}

export function matcher(search: Search): (text: string) => boolean {
  if (search.find === '') return () => false
  const words = pattern(search)
  return (text) => {
    words.lastIndex = 0
    return words.test(text)
  }
}

export function replacer(search: Search, replacement: string): (text: string) => string | undefined {
  const matches = matcher(search)
  // A function, because "$&" in a replacement string has a meaning.
  return (text) => (matches(text) ? text.replace(pattern(search), () => replacement) : undefined)
}

/** Arithmetic typed into number cells: "+5%", "*1.1", "-2", "=19.99". Exact, so that 1.1 × 3 is 3.3. */

/** value × times / over + plus / plusOver, all integers. */
export type Arithmetic = { times: bigint; over: bigint; plus: bigint; plusOver: bigint }

const TYPED = /^([+\-*/=])\s*(-?)([\d.,]+)\s*(%?)$/
/** As a factor it may mean 1.125 or 1125; an amount of dollars has no three decimals. */
const TWO_READINGS = /^\d{1,3},\d{3}$/

const DIGITS = /^(?:\d{1,9}(?:\.\d{1,6})?|\.\d{1,6})$/

/** Returns undefined for a plain value or an impossible operation such as /0. */
export function parseArithmetic(typed: string): Arithmetic | undefined {
  const [, sign, minus, number = '', percent] = TYPED.exec(typed.trim()) ?? []
  const digits = plainNumber(number) ?? ''
  if (sign === undefined || !DIGITS.test(digits) || (minus === '-' && sign !== '=')) return undefined
  if (TWO_READINGS.test(number) && (percent === '%' || sign === '*' || sign === '/')) return undefined
  const [size, unit] = fraction(digits)
  const amount = minus === '-' || sign === '-' ? -size : size
  return percent === '%' ? percentage(sign, amount, unit) : operation(sign, amount, unit)
}

const nothing = { plus: 0n, plusOver: 1n }

function percentage(sign: string, amount: bigint, unit: bigint): Arithmetic | undefined {
  const over = 100n * unit
  if (sign === '*') return { times: amount, over, ...nothing }
  return sign === '+' || sign === '-' ? { times: over + amount, over, ...nothing } : undefined
}

function operation(sign: string, amount: bigint, unit: bigint): Arithmetic | undefined {
  if (sign === '*') return { times: amount, over: unit, ...nothing }
  if (sign === '/') return amount === 0n ? undefined : { times: unit, over: amount, ...nothing }
  return { times: sign === '=' ? 0n : 1n, over: 1n, plus: amount, plusOver: unit }
}

/** The new text of a cell, or undefined if it contains no number. An empty cell accepts only "=". */
export function applyArithmetic(step: Arithmetic, text: string, decimals: number): string | undefined {
  const plain = plainNumber(text) ?? ''
  const sets = step.times === 0n
  if (!sets && !/^-?\d{1,12}(\.\d{1,6})?$/.test(plain)) return undefined
  const [amount, unit] = sets ? [0n, 1n] : fraction(plain.replace('-', ''))
  const value = plain.startsWith('-') && !sets ? -amount : amount
  const over = unit * step.over * step.plusOver
  const sum = value * step.times * step.plusOver + step.plus * unit * step.over
  return format(round(sum * 10n ** BigInt(decimals), over), decimals)
}

function fraction(digits: string): [amount: bigint, unit: bigint] {
  const [whole = '', part = ''] = digits.split('.')
  return [BigInt(whole + part), 10n ** BigInt(part.length)]
}

/** Rounds halves away from zero, as on an invoice. */
function round(amount: bigint, over: bigint): bigint {
  const size = amount < 0n ? -amount : amount
  const rounded = (2n * size + over) / (2n * over)
  return amount < 0n ? -rounded : rounded
}

function format(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const sign = units < 0n ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
