import { mailTo } from '#tests/e2e/support/outbox.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { signIn, stranger } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, ownAddress, startedApp, test } from '#tests/e2e/support/story.ts'

test('a buyer without an account and a seller go from a first question to a price and a sale', async ({
  page,
  browser,
}) => {
  const { person, parts } = await makeParts(page, 1, { partname: 'Alternator, tested', partprice: '60' })
  const part = `/parts/${parts[0]?.partslug}`
  await signIn(page, person)

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
  await contact
    .getByRole('textbox', { name: 'Message' })
    .fill('Does it come with the bolts?\nI can pick it up on Friday.')
  await contact.getByRole('button', { name: 'Send message' }).click()
  await expect(contact.getByRole('heading', { name: 'Message sent' })).toBeFocused()
  await expect(contact).toContainText(`They will reply to ${buyer.email}.`)
  await expect(contact).toContainText('confirm your address so the seller can reply')

  const told = await mailTo(page, person.email, /^Message from Marcus Bell: /)
  expect(told).toMatchObject({ replyTo: buyer.email })
  expect(told.body).toContain('> Does it come with the bolts?')
  await page.goto(/http\S+\/leads\?lead=\S+/.exec(told.body)?.[0] ?? 'no link')
  const message = page.getByRole('article', { name: buyer.name })
  await expect(message).toContainText('I can pick it up on Friday.')
  await message.getByRole('button', { name: 'Send reply' }).click()
  await expect(message.getByText('Write a reply first')).toBeVisible()
  await message.getByRole('button', { name: 'Yes, it’s still available.' }).click()
  await expect(message.getByLabel('Your reply')).toHaveValue('Yes, it’s still available.')
  await message.getByLabel('Your reply').fill('Yes, all four. Friday is fine.')
  await message.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText('Reply saved')).toBeVisible()
  const conversation = message.getByRole('list', { name: 'Conversation' })
  await expect(conversation).toContainText('Yes, all four.')
  await expect(conversation).toContainText('Not emailed yet')

  const link = await mailTo(page, buyer.email, /^Confirm your email to get/)
  await shop.goto(/http\S+\/confirm-message#\S+/.exec(link.body)?.[0] ?? 'no link')
  await shop.getByRole('button', { name: 'Yes, that was me' }).click()
  await expect(shop.getByRole('heading', { name: 'Your address is confirmed' })).toBeFocused()
  const answer = await mailTo(page, buyer.email, /^Re: .*Alternator, tested/)
  expect(answer).toMatchObject({ replyTo: person.email })
  expect(answer.body).toContain('Yes, all four. Friday is fine.')

  await shop.goto(/http\S+\/messages#\S+/.exec(answer.body)?.[0] ?? 'no link')
  const thread = shop.getByRole('list', { name: 'Conversation' })
  await expect(thread).toContainText('Yes, all four. Friday is fine.')
  await expect(shop).toHaveURL(/\/messages$/)
  await lookAt(shop, 'conversation')
  await shop.getByText('Make an offer').click()
  const offering = shop.getByRole('form', { name: 'Offer' })
  await offering.getByLabel(/^Your offer/).fill('45')
  await offering.getByLabel(/^Your offer/).press('Enter')
  await expect(thread).toContainText('You offered $45.00')

  const offered = await mailTo(page, person.email, /^Offer from Marcus Bell: \$45\.00/)
  await page.goto(/http\S+\/leads\?lead=\S+/.exec(offered.body)?.[0] ?? 'no link')
  await expect(message.getByRole('heading', { name: 'Marcus Bell offers $45.00' })).toBeVisible()
  await lookAt(page, 'message-with-offer', 'light')
  await message.getByRole('button', { name: 'Make a counteroffer' }).click()
  const counter = message.getByRole('form', { name: 'Counteroffer' })
  await counter.getByLabel('Your price').fill('52')
  await counter.getByRole('button', { name: 'Send counteroffer' }).click()
  await expect(conversation).toContainText(/offered \$52\.00/)

  const countered = await mailTo(page, buyer.email, /^Counteroffer: \$52\.00/)
  await shop.goto(/http\S+\/messages#\S+/.exec(countered.body)?.[0] ?? 'no link')
  await shop.getByRole('button', { name: 'Accept offer' }).click()
  await expect(shop.getByText('Agreed: $52.00', { exact: true })).toBeVisible()
  await anybody.close()

  await mailTo(page, person.email, /^Marcus Bell accepts \$52\.00/)
  await page.reload()
  await message.getByRole('button', { name: 'Mark as sold' }).click()
  const sold = page.getByRole('dialog', { name: 'Sold to Marcus Bell?' })
  await expect(sold.getByLabel('Mark the listing as sold')).toBeChecked()
  await sold.getByRole('button', { name: 'Close as sold' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Marked as sold' })).toBeVisible()
  await expect(message).toContainText('This message is closed.')
  const views = page.getByRole('navigation', { name: 'Messages by state' })
  await views.getByRole('link', { name: /^Closed/ }).click()
  await expect(page.getByRole('list', { name: 'Closed messages' }).getByRole('listitem')).toHaveCount(1)
  await views.getByRole('link', { name: /^New/ }).click()
  await expect(page.getByRole('heading', { name: 'No new messages' })).toBeVisible()
})
