import { randomBytes } from 'node:crypto'
import { mailTo } from '#tests/e2e/support/outbox.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { stranger } from '#tests/e2e/support/people.ts'
import { expect, ownAddress, startedApp, test } from '#tests/e2e/support/story.ts'

test('a buyer without an account waits for a part, and is emailed when one comes in', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const word = `Q${randomBytes(4).toString('hex')}`
  const buyer = stranger('Marcus Bell')

  await test.step('saves the search without script', async () => {
    const plain = await browser.newContext({
      baseURL: startedApp().address,
      extraHTTPHeaders: ownAddress(),
      javaScriptEnabled: false,
    })
    const shop = await plain.newPage()
    await shop.goto(`/parts?q=${word}+alternator`)
    await shop.getByRole('link', { name: 'Email me when one is listed' }).first().click()
    await expect(shop.getByRole('heading', { name: 'Email me when one is listed' })).toBeVisible()
    await shop.getByRole('button', { name: 'Save search' }).click()
    await expect(shop.getByText('Enter an email address such as')).toBeVisible()
    await shop.getByLabel('Email').fill(buyer.email)
    await shop.getByRole('button', { name: 'Save search' }).click()
    await expect(shop.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    await plain.close()
  })

  const link = await mailTo(page, buyer.email, /^Confirm your saved search$/)
  await page.goto(/http\S+\/confirm-search#\S+/.exec(link.body)?.[0] ?? 'no link')
  await expect(page.getByRole('checkbox', { name: new RegExp(`Alternator.*${word}`, 'i') })).toBeChecked()
  await page.getByRole('button', { name: 'Yes, email me' }).click()
  await expect(page.getByRole('heading', { name: 'Your search is saved' })).toBeFocused()

  await makeParts(page, 1, { partname: `Alternator ${word}`, partprice: '60' })

  // The worker matches every ten seconds, then emails.
  const told = await mailTo(page, buyer.email, /^New: /, 60_000)
  expect(told.subject).toContain(`Alternator ${word}, $60.00`)
  await page.goto(/http\S+\/saved-searches#\S+/.exec(told.body)?.[0] ?? 'no link')
  await expect(page.getByText(`Emails go to ${buyer.email}.`)).toBeVisible()
  await page.getByLabel(/^Email me about/).selectOption({ label: 'Paused' })
  await expect(page.getByText('Search paused')).toBeVisible()
})
