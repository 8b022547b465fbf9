import type { Page } from '@playwright/test'
import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { newSeller, signIn } from '#tests/e2e/support/people.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

test.use({ viewport: { width: 390, height: 844 } })

/** Presses a button as the keyboard does. */
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().press('Enter')
const isNoWider = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
const chips = (page: Page) => page.getByRole('list', { name: 'Your vehicles' })

/** Three more parts, by number: what differs from the others, and what their pages say of a 2012 Camry. */
const otherCars = {
  6: { partyear: '2016', fitment: '2010-2013 Toyota Camry' },
  7: { partyear: '2016', fitment: '2014-2017 Toyota Camry' },
  8: { partmodel: 'Corolla' },
}
const verdicts: readonly (readonly [number: number, sentence: string])[] = [
  [6, 'Fits your 2012 Toyota Camry 2010–2013 Toyota Camry'],
  [7, 'Doesn’t fit your 2012 Toyota Camry 2014–2017 Toyota Camry'],
]

test('on a phone and by keyboard, a buyer compares parts, narrows to a vehicle, and has both on the next device', async ({
  page,
  context,
}) => {
  const { word, parts } = await makeParts(page, 8, {}, otherCars)
  const list = `/parts?q=${word}&sort=price-low`
  const title = (number: number) => `2012 Toyota Camry Starter ${word} ${number}`

  await test.step('four parts side by side, and not five', async () => {
    await page.goto(list)
    await page.getByLabel('Search', { exact: true }).focus()
    for (const number of [1, 2, 3, 4]) await press(page, `Compare ${title(number)}`)
    await press(page, `Compare ${title(5)}`)
    await expect(page.getByText('You can compare 4 parts. Remove one first.')).toBeVisible()
    await isNoWider(page)
    await press(page, 'Compare parts')
    const sheet = page.getByRole('dialog', { name: 'Compare parts' })
    await expect(sheet.getByRole('columnheader', { name: title(4) })).toBeAttached()
    await expect(sheet.getByRole('row', { name: /^Price/ })).toContainText('$41.00')
    await sheet.getByLabel('Distance from ZIP code').fill('73101')
    await sheet.getByLabel('Distance from ZIP code').press('Enter')
    await expect(sheet.getByRole('row', { name: /^Distance/ })).toContainText(/\d+ miles/)
    await isNoWider(page)
    await expectNoSeriousAxe(page)
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('button', { name: 'Compare parts' })).toBeFocused()
  })

  await test.step('a vehicle of the garage narrows any list, in every tab', async () => {
    await press(page, `Save ${title(2)}`)
    await page.getByRole('link', { name: 'Garage 1 saved' }).press('Enter')
    await page.getByLabel('Year').selectOption('2012')
    await page.getByLabel('Make').selectOption({ label: 'Toyota' })
    await page.getByLabel('Model').selectOption({ label: 'Camry' })
    await press(page, 'Add vehicle')
    await expect(page.getByRole('link', { name: 'Find parts for 2012 Toyota Camry' })).toBeVisible()
    await expect(page.getByRole('link', { name: title(2) })).toBeVisible()
    await isNoWider(page)
    await expectNoSeriousAxe(page)
    const other = await context.newPage()
    for (const [number, sentence] of verdicts) {
      await other.goto(`/parts/${parts[number - 1]?.partslug}`)
      await expect(other.getByRole('list', { name: 'Your vehicles' })).toContainText(sentence)
    }
    await other.goto(list)
    await expect(other.getByRole('article')).toHaveCount(8)
    await chips(other).getByRole('link', { name: 'Show for my 2012 Camry' }).press('Enter')
    await expect(other).toHaveURL(/year=2012/)
    await expect(other.getByRole('article')).toHaveCount(6)
    await expect(other.getByRole('article').filter({ hasText: `Starter ${word} 6` })).toBeVisible()
    await chips(other).getByRole('link', { name: 'Remove 2012 Camry' }).press('Enter')
    await expect(other).toHaveURL(list)
    await press(page, 'Remove 2012 Toyota Camry')
    await expect(chips(other)).toBeHidden()
    await other.close()
  })

  await test.step('signing in takes it along', async () => {
    const { person } = await newSeller(page)
    await signIn(page, person)
    const stored = page.waitForResponse(
      (reply) => reply.url().endsWith('/api/profile/garage') && reply.request().method() === 'PUT',
    )
    await page.goto('/garage')
    expect((await stored).status()).toBe(200)
    // As another device: signed in, and nothing else stored.
    await page.evaluate(() => localStorage.clear())
    await signIn(page, person)
    await page.goto('/garage')
    await expect(page.getByRole('link', { name: title(2) })).toBeVisible()
  })
})
