import type { Page } from '@playwright/test'
import type { OwnSelling } from '#contract/order/order-calls.ts'
import type { SaleMode } from '#contract/order/order-steps.ts'
import { makeParts, type PartsOfASeller } from './parts-of-a-seller.ts'
import { callApi } from './people.ts'
import { expect } from './story.ts'

type Yard = { mode?: SaleMode; days?: number; count?: number; changes?: object }

/** A new yard with parts of $100 and $20 shipping that buyers can order and pay online. */
export async function makeSellingYard(
  page: Page,
  { mode = 'confirm', days = 2, count = 1, changes = {} }: Yard = {},
): Promise<PartsOfASeller> {
  const yard = await makeParts(page, count, {
    partprice: '100',
    partshipping: '20',
    ...changes,
  })
  await verifyPayouts(page, yard.token)
  await changeYard(page, yard.token)
  const headers = { authorization: `Bearer ${yard.token}` }
  const data = { enabled: true, mode, days }
  const reply = await page.request.put('/api/seller/selling', { headers, data })
  expect(reply.ok(), await reply.text()).toBe(true)
  expect(((await reply.json()) as OwnSelling).enabled).toBe(true)
  return yard
}

async function verifyPayouts(page: Page, token: string): Promise<void> {
  const { url } = await callApi<{ url: string }>(page, token, '/create-connect-account')
  const form = await page.request.get(url)
  const done = await page.request.post(`${form.url()}/complete`, { maxRedirects: 0 })
  expect(done.status()).toBe(303)
  await callApi(page, token, '/get-account-status')
}

/** Where buyers fetch parts. */
async function changeYard(page: Page, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const before = (await (await page.request.get('/api/seller/yard', { headers })).json()) as object
  const data = {
    ...before,
    street: '1 Yard Rd',
    city: 'Tulsa',
    state: 'OK',
    zip: '74103',
    phone: '(918) 555-0142',
  }
  const reply = await page.request.put('/api/seller/yard', { headers, data })
  expect(reply.ok(), await reply.text()).toBe(true)
}
