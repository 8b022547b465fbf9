import { type Dialect, standardDialect } from './reading.ts'

/**
 * A record in the dialect of what we write, without its line end. Not guarded against formulas: it is read by us, and comes
 * back as it was. For files that people open, `csvLine` of `csv-cell.ts`.
 */
export const standardLine = (cells: readonly string[]): string => dialectLine(cells, standardDialect)

/** A record as a file of that dialect would have it; where nothing is quoted, delimiters and line ends turn into spaces. */
export function dialectLine(cells: readonly string[], dialect: Dialect): string {
  // A line with nothing on it would be taken for a blank one.
  if (cells.length === 1 && cells[0] === '' && dialect.quote !== '') return dialect.quote + dialect.quote
  return cells.map((cell) => dialectCell(cell, dialect)).join(dialect.delimiter)
}

const LINE_END = /[\r\n]/

function dialectCell(cell: string, { delimiter, quote }: Dialect): string {
  if (quote === '') return cell.replaceAll(/[\r\n]+/g, ' ').replaceAll(delimiter, ' ')
  const isPlain = !cell.includes(quote) && !cell.includes(delimiter) && !LINE_END.test(cell)
  return isPlain ? cell : quote + cell.replaceAll(quote, quote + quote) + quote
}
