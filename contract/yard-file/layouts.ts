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

/* Files in which several rows are one part, by the program that wrote them. */

type Layout = Reading['layout']

/** @param rows the first ones, without blank ones */
export function layoutOf(header: readonly string[], rows: readonly (readonly string[])[]): Layout {
  if (isEbayHeader(header)) return 'ebay'
  if (isShopifyHeader(header)) return 'shopify'
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
  layout: Layout,
  header: readonly string[],
  { firstRow, above = [] }: FolderStart,
): RowFolder | undefined {
  if (layout === 'plain') return undefined
  if (layout === 'ebay') return ebayFolder(header, firstRow)
  if (layout === 'donor lines') return donorFolder(header, above)
  if (layout === 'cars once') return carsOnceFolder(header)
  return { ...shopifyFolder(header), header }
}

type FolderStart = {
  /** The spreadsheet number of the first data row. */
  readonly firstRow: number
  /** The last rows above the header. */
  readonly above?: readonly (readonly string[])[] | undefined
}

/** How many rows above the header may belong to the first part. */
export const ROWS_ABOVE = 3

/** The columns in the file itself, without those that its folder added. */
export const columnsInFile = (layout: Layout, header: readonly string[]): readonly string[] =>
  addedColumns[layout] === undefined ? header : header.slice(0, -addedColumns[layout])

const addedColumns: Partial<Record<Layout, number>> = {
  ebay: ebayAddedColumns.length,
  'donor lines': DONOR_COLUMNS,
}
