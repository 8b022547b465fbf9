import { randomBytes } from 'node:crypto'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

test('an administrator adds a word the search did not know, by keyboard, and buyers find parts with it right away', {
  tag: '@long',
}, async ({ page }) => {
  const word = `zog${randomBytes(4).toString('hex').replaceAll(/\d/g, 'x')}`
  const partNames = async () => {
    const reply = await page.request.get(`/api/parts?q=${word}`)
    const { items } = (await reply.json()) as { items: { partcategory: { name: string } }[] }
    return new Set(items.map(({ partcategory }) => partcategory.name))
  }
  expect(await partNames()).toEqual(new Set())

  await signInAsAdmin(page)
  await page.goto('/dashboard/admin/search-words?tab=empty')
  const row = page.getByRole('row', { name: new RegExp(`^${word}`) })
  await expect(async () => {
    await page.reload()
    await expect(row).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expectNoSeriousAxe(page)

  await row.getByRole('button', { name: `Add as a word for…: ${word}` }).click()
  const drawer = page.getByRole('dialog', { name: 'Add a word' })
  await expect(drawer.getByLabel('Word', { exact: true })).toHaveValue(word)
  await drawer.getByRole('combobox', { name: 'Part types' }).pressSequentially('alternat')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await drawer.getByRole('button', { name: 'Save word' }).click()
  await expect(page.getByText(`“${word}” saved`)).toBeVisible()
  await expect(row).toBeHidden()
  expect(await partNames()).toEqual(new Set(['Alternator']))

  await page.getByRole('tab', { name: 'Words', exact: true }).click()
  await page.getByLabel('Search', { exact: true }).fill(word)
  await page.getByRole('button', { name: `Remove ${word}` }).click()
  await page.getByRole('button', { name: 'Remove word' }).click()
  await expect(page.getByText('No words match.')).toBeVisible()
  expect(await partNames()).toEqual(new Set())
})
