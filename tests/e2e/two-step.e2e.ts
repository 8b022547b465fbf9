import { once } from 'node:events'
import { request } from 'node:http'
import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

test('a seller adds a passkey, and signs in with it and with a recovery code', async ({ page }) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const { person } = await signInAsNewSeller(page)
  await page.goto('/dashboard/seller/account-settings')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
  const [recoveryCode = '', otherCode = ''] = ((await codes.locator('pre').textContent()) ?? '').split('\n')
  await codes.getByRole('button', { name: 'I saved them' }).click()
  await expect(page.getByRole('button', { name: 'Remove Passkey' })).toBeVisible()
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials.map(({ rpId }) => rpId)).toEqual(['localhost'])

  const logIn = async () => {
    await page.evaluate(() => localStorage.clear())
    await page.goto('/login')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  }
  await logIn()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/dashboard\/user$/)

  await logIn()
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/dashboard\/user$/)

  // Strangers try passwords, and the owner has another browser.
  for (let n = 0; n < 20; n += 1) await guess(page.url(), person.email, `127.0.4.${1 + (n % 5)}`)
  const startAgain = async () => {
    await page.evaluate(() => localStorage.clear())
    await page.context().clearCookies()
    await page.goto('/login')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('Too many wrong passwords for this account.')
  }
  await startAgain()
  await expectNoSeriousAxe(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/dashboard\/user$/)
  await startAgain()
  await page.getByLabel('Recovery code').fill(otherCode)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/user$/)
})

/** A wrong password from another address of this machine. */
async function guess(origin: string, email: string, from: string): Promise<void> {
  const asked = request(new URL('/api/login', origin), {
    method: 'POST',
    localAddress: from,
    family: 4,
    headers: { 'content-type': 'application/json' },
  })
  asked.end(JSON.stringify({ email, password: 'not-the-password' }))
  const [answer] = await once(asked, 'response')
  answer.resume()
  expect(answer.statusCode).toBe(401)
}
