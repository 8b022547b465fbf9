import { headerProblem } from '#contract/csv/csv-header.ts'
import { ebayAddedColumns, isEbayHeader } from './ebay-columns.ts'
import { ebayFolder } from './ebay-layout.ts'
import type { Reading } from './reading.ts'
import {
  carsOnceFolder,
  DONOR_COLUMNS,
  donorFolder,
  hasCarsOnce,
  hasDonorLines,
} from './reports/donor-blocks.ts'
import { isShopifyHeader, shopifyFolder } from './shopify-layout.ts'
import { itemPathFolder, itemPathsIn, PATH_COLUMNS } from './shops/item-paths.ts'
import { attributeNames, shopColumns, shopFolder, shopNames, shopOf } from './shops/shop-layouts.ts'

/* Files in which several rows are one part, by the program that wrote them. */

type Layout = Reading['layout']

/** @param rows the first ones, without blank ones */
export function layoutOf(header: readonly string[], rows: readonly (readonly string[])[]): Layout {
  if (headerProblem(header) !== undefined) return 'plain'
  if (isEbayHeader(header)) return 'ebay'
  if (isShopifyHeader(header)) return 'shopify'
  const shop = shopOf(header)
  if (shop) return shop
  const paths = itemPathsIn(header, rows)
  if (paths) return paths
  if (hasDonorLines(header, rows)) return 'donor lines'
  return hasCarsOnce(header, rows) ? 'cars once' : 'plain'
}

/** Folds the rows of a part into one. */
export type RowFolder = {
  /** The file's columns, and those the folder adds. */
  readonly header: readonly string[]
  /** Returns as many rows as it takes, in order; some may wait for the next call. Folded rows are blank. */
  push(rows: readonly (readonly string[])[]): string[][]
  /** The rows that were still waiting. */
  finish(): string[][]
  /** Sentences about the rows left out so far. */
  notes(): string[]
}

/**
 * The folder of a layout; undefined if each row is a part of its own.
 */
export function rowFolder(
  { layout, attributes = [] }: Pick<Reading, 'layout' | 'attributes'>,
  header: readonly string[],
  { firstRow, above = [] }: FolderStart,
): RowFolder | undefined {
  switch (layout) {
    case 'plain':
      return undefined
    case 'ebay':
      return ebayFolder(header, firstRow)
    case 'shopify':
      return { ...shopifyFolder(header), header }
    case 'donor lines':
      return donorFolder(header, above.slice(-ROWS_ABOVE))
    case 'cars once':
      return carsOnceFolder(header)
    case 'item paths':
    case 'dated item paths':
      return itemPathFolder(header, layout)
    default:
      return shopFolder(layout, header, attributes)
  }
}

type FolderStart = {
  /** The spreadsheet number of the first data row. */
  readonly firstRow: number
  /** The rows above the header. */
  readonly above?: readonly (readonly string[])[] | undefined
}

/** How many rows above the header may belong to the first part. */
const ROWS_ABOVE = 3

/** The product attributes in a shop export's first rows, or undefined for other files. */
export function shopAttributes(
  layout: Layout,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string[] | undefined {
  const shop = shopNames.find((name) => name === layout)
  return shop && attributeNames(header, rows)
}

/** The columns in the file itself, without those that its folder added. */
export function columnsInFile(
  { layout, attributes = [] }: Pick<Reading, 'layout' | 'attributes'>,
  header: readonly string[],
): readonly string[] {
  if (shopNames.some((name) => name === layout)) {
    // The folder's own column of prices is before the attributes.
    const own = header.slice(0, header.length - attributes.length)
    return shopColumns(own.slice(0, -1), []).length > 0 && own.at(-1) === 'Price' ? own.slice(0, -1) : own
  }
  const added = addedColumns[layout]
  return added === undefined ? header : header.slice(0, -added)
}

const addedColumns: Partial<Record<Layout, number>> = {
  ebay: ebayAddedColumns.length,
  'donor lines': DONOR_COLUMNS,
  ...PATH_COLUMNS,
}
