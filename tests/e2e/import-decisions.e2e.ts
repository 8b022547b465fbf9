import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { signInAsNewPro } from '#tests/e2e/support/people.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

/* A yard's first days: it sees its parts before they are live, says what its columns mean, and never again. */

const bulkImport = '/dashboard/seller/create-bulk-auto-part-listing'

/** A yard in Mexico: prices in pesos, and a status that nobody else knows. */
function yard() {
  const mark = randomBytes(3).toString('hex').toUpperCase()
  const line = (n: number, pesos: number) => [
    `${mark}-${n}`,
    2012,
    'Toyota',
    'Camry',
    'Alternator',
    `27060-${mark}${n}`,
    pesos,
    '84000',
    n % 10 === 0 ? 'ZZ' : 'AA',
  ]
  const header = 'Stock #,Year,Make,Model,Part Type,Part #,Precio (MXN),Miles,Status'
  const file = (rows: readonly (readonly unknown[])[]) =>
    [header, ...rows.map((row) => row.join(','))].join('\r\n')
  const stock = (from: number, to: number, more = 0) =>
    Array.from({ length: to - from }, (_, at) => line(from + at, 1_000 + 10 * (from + at) + more))
  return { mark, file, stock }
}

async function chooseFile(page: Page, name: string, content: string): Promise<void> {
  const path = test.info().outputPath(name)
  await writeFile(path, content)
  await page.locator('input[type=file]').first().setInputFiles(path)
}

const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true, selected: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function untilLive(page: Page): Promise<void> {
  await expect(openTab(page, 'Results')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('heading', { name: 'Your parts are live' })).toBeVisible({ timeout: 60_000 })
}

test('a yard answers two questions on its first day, one on the second and none on the third', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await signInAsNewPro(page)
  const { mark, file, stock } = yard()
  await page.goto(bulkImport)
  await chooseFile(page, `${mark}-1.csv`, file(stock(0, 30)))
  await expect(openTab(page, 'Guide')).toBeHidden()
  if (await openTab(page, 'Template / Mapping').isVisible()) await press(page, 'Check rows')
  await expect(openTab(page, 'Validate (Dry-run)')).toBeVisible()
  const run = page.getByRole('button', { name: 'Run import' })
  await expect(run).toBeDisabled()
  // With the keyboard alone.
  const rate = page.getByRole('radio', { name: /rate/ })
  await rate.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.type('0.05')
  await expect(page.getByText(/1 MXN = 0\.05 dollars\. “1000” is listed at \$50\.00\./)).toBeVisible()
  await page.getByRole('checkbox', { name: 'AA (27 rows)' }).focus()
  await page.keyboard.press('Space')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSeriousAxe(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await press(page, 'Use these answers')

  const cards = page.getByRole('region', { name: 'Is this right?' })
  await expect(cards.getByRole('listitem')).toHaveCount(5)
  await expect(cards.getByRole('listitem').first()).toContainText('$64.50')
  await expect(run).toBeEnabled()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoSeriousAxe(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
  const form = page.getByRole('form', { name: 'Where are these parts?' })
  await form.getByLabel('Town').fill('Nogales')
  await form.getByLabel('State').fill('AZ')
  await form.getByLabel('Phone').fill('520 555 0142')
  await form.getByLabel('Name of your yard').fill('Deshuesadero Sol')
  await form.getByRole('button', { name: 'Use for these parts' }).click()
  await expect(cards.getByRole('listitem').first()).toContainText('Nogales, AZ')
  await expect(form).toBeHidden()
  await cards.getByRole('button', { name: '$64.50', exact: true }).click()
  await expect(page.locator('#column-partprice')).toBeFocused()
  await page.getByRole('tab', { name: 'Validate (Dry-run)' }).click()
  await run.click()
  await untilLive(page)

  await page.goto(bulkImport)
  // The next day: two are gone, two are new, the others cost more.
  await chooseFile(page, `${mark}-2.csv`, file(stock(3, 33, 100)))
  await expect(openTab(page, 'Run Import')).toBeVisible()
  await press(page, 'All of my stock')
  await expect(page.getByText(/Mexican pesos at 0\.05/)).toBeVisible()
  await expect(page.getByText('2 new, 25 change, 2 end.')).toBeVisible()
  await run.click()
  await untilLive(page)

  await page.goto(bulkImport)
  await chooseFile(page, `${mark}-3.csv`, file(stock(5, 35, 100)))
  // The check of a file that is known begins by itself.
  await expect(page.getByText(/\d end\.$/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Is this all of your stock, or additions?' })).toBeHidden()
  await run.click()
  await untilLive(page)
})
