import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { demo, signIn, signInAsNewPro } from '#tests/e2e/support/people.ts'
import { badRows, stockFile } from '#tests/e2e/support/stock-file.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

const bulkImport = '/dashboard/seller/create-bulk-auto-part-listing'

async function chooseFile(page: Page, file: { name: string; content: string | Uint8Array }): Promise<void> {
  const path = test.info().outputPath(file.name)
  // Written once: a file that is chosen again keeps its modification time.
  if (!existsSync(path)) await writeFile(path, file.content)
  await page.locator('input[type=file]').first().setInputFiles(path)
}

/** The current tab. */
const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true, selected: true })

/** The number of parts the public search finds for these words. */
async function expectFound(page: Page, words: string, line: RegExp): Promise<void> {
  await page.goto(`/parts?${new URLSearchParams({ q: words })}`)
  await expect(page.getByText(line).first()).toBeVisible()
}

/** A straight file opens Run Import; its columns are one click away. */
async function seeColumns(page: Page): Promise<void> {
  await expect(openTab(page, 'Guide')).toBeHidden()
  await page.getByRole('tab', { name: 'Template / Mapping', exact: true }).click()
  await expect(openTab(page, 'Template / Mapping')).toBeVisible()
}

test('a dealer imports 2,000 rows, two of them bad, finds the parts, and undoes the import', {
  tag: '@long',
}, async ({ page }) => {
  test.setTimeout(180_000)
  await signInAsNewPro(page)
  await page.goto(bulkImport)
  const stock = stockFile(2_000)
  await chooseFile(page, stock)

  await seeColumns(page)
  await expect(page.getByText('2,000 rows · 11 columns')).toBeVisible()
  await expect(page.getByLabel('Part number', { exact: true })).toHaveValue('Part #')
  await expect(page.getByLabel('Price', { exact: false }).first()).toHaveValue('Retail price')
  await page.getByRole('button', { name: 'Check rows' }).click()

  await expect(openTab(page, 'Validate (Dry-run)')).toBeVisible()
  await expect(
    page.getByRole('heading', { name: '1,998 of 2,000 rows are good. 2 need fixing.' }),
  ).toBeFocused()
  const problems = page.getByRole('region', { name: 'Problems by row' })
  for (const { row, column, value } of badRows) {
    const line = problems.getByRole('row').filter({ hasText: row })
    await expect(line).toContainText(column)
    await expect(line).toContainText(value)
  }
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download all rows with errors (.csv)' }).click()
  const failing = await readFile(await (await downloading).path(), 'utf8')
  expect(failing.split('\r\n').filter((line) => line.includes(stock.word))).toHaveLength(2)
  await expectFound(await page.context().newPage(), stock.word, /No parts found/)

  await page.getByRole('button', { name: 'Run import' }).click()
  await expect(openTab(page, 'Results')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('heading', { name: 'Your parts are live' })).toBeVisible({ timeout: 90_000 })
  const done = page.getByRole('region', { name: 'What this import did' })
  await expect(done.getByRole('definition').first()).toHaveText('1,998')
  await page.getByRole('link', { name: 'View details' }).click()
  await expect(page).toHaveURL(/\/dashboard\/seller\/imports\//)
  const importAddress = page.url()

  await expectFound(page, stock.word, /^1,998 product\(s\) found/)
  await expectFound(page, stock.partNumber(1_234), /^1 product\(s\) found/)
  await expectFound(page, stock.partNumber(1_499), /^No part number .+; \d+ with one other character/)

  await page.goto(importAddress)
  await page.getByRole('button', { name: 'Undo this import' }).click()
  const question = page.getByRole('dialog', { name: 'Undo this import?' })
  await expect(question).toContainText('1,998 listings it created will be removed')
  await question.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('heading', { name: 'This import was undone' })).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByText('1,998 listings restored.')).toBeVisible()
  await expectFound(page, stock.word, /No parts found/)
})

test('leaving with columns chosen asks first; file and columns are restored after a reload', {
  tag: '@long',
}, async ({ page }) => {
  await signIn(page, demo.pro)
  await page.goto(bulkImport)
  const stock = stockFile(3, { bad: false })
  await chooseFile(page, stock)
  await seeColumns(page)
  const model = page.getByLabel('Model', { exact: false }).first()
  await model.fill('Make')
  await model.press('Enter')
  // Back moves through the tabs.
  await page.getByRole('tab', { name: 'Results', exact: true }).click()
  await expect(openTab(page, 'Results')).toBeVisible()
  await page.goBack()
  await expect(openTab(page, 'Template / Mapping')).toBeVisible()
  await page.getByRole('link', { name: 'My Listings' }).first().click()
  const question = page.getByRole('dialog', { name: 'Leave without importing?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(openTab(page, 'Template / Mapping')).toBeVisible()
  page.on('dialog', (asked) => void asked.accept())
  await page.reload()
  await expect(page.getByText(stock.name)).toBeVisible()
  await expect(model).toHaveValue('Make')
})
