import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { demo, signIn, signInAsNewPro } from '#tests/e2e/support/people.ts'
import { badRows, stockFile } from '#tests/e2e/support/stock-file.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

const bulkImport = '/dashboard/seller/create-bulk-auto-part-listing'

async function chooseFile(page: Page, file: { name: string; content: string | Uint8Array }): Promise<void> {
  const path = test.info().outputPath(file.name)
  // Written once: a file that is chosen again has the time of its last change.
  if (!existsSync(path)) await writeFile(path, file.content)
  await page.locator('input[type=file]').first().setInputFiles(path)
}

/** The tab that is open. */
const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true, selected: true })

async function goToTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click()
  await expect(openTab(page, name)).toBeVisible()
}

/** Drops a file somewhere on the page, as from the desktop. */
async function dropFile(page: Page, file: { name: string; content: string }): Promise<void> {
  const carried = await page.evaluateHandle(
    ([name = '', content = '']) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content], name, { type: 'text/csv' }))
      return transfer
    },
    [file.name, file.content],
  )
  for (const kind of ['dragenter', 'dragover', 'drop']) {
    await page.locator('h1').dispatchEvent(kind, { dataTransfer: carried })
  }
}

/** How many parts everybody finds under these words. */
async function expectFound(page: Page, words: string, line: RegExp): Promise<void> {
  await page.goto(`/parts?${new URLSearchParams({ q: words })}`)
  await expect(page.getByText(line).first()).toBeVisible()
}

test('a dealer imports 2,000 rows of which two are bad, finds the parts, and takes the import back', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await signInAsNewPro(page)
  await page.goto(bulkImport)
  const stock = stockFile(2_000)
  await chooseFile(page, stock)

  await expect(openTab(page, 'Template / Mapping')).toBeVisible()
  await expect(page.getByText('2,000 rows · 11 columns')).toBeVisible()
  await expect(page.getByLabel('Part number', { exact: true })).toHaveValue('Part #')
  await expect(page.getByLabel('Price', { exact: false }).first()).toHaveValue('Retail price')
  await page.getByRole('button', { name: 'Check rows' }).click()

  await expect(openTab(page, 'Validate (Dry-run)')).toBeVisible()
  await expect(
    page.getByRole('heading', { name: '1,998 of 2,000 rows are fine. 2 need a look.' }),
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
  await expectFound(await page.context().newPage(), stock.word, /No products match/)

  await page.getByRole('button', { name: 'Run import' }).click()
  await expect(openTab(page, 'Results')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('heading', { name: 'Your parts are live' })).toBeVisible({ timeout: 90_000 })
  const done = page.getByRole('region', { name: 'What this import did' })
  await expect(done.getByRole('definition').first()).toHaveText('1,998')
  await page.getByRole('link', { name: 'Its own page' }).click()
  await expect(page).toHaveURL(/\/dashboard\/seller\/imports\//)
  const importAddress = page.url()

  await expectFound(page, stock.word, /^1,998 product\(s\) found/)
  await expectFound(page, stock.partNumber(1_234), /^1 product\(s\) found/)
  await expectFound(page, stock.partNumber(1_499), /No products match/)

  await page.goto(importAddress)
  await page.getByRole('button', { name: 'Undo this import' }).click()
  const question = page.getByRole('dialog', { name: 'Undo this import?' })
  await expect(question).toContainText('1,998 listings that it made will be removed')
  await question.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('heading', { name: 'This import was taken back' })).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByText('1,998 listings are as before the import. Nothing was left.')).toBeVisible()
  await expectFound(page, stock.word, /No products match/)
})

test('an upload that is cut off goes on where it stopped, after a reload too', async ({ page }) => {
  test.setTimeout(180_000)
  await signInAsNewPro(page)
  await page.goto(bulkImport)
  const stock = stockFile(4_000, { bad: false })
  await chooseFile(page, stock)
  await expect(openTab(page, 'Template / Mapping')).toBeVisible()
  await goToTab(page, 'Run Import')
  let sent = 0
  let cut = true
  await page.route('**/api/pro/bulk/parts/csv*', async (route) => {
    if (cut && sent === 2) return route.abort('connectionreset')
    sent++
    return route.continue()
  })
  await page.getByRole('button', { name: 'Run import' }).click()
  await expect(page.getByText('The connection is interrupted. Trying again…')).toBeVisible()
  cut = false
  sent = 0
  // It goes on by itself: the file and how far it was are kept on this device.
  page.on('dialog', (question) => void question.accept())
  await page.reload()
  await expect(openTab(page, 'Results')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('heading', { name: 'Your parts are live' })).toBeVisible({ timeout: 90_000 })
  expect(sent).toBeLessThan(4)
  await expect(page.getByRole('region', { name: 'What this import did' })).toContainText('4,000')

  await page.getByRole('button', { name: 'Undo this import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('heading', { name: 'This import was taken back' })).toBeVisible({
    timeout: 60_000,
  })
})

test('columns are kept as a template, which fits the next file of the same kind', async ({ page }) => {
  await signIn(page, demo.pro)
  await page.goto(bulkImport)
  await chooseFile(page, stockFile(3, { bad: false }))
  const model = page.getByLabel('Model', { exact: false }).first()
  await model.fill('Make')
  await model.press('Enter')
  await page.getByRole('button', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as template' })
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await expect(dialog.getByText('Template name is required')).toBeVisible()
  const name = `Yard ${Date.now()}`
  await dialog.getByLabel('Template name').fill(name)
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await expect(page.getByText('Template saved')).toBeVisible()

  page.on('dialog', (question) => void question.accept())
  await page.reload()
  await chooseFile(page, stockFile(3, { bad: false }))
  await expect(page.getByRole('combobox', { name: 'Template' })).toHaveValue(name)
  await expect(model).toHaveValue('Make')
  await page.getByRole('button', { name: 'Check rows' }).click()
  const checked = page.getByRole('heading', { name: 'All 3 rows are fine.' })
  await expect(checked).toBeVisible()

  await goToTab(page, 'Template / Mapping')
  await page.getByRole('button', { name: 'Delete template' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete template' }).click()
  await expect(page.getByText('Template deleted')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Template' })).toHaveValue('')
  await expect(model).toHaveValue('Make')
  await goToTab(page, 'Validate (Dry-run)')
  await expect(checked).toBeVisible()
})

test('what is no table is told at once, and what a row needs before anything is sent', async ({ page }) => {
  await signIn(page, demo.pro)
  await page.goto(`${bulkImport}?tab=upload`)
  await page.getByRole('button', { name: 'Validate (dry run)' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please choose a CSV or CSV.GZ file')
  await chooseFile(page, { name: 'stock.pdf', content: '%PDF-1.7' })
  await expect(page.getByRole('alert').filter({ hasText: 'PDF' })).toBeVisible()
  await chooseFile(page, { name: 'parts.csv', content: 'Part name;Price\nDoor;10\n' })
  await expect(page.getByText('The cells of the file are separated by semicolons.')).toBeVisible()
  await page.getByRole('button', { name: 'Check rows' }).click()
  await expect(page.getByRole('alert')).toContainText('Every row needs: Category, Manufacturer, Model, Year')
  await expect(page.locator('#column-partcategory')).toBeFocused()
  await goToTab(page, 'Defaults')
  await page.getByRole('button', { name: 'For experts: Defaults JSON' }).click()
  await page.getByLabel('Defaults JSON', { exact: true }).fill('{')
  // Where it is written, and above as what keeps the rows from being checked.
  await expect(page.getByText('Defaults JSON is not valid')).toHaveCount(2)
  await page.getByLabel('Defaults JSON', { exact: true }).fill('{"partcity":"Tulsa"}')
  await expect(page.getByLabel('City')).toHaveValue('Tulsa')
})

test('a file that is dropped anywhere is checked after one press; Back goes through the tabs', async ({
  page,
}) => {
  await signIn(page, demo.pro)
  await page.goto(bulkImport)
  for (const name of ['Results', 'Defaults']) await goToTab(page, name)
  await dropFile(page, stockFile(20, { bad: false }))
  await expect(openTab(page, 'Template / Mapping')).toBeVisible()
  await expectNoSeriousAxe(page)
  await page.getByRole('button', { name: 'Check rows' }).click()
  await expect(page.getByRole('heading', { name: 'All 20 rows are fine.' })).toBeVisible()
  await page.goBack()
  await expect(openTab(page, 'Template / Mapping')).toBeVisible()
  await page.goBack()
  await expect(openTab(page, 'Defaults')).toBeVisible()
})

test('a file that is read wrongly is read as somebody says', async ({ page }) => {
  await signIn(page, demo.pro)
  await page.goto(bulkImport)
  const header = 'Stock #;Year;Make;Model;Part name;Category;Retail price'
  const rows = [
    'W-1;2012;Toyota;Camry;Alternator;Alternator;1.299',
    'W-2;2013;Ford;F-150;Door;Front Door;2.500',
  ]
  await chooseFile(page, { name: 'export.csv', content: ['My yard', '', header, ...rows].join('\r\n') })
  await expect(page.getByText('Read as UTF-8, semicolons, header in row 3')).toBeVisible()
  await page.getByRole('button', { name: 'Check rows' }).click()
  await expect(page.getByRole('alert')).toContainText('Say what “1.299” means in the column “Retail price”')
  await page.getByRole('radio', { name: '$1,299.00 (a comma before the cents)' }).click()
  await expect(page.getByRole('radio')).toHaveCount(0)

  await page.getByRole('button', { name: 'Read it in another way' }).click()
  await expect(page.getByRole('region', { name: 'First rows as they are read' })).toContainText('W-1')
  await expectNoSeriousAxe(page)
  const row = page.getByLabel('Row of the column names')
  await row.fill('4')
  await row.press('Enter')
  await expect(page.getByText('UTF-8, semicolons, header in row 4', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Detect it again' }).click()
  await expect(page.getByText('UTF-8, semicolons, header in row 3', { exact: true }).first()).toBeVisible()
})

test('a listing file of eBay is recognised, its template chosen, and its fitment read with the part', async ({
  page,
}) => {
  await signIn(page, demo.pro)
  await page.goto(bulkImport)
  const mark = Date.now()
  const lines = [
    '*Action(SiteID=eBayMotors|Country=US|Currency=USD|Version=1193),CustomLabel,*Title,Relationship,RelationshipDetails,*StartPrice,*ConditionID,C:Type,C:Manufacturer Part Number',
    `Add,EB-${mark},2014 Toyota Camry Alternator,,,85.00,3000,Alternator,27060-${mark}`,
    ',,,Compatibility,Year=2014|Make=Toyota|Model=Camry,,,,',
    ',,,Compatibility,Year=2015|Make=Toyota|Model=Camry,,,,',
  ]
  await chooseFile(page, { name: 'ebay.csv', content: lines.join('\r\n') })
  await expect(page.getByText('This is a listing file of eBay: the template')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Template' })).toHaveValue(
    'eBay Motors File Exchange / Seller Hub',
  )
  await page.getByRole('button', { name: 'Check rows' }).click()
  await expect(page.getByRole('heading', { name: 'The row is fine.' })).toBeVisible()
})

test('D29 leaving with columns that were chosen asks first; file and columns are back after a reload', async ({
  page,
}) => {
  await signIn(page, demo.pro)
  await page.goto(bulkImport)
  const stock = stockFile(3, { bad: false })
  await chooseFile(page, stock)
  const model = page.getByLabel('Model', { exact: false }).first()
  await model.fill('Make')
  await model.press('Enter')
  await page.getByRole('link', { name: 'My Listings' }).first().click()
  const question = page.getByRole('dialog', { name: 'Leave with a file that is not imported?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(openTab(page, 'Template / Mapping')).toBeVisible()
  page.on('dialog', (asked) => void asked.accept())
  await page.reload()
  await expect(page.getByText(stock.name)).toBeVisible()
  await expect(model).toHaveValue('Make')
})

test('on the free plan the page says what bulk import is', async ({ page }) => {
  await signIn(page, demo.free)
  await page.goto(bulkImport)
  await expect(page.getByRole('heading', { name: 'Bulk Import is a Pro feature' })).toBeVisible()
  await expect(page.locator('input[type=file]')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('button', { name: 'Upgrade to Pro' })).toBeEnabled()
  const ways = [
    ['Compare the plans', /\/onboarding$/],
    ['Create a single listing', /\/create-auto-part-listing$/],
    ['Back to Dashboard', /\/dashboard\/seller$/],
  ] as const
  for (const [name, address] of ways) {
    await page.getByRole('main').getByRole('link', { name }).click()
    await expect(page).toHaveURL(address)
    await page.goBack()
  }
})

test('an administrator may check a file as sellers do, compressed too, not import it', async ({ page }) => {
  await signIn(page, demo.admin)
  await page.goto(bulkImport)
  const { name, content } = stockFile(50, { bad: false })
  await chooseFile(page, { name: `${name}.gz`, content: gzipSync(content) })
  await page.getByRole('button', { name: 'Check rows' }).click()
  await expect(page.getByRole('heading', { name: 'All 50 rows are fine.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run import' })).toHaveCount(0)
})
