import { nameColumns } from '#contract/csv/csv-header.ts'
import { isSameHeader } from '#contract/yard-file/detect-dialect.ts'

/* Headers below the first one: of each printed page, or of exports that were joined, where columns may have moved. */

// A header's first name starts within this many characters, including a quotation mark and spaces before it.
const BEGINNING = 64
/** What may be before a name. */
const QUOTES = ['"', "'", ' ', '\t']
/** A part's row has no more cells that are names of columns. */
const FEWEST_NAMES = 3

type NamedRow = { readonly cells: readonly string[]; readonly text: string }

/** Finds the rows that name a file's columns again. Those below one with another order are read by its order. */
export class HeaderWatch {
  readonly #header: readonly string[]
  readonly #isAgain: (row: NamedRow) => boolean
  readonly #places: ReadonlyMap<string, number>
  readonly #firstWords: ReadonlySet<string>
  readonly #firstCodes: ReadonlySet<number>
  #order: readonly number[] | undefined

  /**
   * @param header names as returned by `nameColumns`
   * @param names the rows that name the columns, as in the file
   */
  constructor(header: readonly string[], names: readonly (readonly string[])[]) {
    this.#header = header
    this.#isAgain = repeats(header, names)
    this.#places = new Map(header.map((name, at) => [name, at]))
    this.#firstWords = new Set(header.map(firstWord))
    this.#firstCodes = new Set([...header, ...QUOTES].map((name) => name.charCodeAt(0)))
  }

  /** Whether a row names the columns, in any order. */
  names(row: NamedRow): boolean {
    if (isOfProgram(row)) return true
    if (this.#isAgain(row)) {
      this.#order = undefined
      return true
    }
    const order = this.#movedOrder(row)
    if (order) this.#order = order
    return order !== undefined
  }

  /** Whether the rows here have another order than the first header's. */
  get isMoved(): boolean {
    return this.#order !== undefined
  }

  /** The cells of a row in the first header's order. Further ones stay behind, so that the row is refused as it would be. */
  arranged(cells: readonly string[]): string[] {
    const order = this.#order ?? []
    const own = order.map((at) => (at === -1 ? '' : (cells[at] ?? '')))
    const taken = new Set(order)
    return [...own, ...cells.filter((cell, at) => !taken.has(at) && cell.trim() !== '')]
  }

  /** For each column of the header its place in this row; undefined if it does not name them. */
  #movedOrder({ cells, text }: NamedRow): number[] | undefined {
    // Nearly always decided here, before the row is split into cells.
    if (!this.#firstCodes.has(text.charCodeAt(0))) return undefined
    if (!this.#firstWords.has(firstWord(text.slice(0, BEGINNING)))) return undefined
    const named = nameColumns(cells.map((cell) => cell.trim()))
    const filled = named.filter((_, at) => (cells[at] ?? '').trim() !== '')
    const isAll = filled.length === this.#header.length && filled.every((name) => this.#places.has(name))
    if (!isAll || filled.length < FEWEST_NAMES) return undefined
    return this.#header.map((name) => named.indexOf(name))
  }
}

/** “item_sku”, as a program calls a column. */
const PROGRAM_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

/** Whether a row names the columns as a program does, below their names for people: templates of large markets have both. */
function isOfProgram({ cells, text }: NamedRow): boolean {
  // Nearly always decided here, before the row is split into cells.
  const first = text.charCodeAt(0)
  if (first < 0x61 || first > 0x7a || !text.slice(0, BEGINNING).includes('_')) return false
  const named = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return (
    named.length > FEWEST_NAMES &&
    2 * named.filter((name) => name.includes('_')).length >= named.length &&
    named.every((name) => PROGRAM_NAME.test(name))
  )
}

const firstWord = (text: string): string => /[\p{L}\p{N}]+/u.exec(text)?.[0] ?? ''

/** Whether a record repeats the header, or either row of a header of two rows. */
function repeats(
  header: readonly string[],
  names: readonly (readonly string[])[],
): (row: NamedRow) => boolean {
  if (names.length > 1) return ({ cells }) => names.some((row) => isSameRow(cells, row))
  // Few rows start with the first word of the first name; the others need not be split into cells.
  const word = /^Column \d+$/.test(header[0] ?? '')
    ? ''
    : (header[0]?.split(' ')[0] ?? '').slice(0, BEGINNING / 2)
  return ({ cells, text }) => text.slice(0, BEGINNING).includes(word) && isSameHeader(cells, header)
}

/** Nearly always decided by the first cell that is not blank. */
function isSameRow(cells: readonly string[], row: readonly string[]): boolean {
  for (let at = 0; at < Math.max(cells.length, row.length); at++) {
    if ((cells[at] ?? '').trim() !== (row[at] ?? '').trim()) return false
  }
  return true
}

/** A sentence about the first row whose columns are in another order. */
export const movedNotes = (row: number | undefined): string[] =>
  row === undefined
    ? []
    : [
        `Row ${row.toLocaleString('en-US')} names the columns in another order. The rows below it are read by their names.`,
      ]
