import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { cellOf, openBulkEdit, writeCell } from '#tests/e2e/support/bulk-edit.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { callApi, demo, signIn, signInAsNewPro, signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { takeScreenshots } from '#tests/e2e/support/screenshots.ts'
import { stockFile } from '#tests/e2e/support/stock-file.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

// By far the most stories, and none needs another: both browsers share them. Four looks take a busy machine a while.
test.describe.configure({ mode: 'parallel', timeout: 120_000 })

/** Every screen, looked at by axe in light and dark, wide and narrow; with SCREENS=all pictures land in test-results/screens. */
const publicScreens = {
  home: '/',
  login: '/login',
  register: '/register',
  'forgot-password': '/forgot-password',
  'reset-password': '/reset-password#a-link-from-a-mail',
  'reset-password-without-link': '/reset-password',
  onboarding: '/onboarding',
  parts: '/parts',
  'parts-none': '/parts?q=nothing-is-called-this',
  help: '/help',
  support: '/support',
  terms: '/terms-of-service',
  privacy: '/privacy-policy',
  about: '/about-us',
  contact: '/contact-us',
  'not-found': '/no/such/page',
}
const sellerScreens = {
  account: '/dashboard/user',
  seller: '/dashboard/seller',
  chooser: '/dashboard/seller/create-listing',
  'e-commerce': '/dashboard/seller/create-auto-part-listing',
  quick: '/dashboard/seller/create-data-table-listing',
  'my-listings': '/dashboard/seller/my-quick-listings',
  'bulk-import': '/dashboard/seller/create-bulk-auto-part-listing',
  settings: '/dashboard/seller/account-settings',
  messages: '/dashboard/seller/leads',
  analytics: '/dashboard/seller/analytics',
  'coming-soon': '/dashboard/seller/customer-reviews',
  'in-preparation': '/dashboard/seller/marketing-automation',
}

for (const [name, path] of Object.entries(publicScreens)) {
  test(`${name} for everybody`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await page.waitForLoadState('networkidle')
    await takeScreenshots(page, name, expectNoSeriousAxe)
  })
}

for (const [name, path] of Object.entries(sellerScreens)) {
  test(`${name} for a seller`, async ({ page }) => {
    await signIn(page, demo.pro)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await page.waitForLoadState('networkidle')
    await takeScreenshots(page, name, expectNoSeriousAxe)
  })
}

const adminScreens = {
  admin: '/dashboard/admin',
  'manage-products': '/dashboard/admin/manage-products',
  'manage-products-none': '/dashboard/admin/manage-products?q=nothing-is-called-this',
  'manage-categories': '/dashboard/admin/manage-categories',
  'manage-manufacturers': '/dashboard/admin/manage-manufacturers',
  'manage-car-models': '/dashboard/admin/manage-car-models',
  users: '/dashboard/admin/users',
  'bulk-saves': '/dashboard/admin/bulk-saves',
  'audit-log': '/dashboard/admin/audit-log',
  'seller-free-debug': '/dashboard/admin/seller-free-debug',
  'seller-pro-debug': '/dashboard/admin/seller-pro-debug',
  'manage-orders': '/dashboard/admin/manage-orders',
  'mission-control': '/dashboard/admin/mission-control',
  'mission-control-none': '/admin/mission-control?queue=nothing-is-called-this',
  'mission-control-crawls': '/dashboard/admin/mission-control?view=ebay',
}

for (const [name, path] of Object.entries(adminScreens)) {
  test(`${name} for an admin`, async ({ page }) => {
    await signIn(page, demo.admin)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await page.waitForLoadState('networkidle')
    await takeScreenshots(page, name, expectNoSeriousAxe)
  })
}

test('a listing in an admin’s hand, and its history', async ({ page }) => {
  await signIn(page, demo.admin)
  await page.goto('/dashboard/admin/manage-products')
  await page
    .getByRole('link', { name: /^Update / })
    .first()
    .click()
  await expect(page.getByRole('form', { name: 'Edit listing' })).toBeVisible()
  await takeScreenshots(page, 'manage-listing', expectNoSeriousAxe)
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByText(/^(Nothing was changed|Created)/)).toBeVisible()
  await takeScreenshots(page, 'listing-history', expectNoSeriousAxe)
})

test('what an admin may do with a name and with an account', async ({ page }) => {
  test.setTimeout(180_000)
  await signIn(page, demo.admin)
  await page.goto('/dashboard/admin/manage-categories')
  const names = page.getByRole('region', { name: 'Existing categories' })
  await names.getByRole('listitem').first().getByRole('button').click()
  await expect(page.getByRole('dialog').getByLabel('New name')).toBeVisible()
  await takeScreenshots(page, 'manage-name', expectNoSeriousAxe)
  await page.goto('/dashboard/admin/users')
  await page
    .getByRole('button', { name: /^Manage / })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('switch', { name: 'Administrator' })).toBeVisible()
  await takeScreenshots(page, 'manage-person', expectNoSeriousAxe)
})

test('a job in Mission Control, and what enqueues jobs', async ({ page }) => {
  test.setTimeout(180_000)
  const { token } = await signIn(page, demo.admin)
  const { jobId } = await callApi<{ jobId: string }>(page, token, '/admin/automation/jobs', {
    queue: 'ingest-autoparts',
    payload: { perPage: 48, maxPages: 1, dataset: 'marketplace:ecomm_autoparts' },
  })
  await page.goto(`/dashboard/admin/mission-control?job=${jobId}`)
  await expect(page.getByRole('button', { name: 'Run again' })).toBeVisible({ timeout: 60_000 })
  await page.getByRole('tab', { name: /^Events/ }).click()
  await expect(page.getByRole('log')).toBeVisible()
  // Beside the list it is part of the page, and on a phone a drawer above it.
  await takeScreenshots(page, 'mission-control-job', expectNoSeriousAxe)
  await page.getByRole('button', { name: 'Run again' }).click()
  await expect(page.getByRole('dialog').getByLabel('Payload JSON')).toHaveValue(/ecomm_autoparts/)
  await takeScreenshots(page, 'mission-control-run-again', expectNoSeriousAxe)
  await page.goto('/dashboard/admin/mission-control')
  await page.getByRole('button', { name: 'Enqueue Job', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Enqueue Job' }).getByLabel('Payload JSON')).toBeVisible()
  await takeScreenshots(page, 'mission-control-enqueue', expectNoSeriousAxe)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Schedules' }).click()
  await page.getByRole('button', { name: 'New schedule' }).click()
  await expect(page.getByRole('form', { name: 'Schedule' })).toBeVisible()
  await takeScreenshots(page, 'mission-control-schedule', expectNoSeriousAxe)
})

test('the bulk edit, with a cell that is changed and one in error, and its keys', async ({ page }) => {
  const { word } = await makeParts(page, 3)
  await signIn(page, demo.admin)
  const grid = await openBulkEdit(page, word, 3)
  await writeCell(grid, 1, 'Dealer', 'Lakeside Salvage')
  await writeCell(grid, 2, 'Price', 'call us')
  await cellOf(grid, 3, 'More').getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('button', { name: 'Only rows with errors (1)' })).toBeVisible()
  await takeScreenshots(page, 'bulk-edit', expectNoSeriousAxe)
  await page.getByRole('button', { name: 'Keyboard shortcuts (?)' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectNoSeriousAxe(page)
})

test('the bulk edit without rows', async ({ page }) => {
  await signIn(page, demo.admin)
  await page.goto('/dashboard/admin/manage-products/bulk-edit?q=nothing-is-called-this')
  await expect(page.getByText('No products loaded.')).toBeVisible()
  await takeScreenshots(page, 'bulk-edit-none', expectNoSeriousAxe)
})

const freeScreens = {
  'seller-free': { path: '/dashboard/seller', heading: 'Unlock Pro Seller tools' },
  'settings-free': { path: '/dashboard/seller/account-settings', heading: 'Subscription' },
  'bulk-import-free': {
    path: '/dashboard/seller/create-bulk-auto-part-listing',
    heading: 'Bulk Import is a Pro feature',
  },
}

for (const [name, { path, heading }] of Object.entries(freeScreens)) {
  test(`${name} for a free seller`, async ({ page }) => {
    await signIn(page, demo.free)
    await page.goto(path)
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await takeScreenshots(page, name, expectNoSeriousAxe)
  })
}

test('what a new seller finds before anything happened', async ({ page }) => {
  await signInAsNewSeller(page)
  const empty = {
    'messages-none': ['/dashboard/seller/leads', 'No messages yet'],
    'analytics-none': ['/dashboard/seller/analytics', 'Nothing to count yet'],
  } as const
  for (const [name, [path, heading]] of Object.entries(empty)) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await takeScreenshots(page, name, expectNoSeriousAxe)
  }
})

test('a message of the inbox, and the figures as a table', async ({ page }) => {
  await signIn(page, demo.pro)
  await page.goto('/dashboard/seller/leads?state=all')
  await page.getByRole('list', { name: 'All messages' }).getByRole('link').first().click()
  await expect(page.getByRole('list', { name: 'Conversation' })).toBeVisible()
  await takeScreenshots(page, 'message', expectNoSeriousAxe)
  await page.goto('/dashboard/seller/analytics')
  await page.getByText('Table', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Figures by day' })).toBeVisible()
  await takeScreenshots(page, 'analytics-table', expectNoSeriousAxe)
})

test('checkout, what it leads to, and the provider’s other pages', async ({ page }) => {
  test.setTimeout(180_000)
  const { token } = await signInAsNewSeller(page)
  const look = (name: string) => takeScreenshots(page, name, expectNoSeriousAxe)
  const open = async (path: string) => page.goto((await callApi<{ url: string }>(page, token, path)).url)
  const { sessionId, url } = await callApi<{ sessionId: string; url: string }>(
    page,
    token,
    '/subscription/checkout',
  )
  await page.goto(`/stripe/callback?session_id=${sessionId}`)
  await expect(page.getByRole('heading', { name: 'Waiting for Stripe’s confirmation' })).toBeVisible()
  await look('callback-waiting')
  await page.goto('/stripe/callback?session_id=cs_test_of_somebody_else')
  await expect(page.getByRole('heading', { name: 'This checkout is not on your account' })).toBeVisible()
  await look('callback-foreign')

  await page.goto(url)
  await page.getByRole('button', { name: 'Card declined' }).click()
  await look('provider-checkout')
  await open('/create-connect-account')
  await look('provider-onboarding')
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByRole('heading', { name: 'Payouts verified' })).toBeVisible()
  await open('/payout-setting')
  await look('provider-payouts')

  await page.goto(url)
  await page.getByRole('button', { name: /^Pay / }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Pro command center' })).toBeVisible()
  await open('/subscription/portal')
  await look('provider-portal')
  await page.getByRole('button', { name: 'The next payment fails' }).click()
  await page.getByRole('link', { name: 'Return to PartHarbor' }).click()
  await expect(page.getByText('Your last payment failed.')).toBeVisible()
  await page.goto('/dashboard/seller')
  await expect(page.getByText('Your last payment failed.')).toBeVisible()
  await look('seller-past-due')
})

test('a bulk import from its file to the receipt, and taken back', async ({ page }) => {
  test.setTimeout(180_000)
  await signInAsNewPro(page)
  await page.goto('/dashboard/seller/create-bulk-auto-part-listing')
  const look = (name: string) => takeScreenshots(page, name, expectNoSeriousAxe)
  const { name, content } = stockFile(100)
  const buffer = Buffer.from(content)
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'text/csv', buffer })
  await expect(page.getByRole('heading', { name: 'Match the columns' })).toBeVisible()
  await look('import-columns')
  await page.getByRole('button', { name: 'Check rows' }).click()
  await expect(page.getByRole('heading', { name: '99 of 100 rows are fine.' })).toBeVisible()
  await look('import-checked')
  await page.getByRole('button', { name: 'Run import' }).click()
  await expect(page.getByRole('heading', { name: 'Your parts are live' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('region', { name: 'What this import did' })).toBeVisible()
  await look('import-receipt')
  await page.getByRole('button', { name: 'Undo this import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('99 listings are as before the import.')).toBeVisible({ timeout: 60_000 })
  await look('import-undone')
})

test('part and edit', async ({ page }) => {
  await signIn(page, demo.pro)
  // Not the newest: what another story imports goes away again.
  const mine = '/dashboard/seller/my-quick-listings?q=radiator+core+support'
  await page.goto(mine)
  const card = page.getByRole('article').first()
  await card.getByRole('link', { name: /update/i }).click()
  await expect(page.locator('[name=partname]')).not.toHaveValue('')
  await page.waitForLoadState('networkidle')
  await takeScreenshots(page, 'edit', expectNoSeriousAxe)
  await page.goto(mine)
  await card.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/parts\//)
  await page.waitForLoadState('networkidle')
  await takeScreenshots(page, 'part', expectNoSeriousAxe)
})
