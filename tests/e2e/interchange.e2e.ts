import { randomInt } from 'node:crypto'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { signIn } from '#tests/e2e/support/people.ts'
import { expect, goWithin, test } from '#tests/e2e/support/story.ts'

test('a new yard states what its part replaces: buyers read it as the yard’s word, and no search goes by it', async ({
  page,
}) => {
  const digits = String(randomInt(10_000, 99_999))
  const [number, old] = [`81150-${digits}`, `81151-${digits}`]
  const { person } = await makeParts(page, 1, { partname: 'Headlamp', partnum: number })
  await signIn(page, person)
  await page.goto('/dashboard/seller/interchange')
  await expect(page.getByText('0 of 1 parts (0%)')).toBeVisible()
  await page
    .getByRole('textbox', { name: `Interchange numbers of Headlamp, ${number}` })
    .fill(`supersedes ${old}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('1 of 1 parts (100%)')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Parts without interchange' })).toBeHidden()

  await goWithin(page, `/parts?q=${old}`)
  // A number so like it is offered as one, never as the same part.
  await expect(page.getByText(`No part number ${old}`)).toBeVisible()
  await goWithin(page, `/parts?q=${number}`)
  await page.getByRole('link', { name: /Headlamp$/ }).click()
  await expect(page.getByRole('row', { name: `Also, says its seller replaces ${old}` })).toBeVisible()
})
