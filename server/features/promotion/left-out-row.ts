/** A row of a file that a plan cannot take, though each of its values is right. */
export type LeftOutRow = { readonly rowNo: number } & (
  | {
      /** It has no stock number, and may be any of several parts of its seller. */
      readonly why: 'ambiguous'
      /** Parts that it may be, and the stock numbers of the first of them. */
      readonly parts: number
      readonly stockNumbers: readonly string[]
      /** Rows of the file that may be these parts. */
      readonly rows: number
    }
  | {
      /** It names the listing that an earlier row names, and says something else. */
      readonly why: 'contradicts'
      readonly firstRow: number
    }
)

/** As many as a person reads. */
export const MOST_LEFT_OUT_TOLD = 100

/** What happens to the row, why, and what to do about it. `what` is what its numbers count: records of a staged file, or rows. */
export function leftOutInWords(row: LeftOutRow, what: 'record' | 'row'): string {
  const name = what === 'record' ? 'Record' : 'Row'
  return `${name} ${row.rowNo} is left out: ${reason(row, what)}`
}

function reason(row: LeftOutRow, what: string): string {
  if (row.why === 'contradicts') {
    return `it names the same listing as ${what} ${row.firstRow} and says something else of it. What ${what} ${row.firstRow} says counts.`
  }
  const { parts, stockNumbers, rows } = row
  const more = parts > stockNumbers.length ? ', …' : ''
  const known = stockNumbers.length > 0 ? ` (stock number ${stockNumbers.join(', ')}${more})` : ''
  return parts === 1
    ? `it and ${rows === 2 ? `another ${what}` : `${rows - 1} other ${what}s`} have no stock number, and each may be the same part of yours${known}. Give them their stock numbers.`
    : `it has no stock number and may be any of ${parts} parts of yours${known}. Give it its stock number.`
}
