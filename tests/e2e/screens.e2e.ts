import type { Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { cellOf, findBulkEdit, writeCell } from '#tests/e2e/support/bulk-edit.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { callApi, demo, newSeller, signIn, signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, goWithin, hydrated, test } from '#tests/e2e/support/story.ts'

/*
 * Every screen, checked by axe in light and wide and in dark and narrow; what only differs in its words from one of them,
 * in light. With SCREENS=all, screenshots in every look go to test-results/screens. The bulk import, the staging desk and
 * provider failures are checked in their own stories.
 */

// A story visits a dozen screens.
test.describe.configure({ timeout: 240_000 })

const publicScreens = {
  home: '/',
  login: '/login',
  register: '/register',
  'forgot-password': '/forgot-password',
  'reset-password': '/reset-password#a-link-from-a-mail',
  onboarding: '/onboarding',
  parts: '/parts',
  help: '/help',
  garage: '/garage',
  support: '/support',
  terms: '/terms-of-service',
  about: '/about-us',
  contact: '/contact-us',
  'not-found': '/no/such/page',
}
const morePublicScreens = {
  'reset-password-without-link': '/reset-password',
  'confirm-email': '/confirm-email#a-link-from-a-mail',
  unsubscribe: '/unsubscribe#a-link-from-a-mail.weeklySummary',
  'parts-none': '/parts?q=zzqqxx',
  privacy: '/privacy-policy',
}
const sellerScreens = {
  account: '/dashboard/user',
  seller: '/dashboard/seller',
  chooser: '/dashboard/seller/create-listing',
  'e-commerce': '/dashboard/seller/create-auto-part-listing',
  'my-listings': '/dashboard/seller/my-quick-listings',
  'add-pictures': '/dashboard/seller/add-pictures',
  'bulk-import': '/dashboard/seller/create-bulk-auto-part-listing',
  settings: '/dashboard/seller/account-settings',
  messages: '/dashboard/seller/leads',
  orders: '/dashboard/seller/orders',
  analytics: '/dashboard/seller/analytics',
  'coming-soon': '/dashboard/seller/customer-reviews',
}
const moreSellerScreens = {
  quick: '/dashboard/seller/create-data-table-listing',
  'in-preparation': '/dashboard/seller/marketing-automation',
}
const adminScreens = {
  admin: '/dashboard/admin',
  'manage-products': '/dashboard/admin/manage-products',
  'manage-categories': '/dashboard/admin/manage-categories',
  'search-words': '/dashboard/admin/search-words',
  users: '/dashboard/admin/users',
  'manage-orders': '/dashboard/admin/orders',
  'bulk-saves': '/dashboard/admin/bulk-saves',
  'audit-log': '/dashboard/admin/audit-log',
}
const moreAdminScreens = {
  'manage-manufacturers': '/dashboard/admin/manage-manufacturers',
  'manage-car-models': '/dashboard/admin/manage-car-models',
  'seller-free-debug': '/dashboard/admin/seller-free-debug',
  'seller-pro-debug': '/dashboard/admin/seller-pro-debug',
}
const operatorScreens = {
  'mission-control': '/dashboard/admin/mission-control',
  'mission-control-crawls': '/dashboard/admin/mission-control?view=ebay',
}

type Screens = Record<string, string>

/** Visits the screens by the app’s links, as a person does, and checks each; `others` in one look (see `lookAt`). */
async function lookAtEach(page: Page, screens: Screens, others: Screens = {}): Promise<void> {
  const settled = watchForRest(page)
  await page.goto('/press')
  await hydrated(page)
  for (const [name, path] of Object.entries({ ...screens, ...others })) {
    await test.step(name, async () => {
      await goWithin(page, path)
      await settled()
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      await lookAt(page, name, name in screens ? 'both' : 'light', 'stay')
    })
  }
}

/** Resolves after a moment without requests: the screen has its code and its data. */
function watchForRest(page: Page): () => Promise<void> {
  const underWay = new Set<unknown>()
  page.on('request', (request) => {
    // A look whether what it had cached is still right; this one is never said to be finished.
    const isRevalidation = request.resourceType() === 'other' && request.url().includes('/api/')
    if (!isRevalidation) underWay.add(request)
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  return async () => {
    for (let quietTicks = 0; quietTicks < 3; ) {
      await page.waitForTimeout(50)
      quietTicks = underWay.size === 0 ? quietTicks + 1 : 0
    }
  }
}

test('screens for everyone', async ({ page }) => {
  await lookAtEach(page, publicScreens, morePublicScreens)
})

test('screens for a seller: a part, its form, and an inbox message', async ({ page }) => {
  await signIn(page, demo.pro)
  await lookAtEach(page, sellerScreens, moreSellerScreens)

  // Not the newest: parts that other stories import are removed again.
  const mine = '/dashboard/seller/my-quick-listings?q=radiator+core+support'
  await goWithin(page, mine)
  const card = page.getByRole('article').first()
  await card.getByRole('link', { name: /update/i }).click()
  await expect(page.locator('[name=partname]')).not.toHaveValue('')
  await lookAt(page, 'edit', 'light')
  await page.goBack()
  await card.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/parts\//)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await lookAt(page, 'part')

  await goWithin(page, '/dashboard/seller/leads?state=all')
  await page.getByRole('list', { name: 'All messages' }).getByRole('link').first().click()
  await expect(page.getByRole('list', { name: 'Conversation' })).toBeVisible()
  await lookAt(page, 'message')
})

test('screens for new sellers without data, and on the free plan', async ({ page }) => {
  await signInAsNewSeller(page)
  const empty = {
    'messages-none': ['/dashboard/seller/leads', 'No messages yet'],
    'analytics-none': ['/dashboard/seller/analytics', 'Nothing to count yet'],
    'seller-free': ['/dashboard/seller', 'Unlock Pro Seller tools'],
    'settings-free': ['/dashboard/seller/account-settings', 'Subscription'],
    'bulk-import-free': ['/dashboard/seller/create-bulk-auto-part-listing', 'Bulk Import is a Pro feature'],
  } as const
  await page.goto('/press')
  await hydrated(page)
  for (const [name, [path, heading]] of Object.entries(empty)) {
    await goWithin(page, path)
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await lookAt(page, name, 'light')
  }
})

test('screens for an admin: also a listing, a name, an account, and the bulk edit', async ({ page }) => {
  const { word } = await makeParts(page, 3)
  await signInAsAdmin(page)
  await lookAtEach(page, adminScreens, moreAdminScreens)

  await test.step('a listing, a name and an account', async () => {
    // Not the newest: parts that other stories import are removed again.
    await goWithin(page, '/dashboard/admin/manage-products?q=radiator+core+support')
    await page
      .getByRole('link', { name: /^Update / })
      .first()
      .click()
    await expect(page.getByRole('form', { name: 'Edit listing' })).toBeVisible()
    await page.getByRole('link', { name: 'History' }).click()
    await expect(page.getByText(/^(No changes since|Created)/)).toBeVisible()
    await lookAt(page, 'listing-history')

    await goWithin(page, '/dashboard/admin/manage-categories')
    const names = page.getByRole('region', { name: 'Existing categories' })
    await names.getByRole('listitem').first().getByRole('button').click()
    await expect(page.getByRole('dialog').getByLabel('New name')).toBeVisible()
    await lookAt(page, 'manage-name')
    await goWithin(page, '/dashboard/admin/users')
    await page
      .getByRole('button', { name: /^Manage / })
      .first()
      .click()
    await expect(page.getByRole('dialog').getByRole('switch', { name: 'Administrator' })).toBeVisible()
    await lookAt(page, 'manage-person', 'light')
  })
  await test.step('the bulk edit: a changed cell, one in error, its keys, a narrow window', async () => {
    await goWithin(page, `/dashboard/admin/manage-products/bulk-edit?q=${word}`)
    const grid = await findBulkEdit(page, 3)
    await writeCell(grid, 1, 'Dealer', 'Lakeside Salvage')
    await writeCell(grid, 2, 'Price', 'call us')
    await cellOf(grid, 3, 'More').getByRole('button', { name: 'More' }).click()
    await expect(page.getByRole('button', { name: 'Only rows with errors (1)' })).toBeVisible()
    await lookAt(page, 'bulk-edit')

    // The name stays visible while the others scroll sideways.
    await page.setViewportSize({ width: 900, height: 800 })
    await cellOf(grid, 1, 'Year').click()
    await grid.press('End')
    await expect(cellOf(grid, 1, 'More')).toBeInViewport()
    expect(await grid.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100)
    await expect(cellOf(grid, 1, 'Name')).toBeInViewport({ ratio: 1 })
    await expect(cellOf(grid, 1, 'Year')).not.toBeInViewport()

    await page.getByRole('button', { name: 'Keyboard shortcuts (?)' }).click()
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expectNoSeriousAxe(page)
  })
})

test('Mission Control, a job in it, and the ways to enqueue jobs', async ({ page }) => {
  const { token } = await signInAsAdmin(page)
  await lookAtEach(page, operatorScreens)
  const { jobId } = await callApi<{ jobId: string }>(page, token, '/admin/automation/jobs', {
    queue: 'ingest-autoparts',
    payload: { perPage: 48, maxPages: 1, dataset: 'marketplace:ecomm_autoparts' },
  })
  await goWithin(page, `/dashboard/admin/mission-control?queue=ingest-autoparts&job=${jobId}`)
  await expect(page.getByRole('button', { name: 'Run again' })).toBeVisible({ timeout: 60_000 })
  await page.getByRole('tab', { name: /^Events/ }).click()
  await expect(page.getByRole('log')).toBeVisible()
  // It is part of the page beside the list, and a drawer above it on a phone.
  await lookAt(page, 'mission-control-job')
  await page.getByRole('button', { name: 'Run again' }).click()
  await expect(page.getByRole('dialog').getByLabel('Payload JSON')).toHaveValue(/ecomm_autoparts/)
  await lookAt(page, 'mission-control-run-again', 'light')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Enqueue Job', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Enqueue Job' }).getByLabel('Payload JSON')).toBeVisible()
  await lookAt(page, 'mission-control-enqueue')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Schedules' }).click()
  await page.getByRole('button', { name: 'New schedule' }).click()
  await expect(page.getByRole('form', { name: 'Schedule' })).toBeVisible()
  await lookAt(page, 'mission-control-schedule', 'light')
})

test('checkout, the screens after it, and the provider’s other pages', async ({ page }) => {
  // Another person’s paid checkout: its success page confirms nothing to anyone else.
  const buyer = await newSeller(page)
  const theirs = await callApi<{ sessionId: string; url: string }>(
    page,
    buyer.token,
    '/subscription/checkout',
  )
  expect((await page.request.post(`${theirs.url}/pay`, { maxRedirects: 0 })).status()).toBe(303)
  const { token } = await signInAsNewSeller(page)
  const { sessionId, url } = await callApi<{ sessionId: string; url: string }>(
    page,
    token,
    '/subscription/checkout',
  )
  await page.goto(`/stripe/callback?session_id=${sessionId}`)
  await expect(page.getByRole('heading', { name: 'Waiting for Stripe’s confirmation' })).toBeVisible()
  await lookAt(page, 'callback-waiting')
  await page.goto(`/stripe/callback?session_id=${theirs.sessionId}`)
  await expect(page.getByRole('heading', { name: 'This checkout is not on your account' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to my seller dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Seller Dashboard' })).toBeVisible()

  await page.goto(url)
  await page.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByRole('alert')).toContainText('Your card was declined.')
  await lookAt(page, 'provider-checkout')
  await page.getByRole('button', { name: /^Pay / }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Pro command center' })).toBeVisible()
  await page.getByRole('button', { name: 'Manage Billing' }).click()
  await expect(page.getByRole('heading', { name: 'Manage your subscription' })).toBeVisible()
  await lookAt(page, 'provider-portal', 'light')
  await page.getByRole('button', { name: 'The next payment fails' }).click()
  await page.getByRole('link', { name: 'Return to PartHarbor' }).click()
  await expect(page.getByText('Your last payment failed.')).toBeVisible()
  await goWithin(page, '/dashboard/seller')
  await expect(page.getByRole('heading', { level: 1, name: 'Pro command center' })).toBeVisible()
  await expect(page.getByText('Your last payment failed.')).toBeVisible()
  await lookAt(page, 'seller-past-due', 'light')
})
