import { writeFile } from 'node:fs/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { signInAsNewPro } from '#tests/e2e/support/people.ts'
import { stockFile } from '#tests/e2e/support/stock-file.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

const bulkImport = '/dashboard/seller/create-bulk-auto-part-listing'

async function chooseStock(page: Page, rows: number): Promise<void> {
  const { name, content } = stockFile(rows, { bad: false })
  const path = test.info().outputPath(name)
  await writeFile(path, content)
  await page.locator('input[type=file]').first().setInputFiles(path)
  await expect(page.getByText(`${rows.toLocaleString('en-US')} rows`).first()).toBeVisible()
  // The check of a file without questions begins by itself.
  await expect(page.getByRole('tab', { name: 'Validate (Dry-run)', selected: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run import' })).toBeEnabled()
}

/** The connection is gone once so many chunks went through; `restore` brings it back. */
async function cutAfter(context: BrowserContext, chunks: number) {
  let left = chunks
  const sent: string[] = []
  await context.route('**/api/pro/bulk/parts/csv*', async (route) => {
    if (left === 0) return route.abort('connectionreset')
    left--
    const body = route.request().postDataBuffer()?.toString('latin1') ?? ''
    sent.push(/name="chunkIndex"\r\n\r\n(\d+)/.exec(body)?.[1] ?? '')
    return route.continue()
  })
  return {
    sent,
    restore(): void {
      left = Number.POSITIVE_INFINITY
    },
  }
}

async function sendUntilCut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run import' }).click()
  await expect(page.getByText('The connection was lost. Trying again…')).toBeVisible()
  await expect(page.getByText('If you close this page or lose your connection, open it again')).toBeVisible()
}

test('an import resumes by itself after a reload and sends only what is missing; another tab watches', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000)
  // The leave guard asks at a reload.
  page.on('dialog', (dialog) => void dialog.accept())
  await signInAsNewPro(page)
  await page.goto(bulkImport)
  await chooseStock(page, 1_250)
  const connection = await cutAfter(context, 1)
  await sendUntilCut(page)
  await expect(page).toHaveTitle(/^80% · Bulk Import/)
  await page.getByText('Details', { exact: true }).click()
  await expect(page.getByRole('group', { name: 'File chunks' })).toContainText('Staged1')

  const other = await context.newPage()
  await other.goto(`${bulkImport}?tab=run`)
  await expect(other.getByRole('heading', { name: 'A file is being uploaded in another tab' })).toBeVisible()
  await expect(other.getByText('1,000 of 1,250 rows')).toBeVisible()
  await other.close()

  await page.reload()
  connection.restore()
  await expect(page.getByRole('heading', { name: 'Your parts are live' })).toBeVisible({ timeout: 90_000 })
  expect(connection.sent.toSorted()).toEqual(['0', '1'])
  await expect(page.getByRole('region', { name: 'What this import did' })).toContainText('1,250')
})

test('a stopped import survives a reload and is withdrawn', { tag: '@long' }, async ({ page, context }) => {
  test.setTimeout(120_000)
  page.on('dialog', (dialog) => void dialog.accept())
  await signInAsNewPro(page)
  await page.goto(bulkImport)
  await chooseStock(page, 3_000)
  await cutAfter(context, 1)
  await sendUntilCut(page)
  await page.getByText('Details', { exact: true }).click()
  // The one that went through is answered while the other waits.
  await expect(page.getByRole('group', { name: 'File chunks' })).toContainText('Staged1')
  await page.getByRole('button', { name: 'Cancel' }).click()
  const stopped = page.getByRole('heading', { name: 'Upload stopped' })
  await expect(stopped).toBeFocused()
  await expect(page.getByText('1,000 of 3,000 rows uploaded.')).toBeVisible()
  await page.reload()
  await expect(stopped).toBeVisible()
  await page.getByRole('button', { name: 'Delete uploaded rows' }).click()
  await expect(page.getByRole('button', { name: 'Run import' })).toBeVisible()
  await page.getByRole('tab', { name: 'Results' }).click()
  await expect(page.getByText('Canceled').first()).toBeVisible()
})
