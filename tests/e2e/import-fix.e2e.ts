import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { signInAsNewPro } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

const bulkImport = '/dashboard/seller/create-bulk-auto-part-listing'
const header = [
  'Stock #',
  'Year',
  'Make',
  'Model',
  'Part Type',
  'Part #',
  'Retail price',
  'Grade',
  'Notes',
  'Group',
]

const SHORTENED = '2.7E+11'

/** Twenty rows, five with different errors; rows are numbered like the spreadsheet. */
function messyStock({ wrongNumbers = [12] } = {}) {
  const mark = randomBytes(4).toString('hex')
  const part = `Alternator lot${mark}`
  const partNumber = (row: number) => `27060-${mark.toUpperCase()}-${row}`
  const lines = Array.from({ length: 20 }, (_, place) => {
    const row = place + 2
    const cost = row === 4 ? '"12,50"' : `${40 + row}.50`
    const year = row === 7 ? '2O19' : '2012'
    const model = row === 9 ? '' : 'Camry'
    // As a spreadsheet shortens it.
    const number = wrongNumbers.includes(row) ? SHORTENED : partNumber(row)
    const notes = row === 15 ? 'Tested, plug intact' : '"Tested, plug intact"'
    return [`W-${row}`, year, 'Toyota', model, part, number, cost, 'A', notes, 'Alternator'].join(',')
  })
  return { name: `messy-${mark}.csv`, content: [header.join(','), ...lines].join('\r\n'), mark, partNumber }
}

async function chooseAndCheck(page: Page, file: { name: string; content: string }): Promise<void> {
  const path = test.info().outputPath(file.name)
  // Written once: a file that is chosen again keeps its modification time.
  if (!existsSync(path)) await writeFile(path, file.content)
  await page.locator('input[type=file]').first().setInputFiles(path)
  // One price has a comma, the others a point: only the seller knows what the column means.
  await page.getByRole('radio', { name: '$42.50 (a point before the cents)' }).click()
  await page.getByRole('button', { name: 'Check rows' }).click()
}

/** A cell of the grid by its row in the file and the start of its column’s name. */
async function cellOf(grid: Locator, row: number, column: string): Promise<Locator> {
  const place = await grid
    .getByRole('columnheader', { name: column })
    .first()
    .evaluate((head) => head.ariaColIndex)
  const number = grid.getByRole('row').filter({
    has: grid.page().locator('[aria-colindex="1"]').getByText(String(row), { exact: true }),
  })
  return number.locator(`[role=gridcell][aria-colindex="${place}"]`)
}

async function write(grid: Locator, row: number, column: string, text: string): Promise<void> {
  const cell = await cellOf(grid, row, column)
  await cell.click()
  await grid.press('F2')
  const field = grid.getByRole('textbox').or(grid.getByRole('combobox'))
  await field.fill(text)
  await field.press('Enter')
  await expect(cell).toHaveText(text)
}

test('five bad rows are corrected in place, also across a reload, and are published as corrected', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await signInAsNewPro(page)
  await page.goto(bulkImport)
  const stock = messyStock()
  await chooseAndCheck(page, stock)
  await expect(page.getByRole('heading', { name: '15 of 20 rows are good. 5 need fixing.' })).toBeFocused()
  await expect(page.getByRole('region', { name: 'What an import would do' })).toContainText('15')
  const kinds = page.getByRole('list', { name: 'Kinds of problems' })
  await expect(kinds.getByRole('listitem')).toHaveCount(5)
  await kinds.getByRole('button', { name: /rows? Year/ }).click()
  await expect(page.getByRole('region', { name: 'Problems by row' }).getByRole('row')).toHaveCount(2)
  await kinds.getByRole('button', { name: /rows? Year/ }).click()

  await page.getByRole('button', { name: 'Fix rows here' }).click()
  const grid = page.getByRole('grid', { name: 'Rows to fix' })
  await expect(grid).toHaveAttribute('aria-rowcount', '6')
  await expect(await cellOf(grid, 7, 'Year (col: Year)')).toHaveAttribute('aria-invalid', 'true')
  await lookAt(page, 'import-fix')
  await write(grid, 4, 'Price (col: Retail price)', '12.50')
  await write(grid, 7, 'Year (col: Year)', '2019')
  await write(grid, 12, 'Part number (col: Part #)', stock.partNumber(12))
  await expect(page.getByText('2 rows with errors · 3 rows changed, not checked yet')).toBeVisible()

  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await chooseAndCheck(page, stock)
  await expect(page.getByText('Restored your corrections to 3 rows')).toBeVisible()
  await expect(page.getByRole('heading', { name: '18 of 20 rows are good. 2 need fixing.' })).toBeVisible()
  await expect(page.getByText('2 rows with errors · 3 rows fixed')).toBeVisible()

  await test.step('on a phone a row is a card, and its cells are a form', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const card = page.getByRole('article', { name: 'Row 9', exact: true })
    await card.getByRole('button', { name: 'Fix row' }).click()
    const form = page.getByRole('dialog', { name: 'Row 9' })
    await form.getByLabel('Model (col: Model)').fill('Corolla')
    await form.getByRole('button', { name: 'Done' }).click()
    await expect(card).toContainText('Changed, not checked yet')
    await page.setViewportSize({ width: 1280, height: 900 })
  })
  await (await cellOf(grid, 15, 'Notes')).click()
  await page.getByRole('button', { name: 'Join with next cell' }).click()
  await expect(await cellOf(grid, 15, 'Notes')).toHaveText('Tested plug intact')
  await page.getByRole('button', { name: 'Check these rows again (2)' }).click()
  await expect(page.getByText('5 rows fixed')).toBeVisible()

  await page.getByRole('button', { name: 'Run import' }).click()
  await expect(page.getByRole('heading', { name: 'Your parts are live' })).toBeVisible({ timeout: 90_000 })
  const reply = await page.request.get(`/api/parts?q=lot${stock.mark}&perPage=48`)
  const { items } = (await reply.json()) as { items: Partial<Record<string, unknown>>[] }
  expect(items).toHaveLength(20)
  const corrected = [
    [4, { partprice: 12.5 }],
    [7, { partyear: '2019' }],
    [9, { partmodel: 'Corolla' }],
    [12, { partgrade: 'A' }],
    [15, { partprice: 55.5 }],
  ] as const
  for (const [row, fields] of corrected)
    expect(items.find(({ partnum }) => partnum === stock.partNumber(row))).toMatchObject(fields)
})

test('a repeated mistake in a column is replaced at once, a row is left out, and the whole file is checked again', {
  tag: '@long',
}, async ({ page }) => {
  await signInAsNewPro(page)
  await page.goto(bulkImport)
  await chooseAndCheck(page, messyStock({ wrongNumbers: [12, 14, 16, 18, 20] }))
  await expect(page.getByRole('heading', { name: '11 of 20 rows are good. 9 need fixing.' })).toBeVisible()
  const kind = page.getByRole('listitem').filter({ hasText: 'Part number' })
  await kind.getByRole('button', { name: 'Replace in this column…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace in “Part #”' })
  await expect(dialog.getByLabel('Find')).toHaveValue(SHORTENED)
  await dialog.getByLabel('Replace with').fill('27060-0V210')
  await dialog.getByRole('button', { name: 'Replace in 5 rows' }).click()

  const grid = page.getByRole('grid', { name: 'Rows to fix' })
  for (const row of [7, 9, 15]) {
    await grid.getByRole('button', { name: `Leave out row ${row}`, exact: true }).click()
  }
  await page.getByRole('button', { name: 'Check the whole file again' }).click()
  await expect(page.getByRole('heading', { name: '16 of 17 rows are good. 1 needs fixing.' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'What an import would do' })).toContainText('Left out')
  await grid.getByRole('button', { name: 'Put back row 9', exact: true }).click()
  await expect(page.getByText(/2 rows left out/)).toBeVisible()
})

test('on a phone all five rows are fixed or left out in their cards', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInAsNewPro(page)
  await page.goto(bulkImport)
  await chooseAndCheck(page, messyStock())
  await page.getByRole('button', { name: 'Fix rows here' }).click()
  const card = (row: number) => page.getByRole('article', { name: `Row ${row}`, exact: true })
  await expect(page.getByRole('article')).toHaveCount(5)

  await card(7).getByRole('button', { name: 'Fix row' }).click()
  const form = page.getByRole('dialog', { name: 'Row 7' })
  const year = form.getByRole('textbox').first()
  await expect(year).toHaveAccessibleName('Year (col: Year)')
  await year.fill('2019')
  await form.getByRole('button', { name: 'Done' }).click()
  await expect(card(7)).toContainText('Changed, not checked yet')

  await card(15).getByRole('button', { name: 'Fix row' }).click()
  const ragged = page.getByRole('dialog', { name: 'Row 15' })
  await ragged.getByRole('button', { name: /^Join with next cell: Description/ }).click()
  await expectNoSeriousAxe(page)
  await ragged.getByRole('button', { name: 'Done' }).click()
  await card(12).getByRole('button', { name: 'Leave out' }).click()
  await page.getByRole('button', { name: 'Check these rows again (2)' }).click()
  await expect(card(7)).toContainText('Fixed')
  await expect(card(15)).toContainText('Fixed')
  await expect(card(12)).toContainText('Left out')
})
