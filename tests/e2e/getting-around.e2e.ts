import type { BrowserContext } from '@playwright/test'
import { register, signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { expect, goWithin, hydrated, test } from '#tests/e2e/support/story.ts'

test('a guarded page redirects to login and back; logging out in one tab signs out the others', async ({
  page,
  context,
}) => {
  await test.step('a guarded page counts down to login, and login returns to it', async () => {
    const person = await register(page)
    await page.goto('/dashboard/seller/my-quick-listings?q=door')
    await expect(page.getByText(/redirecting you to login in \d second/i)).toBeVisible()
    await expect(page).toHaveURL(/\/login/, { timeout: 6_000 })
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL(/my-quick-listings\?q=door/)
  })
  await test.step('logging out in one tab signs out the other and leaves nothing behind', async () => {
    await goWithin(page, '/dashboard/user')
    const other = await context.newPage()
    await other.goto('/dashboard/user')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(other.getByRole('link', { name: 'Login To Your Account' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull()
  })
})

test('logging out reaches a tab whose profile is still loading', async ({ page, context }) => {
  await signInAsNewSeller(page)
  await page.goto('/dashboard/user')
  const { late, letProfileCome } = await openLateTab(context)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('link', { name: 'Login To Your Account' })).toBeVisible()
  letProfileCome()
  await expect(late.getByRole('link', { name: 'Login To Your Account' })).toBeVisible()
})

/** A tab that receives no events from others, and whose profile loads only when released. */
async function openLateTab(context: BrowserContext) {
  const late = await context.newPage()
  await late.addInitScript(() =>
    window.addEventListener('storage', (event) => event.stopImmediatePropagation()),
  )
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await late.route('**/api/profile/me', async (route) => {
    const response = await route.fetch()
    asked.resolve()
    await promise
    await route.fulfill({ response })
  })
  await late.goto('/dashboard/user')
  await asked.promise
  return { late, letProfileCome: resolve }
}

test.describe('the menu on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('opens, keeps the focus, and closes by Escape, backdrop and route change', async ({ page }) => {
    await page.goto('/')
    // Until then the browser opens the menu, and Tab reaches its own controls.
    await hydrated(page)
    const opener = page.getByRole('button', { name: 'Open menu' })
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(menu).toBeVisible()
    for (let n = 0; n < 12; n++) {
      await page.keyboard.press('Tab')
      expect(await menu.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    }
    expect(await page.evaluate(() => getComputedStyle(document.body).overflow)).toBe('hidden')
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(opener).toBeFocused()

    await opener.click()
    await expect(menu).toBeVisible()
    await page.mouse.click(10, 400)
    await expect(menu).toBeHidden()

    await opener.click()
    await menu.getByRole('link', { name: 'Find Auto Parts' }).click()
    await expect(page).toHaveURL(/\/parts$/)
    await expect(menu).toBeHidden()
  })
})

test('a buyer finds a part by words and by number, and the address keeps the search; a screen whose file is gone', async ({
  page,
}) => {
  // Not the newest: parts that other stories import are removed again.
  await page.goto('/parts?q=radiator+core+support')
  const first = page.getByRole('article').first()
  const number = ((await first.getByText('Part #').locator('..').textContent()) ?? '')
    .replace('Part #', '')
    .trim()
  const typed = number.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
  await page.getByLabel('Search', { exact: true }).fill(typed)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`q=${typed}`))
  await expect(page.getByRole('article').filter({ hasText: number }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('article').filter({ hasText: number }).first()).toBeVisible()
  await page.getByRole('article').filter({ hasText: number }).first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveTitle(/PartHarbor$/)

  await page.goto('/')
  await hydrated(page)
  await page.route('**/assets/**', (route) => route.fulfill({ status: 404, body: '' }))
  await page.getByRole('link', { name: 'Login To Your Account' }).first().click()
  await expect(page.getByRole('button', { name: /reload/i })).toBeVisible()
})
