import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { demo, signIn } from '#tests/e2e/support/people.ts'
import { takeScreenshots } from '#tests/e2e/support/screenshots.ts'
import { stockFile } from '#tests/e2e/support/stock-file.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

/** Every screen, looked at by axe in light and dark, wide and narrow; pictures of them land in test-results/screens. */
const publicScreens = {
  home: '/',
  login: '/login',
  register: '/register',
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
  'being-built': '/dashboard/seller/analytics',
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

test('bulk import for a free seller', async ({ page }) => {
  await signIn(page, demo.free)
  await page.goto('/dashboard/seller/create-bulk-auto-part-listing')
  await expect(page.getByRole('heading', { name: 'Bulk Import is a Pro feature' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await takeScreenshots(page, 'bulk-import-free', expectNoSeriousAxe)
})

test('a bulk import from its file to the receipt, and taken back', async ({ page }) => {
  test.setTimeout(180_000)
  await signIn(page, demo.pro)
  await page.goto('/dashboard/seller/create-bulk-auto-part-listing')
  const look = (name: string) => takeScreenshots(page, name, expectNoSeriousAxe)
  const { name, content } = stockFile(100)
  const buffer = Buffer.from(content)
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'text/csv', buffer })
  await expect(page.getByRole('heading', { name: 'Match the columns' })).toBeVisible()
  await look('import-columns')
  await page.getByRole('button', { name: 'Validate (dry run)' }).click()
  await expect(page.getByRole('heading', { name: '1 of 100 rows needs correction' })).toBeVisible()
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
