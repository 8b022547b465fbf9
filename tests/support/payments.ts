import { pino } from 'pino'
import { afterAll, expect, vi } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { billingJobs } from '#server/features/money/billing/jobs.ts'
import type { StripeClient } from '#server/features/money/billing/provider.ts'
import { openStripeClient } from '#server/features/money/billing/stripe/stripe-client.ts'
import { orderJobs, orderReader } from '#server/features/money/orders/jobs.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { QUICK } from './job-bench.ts'
import type { SignedIn, TestApp } from './test-app.ts'

/** The client as the app has it, on the app's simulator. */
export function stripeOf({ config }: TestApp): StripeClient {
  if (config.payments.kind === 'off') throw new Error('this app has no payments')
  return openStripeClient(config.payments)
}

/** Runs the jobs of billing on the app's database until the file's tests end. Call it at the top of a test file. */
export async function startBillingWorker(app: TestApp): Promise<void> {
  const url = app.config.databaseUrl ?? ''
  const orders = { db: app.db, stripe: stripeOf(app), site: app.config, files: app.files, now: app.clock.now }
  const engine = await startJobEngine({
    url,
    directUrl: url,
    db: app.db,
    log: pino({ level: 'silent' }),
    definitions: [
      ...billingJobs({
        ...orders,
        letterhead: app.config,
        priceText: app.config.proPriceText,
        readOrder: orderReader(orders),
      }),
      ...orderJobs(orders),
    ],
    periodic: [],
    times: QUICK,
  })
  afterAll(() => engine.close())
}

/** Presses a button of the provider's page; answers where the browser is sent. */
export async function press(page: string, action: string, query = ''): Promise<string> {
  const answer = await fetch(`${page}/${action}${query}`, { method: 'POST', redirect: 'manual' })
  await answer.body?.cancel()
  if (answer.status !== 303) throw new Error(`${action} was answered ${answer.status}`)
  return answer.headers.get('location') ?? ''
}

/** Opens an address of the provider; answers the page where the browser ends up. */
export async function openPage(url: string): Promise<string> {
  const answer = await fetch(url, { redirect: 'manual' })
  await answer.body?.cancel()
  const location = answer.headers.get('location')
  return location === null ? url : new URL(location, url).href
}

export async function profileOf({ api }: SignedIn): Promise<User> {
  return (await api.get<User>('/profile/me')).body
}

/** Waits until the seller reads so. */
export async function untilUser(seller: SignedIn, expected: Partial<User>): Promise<User> {
  return vi.waitFor(
    async () => {
      const user = await profileOf(seller)
      expect(user).toMatchObject(expected)
      return user
    },
    { timeout: 15_000, interval: 30 },
  )
}

export type HandOver = { url: string }
export type StartedCheckout = { sessionId: string; url: string }

/** Buys Pro as a person does, without waiting for what follows; answers the session. */
export async function buyPro({ api }: SignedIn): Promise<string> {
  const { body } = await api.post<StartedCheckout>('/subscription/checkout')
  await press(body.url, 'pay')
  return body.sessionId
}

export const requestsOf = ({ db }: TestApp, sellerId: string) =>
  db.selectFrom('provider_request').selectAll().where('seller_id', '=', sellerId).orderBy('id').execute()

export const sellerRow = ({ db }: TestApp, sellerId: string) =>
  db.selectFrom('seller').selectAll().where('id', '=', sellerId).executeTakeFirstOrThrow()
