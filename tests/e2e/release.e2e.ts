import type { Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { buy, makeOnlineYard } from '#tests/e2e/support/online-yard.ts'
import { signIn } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, goWithin, test } from '#tests/e2e/support/story.ts'

// Payments, jobs and mails take their time one after the other.
test.describe.configure({ timeout: 180_000 })

async function untilShown(page: Page, text: string | RegExp): Promise<void> {
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(text).first()).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
}

test('a yard sees when it gets the money of a delivered part; an administrator sees that the books agree', async ({
  page,
  browser,
  baseURL,
}) => {
  const { person, parts } = await makeOnlineYard(page, 1, {}, 'instant')
  const bought = await buy(page, parts[0]?.partslug ?? '')
  await signIn(page, person)
  await page.goto(`/dashboard/seller/orders/${bought.id}`)
  await untilShown(page, /Ship the part/)
  await expect(
    page.getByText(
      /^We release \$\d+.* 14 days after delivery, because these are your first 5 sales here\.$/,
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: /^Ship/ }).click()
  const shipping = page.getByRole('dialog', { name: 'Ship the part' })
  await shipping.getByLabel('Carrier').selectOption('UPS')
  await shipping.getByRole('button', { name: 'Mark as shipped' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Order shipped' })).toBeVisible()

  const received = await page.request.post('/api/orders/received', { data: { token: bought.token } })
  expect(received.ok(), await received.text()).toBe(true)
  await untilShown(page, /^We release \$\d+(\.\d\d)? on \w{3}, \w{3} \d+/)
  const way = page.getByRole('list', { name: 'The way of the money' })
  await expect(way.getByRole('listitem').first()).toContainText('Paid by the buyer')
  await expect(way).toContainText('Next: Released')
  await lookAt(page, 'yard-money-path')

  await goWithin(page, '/dashboard/seller/orders')
  await page.getByRole('link', { name: 'Payouts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Waiting' })).toContainText(bought.number)
  await expect(page.getByRole('region', { name: 'Paid to your bank' })).toContainText('No payouts yet.')
  await lookAt(page, 'yard-payouts')

  const office = await (await browser.newContext({ ...(baseURL && { baseURL }), locale: 'en-US' })).newPage()
  await signInAsAdmin(office)
  await office.goto('/dashboard/admin/orders')
  await office.getByRole('link', { name: 'Books' }).click()
  await expect(office.getByRole('heading', { level: 1, name: 'Books' })).toBeVisible()
  await expect(office.getByRole('region', { name: /^Waiting transfers/ })).toContainText('None waits.')
  await lookAt(office, 'admin-books')
  await office.context().close()
})
