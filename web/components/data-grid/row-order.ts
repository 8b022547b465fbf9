import { type SheetRow, textOf } from './sheet-row.ts'

/** A column to sort by. Only the view is sorted: what is saved keeps the order in which rows were loaded. */
export type RowOrder = { field: string; descending: boolean }

/** The order after another click on the column: low to high, high to low, then none. */
export function nextOrder(now: RowOrder | undefined, field: string): RowOrder | undefined {
  if (now?.field !== field) return { field, descending: false }
  return now.descending ? undefined : { field, descending: true }
}

const words = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' })
const plainNumber = /^[-+]?\$?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?$/

/** A price or count as it may be typed: "$1,299.50" is 1299.5. Undefined for other texts. */
function numberIn(text: string): number | undefined {
  if (!plainNumber.test(text)) return undefined
  const number = Number.parseFloat(text.replace(/[$,]/g, ''))
  return Number.isNaN(number) ? undefined : number
}

/** Numbers by size, before words; empty cells last in either direction. Equal rows stay as they were. */
export function sortRows(rows: readonly SheetRow[], { field, descending }: RowOrder): SheetRow[] {
  const cells = rows.map((row) => {
    const text = textOf(row, field).trim()
    return { row, text, number: numberIn(text) }
  })
  const filled = cells.filter(({ text }) => text !== '')
  const empty = cells.filter(({ text }) => text === '')
  filled.sort((one, other) => {
    const [a, b] = descending ? [other, one] : [one, other]
    if (a.number !== undefined && b.number !== undefined) return a.number - b.number
    if (a.number !== undefined || b.number !== undefined) return a.number === undefined ? 1 : -1
    return words.compare(a.text, b.text)
  })
  return [...filled, ...empty].map(({ row }) => row)
}
