import { expect, onTestFinished, test, vi } from 'vitest'
import { paymentsDoctor } from '#server/commands/payments-doctor.ts'
import { type Check, checkPayments } from '#server/features/money/billing/setup/doctor.ts'
import { openLog } from '#server/platform/log.ts'
import {
  type HandOver,
  openPage,
  press,
  type StartedCheckout,
  startBillingWorker,
} from '#tests/support/payments.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await startBillingWorker(app)
await simulator.deliverTo(app.http)
const publicUrl = app.http.listeningOrigin

type Given = {
  hasTax?: boolean
  secretKey?: string
  publicUrl?: string
  proPriceId?: string
  priceText?: string
}

async function check({
  priceText = '$149',
  hasTax = false,
  publicUrl: url = publicUrl,
  ...keys
}: Given = {}): Promise<Check[]> {
  const { payments } = app.config
  if (payments.kind !== 'simulator') throw new Error('this app has no test payments')
  const checks: Check[] = []
  const deps = {
    db: app.db,
    publicUrl: url,
    priceText,
    hasOrders: true,
    hasTax,
    payments: { ...payments, ...keys },
  }
  for await (const one of checkPayments(deps)) checks.push(one)
  return checks
}

const missingOf = (checks: Check[]) => checks.filter(({ state }) => state === 'missing')

test('with everything in place, nothing is missing; a first event of each kind proves the secrets', async () => {
  const before = await check()
  expect(missingOf(before)).toEqual([])
  expect(before.filter(({ state }) => state === 'unproven').map(({ name }) => name)).toEqual([
    'Secret of your account',
    'Secret of connected accounts',
  ])
  const seller = await app.signUp()
  await press((await seller.api.post<StartedCheckout>('/subscription/checkout')).body.url, 'pay')
  await press(
    await openPage((await seller.api.post<HandOver>('/onboarding/free/start')).body.url),
    'complete',
  )
  await simulator.settled()
  expect((await check()).every(({ state }) => state === 'ok')).toBe(true)
})

const setups: [what: string, setup: Record<string, unknown>, name: string, todo: RegExp][] = [
  ['the price', { price: 'missing' }, 'Price', /STRIPE_PRO_PRICE_ID/],
  ['a payout schedule', { payoutSchedule: 'daily' }, 'Payout schedule', /choose Manual/],
  ['the price, archived', { price: 'archived' }, 'Price', /Unarchive it/],
  ['a monthly price', { price: 'yearly' }, 'Price', /recurring monthly price/],
  ['the amount', { unitAmountCents: 19_900 }, 'Price', /Set PRO_PRICE_TEXT='\$199'/],
  ['the currency', { currency: 'cad' }, 'Price', /PRO_PRICE_TEXT='CA\$149/],
  ['an activated account', { chargesEnabled: false }, 'Account', /Activate the account/],
  ['Connect', { connect: false }, 'Connect', /Sign up under Connect/],
  ['a saved portal', { portal: 'none' }, 'Portal', /press Save/],
  ['the portal’s buttons', { portal: 'bare' }, 'Portal', /Turn that on/],
  [
    'the endpoint of the account',
    { endpoints: [{ connect: true, events: ['*'] }] },
    'Webhooks of your account',
    /“Your account”/,
  ],
  [
    'the endpoint of connected accounts',
    { endpoints: [{ connect: false, events: ['*'] }] },
    'Webhooks of connected accounts',
    /“Connected accounts”.*account\.updated/,
  ],
  [
    'an event',
    {
      endpoints: [
        { connect: false, events: ['invoice.paid'] },
        { connect: true, events: ['*'] },
      ],
    },
    'Webhooks of your account',
    /Add these events/,
  ],
  [
    'an enabled endpoint',
    {
      endpoints: [
        { connect: false, events: ['*'], status: 'disabled' },
        { connect: true, events: ['*'] },
      ],
    },
    'Webhooks of your account',
    /Enable it/,
  ],
  ['the permission to list endpoints', { lacks: ['rak_webhook_read'] }, 'Webhooks', /restricted key/],
]

test.each(setups)('without %s', async (_what, setup, name, todo) => {
  await simulator.behave({ setup })
  onTestFinished(() => simulator.behave({}))
  expect(missingOf(await check())).toEqual([
    { name, state: 'missing', found: expect.any(String), todo: expect.stringMatching(todo) },
  ])
})

test('each permission of a restricted key is tried, and nothing is changed by that', async () => {
  const before = await simulator.sdk().events.list({ limit: 1 })
  const key = { secretKey: 'rk_test_simulator' }
  expect(missingOf(await check(key))).toEqual([])
  const lacks = [
    'rak_customer_write',
    'rak_subscription_write',
    'rak_checkout_session_write',
    'rak_account_link_write',
  ]
  await simulator.behave({ setup: { lacks } })
  onTestFinished(() => simulator.behave({}))
  expect(missingOf(await check(key)).map(({ found }) => found)).toEqual([
    'Customers: Write is refused (rak_customer_write)',
    'Subscriptions: Write is refused (rak_subscription_write)',
    'Checkout Sessions: Write is refused (rak_checkout_session_write)',
    'Connect, Account Links: Write is refused (rak_account_link_write)',
  ])
  expect((await simulator.sdk().events.list({ limit: 1 })).data[0]?.id).toBe(before.data[0]?.id)
})

test('a wrong key, a wrong clock, and an address where nothing answers', async () => {
  expect(missingOf(await check({ secretKey: 'sk_test_other' }))).toMatchObject([
    { name: 'Key', todo: expect.stringContaining('Copy the key again') },
  ])
  await simulator.behave({ clockAheadMs: 200_000 })
  onTestFinished(() => simulator.behave({}))
  expect(missingOf(await check())).toMatchObject([
    { name: 'Clock', found: expect.stringMatching(/(199|200) s behind/) },
  ])
  await simulator.behave({})
  expect(missingOf(await check({ publicUrl: 'http://127.0.0.1:9' }))).toMatchObject([
    { name: 'Webhook address', found: expect.stringContaining('does not respond') },
  ])
})

test('the command prints every check and fails if something is missing', async () => {
  const lines: string[] = []
  const printed = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)))
  onTestFinished(() => printed.mockRestore())
  const log = openLog({ role: 'test', level: 'silent' })
  const config = { ...app.config, publicUrl }
  await paymentsDoctor(config, log)
  expect(lines).toContain('ok        Price: price_pro_monthly is $149 a month')
  expect(lines.at(-1)).toBe('Nothing is missing.')
  await simulator.behave({ setup: { portal: 'none' } })
  onTestFinished(() => simulator.behave({}))
  await expect(paymentsDoctor(config, log)).rejects.toThrow('One thing is missing.')
  expect(lines.at(-2)).toMatch(/^ok {8}Orders/)
  expect(lines.at(-1)).toMatch(/^ok {8}Releases/)
  expect(lines).toContainEqual(
    expect.stringMatching(/^MISSING {3}Portal: it was never saved\n {10}→ Open it/),
  )
  const off = { ...config, payments: { kind: 'off' as const } }
  await expect(paymentsDoctor(off, log)).rejects.toThrow('docs/going-live.md')
})

test('with STRIPE_TAX it lists where tax is collected, and fails if that is nowhere', async () => {
  const tax = async () => (await check({ hasTax: true })).filter(({ name }) => name === 'Sales tax')
  expect(await tax()).toMatchObject([{ state: 'missing', todo: expect.stringMatching(/STRIPE_TAX=off/) }])
  await simulator.behave({ setup: { taxStates: ['TX', 'OK'] } })
  onTestFinished(() => simulator.behave({}))
  expect(await tax()).toMatchObject([{ state: 'ok', found: 'collected in OK, TX' }])
  expect((await check()).map(({ name }) => name)).not.toContain('Sales tax')
})
