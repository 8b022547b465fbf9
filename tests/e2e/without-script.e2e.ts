import { mailTo } from '#tests/e2e/support/outbox.ts'
import { makeParts } from '#tests/e2e/support/parts-of-a-seller.ts'
import { stranger } from '#tests/e2e/support/people.ts'
import { expect, ownAddress, startedApp, test } from '#tests/e2e/support/story.ts'

test('a buyer without script searches, turns pages, writes to the seller, reports a part and asks for help', async ({
  page,
  browser,
}) => {
  const { word, person } = await makeParts(page, 13)
  const plain = await browser.newContext({
    baseURL: startedApp().address,
    extraHTTPHeaders: ownAddress(),
    javaScriptEnabled: false,
  })
  const shop = await plain.newPage()
  const buyer = stranger('Marcus Bell')

  await test.step('the home page’s picker finds parts, page by page', async () => {
    await shop.goto('/')
    await shop.getByLabel('Part or part number').fill(word)
    await shop.getByRole('button', { name: 'Find parts' }).click()
    await expect(shop).toHaveURL(new RegExp(`/parts\\?.*q=${word}`))
    await expect(shop.getByText('13 product(s) found')).toBeVisible()
    await expect(shop.getByRole('article')).toHaveCount(12)
    await shop.getByRole('link', { name: 'Next page' }).first().click()
    await expect(shop.getByRole('article')).toHaveCount(1)
    await shop.getByRole('article').getByRole('link').click()
    await expect(shop.getByRole('heading', { level: 1 })).toContainText(word)
  })

  await test.step('the message form names what is wrong beside the field and keeps the rest', async () => {
    const contact = shop.getByRole('region', { name: 'Contact' })
    await contact.getByLabel('Email').fill(buyer.email)
    await contact.getByRole('textbox', { name: 'Message' }).fill('Is it still there?')
    await contact.getByRole('button', { name: 'Send message' }).click()
    await expect(contact.getByText('Name is required')).toBeVisible()
    await expect(contact.getByLabel('Email')).toHaveValue(buyer.email)
    await expect(contact.getByRole('textbox', { name: 'Message' })).toHaveValue('Is it still there?')
    await contact.getByLabel('Name').fill(buyer.name)
    await contact.getByRole('button', { name: 'Send message' }).click()
    await expect(contact.getByRole('heading', { name: 'Message sent' })).toBeInViewport()
    const told = await mailTo(page, person.email, /^Message from Marcus Bell: /)
    expect(told.body).toContain('> Is it still there?')
  })

  await test.step('a report needs a reason', async () => {
    await shop.getByText('Report this listing').click()
    const report = shop.getByRole('form', { name: 'Report this listing' })
    await report.getByRole('button', { name: 'Send report' }).click()
    await expect(report.getByText('Choose a reason', { exact: true }).last()).toBeVisible()
    await report.getByLabel('What’s wrong with this listing?').selectOption('Not the part described')
    await report.getByRole('button', { name: 'Send report' }).click()
    await expect(shop.getByText('Thanks for reporting. We’ll review this listing.')).toBeInViewport()
  })

  await test.step('support', async () => {
    await shop.getByRole('link', { name: 'Technical support' }).click()
    await shop.getByLabel('Name').fill(buyer.name)
    await shop.getByLabel('Email').fill(buyer.email)
    await shop.getByLabel('Subject').fill(`About ${word}`)
    await shop.getByRole('textbox', { name: 'Message' }).fill('The search found it.')
    await shop.getByRole('button', { name: 'Send message' }).click()
    await expect(shop.getByRole('heading', { name: 'Message sent' })).toBeVisible()
  })
  await plain.close()
})
