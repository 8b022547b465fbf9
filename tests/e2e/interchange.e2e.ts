import { randomInt } from 'node:crypto'
import { fillPart, fillQuickDetails } from '#tests/e2e/support/listing-form.ts'
import { signInAsNewSeller } from '#tests/e2e/support/people.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

test('a yard states what its part replaces, and a buyer finds it by the old number', {
  tag: '@long',
}, async ({ page }) => {
  const digits = String(randomInt(10_000, 99_999))
  const [number, old] = [`81150-${digits}`, `81151-${digits}`]
  await signInAsNewSeller(page)
  await page.goto('/dashboard/seller/create-data-table-listing')
  const form = page.getByRole('form', { name: 'Quick listing' })
  await fillPart(form, { title: 'Headlamp', partNumber: number, price: '60' })
  await fillQuickDetails(form)
  await form
    .getByRole('button', { name: /create listing|save listing|list/i })
    .last()
    .click()
  await expect(page.getByRole('link', { name: 'View listing' })).toBeVisible()

  await page.goto('/dashboard/seller/interchange')
  await expect(page.getByText('0 of 1 parts (0%)')).toBeVisible()
  await page
    .getByRole('textbox', { name: `Interchange numbers of Headlamp, ${number}` })
    .fill(`supersedes ${old}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('1 of 1 parts (100%)')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Parts without interchange' })).toBeHidden()

  await page.goto(`/parts?q=${old}`)
  await page.getByText(`${number} replaces ${old}, according to`).waitFor()
  await page.getByRole('link', { name: /Headlamp$/ }).click()
  await expect(page.getByRole('row', { name: `Replaces ${old}` })).toBeVisible()
})
