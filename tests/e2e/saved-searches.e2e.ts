import { randomBytes } from 'node:crypto'
import { fillPart, fillQuickDetails } from '#tests/e2e/support/listing-form.ts'
import { mailTo } from '#tests/e2e/support/outbox.ts'
import { signInAsNewSeller, stranger } from '#tests/e2e/support/people.ts'
import { expect, ownAddress, startedApp, test } from '#tests/e2e/support/story.ts'

test('a buyer without an account waits for a part, and is emailed when one comes in', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const word = `Q${randomBytes(4).toString('hex')}`
  const buyer = stranger('Marcus Bell')
  const visitor = { baseURL: startedApp().address, extraHTTPHeaders: ownAddress(), locale: 'en-US' }

  await test.step('saves the search without script', async () => {
    const plain = await browser.newContext({ ...visitor, javaScriptEnabled: false })
    const shop = await plain.newPage()
    await shop.goto(`/parts?q=${word}+alternator`)
    await shop.getByRole('link', { name: 'Tell me when one comes in' }).first().click()
    await expect(shop.getByRole('heading', { name: 'Tell me when one comes in' })).toBeVisible()
    await shop.getByRole('button', { name: 'Save search' }).click()
    await expect(shop.getByText('Enter an email address such as')).toBeVisible()
    await shop.getByLabel('Email').fill(buyer.email)
    await shop.getByRole('button', { name: 'Save search' }).click()
    await expect(shop.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    await plain.close()
  })

  const anybody = await browser.newContext(visitor)
  const shop = await anybody.newPage()
  const link = await mailTo(page, buyer.email, /^Confirm your saved search$/)
  await shop.goto(/http\S+\/confirm-search#\S+/.exec(link.body)?.[0] ?? 'no link')
  await expect(shop.getByRole('checkbox', { name: new RegExp(`Alternator.*${word}`, 'i') })).toBeChecked()
  await shop.getByRole('button', { name: 'Yes, email me' }).click()
  await expect(shop.getByRole('heading', { name: 'Your search is saved' })).toBeFocused()

  await signInAsNewSeller(page)
  await page.goto('/dashboard/seller/create-data-table-listing')
  const form = page.getByRole('form', { name: 'Quick listing' })
  await fillPart(form, { title: `Alternator ${word}`, partNumber: '27060-28321', price: '60' })
  await fillQuickDetails(form)
  await form
    .getByRole('button', { name: /create listing|save listing|list/i })
    .last()
    .click()
  await expect(page.getByRole('link', { name: 'View listing' })).toBeVisible()

  // The worker matches every ten seconds, then emails.
  const told = await mailTo(page, buyer.email, /^New: /, 60_000)
  expect(told.subject).toContain(`Alternator ${word}, $60.00`)
  await shop.goto(/http\S+\/saved-searches#\S+/.exec(told.body)?.[0] ?? 'no link')
  await expect(shop.getByText(`Emails go to ${buyer.email}.`)).toBeVisible()
  await shop.getByLabel(/^Email me about/).selectOption({ label: 'Paused' })
  await expect(shop.getByText('Search paused')).toBeVisible()
  await anybody.close()
})
