import { beginsOtherTable } from './detect-dialect.ts'

type TableRow = { readonly row: number; readonly cells: readonly string[] }

// A table may have a title and a date above it.
const MAX_TITLES = 4

/**
 * Finds where another table starts below the first: a row of other column names after a blank row, with at most titles
 * in between. Reading must stop there, since its rows would be read into the first table's columns.
 */
export class TableEnd<Row extends TableRow> {
  readonly #header: readonly string[]
  #isAfterGap = false
  #titles: Row[] = []
  /** The row that begins the other table. */
  found: Row | undefined

  constructor(header: readonly string[]) {
    this.#header = header
  }

  /** Whether rows have to be passed to `take`. */
  get isWatching(): boolean {
    return this.#isAfterGap || this.found !== undefined
  }

  /** Call for each blank row. */
  passBlank(): void {
    this.#isAfterGap = true
  }

  /** Returns the rows that belong to the first table; one that may be a title waits for the next row. */
  take(row: Row): Row[] {
    if (this.found) return []
    if (beginsOtherTable(row.cells, this.#header)) {
      this.found = row
      this.#titles = []
      return []
    }
    if (isTitle(row.cells) && this.#titles.length < MAX_TITLES) {
      this.#titles.push(row)
      return []
    }
    this.#isAfterGap = false
    return [...this.#titles.splice(0), row]
  }

  /** Rows that were still waiting at the end of the file. */
  rest(): Row[] {
    return this.#titles.splice(0)
  }
}

const isTitle = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length === 1
