import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { demo, signIn } from '#tests/e2e/support/people.ts'
import { takeScreenshots } from '#tests/e2e/support/screenshots.ts'
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

test('part and edit', async ({ page }) => {
  await signIn(page, demo.pro)
  await page.goto('/dashboard/seller/my-quick-listings')
  const card = page.getByRole('article').first()
  await card.getByRole('link', { name: /update/i }).click()
  await expect(page.locator('[name=partname]')).not.toHaveValue('')
  await page.waitForLoadState('networkidle')
  await takeScreenshots(page, 'edit', expectNoSeriousAxe)
  await page.goto('/dashboard/seller/my-quick-listings')
  await card.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/parts\//)
  await page.waitForLoadState('networkidle')
  await takeScreenshots(page, 'part', expectNoSeriousAxe)
})
