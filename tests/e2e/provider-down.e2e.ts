import type { Page } from '@playwright/test'
import { test } from '#tests/e2e/support/desk.ts'
import { callApi, signInAsNewPro, signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect } from '#tests/e2e/support/story.ts'

const dashboard = '/dashboard/seller'
const settings = '/dashboard/seller/account-settings'

// Each failure takes the seconds that the server allows the provider.
test.describe.configure({ timeout: 120_000 })

/** The button shows its own error and can be pressed again. */
async function expectToFail(page: Page, name: string, sentence: string): Promise<void> {
  const button = page.getByRole('main').getByRole('button', { name, exact: true }).first()
  await button.click()
  const toast = page.getByRole('alert').getByText(sentence, { exact: true })
  await expect(toast).toBeVisible({ timeout: 15_000 })
  await expect(button).toBeEnabled()
}

/** A seller on Free whom the provider knows, so that there is data to request. */
async function signInAsKnownSeller(page: Page): Promise<string> {
  const { token } = await signInAsNewSeller(page)
  await callApi(page, token, '/create-connect-account')
  const { sessionId } = await callApi<{ sessionId: string }>(page, token, '/subscription/checkout')
  return sessionId
}

// Each outage looks the same to the server, which knows only that no answer came (tests/api/billing-outage.test.ts).
test('while the provider is down, each button shows its own error and everything else works', async ({
  page,
  desk,
}) => {
  await signInAsNewPro(page)
  await desk.provider.goAway()
  await page.goto(settings)
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance.getByRole('alert')).toContainText('Unable to fetch Stripe balance')
  await expect(balance).toContainText('Stripe is not responding right now. Your money is safe.')
  await expectToFail(page, 'Open Payout Settings', 'Unable to open payout settings')
  await expectToFail(page, 'Manage Billing', 'Unable to open billing portal')
  await lookAt(page, 'provider-down-settings', 'light')
  await page.getByLabel('City', { exact: true }).fill('Tulsa')
  await page.getByRole('button', { name: 'Save listing defaults' }).click()
  await expect(page.getByText('Listing defaults saved')).toBeVisible()

  await desk.provider.heal()
  await balance.getByRole('button', { name: 'Retry' }).click()
  await expect(balance).toContainText('$0.00')
  await expect(balance.getByRole('alert')).toHaveCount(0)
})

test('while the provider hangs, the account overview loads, and shows an error after ten seconds', {
  tag: '@long',
}, async ({ page, desk }) => {
  await signInAsNewPro(page)
  await desk.provider.fail('hang')
  await page.goto('/dashboard/user')
  await page.getByRole('button', { name: 'Refresh Stripe Status' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome, Dana')
  await expect(page.getByRole('button', { name: 'Open Payout Settings' })).toBeDisabled()
  await expect(page.getByRole('main').getByText('Pro Seller', { exact: true })).toBeVisible()
  await expect(page.getByText('List your first part')).toBeVisible()
  const toast = page.getByRole('alert').getByText('Unable to refresh Stripe status', { exact: true })
  await expect(toast).toBeVisible({ timeout: 20_000 })
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance.getByRole('alert')).toContainText('Unable to fetch Stripe balance')
  await expect(page.getByRole('button', { name: 'Open Payout Settings' })).toBeEnabled()
  await lookAt(page, 'provider-down-account')
  await desk.provider.heal()
})

test('while the provider fails, each button of a free seller shows its own error', {
  tag: '@long',
}, async ({ page, desk }) => {
  const sessionId = await signInAsKnownSeller(page)
  await desk.provider.fail(500)
  await page.goto('/onboarding')
  await expectToFail(page, 'Continue with Free', 'Unable to start free onboarding')
  await expectToFail(page, 'Continue with Pro', 'Unable to start checkout')
  await page.goto(dashboard)
  await expectToFail(page, 'Continue with Stripe', 'Unable to start free onboarding')
  await expectToFail(page, 'Resume onboarding', 'Unable to resume Stripe onboarding')
  await expectToFail(page, 'Refresh Status', 'Unable to refresh Stripe status')
  await expectToFail(page, 'Upgrade to Pro', 'Unable to upgrade right now')
  await lookAt(page, 'provider-down-free')
  await page.goto('/stripe/refresh')
  await expect(page.getByRole('alert')).toContainText('Unable to resume Stripe onboarding')

  await page.clock.install()
  await page.goto(`/stripe/callback?session_id=${sessionId}`)
  const failed = page.getByRole('heading', { name: 'Unable to verify subscription' })
  await expect(async () => {
    await page.clock.runFor(9_000)
    await expect(failed).toBeVisible({ timeout: 200 })
  }).toPass()
  await lookAt(page, 'provider-down-callback')

  await desk.provider.heal()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByRole('heading', { name: 'Waiting for Stripe’s confirmation' })).toBeVisible()
})
