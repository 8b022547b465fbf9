import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { demo, signIn, signInAsNewPro } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, test } from '#tests/e2e/support/story.ts'
import {
  ebayExport,
  europeanFile,
  type OddFile,
  packedPipes,
  reportFile,
  unicodeText,
  workbookFile,
} from '#tests/support/odd-stock.ts'

const bulkImport = '/dashboard/seller/create-bulk-auto-part-listing'
const MOST_CLICKS = 6

type Effort = { clicks: number; typed: number }
declare global {
  interface Window {
    effort?: Effort
  }
}

/** Counts a person’s work from here on, as the page sees it: mouse presses and typed input. */
async function countEffort(page: Page): Promise<() => Promise<Effort>> {
  await page.evaluate(() => {
    const effort = { clicks: 0, typed: 0 }
    window.effort = effort
    window.addEventListener('pointerdown', () => effort.clicks++, true)
    window.addEventListener('keydown', () => effort.typed++, true)
    window.addEventListener(
      'input',
      ({ target }) => {
        const isChoice =
          target instanceof HTMLInputElement && ['radio', 'checkbox', 'file'].includes(target.type)
        if (!isChoice) effort.typed++
      },
      true,
    )
  })
  // A reload clears it, and then the count is invalid.
  return () => page.evaluate(() => window.effort ?? { clicks: Number.NaN, typed: Number.NaN })
}

/** As from the desktop, onto wherever the mouse is. */
async function drop(page: Page, { name, content }: OddFile): Promise<void> {
  const carried = await page.evaluateHandle(
    ([fileName = '', bytes = '']) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))], fileName))
      return transfer
    },
    [name, Buffer.from(content).toString('base64')],
  )
  for (const kind of ['dragenter', 'dragover', 'drop']) {
    await page.locator('h1').dispatchEvent(kind, { dataTransfer: carried })
  }
}

const newMark = () => `lot${randomBytes(4).toString('hex')}`
const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true, selected: true })

async function goToTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click()
  await expect(openTab(page, name)).toBeVisible()
}

/** One part of a listing file, whose fitment rows name vehicles of several models and years. */
function ebayPartOfManyCars(mark: string): OddFile {
  const number = mark.slice(3).toUpperCase()
  const lines = [
    '*Action(SiteID=eBayMotors|Country=US|Currency=USD|Version=1193),CustomLabel,*Title,Relationship,RelationshipDetails,*StartPrice,*ConditionID,C:Type,C:Manufacturer Part Number',
    `Add,EB-${number},2014 Toyota Camry Alternator,,,85.00,3000,Alternator,27060-${number}`,
    ...[
      'Year=2014|Make=Toyota|Model=Camry',
      'Year=2015|Make=Toyota|Model=Camry',
      'Year=2015|Make=Toyota|Model=Corolla',
    ].map((vehicle) => `,,,Compatibility,${vehicle},,,,`),
  ]
  return { name: 'ebay-one.csv', content: Buffer.from(lines.join('\r\n')) }
}

interface OddStock {
  what: string
  make: (mark: string) => OddFile | Promise<OddFile>
  told: string[]
  fine?: string
}

const european: OddStock = {
  what: 'semicolons, Windows-1252 and decimal commas',
  make: europeanFile,
  told: ['The cells of the file are separated by semicolons.'],
}
const oddFiles: OddStock[] = [
  { what: 'tabs in UTF-16', make: unicodeText, told: ['UTF-16'] },
  {
    what: 'lines above the header, dollars with commas, totals at the end',
    make: reportFile,
    told: ['header in row 4'],
  },
  { what: 'a workbook that lost the zeros of its zips', make: workbookFile, told: [] },
  { what: 'pipes, compressed', make: packedPipes, told: ['vertical bars'] },
  {
    what: 'an eBay listing file with several vehicles per part',
    make: ebayPartOfManyCars,
    told: ['This is your eBay file. We know how to read it, with the template'],
    fine: 'The row is good.',
  },
]

/** From the drop on an open page to the end of the dry run. */
async function checkOddFile(
  page: Page,
  { make, told, fine = 'All 60 rows are good.' }: OddStock,
): Promise<void> {
  await expect(openTab(page, 'Guide')).toBeVisible()
  const effort = await countEffort(page)
  await drop(page, await make(newMark()))
  // A straight file is checked by itself, any other opens its columns.
  await expect(openTab(page, 'Guide')).toBeHidden()
  const opensColumns = await openTab(page, 'Template / Mapping').isVisible()
  for (const words of told) await expect(page.getByText(words).first()).toBeVisible()
  if (opensColumns) await page.getByRole('button', { name: 'Check rows' }).click()
  await expect(page.getByRole('heading', { name: fine })).toBeVisible()
  const { clicks, typed } = await effort()
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS)
  expect(typed).toBe(0)
}

test('odd files of many programs go from drop to a finished dry run in a few clicks, with no typing', {
  tag: '@long',
}, async ({ page }) => {
  test.setTimeout(120_000)
  await signIn(page, demo.pro)
  page.on('dialog', (question) => void question.accept())
  for (const file of oddFiles) {
    await test.step(file.what, async () => {
      await page.goto(bulkImport)
      await checkOddFile(page, file)
    })
  }
})

test('after a European file was only checked, an eBay export is recognized, is published with the vehicles its parts fit, and is undone', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await signInAsNewPro(page)
  await page.goto(bulkImport)
  await test.step(european.what, () => checkOddFile(page, european))
  const mark = newMark()
  await drop(page, ebayExport(mark))
  await expect(
    page.getByText('This is your eBay file. We know how to read it, with the template'),
  ).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Template' })).toHaveValue(
    'eBay Motors File Exchange / Seller Hub',
  )
  await lookAt(page, 'import-mapping')
  for (const tab of ['Defaults', 'Upload', 'Run Import']) {
    await goToTab(page, tab)
    await lookAt(page, `import-${tab.split(' ')[0]?.toLowerCase()}`, 'light')
  }
  await goToTab(page, 'Template / Mapping')
  await page.getByRole('button', { name: 'Check rows' }).click()
  await expect(page.getByRole('heading', { name: 'All 5 rows are good.' })).toBeVisible()
  await lookAt(page, 'import-validate')

  await page.getByRole('button', { name: 'Run import' }).click()
  await expect(page.getByRole('heading', { name: 'Your parts are live' })).toBeVisible({ timeout: 90_000 })
  await lookAt(page, 'import-results')

  const found = `/parts?${new URLSearchParams({ q: mark })}`
  const shop = await page.context().newPage()
  await shop.goto(found)
  await expect(shop.getByText(/^5 product\(s\) found/).first()).toBeVisible()
  await shop
    .getByRole('article')
    .filter({ hasText: `27060-${mark.toUpperCase()}-1` })
    .getByRole('link', { name: /Headlight/ })
    .first()
    .click()
  await expect(shop.getByRole('main')).toContainText('From a 2011–2012 Ford F-150')
  await shop.close()

  await page.getByRole('button', { name: 'Undo this import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('heading', { name: 'This import was undone' })).toBeVisible({
    timeout: 60_000,
  })
  await lookAt(page, 'import-undone', 'light')
  expect(await (await page.request.get(found)).text()).toContain('No parts found')
})
