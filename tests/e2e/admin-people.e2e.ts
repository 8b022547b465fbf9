import type { Browser, Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { cellOf, openBulkEdit, writeCell } from '#tests/e2e/support/bulk-edit.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { demo, newSeller, type Person, signIn } from '#tests/e2e/support/people.ts'
import { expect, ownAddress, startedApp, test } from '#tests/e2e/support/story.ts'

// Every change that makes a second administrator is in this story: no other may make one.

const users = '/dashboard/admin/users'

/** The account actions of an admin. */
async function manage(page: Page, { name, email }: Pick<Person, 'name' | 'email'>) {
  await page.goto(`${users}?q=${encodeURIComponent(email)}`)
  await page.getByRole('button', { name: `Manage ${name}, ${email}` }).click()
  return page.getByRole('dialog', { name })
}

async function answer(page: Page, question: string, button: string): Promise<void> {
  await page.getByRole('dialog', { name: question }).getByRole('button', { name: button }).click()
}

async function inAnotherBrowser(browser: Browser, work: (page: Page) => Promise<void>): Promise<void> {
  const { address: baseURL } = startedApp()
  const context = await browser.newContext({ baseURL, extraHTTPHeaders: ownAddress(), locale: 'en-US' })
  await work(await context.newPage())
  await context.close()
}

test('an admin gives a person Pro and a role, two admins edit one row, and the person is signed out when disabled', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const { word } = await makeParts(page, 2)
  const { user, person } = await newSeller(page)
  const { token, user: admin } = await signInAsAdmin(page)
  await test.step('the last administrator cannot be removed', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const admins = await page.request.get('/api/admin/users?role=admin&state=active', { headers })
    expect((await admins.json()).total, 'Another story made an administrator').toBe(1)
    const own = await manage(page, admin)
    await own.getByRole('switch', { name: 'Administrator' }).press('Space')
    await answer(page, `Remove admin access from ${admin.name}?`, 'Remove admin access')
    await expect(page.getByText('This is the last administrator who can sign in.')).toBeVisible()
    await expect(own.getByRole('switch', { name: 'Administrator' })).toBeChecked()
  })

  await inAnotherBrowser(browser, async (theirs) => {
    await test.step('a person gets Pro, then the role', async () => {
      const dialog = await manage(page, person)
      await signIn(theirs, person)
      await dialog.getByRole('switch', { name: 'Pro by grant' }).press('Space')
      await answer(page, `Grant ${person.name} Pro?`, 'Grant Pro')
      await expect(page.getByText(`${person.name} has Pro by grant`)).toBeVisible()
      await theirs.goto('/dashboard/seller')
      await expect(theirs.getByRole('heading', { level: 1, name: 'Pro command center' })).toBeVisible()

      await dialog.getByRole('switch', { name: 'Administrator' }).press('Space')
      await answer(page, `Make ${person.name} an administrator?`, 'Make administrator')
      await expect(page.getByText(`${person.name} is an administrator`)).toBeVisible()
      // A session that was enough for a seller is not enough for an administrator.
      await theirs.goto('/dashboard/admin')
      await expect(theirs.getByText(/redirecting you to login/i)).toBeVisible()
      await signIn(theirs, person)
      await theirs.goto('/dashboard/admin')
      await expect(theirs.getByRole('heading', { level: 1 })).toHaveText(`Good Day, ${person.name}`)
    })
    await test.step('two admins on one row: different cells merge, and a person resolves the same cell', () =>
      editOneRowTogether(page, theirs, word))
    await test.step('a person who loses the role or is disabled is signed out', async () => {
      const dialog = await manage(page, person)
      await dialog.getByRole('switch', { name: 'Administrator' }).press('Space')
      await answer(page, `Remove admin access from ${person.name}?`, 'Remove admin access')
      await expect(page.getByText(`${person.name} is no longer an administrator`)).toBeVisible()

      await dialog.getByRole('button', { name: 'Disable account' }).click()
      await answer(page, `Disable the account of ${person.name}?`, 'Disable account')
      await expect(page.getByText(`The account of ${person.name} is disabled`)).toBeVisible()
      await theirs.goto('/dashboard/user')
      await expect(theirs.getByText(/redirecting you to login/i)).toBeVisible()
    })
  })

  await test.step('the log shows all of it', async () => {
    await page.goto(`/dashboard/admin/audit-log?target=${user.id}`)
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

async function editOneRowTogether(page: Page, other: Page, word: string): Promise<void> {
  const grid = await openBulkEdit(page, word, 2)
  const theirs = await openBulkEdit(other, word, 2)
  await writeCell(theirs, 1, 'Price', '61')
  await writeCell(theirs, 2, 'Price', '62')
  await other.getByRole('button', { name: 'Save 2 change(s)' }).click()
  await expect(other.getByText('Updated 2 item(s)')).toBeVisible()

  const contested = await cellOf(grid, 2, 'Name').textContent()
  await writeCell(grid, 1, 'Grade', 'D')
  await writeCell(grid, 2, 'Price', '99')
  await page.getByRole('button', { name: 'Save 2 change(s)' }).click()
  await expect(page.getByText('Updated 1 item(s)')).toBeVisible()
  await expect(cellOf(grid, 1, 'Name')).toHaveText(contested ?? '')
  await expect(cellOf(grid, 2, 'Price')).toHaveText('61.00')
  await expect(cellOf(grid, 2, 'Grade')).toHaveText('D')

  await page.getByRole('button', { name: 'Resolve 1 conflict(s)' }).click()
  const choice = page.getByRole('dialog', { name: 'Also changed by someone else' })
  await expect(choice).toContainText(/It was 4[12]\.00 when you started\./)
  await expect(choice.getByRole('radio', { name: 'Take theirs: 62.00' })).not.toBeChecked()
  const decide = choice.getByRole('button', { name: 'Use these values' })
  await expect(decide).toBeDisabled()
  await choice.getByRole('radio', { name: 'Keep mine: 99.00' }).check()
  await decide.click()
  await page.getByRole('button', { name: 'Save 1 change(s)' }).click()
  await expect(page.getByText('1 item(s) saved.', { exact: true })).toBeVisible()
  await expect(page.getByText('No pending changes')).toBeVisible()
  await expect(grid.getByText('99.00')).toBeVisible()
}
