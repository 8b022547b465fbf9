import type { EbayColumn } from './ebay-columns.ts'
import { gradeFromCondition } from './ebay-condition.ts'
import { textOfHtml } from './ebay-description.ts'
import { type Fitment, type FitmentSummary, summariseFitments } from './ebay-fitment.ts'

/** Where the columns stand that eBay's rules speak of. */
export type EbayColumns = ReadonlyMap<EbayColumn, number>

export function readCell(cells: readonly string[], columns: EbayColumns, column: EbayColumn): string {
  return cells[columns.get(column) ?? -1]?.trim() ?? ''
}

/** A row that lists a part, with the rows below it that belong to it. */
export type EbayItem = {
  readonly cells: readonly string[]
  readonly fitments: Fitment[]
  /** The rows from the item's on: itself, its variations, and of folded ones nothing but their place. */
  readonly rows: (readonly string[] | undefined)[]
  /** How many of the rows are variations: each is a part of its own, and the item that they share is none. */
  variations: number
  /** Characters of the rows below. */
  waiting: number
}

/** The item's rows as the import reads them, `width` of its cells the file's and ours behind them. */
export function rowsOfItem(item: EbayItem, columns: EbayColumns, width: number): string[][] {
  const fitment = summariseFitments(item.fitments)
  return item.rows.map((cells, at) => {
    if (cells === undefined || (at === 0 && item.variations > 0)) return []
    const own = at === 0 ? cells : variationCells(item.cells, cells, columns)
    // A row that is cut short stays so: its check tells that cells are missing.
    if (own.length < width) return [...own]
    return [...own.slice(0, width), ...addedCells(own, columns, fitment), ...own.slice(width)]
  })
}

/** In the order of `ebayAddedColumns`. */
function addedCells(cells: readonly string[], columns: EbayColumns, fitment: FitmentSummary): string[] {
  const read = (column: EbayColumn) => readCell(cells, columns, column)
  return [
    fitment.make || read('make'),
    fitment.model || read('model'),
    fitment.year || read('year'),
    fitment.trim,
    fitment.all,
    gradeFromCondition(read('condition')),
    read('type') || lastStep(read('category')),
    read('picture').split(/[|;,\s]+(?=https?:)/)[0] ?? '',
    textOfHtml(read('description')),
  ]
}

/** The item's cells where the variation has none, and a title that tells it from its sisters. */
function variationCells(
  item: readonly string[],
  variation: readonly string[],
  columns: EbayColumns,
): string[] {
  const title = columns.get('title')
  const values = readCell(variation, columns, 'details')
    .split('|')
    .flatMap((property) => property.split('=')[1]?.trim() || [])
  return Array.from({ length: Math.max(item.length, variation.length) }, (_, at) => {
    const own = variation[at] ?? ''
    const shared = item[at] ?? ''
    if (at === title && values.length > 0) return `${own.trim() || shared} (${values.join(', ')})`
    return own.trim() === '' ? shared : own
  })
}

/** "Car & Truck Parts > Lighting > Headlights" ends in "Headlights", in A/C is no step; a number is no name. */
function lastStep(path: string): string {
  const step = path.split(/\s*(?:>|:|(?<!\ba)\/)\s*/i).findLast((name) => name !== '') ?? ''
  return /^\d+$/.test(step) ? '' : step
}
