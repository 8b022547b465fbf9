import type { Locator, Page } from '@playwright/test'
import { expect } from './story.ts'

/** The initial columns of the grid. */
const columns = [
  'Year',
  'Manufacturer',
  'Model',
  'Name',
  'Price',
  'Grade',
  'Part #',
  'Dealer',
  'Phone',
  'Errors',
  'More',
] as const
export type Column = (typeof columns)[number]

/** Opens the grid with the parts that have a word in their name. */
export async function openBulkEdit(page: Page, word: string, rows: number): Promise<Locator> {
  await page.goto(`/dashboard/admin/manage-products/bulk-edit?q=${word}`)
  return findBulkEdit(page, rows)
}

/** The grid once it has all of its rows. */
export async function findBulkEdit(page: Page, rows: number): Promise<Locator> {
  const grid = page.getByRole('grid', { name: 'Products to edit' })
  await expect(grid).toHaveAttribute('aria-rowcount', String(rows + 1))
  await expect(page.getByText(`${rows} of ${rows} loaded`)).toBeVisible()
  return grid
}

/** A cell by its row, counted from 1 below the column names. */
export function cellOf(grid: Locator, row: number, column: Column): Locator {
  const place = columns.indexOf(column) + 1
  return grid.locator(`[aria-rowindex="${row + 1}"] [role=gridcell][aria-colindex="${place}"]`)
}

/** Pastes into the active cell, as Ctrl+V does with cells copied from a spreadsheet. */
export async function paste(grid: Locator, block: readonly (readonly string[])[]): Promise<void> {
  await grid.evaluate(
    (element, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    block.map((cells) => cells.join('\t')).join('\r\n'),
  )
}

/** Types into a cell with the keyboard. */
export async function writeCell(grid: Locator, row: number, column: Column, text: string): Promise<void> {
  await cellOf(grid, row, column).click()
  await grid.press('F2')
  const field = grid.getByRole('textbox').or(grid.getByRole('combobox'))
  await field.fill(text)
  await field.press('Enter')
}
