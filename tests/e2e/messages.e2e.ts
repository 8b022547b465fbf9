import { fillPart, fillQuickDetails } from '#tests/e2e/support/listing-form.ts'
import { mailTo } from '#tests/e2e/support/outbox.ts'
import { signInAsNewSeller, stranger } from '#tests/e2e/support/people.ts'
import { expect, ownAddress, startedApp, test } from '#tests/e2e/support/story.ts'

test('a buyer writes about a part; the seller is notified by mail, answers and closes the message', async ({
  page,
  browser,
}) => {
  const { person } = await signInAsNewSeller(page)
  await page.goto('/dashboard/seller/leads')
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible()
  await page.goto('/dashboard/seller/create-data-table-listing')
  const form = page.getByRole('form', { name: 'Quick listing' })
  await fillPart(form, { title: 'Alternator, tested', partNumber: '27060-28321', price: '60' })
  await fillQuickDetails(form)
  await form
    .getByRole('button', { name: /create listing|save listing|list/i })
    .last()
    .click()
  await page.getByRole('link', { name: 'View listing' }).click()
  await expect(page.getByRole('heading', { name: 'This is your own part' })).toBeVisible()
  const part = page.url()

  const buyer = stranger('Marcus Bell')
  const anybody = await browser.newContext({
    baseURL: startedApp().address,
    extraHTTPHeaders: ownAddress(),
    locale: 'en-US',
  })
  const shop = await anybody.newPage()
  await shop.goto(part)
  await expect(shop.getByRole('heading', { level: 1 })).toContainText('2012 Toyota Camry Alternator, tested')
  await expect(shop.getByText('(918) 555-0142')).toHaveCount(0)
  const contact = shop.getByRole('region', { name: 'Contact' })
  await contact.getByRole('button', { name: 'Send message' }).click()
  await expect(contact.getByLabel('Name')).toBeFocused()
  await contact.getByLabel('Name').fill(buyer.name)
  await contact.getByRole('button', { name: 'Send message' }).click()
  await expect(contact.getByLabel('Email')).toBeFocused()
  await contact.getByLabel('Email').fill(buyer.email)
  await contact.getByLabel('Message').fill('Does it come with the bolts?\nI can pick it up on Friday.')
  await contact.getByRole('button', { name: 'Send message' }).click()
  await expect(contact.getByRole('heading', { name: 'Message sent' })).toBeFocused()
  await expect(contact).toContainText(`They will reply to ${buyer.email}.`)
  await expect(contact).toContainText(`Open the link we emailed to ${buyer.email}`)

  const told = await mailTo(page, person.email, /^Message from Marcus Bell: /)
  expect(told).toMatchObject({ replyTo: buyer.email })
  expect(told.body).toContain('> Does it come with the bolts?')
  await page.goto(/http\S+\/leads\?lead=\S+/.exec(told.body)?.[0] ?? 'no link')
  const message = page.getByRole('article', { name: buyer.name })
  await expect(message).toContainText('I can pick it up on Friday.')
  await message.getByRole('button', { name: 'Send answer' }).click()
  await expect(message.getByText('Write an answer first')).toBeVisible()
  await message.getByLabel('Your answer').fill('Yes, all four. Friday is fine.')
  await message.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByText('Answer saved')).toBeVisible()
  const conversation = message.getByRole('list', { name: 'Conversation' })
  await expect(conversation).toContainText('Yes, all four.')
  await expect(conversation).toContainText('Not emailed yet')

  const link = await mailTo(page, buyer.email, /^Confirm your email address/)
  await shop.goto(/http\S+\/confirm-message#\S+/.exec(link.body)?.[0] ?? 'no link')
  await shop.getByRole('button', { name: 'Yes, I wrote this' }).click()
  await expect(shop.getByRole('heading', { name: 'Your address is confirmed' })).toBeFocused()
  await anybody.close()
  const answer = await mailTo(page, buyer.email, /^Re: .*Alternator, tested/)
  expect(answer).toMatchObject({ replyTo: person.email })
  expect(answer.body).toContain('Yes, all four. Friday is fine.')

  await message.getByRole('button', { name: 'Close message' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Message closed' })).toBeVisible()
  await expect(message).toContainText('This message is closed.')
  const views = page.getByRole('navigation', { name: 'Messages by state' })
  await views.getByRole('link', { name: /^Closed/ }).click()
  await expect(page.getByRole('list', { name: 'Closed messages' }).getByRole('listitem')).toHaveCount(1)
  await views.getByRole('link', { name: /^New/ }).click()
  await expect(page.getByRole('heading', { name: 'No new messages' })).toBeVisible()
})
