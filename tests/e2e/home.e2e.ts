import { expect, test } from '#tests/e2e/support/story.ts'

test('a visitor reads what PartHarbor is and starts to register as a seller', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle(/PartHarbor$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Worlds #1 Marketplace For Auto Parts')
  await page.getByRole('link', { name: 'Become a Seller (Free Version)' }).click()
  await expect(page).toHaveURL(/\/register/)
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible()
})
