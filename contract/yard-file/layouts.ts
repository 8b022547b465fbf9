import { ebayAddedColumns, isEbayHeader } from './ebay-columns.ts'
import { ebayFolder } from './ebay-layout.ts'
import type { Reading } from './reading.ts'
import { isShopifyHeader, shopifyFolder } from './shopify-layout.ts'

/* Files in which several rows are one part, by the program that wrote them. */

type Layout = Reading['layout']

export function layoutOf(header: readonly string[]): Layout {
  if (isEbayHeader(header)) return 'ebay'
  return isShopifyHeader(header) ? 'shopify' : 'plain'
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
 * @param firstRow the spreadsheet number of the first data row
 */
export function rowFolder(
  layout: Layout,
  header: readonly string[],
  firstRow: number,
): RowFolder | undefined {
  if (layout === 'plain') return undefined
  if (layout === 'ebay') return ebayFolder(header, firstRow)
  return { ...shopifyFolder(header), header }
}

/** The columns in the file itself, without those that its folder added. */
export const columnsInFile = (layout: Layout, header: readonly string[]): readonly string[] =>
  layout === 'ebay' ? header.slice(0, -ebayAddedColumns.length) : header
