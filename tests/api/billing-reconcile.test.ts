import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { paymentsReconcile } from '#server/commands/payments-reconcile.ts'
import { openTestPayments } from '#server/commands/simulator.ts'
import { type Reconciled, reconcilePayments } from '#server/features/money/billing/reconcile.ts'
import { openStripeClient } from '#server/features/money/billing/stripe/stripe-client.ts'
import { Refusal } from '#server/platform/errors.ts'
import { openLog } from '#server/platform/log.ts'
import {
  buyPro,
  type HandOver,
  openPage,
  press,
  profileOf,
  startBillingWorker,
  stripeOf,
} from '#tests/support/payments.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await startBillingWorker(app)

async function reconcile(): Promise<Reconciled[]> {
  const all: Reconciled[] = []
  for await (const one of reconcilePayments({ db: app.db, stripe: stripeOf(app) })) all.push(one)
  return all
}

const of = (all: Reconciled[], { user }: SignedIn) => all.find(({ seller }) => seller === user.sellerSlug)
const grant = (seller: SignedIn, at: Date | null) =>
  app.db.updateTable('seller').set({ pro_granted_at: at }).where('id', '=', seller.user.sellerId).execute()

describe('payments reconcile, after webhooks were lost', () => {
  test('fixes plan and payouts and reports what changed; a second run changes nothing', async () => {
    const seller = await app.signUp()
    await buyPro(seller)
    const { body } = await seller.api.post<HandOver>('/onboarding/free/start')
    await press(await openPage(body.url), 'complete')
    expect(await profileOf(seller)).toMatchObject({ sellerTier: 'FREE', connectStatus: 'IN_PROGRESS' })
    expect(of(await reconcile(), seller)?.changed).toEqual({
      tier: ['FREE', 'PAID'],
      subscriptionStatus: ['INACTIVE', 'ACTIVE'],
      subscriptionId: [null, expect.stringMatching(/^sub_/)],
      subscriptionPriceId: [null, 'price_pro_monthly'],
      subscriptionPeriodEnd: [null, expect.any(Date)],
      connectStatus: ['IN_PROGRESS', 'VERIFIED'],
      canTransfer: [false, true],
      chargesEnabled: [false, true],
    })
    expect(await profileOf(seller)).toMatchObject({ sellerTier: 'PAID', connectStatus: 'VERIFIED' })
    expect(of(await reconcile(), seller)).toEqual({ seller: seller.user.sellerSlug, changed: {} })
  })

  test('a grant holds whatever the provider reports', async () => {
    const seller = await app.signUp({ tier: 'PAID' })
    await grant(seller, new Date())
    await buyCustomer(seller)
    await reconcile()
    expect(await profileOf(seller)).toMatchObject({ sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' })
    await grant(seller, null)
    expect(of(await reconcile(), seller)?.changed).toEqual({
      tier: ['PAID', 'FREE'],
      subscriptionStatus: ['ACTIVE', 'INACTIVE'],
    })
  })

  test('sellers whom the provider does not know are skipped', async () => {
    const seller = await app.signUp({ tier: 'PAID' })
    expect(of(await reconcile(), seller)).toBeUndefined()
    expect(await profileOf(seller)).toMatchObject({ sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' })
  })

  test('a seller who cannot be read is named and keeps their data; the others are read', async () => {
    const lost = await app.signUp({ tier: 'PAID' })
    await app.db
      .updateTable('seller')
      .set({ stripe_account_id: 'acct_of_another_platform' })
      .where('id', '=', lost.user.sellerId)
      .execute()
    const found = await app.signUp()
    await buyPro(found)
    const all = await reconcile()
    expect(of(all, lost)).toMatchObject({ changed: {}, failure: expect.stringContaining('acct_of_another') })
    expect(await profileOf(lost)).toMatchObject({ sellerTier: 'PAID', connectStatus: 'NOT_STARTED' })
    expect(of(all, found)?.changed.tier).toEqual(['FREE', 'PAID'])
  })
})

describe('the command', () => {
  const log = openLog({ role: 'test', level: 'silent' })
  function run(args: string[], config = app.config) {
    const lines: string[] = []
    const printed = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)))
    onTestFinished(() => printed.mockRestore())
    return { lines, ended: paymentsReconcile(config, log, args).catch((error: unknown) => error) }
  }

  test('prints the changes as text or JSON lines, and fails if a seller could not be read', async () => {
    const seller = await app.signUp()
    const { sellerSlug } = seller.user
    await buyPro(seller)
    const words = run([])
    expect(await words.ended).toBeInstanceOf(Refusal)
    const own = words.lines.find((line) => line.startsWith(`${sellerSlug}  `))
    expect(own).toContain(
      'tier FREE → PAID, subscriptionStatus INACTIVE → ACTIVE, subscriptionId none → sub_',
    )
    expect(words.lines.at(-1)).toMatch(/^Sellers read: \d+, of which changed: 1\.$/)
    await app.db
      .updateTable('seller')
      .set({ stripe_account_id: null })
      .where('stripe_account_id', '=', 'acct_of_another_platform')
      .execute()
    await app.db.updateTable('seller').set({ tier: 'FREE' }).where('slug', '=', sellerSlug).execute()
    const json = run(['--json'])
    expect(await json.ended).toBeUndefined()
    const [changed, sums] = json.lines.slice(-2).map((line) => JSON.parse(line) as unknown)
    expect(changed).toEqual({ seller: sellerSlug, changed: { tier: ['FREE', 'PAID'] } })
    expect(sums).toMatchObject({ changed: 1, failed: 0 })
  })

  test('finds test payments through the database when their address is not configured, as with npm start', async () => {
    const { payments, databaseUrl = '' } = app.config
    if (payments.kind !== 'simulator') throw new Error('this app has no test payments')
    const nowhere = { ...payments, url: 'http://127.0.0.1:9' }
    const seller = await app.signUp({ tier: 'PAID' })
    const before = await openTestPayments({ ...app.config, databaseUrl }, nowhere, log)
    await buyCustomer(seller, openStripeClient(before.payments))
    await before.close()
    const told = run(['--json'], { ...app.config, payments: nowhere })
    await told.ended
    const own = told.lines.find((line) => line.includes(seller.user.sellerSlug)) ?? '{}'
    expect(JSON.parse(own)).toMatchObject({ changed: { tier: ['PAID', 'FREE'] } })
  })

  test('refuses unknown options, and payments that are off', async () => {
    expect(await run(['--all']).ended).toMatchObject({ message: expect.stringContaining('Usage:') })
    const off = await run([], { ...app.config, payments: { kind: 'off' } }).ended
    expect(off).toMatchObject({ message: 'Payments are off (PAYMENTS): there is nothing to reconcile.' })
  })
})

/** A customer without a subscription. */
async function buyCustomer({ user, person }: SignedIn, stripe = stripeOf(app)): Promise<void> {
  const { sellerId } = user
  const customer = { sellerId, name: person.name, email: person.email }
  const id = await stripe.within(9_000).createCustomer(customer, `key ${sellerId}`)
  await app.db.updateTable('seller').set({ stripe_customer_id: id }).where('id', '=', sellerId).execute()
}
