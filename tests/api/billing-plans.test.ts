import { describe, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import { buyPro, profileOf, sellerRow, startBillingWorker, untilUser } from '#tests/support/payments.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await startBillingWorker(app)
await simulator.deliverTo(app.http)
const without = await startTestApp({ PAYMENTS: 'off' })

type Chosen = { user: User; next: string }
const choose = ({ api }: SignedIn, plan: unknown) => api.post<Chosen>('/onboarding/plan', { plan })
const setConnect = (sellerId: string, status: string) =>
  app.db.updateTable('seller').set({ connect_status: status }).where('id', '=', sellerId).execute()

describe('POST /onboarding/plan', () => {
  test.each([
    ['FREE', 'FREE', 'NOT_STARTED', 'connect'],
    ['FREE', 'FREE', 'IN_PROGRESS', 'connect'],
    ['FREE', 'FREE', 'PENDING', 'connect'],
    ['FREE', 'FREE', 'REJECTED', 'connect'],
    ['FREE', 'FREE', 'VERIFIED', 'dashboard'],
    ['FREE', 'PAID', 'NOT_STARTED', 'checkout'],
    ['FREE', 'PAID', 'VERIFIED', 'checkout'],
    ['PAID', 'PAID', 'NOT_STARTED', 'dashboard'],
    ['PAID', 'FREE', 'NOT_STARTED', 'connect'],
    ['PAID', 'FREE', 'VERIFIED', 'dashboard'],
  ])('on %s, choosing %s with payouts %s: %s', async (tier, plan, connect, next) => {
    const seller = await app.signUp(tier === 'PAID' ? { tier } : {})
    const { sellerId } = seller.user
    await setConnect(sellerId, connect)
    const { status, body } = await choose(seller, plan)
    expect([status, body.next]).toEqual([200, next])
    expect(body.user).toMatchObject({ sellerTier: tier, connectStatus: connect })
    expect(await sellerRow(app, sellerId)).toMatchObject({ pro_granted_at: null })
  })

  test('422 for an unknown plan', async () => {
    const seller = await app.signUp()
    const answer = await seller.api.post<ErrorReply>('/onboarding/plan', { plan: 'GOLD' })
    expect([answer.status, answer.body.error]).toEqual([422, 'Choose the plan FREE or PAID'])
  })

  test('is recorded with the user and time', async () => {
    const seller = await app.signUp()
    await choose(seller, 'PAID')
    const audits = await app.db
      .selectFrom('audit_entry')
      .select(['action', 'actor_user_id', 'detail'])
      .where('target', '=', seller.user.sellerId)
      .execute()
    expect(audits).toEqual([
      { action: 'plan-chosen', actor_user_id: seller.user.id, detail: { plan: 'PAID' } },
    ])
  })
})

describe('an administrator is not charged', () => {
  test('choosing Pro grants it, choosing Free revokes it', async () => {
    const admin = await app.signUp({ role: 'admin' })
    const pro = (await choose(admin, 'PAID')).body
    expect(pro).toMatchObject({
      next: 'dashboard',
      user: { sellerTier: 'PAID', subscriptionStatus: 'ACTIVE', stripeCustomerId: null },
    })
    const free = (await choose(admin, 'FREE')).body
    expect(free).toMatchObject({
      next: 'connect',
      user: { sellerTier: 'FREE', subscriptionStatus: 'INACTIVE' },
    })
  })

  test('a seller who paid keeps the paid plan when the grant ends', async () => {
    const seller = await app.signUp()
    await buyPro(seller)
    await untilUser(seller, { sellerTier: 'PAID' })
    await app.db.updateTable('app_user').set({ role: 1 }).where('id', '=', seller.user.id).execute()
    await choose(seller, 'PAID')
    await choose(seller, 'FREE')
    await allJobsDone()
    expect(await profileOf(seller)).toMatchObject({ sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' })
  })
})

describe('when payments are off', () => {
  test('every billing redirect reports that payments are off, and nothing is read', async () => {
    const seller = await without.signUp()
    const paths = [
      '/onboarding/free/start',
      '/subscription/checkout',
      '/subscription/upgrade',
      '/subscription/portal',
      '/create-connect-account',
      '/payout-setting',
    ]
    for (const path of paths) {
      const { status, body } = await seller.api.post(path)
      expect([path, status, body]).toEqual([path, 200, { mock: true }])
    }
    const balance = await seller.api.post('/get-account-balance')
    expect(balance.body).toEqual({ available: [], pending: [] })
    const user = await profileOf(seller)
    expect((await seller.api.post('/get-account-status')).body).toEqual({ user })
    const confirmed = await seller.api.post('/subscription/status', { sessionId: 'cs_test_1' })
    expect(confirmed.body).toEqual({ ok: false, user })
    expect((await choose(seller, 'PAID')).body.next).toBe('checkout')
    expect((await choose(seller, 'FREE')).body.next).toBe('connect')
  })

  test('no events are delivered', async () => {
    expect((await without.visitor.post('/webhooks/stripe', {})).status).toBe(404)
    expect((await without.visitor.get('/webhooks/stripe')).status).toBe(404)
  })
})

test('one seller cannot use up the shared budget of provider calls', async () => {
  const [greedy, other] = [await without.signUp(), await without.signUp()]
  // More than two minutes of calls, so that it does not matter when the minute began.
  const most = 2 * 120
  const refused = []
  for (let n = 0; n <= most; n += 1) {
    const answer = await greedy.api.post<ErrorReply>('/get-account-balance')
    if (answer.status !== 200) refused.push(answer)
  }
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.at(-1)).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } })
  expect(Number(refused.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
  expect((await other.api.post('/get-account-balance')).status).toBe(200)
})

async function allJobsDone(): Promise<void> {
  await expect
    .poll(
      async () => {
        const open = await app.db
          .selectFrom('job')
          .select('id')
          .where('queue', '=', 'read-provider')
          .where('ended_at', 'is', null)
          .execute()
        return open.length
      },
      { timeout: 10_000 },
    )
    .toBe(0)
}
