import type { Page } from '@playwright/test'
import { expect, startedApp } from './story.ts'

/** The payment provider’s pages, by their headings. */
const pages = {
  checkout: 'Subscribe to PartHarbor Pro',
  onboarding: 'Set up payouts',
  portal: 'Manage your subscription',
  settings: 'Payout settings',
}

/** The browser is at the provider, whose page shows that no money moves. */
export async function expectAtStripe(page: Page, name: keyof typeof pages): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: pages[name] })).toBeVisible()
  expect(new URL(page.url()).origin).toBe(startedApp().payments)
  await expect(page.getByRole('note')).toContainText('Test payments')
}

/** Presses a button on the provider’s page. */
export async function pressAtStripe(page: Page, name: keyof typeof pages, button: string): Promise<void> {
  await expectAtStripe(page, name)
  await page.getByRole('button', { name: button, exact: true }).click()
}

/** Sets the simulator’s behavior: every story is affected, so only where nothing else waits for webhooks. */
export async function holdWebhooks(page: Page, hold: boolean): Promise<void> {
  await control(page, '/behavior', { webhooks: { hold } })
  if (!hold) await control(page, '/deliver', {})
}

/** What banks, card networks and Stripe's staff do, by the simulator's switches. */
export async function control<T>(page: Page, path: string, data: object): Promise<T> {
  const reply = await page.request.post(`${startedApp().payments}/simulator${path}`, { data })
  expect(reply.ok(), await reply.text()).toBe(true)
  return (await reply.json()) as T
}

/** The charge with which an order was paid. */
export async function chargeOf(page: Page, orderId: string): Promise<string> {
  const reply = await page.request.get(`${startedApp().payments}/v1/charges?transfer_group=${orderId}`, {
    headers: { authorization: 'Bearer sk_test_simulator' },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
  const { data } = (await reply.json()) as { data: { id: string }[] }
  return data[0]?.id ?? ''
}
