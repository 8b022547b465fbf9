import { nameColumns } from '#contract/csv-header.ts'
import type { FileRecord } from './records.ts'

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

/** Whether cells name these columns. */
export function isSameHeader(cells: readonly string[], header: readonly string[]): boolean {
  return cells.length === header.length && nameColumns(cells).every((name, at) => name === header[at])
}
