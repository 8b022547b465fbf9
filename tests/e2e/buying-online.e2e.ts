import type { Page } from '@playwright/test'
import { mailTo } from '#tests/e2e/support/outbox.ts'
import { callApi, type Person, stranger } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { makeSellingYard } from '#tests/e2e/support/selling-yard.ts'
import { expect, startedApp, test } from '#tests/e2e/support/story.ts'

/** Fills in the checkout's form. */
async function fillIn(page: Page, buyer: Person, isShipped = true): Promise<void> {
  if (isShipped) {
    await page.getByLabel('Street address').fill('12 Elm St')
    await page.getByLabel('City').fill('Tulsa')
    await page.getByLabel('State', { exact: true }).selectOption('Oklahoma')
    await page.getByLabel('ZIP code').fill('74103')
  }
  await page.getByLabel('Name', { exact: true }).fill(buyer.name)
  await page.getByLabel('Email').fill(buyer.email)
}

/** Presses a button on the provider's payment page. */
async function pressAtPayment(page: Page, button: RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Pay PartHarbor' })).toBeVisible()
  expect(new URL(page.url()).origin).toBe(startedApp().payments)
  await page.getByRole('button', { name: button }).click()
}

const state = (page: Page) => page.getByRole('region', { name: 'What happens next' }).getByRole('status')

/** The yard's order with this number, as its side of the API has it. */
async function orderOf(page: Page, token: string): Promise<{ id: string; number: string }> {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await page.request.get('/api/seller/orders', { headers })
  const { items } = (await reply.json()) as { items: { id: string; number: string }[] }
  expect(items).toHaveLength(1)
  return items[0] ?? { id: '', number: '' }
}

test.describe('by phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a guest buys a part that the yard finds and ships', async ({ page }) => {
    // Seven screens are looked at.
    test.setTimeout(120_000)
    const { parts, token } = await makeSellingYard(page)
    const part = `/parts/${parts[0]?.partslug}`
    const buyer = stranger('Maria Lopez')

    await page.goto(part)
    await page.getByRole('button', { name: 'Show the total to my ZIP code' }).click()
    await page.getByLabel('Your ZIP code').fill('74103')
    await page.getByLabel('Your ZIP code').press('Enter')
    await expect(page.getByRole('row', { name: 'Total $120.00' })).toBeVisible()
    await lookAt(page, 'part-to-buy', 'both', 'stay')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('link', { name: 'Buy', exact: true }).first().click()

    await expect(page.getByRole('heading', { level: 1, name: 'Buy this part' })).toBeVisible()
    await expect(page.getByLabel('ZIP code')).toHaveValue('74103')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(page.getByLabel('Street address')).toBeFocused()
    await lookAt(page, 'checkout-problems', 'light', 'stay')
    await fillIn(page, buyer)
    await page.getByLabel('ZIP code').fill('10001')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(page.getByText('ZIP code 10001 is in NY, not OK')).toBeVisible()
    await expect(page.getByLabel('ZIP code')).toBeFocused()
    await page.getByLabel('ZIP code').fill('74103')
    await expect(page.getByText(/has 72 hours to find your part/)).toBeVisible()
    await lookAt(page, 'checkout', 'both', 'stay')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Continue to payment' }).click()

    await pressAtPayment(page, /^(Pay|Authorize) \$120\.00$/)
    await expect(page).toHaveURL(/\/orders\?order=[\w-]+&paid=1$/)
    await expect(page.getByText('Waiting for the yard')).toBeVisible({ timeout: 30_000 })
    await expect(state(page)).toContainText('to find your part. If not, you pay nothing.')
    await lookAt(page, 'order-authorized', 'both', 'stay')

    const mail = await mailTo(page, buyer.email, /Starter/)
    const link = /http\S+\/orders#\S+/.exec(mail.body)?.[0] ?? 'no link'
    await page.evaluate(() => localStorage.clear())
    await page.goto('/')
    await page.goto(link)
    await expect(page.getByText('Waiting for the yard')).toBeVisible()
    await expect(page).toHaveURL(/\/orders$/)

    const { id } = await orderOf(page, token)
    await callApi(page, token, `/seller/orders/${id}/confirm`, { fitsVin: false })
    await page.reload()
    await expect(page.getByText('Confirmed', { exact: true })).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(/^Paid: /)).toContainText('$120.00')
    await callApi(page, token, `/seller/orders/${id}/ship`, {
      carrier: 'ups',
      tracking: '1Z999AA10123456784',
    })
    await page.reload()
    await expect(page.getByRole('link', { name: 'Track 1Z999AA10123456784' })).toBeVisible()
    await lookAt(page, 'order-shipped', 'light', 'stay')
    await page.getByRole('button', { name: 'It arrived' }).click()
    await expect(page.getByText('Delivered', { exact: true })).toBeVisible()
  })
})

test('a declined card is tried again and paid, and two tabs hold one part', async ({ page, context }) => {
  const { parts } = await makeSellingYard(page, { mode: 'instant' })
  const part = `/parts/${parts[0]?.partslug}`
  const buyer = stranger('Maria Lopez')
  await page.goto(`${part}/buy`)
  await fillIn(page, buyer)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await pressAtPayment(page, /^Fail/)
  await expect(page.getByRole('alert')).toContainText('Your card was declined')

  const other = await context.newPage()
  await other.goto(part)
  await expect(other.getByText(/^In your cart until/)).toBeVisible()
  await lookAt(other, 'part-in-cart')
  await other.getByRole('link', { name: 'Continue with your order' }).click()
  await expect(other.getByText('Waiting for payment')).toBeVisible()
  await lookAt(other, 'order-unpaid')
  await other.close()

  await page.getByRole('button', { name: 'Pay $120.00' }).click()
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(state(page)).toContainText('The part is yours.')
  await page.goto(part)
  await expect(page.getByText('Sold', { exact: true }).first()).toBeVisible()
})

test('leaving the payment page frees the part', async ({ page }) => {
  const { parts } = await makeSellingYard(page)
  const part = `/parts/${parts[0]?.partslug}`
  await page.goto(`${part}/buy`)
  await fillIn(page, stranger('Maria Lopez'))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await pressAtPayment(page, /^Cancel/)
  await expect(page.getByText('You left the payment page', { exact: true })).toBeVisible()
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible()
  await lookAt(page, 'order-left')
  await page.getByRole('link', { name: 'Back to the part' }).click()
  await expect(page.getByRole('link', { name: 'Buy', exact: true }).first()).toBeVisible()
})

test('a signed-in buyer picks a part up with the code, and has the order in the account', async ({
  page,
}) => {
  const { parts, token } = await makeSellingYard(page)
  const person = stranger('Maria Lopez')
  await page.goto('/register?as=buying&from=/garage')
  await expect(page.getByRole('radio', { name: 'Buying' })).toBeChecked()
  await lookAt(page, 'register-to-buy')
  await page.getByLabel('Name', { exact: true }).fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page).toHaveURL(/^[^?]+\/garage$/)

  await page.goto(`/parts/${parts[0]?.partslug}/buy`)
  await page.getByRole('radio', { name: /pick it up in Tulsa/ }).check()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(person.name)
  await expect(page.getByLabel('Email')).toHaveValue(person.email)
  await expect(page.getByRole('row', { name: 'Total $100.00' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await pressAtPayment(page, /^(Pay|Authorize) \$100\.00$/)
  await expect(page.getByText('Waiting for the yard')).toBeVisible({ timeout: 30_000 })

  const { id } = await orderOf(page, token)
  await callApi(page, token, `/seller/orders/${id}/confirm`, { fitsVin: false })
  await callApi(page, token, `/seller/orders/${id}/ready`)
  await page.goto('/account')
  await lookAt(page, 'account')
  await page.getByRole('list', { name: 'Orders' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/account\/orders\//)
  await expect(page.getByText('Ready for pickup', { exact: true })).toBeVisible()
  const pickup = page.getByRole('region', { name: 'Pickup' })
  await expect(pickup).toContainText('1 Yard Rd')
  await lookAt(page, 'order-ready')
  const code = (await pickup.getByText(/^\d{3} \d{3}$/).textContent()) ?? ''
  await callApi(page, token, `/seller/orders/${id}/hand-over`, { code })
  await page.reload()
  await expect(page.getByText('Delivered', { exact: true })).toBeVisible()
})

test('an accepted offer is paid at its price, by its buyer only', async ({ page }) => {
  const { parts, token } = await makeSellingYard(page)
  const part = `/parts/${parts[0]?.partslug}`
  const buyer = stranger('Maria Lopez')
  const data = { name: buyer.name, email: buyer.email, message: 'Would you take 80?', offer: '80' }
  expect((await page.request.post(`/api${part}/messages`, { data })).status()).toBe(201)
  const link = await mailTo(page, buyer.email, /^Confirm your email/)
  await page.goto(/http\S+\/confirm-message#\S+/.exec(link.body)?.[0] ?? 'no link')
  await page.getByRole('button', { name: 'Yes, that was me' }).click()
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible()
  const headers = { authorization: `Bearer ${token}` }
  const leads = await page.request.get('/api/seller/leads', { headers })
  const { items } = (await leads.json()) as {
    items: { id: string; messages: { id: string; kind: string }[] }[]
  }
  const offerId = items[0]?.messages.find(({ kind }) => kind === 'offer')?.id
  await callApi(page, token, `/seller/leads/${items[0]?.id}/offer-answer`, { offerId, answer: 'accept' })

  await page.goto(part)
  await expect(page.getByText('Sale pending').first()).toBeVisible()
  const accepted = await mailTo(page, buyer.email, /80\.00/)
  await page.goto(/http\S+\/messages#\S+/.exec(accepted.body)?.[0] ?? 'no link')
  await lookAt(page, 'conversation-to-pay')
  await page.getByRole('link', { name: 'Buy for $80.00' }).click()
  await fillIn(page, buyer)
  await expect(page.getByRole('row', { name: 'Total $100.00' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await pressAtPayment(page, /^(Pay|Authorize) \$100\.00$/)
  await expect(page.getByText('Waiting for the yard')).toBeVisible({ timeout: 30_000 })
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the page of a held part says for how many minutes', async ({ page }) => {
    const { parts } = await makeSellingYard(page)
    const part = `/parts/${parts[0]?.partslug}`
    await page.goto(part)
    await expect(page.getByRole('link', { name: 'Buy', exact: true }).first()).toBeVisible()
    const data = {
      email: stranger().email,
      name: 'Maria Lopez',
      delivery: 'pickup',
      expectedTotal: 100,
    }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const placed = await page.request.post(`/api${part}/orders`, { data, headers })
    expect(placed.status(), await placed.text()).toBe(201)
    await page.goto(part)
    await expect(page.getByText(/^In someone’s cart for (30|31) more minutes$/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Buy', exact: true })).toHaveCount(0)
  })
})

test('a guest without a link gets the links again', async ({ page }) => {
  await page.goto('/orders')
  await page.getByLabel('Email').fill('nobody@buyer.example')
  await page.getByRole('button', { name: 'Send my links' }).click()
  await expect(page.getByText(/the links are on their way/)).toBeVisible()
  await lookAt(page, 'orders-without-link')
})
