import { expectAtStripe, pressAtStripe } from '#tests/e2e/support/payments.ts'
import { signInAsNewSeller, stranger } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, goWithin, test } from '#tests/e2e/support/story.ts'

const dashboard = '/dashboard/seller'

test('a visitor registers, continues with Free, has payouts verified, and buys Pro after a declined card', async ({
  page,
}) => {
  const person = stranger()
  await page.goto('/register')
  await page.getByLabel('Name', { exact: true }).fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page).toHaveURL(/\/onboarding$/)
  await expect(page.getByRole('listitem').filter({ hasText: /^Complete Stripe onboarding$/ })).toBeVisible()

  await page.getByRole('button', { name: 'Continue with Free' }).click()
  await expectAtStripe(page, 'onboarding')
  await lookAt(page, 'provider-onboarding', 'light')
  await page.getByRole('button', { name: 'Leave unfinished' }).click()
  await expect(page.getByRole('heading', { name: 'Finish your payout onboarding' })).toBeVisible()
  await page.getByRole('button', { name: 'Resume onboarding' }).click()
  await pressAtStripe(page, 'onboarding', 'Complete')
  await expect(page.getByRole('status').filter({ hasText: 'Payouts verified' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/seller$/)
  await expect(page.getByRole('heading', { name: 'Payouts verified' })).toBeVisible()
  const payouts = page.getByRole('region', { name: 'Payouts' })
  await expect(payouts).toContainText('verified')

  await goWithin(page, '/dashboard/user')
  await expect(page.getByRole('link', { name: 'My Seller Dashboard' })).toBeVisible()
  const snapshot = page.getByRole('main')
  await expect(snapshot.getByText('Free Seller', { exact: true })).toBeVisible()
  await expect(snapshot.getByText('Active', { exact: true })).toBeVisible()

  await goWithin(page, '/onboarding?plan=pro')
  await expect(page.getByRole('img', { name: 'done' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue with Pro' }).click()
  await expectAtStripe(page, 'checkout')
  await expect(page.getByText('$149.00 a month')).toBeVisible()
  await page.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByRole('alert')).toContainText('Your card was declined.')
  await page.getByRole('button', { name: 'Pay $149.00' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Pro Seller unlocked' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/seller$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Pro command center' })).toBeVisible()
  await expect(page.getByText('Subscription: active')).toBeVisible()
  await goWithin(page, '/onboarding')
  await expect(page.getByText('This is your plan.')).toBeVisible()
})

test('payout onboarding is left unfinished and resumed, with a used link too; verified in another tab; rejected', {
  tag: '@long',
}, async ({ page, context }) => {
  await signInAsNewSeller(page)
  await page.goto('/dashboard/user')
  await expect(page.getByRole('link', { name: 'Become a Seller', exact: true })).toBeVisible()
  await page.goto(dashboard)
  await page.getByRole('button', { name: 'Continue with Stripe' }).click()
  await expectAtStripe(page, 'onboarding')
  await page.getByRole('button', { name: 'Leave unfinished' }).click()
  const told = page.getByRole('status').filter({ hasText: 'Payout onboarding is not finished yet.' })
  await expect(told).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Finish your payout onboarding' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Payouts' })).toContainText('in progress')

  // The provider redirects anyone with a used link to this page.
  await page.goto('/stripe/refresh')
  await expectAtStripe(page, 'onboarding')
  await page.goto(dashboard)
  await page.getByRole('button', { name: 'Resume onboarding' }).click()
  await pressAtStripe(page, 'onboarding', 'Submit (review takes longer)')
  await expect(page.getByText('You sent everything. Stripe is reviewing it.').first()).toBeVisible()
  const desk = await context.newPage()
  await desk.goto(dashboard)
  await expect(desk.getByRole('heading', { name: 'Finish your payout onboarding' })).toBeVisible()
  await page.getByRole('button', { name: 'Resume onboarding' }).click()
  await pressAtStripe(page, 'onboarding', 'Complete')
  await expect(page.getByRole('heading', { name: 'Payouts verified' })).toBeVisible()
  await desk.getByRole('button', { name: 'Refresh Status' }).click()
  await expect(desk.getByRole('status').filter({ hasText: 'Stripe status updated' })).toBeVisible()
  await expect(desk.getByRole('heading', { name: 'Payouts verified' })).toBeVisible()
  await desk.close()

  await signInAsNewSeller(page)
  await page.goto('/dashboard/seller/account-settings')
  const card = page.getByRole('region', { name: 'Payout onboarding' })
  await expect(card).toContainText('not started')
  await card.getByRole('button', { name: 'Resume onboarding' }).click()
  await pressAtStripe(page, 'onboarding', 'Reject')
  await expect(
    page.getByRole('alert').filter({ hasText: 'Stripe declined this payout account' }),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Payouts' })).toContainText('rejected')
  await page.getByRole('link', { name: 'Contact support' }).click()
  await expect(page).toHaveURL(/\/support$/)
})
