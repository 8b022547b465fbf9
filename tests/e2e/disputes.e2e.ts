import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { buy, makeOnlineYard } from '#tests/e2e/support/online-yard.ts'
import { chargeOf, control } from '#tests/e2e/support/payments.ts'
import { signIn } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, goWithin, test } from '#tests/e2e/support/story.ts'

// Payments, jobs and mails take their time one after the other.
test.describe.configure({ timeout: 180_000 })

/** Reads the page again until the provider's news has arrived. */
async function untilShown(page: Page, text: string | RegExp): Promise<void> {
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(text).first()).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
}

async function addPicture(page: Page, token: string, id: string): Promise<void> {
  const buffer = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#567' } })
    .jpeg()
    .toBuffer()
  const reply = await page.request.post(`/api/listings/${id}/pictures`, {
    headers: { authorization: `Bearer ${token}` },
    multipart: { image: { name: 'part.jpg', mimeType: 'image/jpeg', buffer } },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
}

test('a bank disputes an order; the yard answers, an administrator sends the evidence, and the dispute is lost', async ({
  page,
  browser,
  baseURL,
}) => {
  const { person, parts, token } = await makeOnlineYard(page, 1, {}, 'instant')
  await addPicture(page, token, parts[0]?.id ?? '')
  const bought = await buy(page, parts[0]?.partslug ?? '')
  await signIn(page, person)
  await page.goto(`/dashboard/seller/orders/${bought.id}`)
  await untilShown(page, /Ship the part/)
  await page.getByRole('button', { name: /^Ship/ }).click()
  const shipping = page.getByRole('dialog', { name: 'Ship the part' })
  await shipping.getByLabel('Carrier').selectOption('UPS')
  await shipping.getByLabel(/^Tracking number/).fill('1Z999AA10123456784')
  await shipping.getByRole('button', { name: 'Mark as shipped' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Order shipped' })).toBeVisible()

  const disputed = await control<{ id: string }>(page, '/disputes', {
    charge: await chargeOf(page, bought.id),
    reason: 'product_not_received',
  })
  await goWithin(page, '/dashboard/seller/orders')
  await untilShown(page, 'Tell us about the dispute')
  await goWithin(page, `/dashboard/seller/orders/${bought.id}`)
  const card = page.getByRole('region', { name: 'Dispute' })
  await expect(card).toContainText('the part did not arrive')
  await card.getByRole('button', { name: 'Send answer' }).click()
  await expect(card.getByText('Answer is required')).toBeVisible()
  await card
    .getByLabel('What happened?')
    .fill('UPS delivered it on Tuesday; the driver took a picture of the porch.')
  await lookAt(page, 'yard-dispute')
  await card.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Answer saved' })).toBeVisible()

  const office = await (await browser.newContext({ ...(baseURL && { baseURL }), locale: 'en-US' })).newPage()
  await signInAsAdmin(office)
  await office.goto('/dashboard/admin/orders')
  const waiting = office.getByRole('region', { name: /^Needs attention/ })
  await expect(waiting.getByRole('listitem').first()).toContainText('Disputed: send the evidence by')
  await waiting.getByRole('link', { name: bought.number }).click()
  const evidence = office.getByRole('form', { name: 'Evidence' })
  await expect(evidence.getByLabel('Tracking number')).toHaveValue('1Z999AA10123456784')
  await expect(evidence.getByLabel('What happened')).toHaveValue(/took a picture of the porch/)
  await evidence.getByLabel('Terms that the buyer accepted').fill('30-day returns, shown before paying.')
  const photos = office.getByRole('group', { name: 'These photos go to the bank' })
  await expect(photos.getByRole('img')).toBeVisible()
  await expect(photos.getByRole('checkbox', { name: /the seller’s picture in the listing/ })).toBeChecked()
  await lookAt(office, 'dispute-evidence')
  await evidence.getByRole('button', { name: 'Save without sending' }).click()
  await expect(office.getByRole('status').filter({ hasText: 'Evidence saved' })).toBeVisible()
  await evidence.getByRole('button', { name: 'Send evidence' }).click()
  await office.getByRole('dialog').getByRole('button', { name: 'Send evidence' }).click()
  await expect(office.getByRole('region', { name: 'Dispute' })).toContainText('The bank is deciding')
  await expect(evidence).toHaveCount(0)
  await lookAt(office, 'dispute-sent')

  await page.goto(`/orders#${bought.token}`)
  await expect(page.getByText(/Your bank is checking this payment/).first()).toBeVisible()
  await lookAt(page, 'buyer-disputed')

  await control(page, '/disputes/close', { dispute: disputed.id, outcome: 'lost' })
  await untilShown(office, 'Lost dispute')
  await expect(office.getByText(/the bank gave \$\d+(\.\d\d)? back to Ruth/).first()).toBeVisible()
  await lookAt(office, 'dispute-lost')
  await office.context().close()
  await page.goto(`/dashboard/seller/orders/${bought.id}`)
  await expect(page.getByText('Lost dispute', { exact: true })).toBeVisible()
  await lookAt(page, 'yard-dispute-lost', 'light')
})
