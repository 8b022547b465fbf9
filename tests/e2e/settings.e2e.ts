import type { Browser, Page } from '@playwright/test'
import { mailTo } from '#tests/e2e/support/outbox.ts'
import { type Person, register, signIn, signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { expect, ownAddress, startedApp, test } from '#tests/e2e/support/story.ts'

const settings = '/dashboard/seller/account-settings'

/** Another browser, at another network address. */
async function onSecondDevice(browser: Browser, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    baseURL: startedApp().address,
    extraHTTPHeaders: ownAddress(),
    locale: 'en-US',
  })
  await work(await context.newPage())
  await context.close()
}

async function logInByForm(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

test('settings saved on one device appear on the second and prefill each new listing', async ({
  page,
  browser,
}) => {
  const { person } = await signInAsNewSeller(page)
  await page.goto(settings)
  const defaults = {
    City: 'Tulsa',
    State: 'OK',
    'Dealer name': 'Whitfield Auto Salvage',
    'Dealer phone': '(918) 555-0142',
    'Condition/grade': 'B',
    Shipping: 'Pickup only',
  }
  for (const [label, text] of Object.entries(defaults)) {
    await page.getByLabel(label, { exact: true }).fill(text)
  }
  // Text that is too long cannot be typed; the field would also show the server’s error.
  const city = page.getByLabel('City', { exact: true })
  await city.evaluate((field) => field.removeAttribute('maxlength'))
  await city.fill('x'.repeat(81))
  await page.getByRole('button', { name: 'Save listing defaults' }).click()
  await expect(page.getByText('City can have at most 80 characters')).toBeVisible()
  await expect(city).toBeFocused()
  expect(await page.evaluate(() => localStorage.getItem('listingDefaults'))).toBeNull()
  await city.fill(defaults.City)
  await page.getByRole('button', { name: 'Save listing defaults' }).click()
  await expect(page.getByText('Listing defaults saved')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Dana W. of the yard')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Profile updated')).toBeVisible()
  await page.getByRole('switch', { name: 'Send me a weekly summary' }).click({ force: true })
  await page.getByLabel('Preferred contact').selectOption('phone')
  await page.getByLabel('Show my phone number on listings').check()
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect(page.getByText('Preferences saved')).toBeVisible()
  const kept = await page.evaluate(() => ({ ...localStorage }))
  expect(JSON.parse(kept.communicationPrefs ?? '')).toMatchObject({ preferredContact: 'phone' })

  await onSecondDevice(browser, async (second) => {
    await signIn(second, person)
    await second.goto(settings)
    for (const [label, text] of Object.entries(defaults)) {
      await expect(second.getByLabel(label, { exact: true })).toHaveValue(text)
    }
    await expect(second.getByLabel('Name', { exact: true })).toHaveValue('Dana W. of the yard')
    await expect(second.getByRole('switch', { name: 'Send me a weekly summary' })).toBeChecked()
    await expect(second.getByLabel('Preferred contact')).toHaveValue('phone')
    await expect(second.getByLabel('Show my phone number on listings')).toBeChecked()
    await second.goto('/dashboard/seller/create-data-table-listing')
    await expect(second.locator('[name=partcity]')).toHaveValue('Tulsa')
    await expect(second.locator('[name=phonea]')).toHaveValue('(918) 555-0142')
    await second.goto(settings)
    await second.getByLabel('City', { exact: true }).fill('Joplin')
    await second.getByRole('button', { name: 'Save listing defaults' }).click()
    await expect(second.getByText('Listing defaults saved')).toBeVisible()
  })

  // This device still has its own settings, and shows that.
  await page.reload()
  await expect(city).toHaveValue('Tulsa')
  await page.getByRole('button', { name: 'Use my account’s defaults' }).click()
  await expect(city).toHaveValue('Joplin')
})

test('a forgotten password is reset once by the mailed link, which signs out everywhere', async ({
  page,
  browser,
}) => {
  const person = await register(page)
  await onSecondDevice(browser, async (second) => {
    await signIn(second, person)
    await second.goto('/dashboard/user')

    await page.goto('/login')
    await page.getByRole('link', { name: /forgot/i }).click()
    await expect(page).toHaveURL(/\/forgot-password$/)
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused()
    const { body } = await mailTo(page, person.email, /^Choose a new password/)
    const link = /http\S+\/reset-password#\S+/.exec(body)?.[0] ?? 'no link'

    await page.goto(link)
    await expect(page).toHaveURL(/\/reset-password$/)
    const password = 'Ten-quiet-harbors'
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Save new password' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Password changed' })).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    await logInByForm(page, person)
    await expect(page.getByText('Email or password is wrong')).toBeVisible()
    await logInByForm(page, { ...person, password })
    await expect(page).toHaveURL(/\/dashboard\/user$/)
    await mailTo(page, person.email, /^Your password was changed$/)

    await second.reload()
    await expect(second.getByText(/redirecting you to login/i)).toBeVisible()

    // A page already at this address would not reload when only the `#` changes.
    await page.goto('/help')
    await page.goto(link)
    // At once, before a password is typed.
    await expect(page.getByRole('alert')).toContainText(
      'This link was already used or is older than 30 minutes.',
    )
    await page.getByRole('link', { name: 'Request a new link' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Forgot your password?' })).toBeVisible()
  })
})

test('a password change keeps this device; one listed device is signed out, then every device', async ({
  page,
  browser,
}) => {
  const { person } = await signInAsNewSeller(page)
  await page.goto(settings)
  await page.getByLabel('Current password').fill('not the password')
  await page.getByLabel('New password').fill('Ten-quiet-harbors')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByLabel('Current password')).toBeFocused()
  await page.getByLabel('Current password').fill(person.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Account Settings' })).toBeVisible()

  person.password = 'Ten-quiet-harbors'
  await onSecondDevice(browser, async (second) => {
    await signIn(second, person)
    await second.goto('/dashboard/user')
    await page.goto(settings)
    const devices = page.getByRole('region', { name: 'Where you are signed in' })
    await expect(devices.getByRole('listitem')).toHaveCount(2)
    await expect(devices.getByRole('listitem').filter({ hasText: 'This device' })).toContainText('Active now')
    await devices.getByRole('button', { name: /^Sign out Chrome/ }).click()
    await expect(page.getByText('Device signed out')).toBeVisible()
    await expect(devices.getByRole('listitem')).toHaveCount(1)
    await second.goto(settings)
    await expect(second.getByText(/redirecting you to login/i)).toBeVisible()
  })

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out everywhere?' })
  await question.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText('Signed out everywhere', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull()
})
