import { beginsOtherTable } from './detect-dialect.ts'

type TableRow = { readonly row: number; readonly cells: readonly string[] }

// A title and a date stand above a table.
const MOST_TITLES = 4

/**
 * Finds where another table begins below the first: a row of other column names behind a blank row, with titles above it
 * at most. Reading must stop there, since its rows would be read into the first table's columns.
 */
export class TableEnd<Row extends TableRow> {
  readonly #header: readonly string[]
  #isBehindGap = false
  #titles: Row[] = []
  /** The row that begins the other table. */
  found: Row | undefined

  constructor(header: readonly string[]) {
    this.#header = header
  }

  /** Whether rows have to be passed to `take`. */
  get isWatching(): boolean {
    return this.#isBehindGap || this.found !== undefined
  }

  /** Call for each blank row. */
  passBlank(): void {
    this.#isBehindGap = true
  }

  /** Returns the rows that are of the first table; one that may be a title waits for the next row. */
  take(row: Row): Row[] {
    if (this.found) return []
    if (beginsOtherTable(row.cells, this.#header)) {
      this.found = row
      this.#titles = []
      return []
    }
    if (isTitle(row.cells) && this.#titles.length < MOST_TITLES) {
      this.#titles.push(row)
      return []
    }
    this.#isBehindGap = false
    return [...this.#titles.splice(0), row]
  }

  /** Rows that still waited at the end of the file. */
  rest(): Row[] {
    return this.#titles.splice(0)
  }
}

const isTitle = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length === 1
