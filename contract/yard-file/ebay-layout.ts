import { ebayHeader, findEbayColumns } from './ebay-columns.ts'
import { readFitments } from './ebay-fitment.ts'
import { type EbayColumns, type EbayItem, readCell, rowsOfItem } from './ebay-item.ts'
import { ebayNotes, type LeftOut } from './ebay-notes.ts'

/** Rows of an eBay file become rows of parts; see `ebayFolder`. */
type EbayFolder = {
  /** The file's columns and ours behind them (`ebayAddedColumns`). */
  readonly header: string[]
  /** As many rows come out as went in, in their order; those of the last item wait for what follows. */
  push(rows: readonly (readonly string[])[]): string[][]
  /** What still waited. */
  finish(): string[][]
  /** What was left out of the rows so far, in sentences. */
  notes(): string[]
}

// Of one item: eBay takes 3,000 vehicles and 250 variations. Rows beyond do not wait with it.
const MOST_ROWS_OF_ITEM = 6_000
const MOST_WAITING = 1024 * 1024

/**
 * Folds eBay's rows: those of fitment go into the item above them, variations become parts that have the item's cells
 * where they have none, and rows that end a listing are left out. A folded row leaves a blank one in its place, so that
 * rows are numbered as before. Give it all data rows of a file in their order.
 * @param firstRow how the spreadsheet numbers the first of them, for the notes
 */
export function ebayFolder(header: readonly string[], firstRow = 2): EbayFolder {
  const columns = findEbayColumns(header)
  const notes = ebayNotes()
  let row = firstRow - 1
  let item: EbayItem | undefined
  // What follows a row that was left out belongs to it and needs no word.
  let isLeftOut = false

  const release = (): string[][] => {
    const rows = item ? rowsOfItem(item, columns, header.length) : []
    item = undefined
    return rows
  }
  const keep = (cells: readonly string[] | undefined): string[][] => {
    if (item === undefined) return [[]]
    item.rows.push(cells)
    return item.rows.length > MOST_ROWS_OF_ITEM || item.waiting > MOST_WAITING ? release() : []
  }
  const belong = (kind: 'fitment' | 'variation', cells: readonly string[]): string[][] => {
    if (item === undefined || !isOfItem(item, cells, columns)) {
      if (item !== undefined || !isLeftOut) notes.add('orphan', row)
      return keep(undefined)
    }
    item.waiting += cells.reduce((length, cell) => length + cell.length, 0)
    if (kind === 'variation') {
      item.variations += 1
      return keep(cells)
    }
    item.fitments.push(...readFitments(readCell(cells, columns, 'details')))
    return keep(undefined)
  }
  /** A variation that says all itself, as reports of active listings have them, needs no item above it. */
  const kindHere = (cells: readonly string[]): RowKind => {
    const kind = kindOf(cells, columns)
    if (kind !== 'variation' || readCell(cells, columns, 'title') === '') return kind
    return item && isOfItem(item, cells, columns) ? kind : 'item'
  }
  const take = (cells: readonly string[]): string[][] => {
    const kind = kindHere(cells)
    if (kind === 'blank') return keep(undefined)
    if (kind === 'fitment' || kind === 'variation') return belong(kind, cells)
    const released = release()
    isLeftOut = kind !== 'item'
    if (kind === 'item') {
      item = newItem(cells, columns)
      return released
    }
    notes.add(kind, row)
    return [...released, []]
  }
  return {
    header: ebayHeader(header),
    push: (rows) =>
      rows.flatMap((cells) => {
        row += 1
        return take(cells)
      }),
    finish: release,
    notes: notes.sentences,
  }
}

const newItem = (cells: readonly string[], columns: EbayColumns): EbayItem => ({
  cells,
  fitments: readFitments(readCell(cells, columns, 'details')),
  rows: [cells],
  variations: 0,
  waiting: 0,
})

// “Draft” is a listing that nobody has seen yet.
const LISTS = /^(add|additem|addfixedpriceitem|verifyadd|revise|relist|draft)$/i
const ENDS = /^(end|enditem|delete)$/i

type RowKind = 'item' | 'fitment' | 'variation' | 'blank' | Exclude<LeftOut, 'orphan'>

function kindOf(cells: readonly string[], columns: EbayColumns): RowKind {
  if (cells.every((cell) => cell.trim() === '')) return 'blank'
  if (/^(#|info$)/i.test(cells[0]?.trim() ?? '')) return 'remark'
  const relationship = readCell(cells, columns, 'relationship').toLowerCase()
  const hasTitle = readCell(cells, columns, 'title') !== ''
  if (relationship === 'compatibility' && !hasTitle) return 'fitment'
  if (relationship === 'variation') return 'variation'
  const action = readCell(cells, columns, 'action')
  if (ENDS.test(action)) return 'ended'
  return action === '' || LISTS.test(action) ? 'item' : 'action'
}

/** A row may repeat the number of its item; with another one it belongs to a listing that is not above it. */
function isOfItem(item: EbayItem, cells: readonly string[], columns: EbayColumns): boolean {
  const own = readCell(item.cells, columns, 'item')
  const said = readCell(cells, columns, 'item')
  return own === '' || said === '' || own === said
}
