import type { Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
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

test('B8 what the seller changed meanwhile is kept, what both changed is told; B9 a deleted listing leaves the text', async ({
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

  await openForm(page, stock)
  await bySeller(page, stock).remove()
  await page.locator('[name=partdescription]').fill('A long text that nobody wants to write again.')
  await save(page)
  const deleted = page.getByRole('alert').filter({ hasText: 'This listing was deleted' })
  await expect(deleted).toContainText('Only the seller can restore the listing.')
  await expect(page.locator('[name=partdescription]')).toHaveValue(/^A long text/)
  await deleted.getByRole('link', { name: 'Go to the list' }).click()
  await page.getByRole('button', { name: 'Leave page' }).click()
  await expect(page).toHaveURL(/manage-products(\?|$)/)
})
