import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Quote } from '#contract/order/order-quote.ts'
import type { SaleMode } from '#contract/order/order-steps.ts'
import type { PurchaseForm } from '#contract/order/purchase.ts'
import { makeParts, type PartsOfASeller } from './parts-of-a-seller.ts'
import { callApi } from './people.ts'
import { expect } from './story.ts'

/* Yards that sell online, and what is bought from them, over the API: for stories of the other side. */

const street = { street: '1200 Salvage Rd', city: 'Tulsa', state: 'OK', zip: '74103' }

/** A new yard with parts that can be bought: payouts verified, royalty accepted, parts picked up or shipped. */
export async function makeOnlineYard(
  page: Page,
  count: number,
  changes: object = {},
  mode: SaleMode = 'confirm',
): Promise<PartsOfASeller> {
  const yard = await makeParts(page, count, { partshipping: 'Flat $20', ...changes })
  const { token } = yard
  await makeYardPayable(page, token)
  await put(page, token, '/seller/yard', {
    ...street,
    phone: '(918) 555-0142',
    timeZone: 'America/Chicago',
    hours: null,
    policy: { shipping: '', returns: '', warranty: '' },
  })
  await put(page, token, '/seller/selling', { enabled: true, mode, days: 2 })
  return yard
}

/** Verifies the payouts of a seller. */
export async function makeYardPayable(page: Page, token: string): Promise<void> {
  const { url } = await callApi<{ url: string }>(page, token, '/create-connect-account')
  // The link leads to the form.
  const form = (await page.request.get(url)).url()
  expect((await page.request.post(`${form}/complete`, { maxRedirects: 0 })).status()).toBe(303)
  await callApi(page, token, '/get-account-status')
}

async function put(page: Page, token: string, path: string, data: object): Promise<void> {
  const reply = await page.request.put(`/api${path}`, { headers: { authorization: `Bearer ${token}` }, data })
  expect(reply.ok(), `${path}: ${await reply.text()}`).toBe(true)
}

export type Bought = { id: string; number: string; token: string; email: string }

type Wishes = Partial<Pick<PurchaseForm, 'delivery' | 'vin'>>

/** Ruth Amador orders the part, and pays if there is something to pay. */
export async function buy(
  page: Page,
  slug: string,
  { delivery = 'ship', vin }: Wishes = {},
): Promise<Bought> {
  const quoted = await page.request.get(`/api/parts/${slug}/quote?delivery=${delivery}&zip=74103`)
  expect(quoted.ok(), await quoted.text()).toBe(true)
  const { total } = (await quoted.json()) as Quote
  const email = `buyer-${randomBytes(6).toString('hex')}@buyer.example`
  const reply = await page.request.post(`/api/parts/${slug}/orders`, {
    headers: { 'idempotency-key': randomBytes(16).toString('hex') },
    data: {
      email,
      name: 'Ruth Amador',
      phone: '(918) 555-0177',
      delivery,
      ...(delivery === 'ship' && {
        address: { line1: '12 Elm St', city: 'Tulsa', state: 'OK', zip: '74103' },
      }),
      ...(vin && { vin }),
      expectedTotal: total,
    },
  })
  expect(reply.status(), await reply.text()).toBe(201)
  const { order, url, token } = (await reply.json()) as {
    order: { id: string; number: string }
    url?: string
    token: string
  }
  if (url !== undefined) await payAt(page, url)
  return { ...order, token, email }
}

/** Pays an order whose shipping price the yard has named. */
export async function payQuoted(page: Page, { token }: Bought, expectedTotal: number): Promise<void> {
  const reply = await page.request.post('/api/orders/pay', { data: { token, expectedTotal } })
  expect(reply.ok(), await reply.text()).toBe(true)
  await payAt(page, ((await reply.json()) as { url: string }).url)
}

async function payAt(page: Page, url: string): Promise<void> {
  expect((await page.request.post(`${url}/pay`, { maxRedirects: 0 })).status()).toBe(303)
}

/** What the buyer says at the counter. */
export async function pickupCodeOf(page: Page, { token }: Bought): Promise<string> {
  const reply = await page.request.post('/api/orders/read', { data: { token } })
  const { pickupCode } = (await reply.json()) as { pickupCode: string | null }
  if (pickupCode === null) throw new Error('the order has no pickup code yet')
  return pickupCode
}
