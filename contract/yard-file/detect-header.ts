import { nameSays } from '#contract/field-headers.ts'
import { MOST_ROWS_ABOVE } from './reading.ts'

/** A row of a sample that has anything in it. */
export type SampleRow = { readonly row: number; readonly cells: readonly string[] }

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
  const candidates = rows
    .filter(({ row, cells }) => row <= MOST_ROWS_ABOVE + 1 && namedCells(cells).length >= leastNamed(width))
    .slice(0, MOST_CANDIDATES)
    .map(weigh)
  const [first] = candidates
  if (!first) return rows[0] && rows[0].row <= MOST_ROWS_ABOVE + 1 ? rows[0].row : 0
  const best = candidates.filter(isHeader).sort((a, b) => b.worth - a.worth || a.row - b.row)[0]
  if (best) return best.row
  const isData = first.values >= 2 || first.values > MOST_VALUES * first.named
  return isData && first.known === 0 ? 0 : first.row
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

/** Whether cells are names of columns as yards call theirs. */
export const namesColumns = (cells: readonly string[]): boolean =>
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
