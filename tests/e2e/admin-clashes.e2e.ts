import type { Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { cellOf, openBulkEdit, writeCell } from '#tests/e2e/support/bulk-edit.ts'
import { makeParts, type PartsOfASeller } from '#tests/e2e/support/parts-of-a-seller.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

/** What the seller does to the first part while an admin has it in hand. */
const bySeller = (page: Page, { token, parts }: PartsOfASeller) => {
  const path = `/api/seller/parts/${parts[0]?.id}`
  const headers = { authorization: `Bearer ${token}` }
  return {
    change: async (data: object) =>
      expect((await page.request.put(path, { headers, data })).status()).toBe(200),
    remove: async () => expect((await page.request.delete(path, { headers })).status()).toBe(200),
  }
}

async function openForm(page: Page, { parts }: PartsOfASeller): Promise<void> {
  await page.goto(`/dashboard/admin/manage-products/auto-parts/${parts[0]?.partslug}/edit`)
  await expect(page.locator('[name=partname]')).toHaveValue(parts[0]?.partname ?? '')
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

test('B8 what the seller changed meanwhile is kept, what both changed is told, and nothing typed is lost', async ({
  page,
}) => {
  const stock = await makeParts(page, 1)
  await signInAsAdmin(page)
  await openForm(page, stock)
  await bySeller(page, stock).change({ partprice: '61', zipcode: '74104' })
  await page.locator('[name=partprice]').fill('77.50')
  await page.locator('[name=partshipping]').fill('Free')
  await page.locator('[name=partdamage]').fill('Small dent')
  await save(page)
  const notice = page.getByRole('alert').filter({ hasText: 'This listing was changed since you opened it' })
  await expect(notice).toBeFocused()
  await expect(notice).toContainText(`It was changed by ${stock.person.name} on `)
  await expect(page.locator('[name=partprice]')).toHaveValue('77.50')
  await notice.getByRole('button', { name: 'Keep my changes' }).click()

  const both = page.getByRole('alert').filter({ hasText: 'You both changed the same fields' })
  await expect(both.getByRole('listitem')).toHaveText(['Price: theirs 61.00, yours 77.50'])
  await expect(page.locator('[name=zipcode]')).toHaveValue('74104')
  await expect(page.locator('[name=partdamage]')).toHaveValue('Small dent')
  await save(page)
  await expect(page.getByText('Listing updated')).toBeVisible()
  const now = await page.request.get(`/api/auto-part/${stock.parts[0]?.partslug}`)
  expect(await now.json()).toMatchObject({
    partprice: 77.5,
    partshipping: 0,
    zipcode: '74104',
    partdamage: 'Small dent',
  })
})

test('B9 the listing that is being edited was deleted: the text stays, and there is a way on', async ({
  page,
}) => {
  const stock = await makeParts(page, 1)
  await signInAsAdmin(page)
  await openForm(page, stock)
  await bySeller(page, stock).remove()
  await page.locator('[name=partdescription]').fill('A long text that nobody wants to write again.')
  await save(page)
  const notice = page.getByRole('alert').filter({ hasText: 'This listing was deleted' })
  await expect(notice).toContainText('Only the seller can restore the listing.')
  await expect(page.locator('[name=partdescription]')).toHaveValue(/^A long text/)
  await notice.getByRole('link', { name: 'Go to the list' }).click()
  await page.getByRole('button', { name: 'Leave page' }).click()
  await expect(page).toHaveURL(/manage-products(\?|$)/)
})

test('B9 a deleted row of a bulk edit says so, and its changes can be dropped alone', async ({ page }) => {
  const stock = await makeParts(page, 2)
  await signInAsAdmin(page)
  const grid = await openBulkEdit(page, stock.word, 2)
  await bySeller(page, stock).remove()
  await writeCell(grid, 1, 'Price', '51')
  await writeCell(grid, 2, 'Price', '52')
  await page.getByRole('button', { name: 'Save 2 change(s)' }).click()
  await expect(page.getByText('Updated 1 item(s)')).toBeVisible()
  await expect(cellOf(grid, 1, 'Errors')).toContainText('This listing was deleted')
  await cellOf(grid, 1, 'Errors').getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('No pending changes')).toBeVisible()
})

test('the first column stays in sight while the others are scrolled sideways, and the filter is exported', async ({
  page,
}) => {
  const { word } = await makeParts(page, 3)
  await signInAsAdmin(page)
  await page.setViewportSize({ width: 900, height: 800 })
  const grid = await openBulkEdit(page, word, 3)
  const left = async () => (await cellOf(grid, 1, 'Year').boundingBox())?.x
  const before = await left()
  await cellOf(grid, 1, 'Year').click()
  await grid.press('End')
  await expect(cellOf(grid, 1, 'More')).toBeInViewport()
  expect(await grid.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100)
  expect(await left()).toBe(before)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^auto-parts-.*\.csv$/)
})
