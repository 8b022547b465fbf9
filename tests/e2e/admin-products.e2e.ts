import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { makeParts, type PartsOfASeller } from '#tests/e2e/support/parts-of-a-seller.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

const manageProducts = '/dashboard/admin/manage-products'

/** What the seller does to the first part while an admin is editing it. */
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

test('an admin finds any listing, exports the results, edits, hides and shows it, and reads its history', async ({
  page,
}) => {
  const { user } = await signInAsAdmin(page)
  const { word, parts } = await makeParts(page, 9, { partdamage: '=1+1' })
  await page.goto(manageProducts)
  await page.getByLabel('Search').first().fill(word)
  const turner = page.getByRole('navigation', { name: 'Pages, above the list' })
  await expect(turner).toContainText('Page 1 of 3 — 9 total')
  await turner.getByLabel('Go to page').fill('99')
  await turner.getByLabel('Go to page').press('Enter')
  await expect(turner).toContainText('Page 3 of 3')
  await expect(page.getByRole('article')).toHaveCount(1)
  await turner.getByRole('button', { name: 'Prev' }).click()
  await expect(page.getByRole('article')).toHaveCount(4)
  await turner.getByLabel('Per page').selectOption('12')
  await expect(turner).toContainText('Page 1 of 1 — 9 total')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^auto-parts-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(10)
  for (const { partnum } of parts) expect(lines.join('\n')).toContain(partnum)
  expect(lines[1]).toContain("'=1+1")

  const number = parts[4]?.partnum ?? ''
  await page.getByLabel('Search').first().fill(number.replaceAll('-', '').toLowerCase())
  const card = page.getByRole('article').filter({ hasText: number })
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(card).toContainText('(918) 555-0142')
  await card.getByRole('link', { name: /^Update/ }).click()
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await expect(crumbs).toContainText('Manage Current Listing')
  await expect(crumbs.getByRole('link', { name: 'Manage All Auto Part Listings' })).toBeVisible()
  await page.locator('[name=partprice]').fill('77.50')
  const listed = page.waitForResponse((reply) => reply.url().includes('/api/admin/parts?'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Listing updated')).toBeVisible()
  // The list in its previous state, read again: a card that is replaced meanwhile would miss a click.
  await expect(page).toHaveURL(/manage-products\?(?=.*q=)(?=.*perPage=12)/)
  await listed

  await expect(card).toContainText('$77.50')
  await card.getByRole('button', { name: /^Hide/ }).click()
  await expect(page.getByText('Listing hidden')).toBeVisible()
  await expect(card).toContainText(/hidden/i)
  const slug = parts[4]?.partslug
  expect((await page.request.get(`/api/auto-part/${slug}`)).status()).toBe(404)
  await card.getByRole('button', { name: /^Show/ }).click()
  await expect(page.getByText('Listing shown')).toBeVisible()
  expect((await page.request.get(`/api/auto-part/${slug}`)).status()).toBe(200)

  await card.getByRole('link', { name: /^Update/ }).click()
  await page.getByRole('link', { name: 'History' }).click()
  const changes = page.getByRole('article', { name: 'Edit listing' })
  await expect(changes.getByRole('row', { name: 'Status HIDDEN ACTIVE' })).toBeVisible()
  await expect(changes.getByRole('row', { name: 'Status ACTIVE HIDDEN' })).toBeVisible()
  const edited = changes.filter({ has: page.getByRole('row', { name: 'Price $45.00 $77.50' }) })
  await expect(edited).toContainText(user.name)
  await expect(page.getByText(/^Created /)).toBeVisible()
})

// The same form and rules as a seller's own (selling.e2e.ts), with two who both changed fields.
test('the seller’s concurrent changes are kept and conflicts are shown; a deleted listing keeps the typed text', {
  tag: '@long',
}, async ({ page }) => {
  await signInAsAdmin(page)
  const stock = await makeParts(page, 1)
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
