import { describeDelimiter, encodingNames } from './describe-reading.ts'
import type { Encoding, Reading, SaidReading } from './reading.ts'

const MOST_SHOWN = 5

/** What was detected, in sentences, where it is not as in a plain CSV. What was said is not told. */
export function readingNotes(reading: Reading, said: SaidReading): string[] {
  const notes: string[] = []
  const { encoding, delimiter, quote, headerRow, layout } = reading
  if (encoding !== 'utf-8' && said.encoding === undefined) notes.push(encodingNote(encoding))
  if (delimiter !== ',' && said.delimiter === undefined) {
    notes.push(`The cells of the file are separated by ${describeDelimiter(delimiter)}.`)
  }
  if (quote === "'" && said.quote === undefined) notes.push('Cells stand in single quotation marks.')
  if (quote === '' && said.quote === undefined) {
    notes.push('Quotation marks are read as text: in this file they do not come in pairs around cells.')
  }
  if (headerRow !== 1 && said.headerRow === undefined) notes.push(headerNote(headerRow))
  if (layout === 'ebay' && said.layout === undefined) {
    notes.push(
      'This is a listing file of eBay: the rows of a part’s vehicles are read as columns of the part.',
    )
  }
  return notes
}

function encodingNote(encoding: Encoding): string {
  const name = encodingNames[encoding]
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return `The file is read as ${name} text.`
  return `The file is not UTF-8 and is read as ${name}. Look at letters with accents, and choose another encoding if they are wrong.`
}

function headerNote(headerRow: number): string {
  if (headerRow === 0) {
    return 'No row of the file names its columns: they are called “Column 1”, “Column 2” and so on.'
  }
  const above = headerRow === 2 ? 'The row above it is' : 'The rows above it are'
  return `The columns are named in row ${headerRow}. ${above} left out.`
}

/** Where the header stands again, as in a file that was put together from several. */
export function repeatsNotes(rows: readonly number[]): string[] {
  if (rows.length === 0) return []
  const shown = rows.slice(0, MOST_SHOWN).join(', ')
  const more = rows.length > MOST_SHOWN ? ' and more' : ''
  return [`The header stands again in row ${shown}${more}: it is no row of a part and is left out.`]
}

/**
 * Rows whose quotation mark opens and is never closed: one is a slip, many are inches.
 * @param rows the numbers of the first few
 */
export function brokenRowsNotes(count: number, rows: readonly number[]): string[] {
  if (count === 0) return []
  const some = rows.slice(0, MOST_SHOWN)
  const shown = some.map((row) => row.toLocaleString('en-US')).join(', ')
  if (count === 1) {
    return [`In row ${shown} a quotation mark opens and is never closed; that row cannot be read.`]
  }
  const more = count > some.length ? ', …' : ''
  return [
    `${count.toLocaleString('en-US')} rows have a quotation mark that opens and is never closed (row ${shown}${more}); they cannot be read. If the marks are inches, choose that cells have no quotes.`,
  ]
}
