import type { Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { demo, logIn, newSeller, type Person } from '#tests/e2e/support/people.ts'
import { expect, goWithin, test } from '#tests/e2e/support/story.ts'

// Every change that makes a second administrator is in this story: no other may make one.

/** The account actions of an admin. */
async function manage(page: Page, { name, email }: Pick<Person, 'name' | 'email'>) {
  await page.getByLabel('Search').first().fill(email)
  await page.getByRole('button', { name: `Manage ${name}, ${email}` }).click()
  return page.getByRole('dialog', { name })
}

async function answer(page: Page, question: string, button: string): Promise<void> {
  await page.getByRole('dialog', { name: question }).getByRole('button', { name: button }).click()
}

/** What the person's session may see now: their own account, or why not. */
async function accountOf(page: Page, token: string) {
  const reply = await page.request.get('/api/profile/me', { headers: { authorization: `Bearer ${token}` } })
  return { status: reply.status(), ...((await reply.json()) as object) }
}

test('an admin gives a person Pro and a role, and the person is signed out when disabled', async ({
  page,
}) => {
  const { user, person, token: theirs } = await newSeller(page)
  const { token, user: admin } = await signInAsAdmin(page)
  await page.goto('/dashboard/admin/users')
  await test.step('the last administrator cannot be removed', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const admins = await page.request.get('/api/admin/users?role=admin&state=active', { headers })
    expect((await admins.json()).total, 'Another story made an administrator').toBe(1)
    const own = await manage(page, admin)
    await own.getByRole('switch', { name: 'Administrator' }).press('Space')
    await answer(page, `Remove admin access from ${admin.name}?`, 'Remove admin access')
    await expect(page.getByText('This is the last administrator who can sign in.')).toBeVisible()
    await expect(own.getByRole('switch', { name: 'Administrator' })).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(own).toBeHidden()
  })

  const dialog = await manage(page, person)
  await test.step('a person gets Pro, then the role', async () => {
    await dialog.getByRole('switch', { name: 'Pro by grant' }).press('Space')
    await answer(page, `Grant ${person.name} Pro?`, 'Grant Pro')
    await expect(page.getByText(`${person.name} has Pro by grant`)).toBeVisible()
    expect(await accountOf(page, theirs)).toMatchObject({ status: 200, sellerTier: 'PAID' })

    await dialog.getByRole('switch', { name: 'Administrator' }).press('Space')
    await answer(page, `Make ${person.name} an administrator?`, 'Make administrator')
    await expect(page.getByText(`${person.name} is an administrator`)).toBeVisible()
    // A session that was enough for a seller is not enough for an administrator.
    expect(await accountOf(page, theirs)).toMatchObject({ status: 401 })
  })
  const { token: newer } = await logIn(page, person)
  await test.step('a person who loses the role or is disabled is signed out', async () => {
    expect(await accountOf(page, newer)).toMatchObject({ status: 200, role: admin.role })
    await dialog.getByRole('switch', { name: 'Administrator' }).press('Space')
    await answer(page, `Remove admin access from ${person.name}?`, 'Remove admin access')
    await expect(page.getByText(`${person.name} is no longer an administrator`)).toBeVisible()

    await dialog.getByRole('button', { name: 'Disable account' }).click()
    await answer(page, `Disable the account of ${person.name}?`, 'Disable account')
    await expect(page.getByText(`The account of ${person.name} is disabled`)).toBeVisible()
    expect(await accountOf(page, newer)).toMatchObject({ status: 401 })
  })

  await test.step('the log shows all of it', async () => {
    await goWithin(page, `/dashboard/admin/audit-log?target=${user.id}`)
    const log = page.getByRole('table')
    await expect(log.getByRole('row').filter({ hasText: 'Role changed' })).toHaveCount(2)
    await expect(
      log
        .getByRole('row')
        .filter({ hasText: /disabled/i })
        .first(),
    ).toContainText(demo.admin.email)
    await page.getByLabel('Action').selectOption({ label: 'Role changed' })
    await expect(log.getByRole('row')).toHaveCount(3)
  })
})
