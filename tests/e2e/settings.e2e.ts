import type { Page } from '@playwright/test'
import { mailTo } from '#tests/e2e/support/outbox.ts'
import { logIn, type Person, register, signIn, signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { expect, goWithin, test } from '#tests/e2e/support/story.ts'

const settings = '/dashboard/seller/account-settings'

/** Whether another device of the person is still signed in. */
const statusOf = async (page: Page, token: string) =>
  (await page.request.get('/api/profile/me', { headers: { authorization: `Bearer ${token}` } })).status()

async function logInByForm(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

test('settings saved on one device appear on the second and prefill each new listing; a new password keeps this device', async ({
  page,
}) => {
  const { person, token } = await signInAsNewSeller(page)
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

  // This device still has its own settings, and shows that.
  const saved = await page.request.put('/api/profile', {
    headers: { authorization: `Bearer ${token}` },
    data: { listingDefaults: { city: 'Joplin' } },
  })
  expect(saved.ok(), await saved.text()).toBe(true)
  await page.reload()
  await expect(city).toHaveValue('Tulsa')
  await page.getByRole('button', { name: 'Use my account’s defaults' }).click()
  await expect(city).toHaveValue('Joplin')

  await test.step('another device, with nothing else stored', async () => {
    await page.evaluate(() => localStorage.clear())
    await signIn(page, person)
    await page.goto(settings)
    for (const [label, text] of Object.entries({ ...defaults, City: 'Joplin' })) {
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(text)
    }
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Dana W. of the yard')
    await expect(page.getByRole('switch', { name: 'Send me a weekly summary' })).toBeChecked()
    await expect(page.getByLabel('Preferred contact')).toHaveValue('phone')
    await expect(page.getByLabel('Show my phone number on listings')).toBeChecked()
    await goWithin(page, '/dashboard/seller/create-data-table-listing')
    await expect(page.locator('[name=partcity]')).toHaveValue('Joplin')
    await expect(page.locator('[name=phonea]')).toHaveValue('(918) 555-0142')
  })

  await test.step('a password change keeps this device; one listed device is signed out, then every device', async () => {
    await goWithin(page, settings)
    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password').fill('Ten-quiet-harbors')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByLabel('Current password')).toBeFocused()
    await page.getByLabel('Current password').fill(person.password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Password changed')).toBeVisible()

    const { token: second } = await logIn(page, { ...person, password: 'Ten-quiet-harbors' })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Account Settings' })).toBeVisible()
    const devices = page.getByRole('region', { name: 'Where you are signed in' })
    await expect(devices.getByRole('listitem')).toHaveCount(2)
    await expect(devices.getByRole('listitem').filter({ hasText: 'This device' })).toContainText('Active now')
    await devices.getByRole('button', { name: /^Sign out Chrome/ }).click()
    await expect(page.getByText('Device signed out')).toBeVisible()
    await expect(devices.getByRole('listitem')).toHaveCount(1)
    expect(await statusOf(page, second)).toBe(401)

    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    const question = page.getByRole('dialog', { name: 'Sign out everywhere?' })
    await question.getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect(page.getByText('Signed out everywhere', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/login/)
    expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull()
  })
})

test('a forgotten password is reset once by the mailed link, which signs out everywhere', async ({
  page,
}) => {
  const person = await register(page)
  const { token } = await logIn(page, person)
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

  expect(await statusOf(page, token)).toBe(401)

  await page.goto(link)
  // At once, before a password is typed.
  await expect(page.getByRole('alert')).toContainText(
    'This link was already used or is older than 30 minutes.',
  )
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Forgot your password?' })).toBeVisible()
})
