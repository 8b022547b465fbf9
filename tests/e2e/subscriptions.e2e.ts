import type { Page } from '@playwright/test'
import { expectAtStripe, holdWebhooks, pressAtStripe } from '#tests/e2e/support/payments.ts'
import { callApi, demo, signIn, signInAsNewPro, signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, goWithin, test } from '#tests/e2e/support/story.ts'

const dashboard = '/dashboard/seller'
const settings = '/dashboard/seller/account-settings'

async function expectPro(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/dashboard\/seller$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Pro command center' })).toBeVisible()
  await expect(page.getByText('Subscription: active')).toBeVisible()
}

/** The settings reload the status when a user returns to them. */
async function returnFromPortal(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Return to PartHarbor' }).click()
  await expect(page.getByText('Stripe status updated')).toBeVisible()
  await expect(page).toHaveURL(/\/account-settings$/)
}

test('a canceled checkout can be resumed, also from the bulk import upsell and from the chooser', {
  tag: '@long',
}, async ({ page }) => {
  await signInAsNewSeller(page)
  await page.goto(dashboard)
  await page.getByRole('button', { name: 'Upgrade to Pro', exact: true }).click()
  await expectAtStripe(page, 'checkout')
  const checkout = page.url()
  await page.getByRole('button', { name: 'Cancel' }).click()
  const told = "Upgrade canceled. You're still on Free. Try again when you're ready."
  await expect(page.getByRole('status').filter({ hasText: told })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/seller$/)
  await page.getByRole('button', { name: 'Upgrade to Pro (Unlock Ads)' }).click()
  await expectAtStripe(page, 'checkout')
  expect(page.url()).toBe(checkout)
  for (const path of ['create-bulk-auto-part-listing', 'create-listing']) {
    await page.goto(`${dashboard}/${path}`)
    await page.getByRole('main').getByRole('button', { name: 'Upgrade to Pro' }).click()
    await expectAtStripe(page, 'checkout')
  }
  await page.getByRole('button', { name: /^Pay / }).click()
  await expectPro(page)
  await page.goto(`${dashboard}/create-bulk-auto-part-listing`)
  await expect(page.locator('input[type=file]').first()).toBeAttached()
})

test('a later payment failure is past due until the invoice is paid; canceled Pro ends with its period', {
  tag: '@long',
}, async ({ page }) => {
  await signInAsNewPro(page)
  await page.goto(dashboard)
  await page.getByRole('button', { name: 'Manage Billing' }).click()
  await pressAtStripe(page, 'portal', 'The next payment fails')
  await expect(page.getByText('Past due')).toBeVisible()
  await returnFromPortal(page)

  const told = 'Your last payment failed. Update your card under Manage Billing to keep Pro.'
  await expect(page.getByRole('region', { name: 'Subscription' })).toContainText(told)
  await page.goto('/dashboard/user')
  await expect(page.getByText('past due', { exact: true })).toBeVisible()
  await page.goto(dashboard)
  await expect(page.getByText('Subscription: past due')).toBeVisible()
  const notice = page.getByRole('alert').filter({ hasText: told })
  await notice.getByRole('button', { name: 'Manage Billing' }).click()
  await pressAtStripe(page, 'portal', 'Pay the open invoice')
  await returnFromPortal(page)
  await page.goto(dashboard)
  await expectPro(page)
  await expect(notice).toHaveCount(0)

  await page.goto(settings)
  const card = page.getByRole('region', { name: 'Subscription' })
  await expect(card).toContainText('$149 per month')
  await card.getByRole('button', { name: 'Manage Billing' }).click()
  await pressAtStripe(page, 'portal', 'Cancel at the end of the period')
  await expect(page.getByText('Active, ends with the period')).toBeVisible()
  await returnFromPortal(page)
  await page.goto(dashboard)
  const ending = page.getByText(
    /^Pro until \w+ \d+, \d{4}\. After that, your listings stay live on the free plan\.$/,
  )
  await expect(ending).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Pro command center' })).toBeVisible()

  await page.getByRole('button', { name: 'Manage Billing' }).first().click()
  await pressAtStripe(page, 'portal', 'Let the period end now')
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible()
  await returnFromPortal(page)
  await page.goto(dashboard)
  await expect(page.getByText('Your Pro subscription has ended.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Seller Dashboard' })).toBeVisible()
  await page.goto(settings)
  await expect(card).toContainText('Free Seller')
  await expect(card.getByRole('button', { name: 'Upgrade to Pro' })).toBeVisible()
})

test('the success page waits for a payment; it confirms one whose webhooks are still on the way', {
  tag: '@long',
}, async ({ page, context }) => {
  const { token } = await signInAsNewSeller(page)
  const checkout = await callApi<{ sessionId: string; url: string }>(page, token, '/subscription/checkout')
  await test.step('an unconfirmed payment is polled, then pending', async () => {
    await page.clock.install()
    await page.goto(`/stripe/callback?session_id=${checkout.sessionId}`)
    await expect(page.getByRole('heading', { name: 'Waiting for Stripe’s confirmation' })).toBeVisible()
    // Half a minute of polling, with growing pauses.
    const pending = page.getByRole('heading', { name: 'Subscription confirmation is still pending.' })
    await expect(async () => {
      await page.clock.runFor(9_000)
      await expect(pending).toBeVisible({ timeout: 200 })
    }).toPass()
  })

  await test.step('a payment made in the meantime is confirmed without its webhooks, in both tabs', async () => {
    const other = await context.newPage()
    await other.goto(dashboard)
    await other.getByRole('button', { name: 'Upgrade to Pro', exact: true }).click()
    await expectAtStripe(other, 'checkout')
    expect(other.url()).toBe(checkout.url)
    await holdWebhooks(page, true)
    try {
      await other.getByRole('button', { name: /^Pay / }).click()
      await expectPro(other)
      await page.getByRole('button', { name: 'Check again' }).click()
      await expectPro(page)
    } finally {
      await holdWebhooks(page, false)
    }
    await expect
      .poll(async () => (await callApi<{ user: object }>(page, token, '/get-account-status')).user)
      .toMatchObject({ sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' })
    await other.reload()
    await expectPro(other)
  })
})

test('the demo’s Pro seller sees 87, 42 and 14%, their sources and a balance, and can go to the provider', async ({
  page,
}) => {
  await signIn(page, demo.pro)
  await page.goto(dashboard)
  const figures = page.getByRole('region', { name: 'Figures' })
  await expect(figures).toContainText(/Active Listings\s*87/)
  await expect(figures).toContainText(/Leads This Month\s*42/)
  await expect(figures).toContainText(/Conversion Rate\s*14%/)
  await expect(page.getByRole('button', { name: 'Configure campaign (Coming soon)' })).toBeDisabled()

  await goWithin(page, `${dashboard}/analytics`)
  await expect(page.getByRole('region', { name: 'Leads' })).toContainText('42')
  await expect(page.getByRole('region', { name: 'Conversion' })).toContainText('14%')
  await expect(page.getByRole('img', { name: /^Views by day, .* total/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Leads by day, .*: 42 total/ })).toBeVisible()
  const listings = page.getByRole('region', { name: 'By listing' })
  await expect(listings.getByRole('row')).toHaveCount(11)
  await expect(page.getByRole('region', { name: 'By category' }).getByRole('row').nth(1)).toBeVisible()
  await page.getByText('7 days', { exact: true }).click()
  await expect(page).toHaveURL(/days=7/)
  await expect(page.getByRole('img', { name: /^Leads by day/ })).toBeVisible()
  await page.getByText('Table', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Figures by day' }).getByRole('row')).toHaveCount(8)
  await lookAt(page, 'analytics-table', 'light')

  await goWithin(page, '/dashboard/user')
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance).toContainText(/Available\s*\$[1-9][\d,]*\.\d\d/)
  await expect(balance).toContainText(/Pending\s*\$[1-9][\d,]*\.\d\d/)
  await balance.getByRole('button', { name: 'Open Payout Settings' }).click()
  await expectAtStripe(page, 'settings')
})
