import { describe, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import {
  type HandOver,
  openPage,
  press,
  profileOf,
  requestsOf,
  sellerRow,
  startBillingWorker,
  stripeOf,
  untilUser,
} from '#tests/support/payments.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp({ ...simulator.settings, PUBLIC_URL: 'https://parts.example' })
await startBillingWorker(app)
await simulator.deliverTo(app.http)

const begin = async ({ api }: SignedIn) => (await api.post<HandOver>('/onboarding/free/start')).body.url

describe('payout onboarding', () => {
  test('a link opens once, then leads to the page that requests another', async () => {
    const seller = await app.signUp()
    const link = await begin(seller)
    expect(await profileOf(seller)).toMatchObject({
      connectStatus: 'IN_PROGRESS',
      stripe_seller: { charges_enabled: false },
    })
    const form = await openPage(link)
    expect(form).toContain('/onboarding/')
    expect(await openPage(link)).toBe('https://parts.example/stripe/refresh')
    const { body } = await seller.api.post<HandOver>('/create-connect-account')
    expect(await openPage(body.url)).toContain('/onboarding/')
    expect(await requestsOf(app, seller.user.sellerId)).toHaveLength(1)
  })

  test.each([
    ['complete', 'VERIFIED', true],
    ['submit', 'PENDING', false],
    ['reject', 'REJECTED', false],
    ['leave', 'IN_PROGRESS', false],
  ] as const)('%s: %s', async (button, connectStatus, charges_enabled) => {
    const seller = await app.signUp()
    const form = await openPage(await begin(seller))
    expect(await press(form, button)).toBe('https://parts.example/dashboard/seller?connect=returned')
    await untilUser(seller, { connectStatus, stripe_seller: { charges_enabled } })
  })

  test('many clicks at once make one account', async () => {
    const seller = await app.signUp()
    const answers = await Promise.all(
      ['/onboarding/free/start', '/create-connect-account', '/onboarding/free/start'].map((path) =>
        seller.api.post<HandOver>(path),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const requests = await requestsOf(app, seller.user.sellerId)
    expect(requests.map(({ kind, state }) => [kind, state])).toEqual([['account', 'done']])
    const { stripe_account_id: account } = await sellerRow(app, seller.user.sellerId)
    expect(requests[0]?.provider_id).toBe(account)
  })

  test('409 for a rejected account', async () => {
    const seller = await app.signUp()
    await press(await openPage(await begin(seller)), 'reject')
    await untilUser(seller, { connectStatus: 'REJECTED' })
    const answer = await seller.api.post<ErrorReply>('/create-connect-account')
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
  })
})

describe('a payout account that was deleted at the provider', () => {
  const gone = 'acct_deleted'
  /** A seller whose payouts were active until the account was deleted. */
  async function newBereft(): Promise<SignedIn> {
    const seller = await app.signUp()
    const state = {
      stripe_account_id: gone + seller.user.id,
      connect_status: 'VERIFIED',
      charges_enabled: true,
    }
    await app.db.updateTable('seller').set(state).where('id', '=', seller.user.sellerId).execute()
    return seller
  }
  const auditsOf = ({ user }: SignedIn) =>
    app.db
      .selectFrom('audit_entry')
      .select(['action', 'actor_user_id', 'detail'])
      .where('target', '=', user.sellerId)
      .orderBy('id')
      .execute()

  test.each(['/create-connect-account', '/payout-setting'])('%s starts a new account', async (path) => {
    const seller = await newBereft()
    const { status, body } = await seller.api.post<HandOver>(path)
    expect([status, await profileOf(seller)]).toMatchObject([
      200,
      { connectStatus: 'IN_PROGRESS', stripe_seller: { charges_enabled: false } },
    ])
    const { stripe_account_id: account } = await sellerRow(app, seller.user.sellerId)
    expect(account).not.toContain(gone)
    const by = { actor_user_id: seller.user.id }
    expect(await auditsOf(seller)).toMatchObject([
      { action: 'payout-account-missing', detail: { account: gone + seller.user.id }, ...by },
      { action: 'payouts-begun', detail: { account }, ...by },
    ])
    await press(await openPage(body.url), 'complete')
    await untilUser(seller, { connectStatus: 'VERIFIED', stripe_seller: { charges_enabled: true } })
  })

  test('many clicks at once make one new account', async () => {
    const seller = await newBereft()
    const clicks = Array.from({ length: 4 }, () => seller.api.post('/create-connect-account'))
    expect((await Promise.all(clicks)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await requestsOf(app, seller.user.sellerId)).toHaveLength(1)
    const missing = (await auditsOf(seller)).filter(({ action }) => action === 'payout-account-missing')
    expect(missing).toHaveLength(1)
  })

  test('reads alone change nothing', async () => {
    const seller = await newBereft()
    for (const path of ['/get-account-status', '/get-account-balance']) await seller.api.post(path)
    expect(await sellerRow(app, seller.user.sellerId)).toMatchObject({
      stripe_account_id: gone + seller.user.id,
      connect_status: 'VERIFIED',
      charges_enabled: true,
    })
    expect(await requestsOf(app, seller.user.sellerId)).toEqual([])
  })

  test('a provider outage is not mistaken for a deleted account', async () => {
    const seller = await newBereft()
    await simulator.behave({ fail: 500 })
    const { status } = await seller.api.post('/create-connect-account')
    await simulator.behave({})
    expect(status).toBe(503)
    expect(await sellerRow(app, seller.user.sellerId)).toMatchObject({ connect_status: 'VERIFIED' })
  })
})

describe('POST /get-account-status', () => {
  test('reads again what no event reported', async () => {
    await simulator.behave({ webhooks: { hold: true } })
    const seller = await app.signUp()
    await press(await openPage(await begin(seller)), 'complete')
    expect((await profileOf(seller)).connectStatus).toBe('IN_PROGRESS')
    const { body } = await seller.api.post<{ user: User }>('/get-account-status')
    await simulator.behave({})
    expect(body.user).toMatchObject({ connectStatus: 'VERIFIED', stripe_seller: { charges_enabled: true } })
  })

  test('skips a seller whom the provider does not know', async () => {
    const pro = await app.signUp({ tier: 'PAID' })
    const { status, body } = await pro.api.post<{ user: User }>('/get-account-status')
    expect([status, body.user.sellerTier, body.user.subscriptionStatus]).toEqual([200, 'PAID', 'ACTIVE'])
  })
})

describe('POST /payout-setting', () => {
  test('409 before payouts are set up', async () => {
    const { api } = await app.signUp()
    const answer = await api.post<ErrorReply>('/payout-setting')
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
    expect(answer.body.error).toBe('Payouts are not set up yet. Start payout onboarding first.')
  })

  test('opens onboarding until the details are in, then the account', async () => {
    const seller = await app.signUp()
    const form = await openPage(await begin(seller))
    const unfinished = await seller.api.post<HandOver>('/payout-setting')
    expect(await openPage(unfinished.body.url)).toContain('/onboarding/')
    await press(form, 'complete')
    const finished = await seller.api.post<HandOver>('/payout-setting')
    expect(finished.body.url).toContain('/express/')
    expect((await fetch(finished.body.url)).status).toBe(200)
  })
})

describe('POST /get-account-balance', () => {
  test('is empty before there is an account', async () => {
    const { api } = await app.signUp()
    expect((await api.post('/get-account-balance')).body).toEqual({ available: [], pending: [] })
  })

  test('is the balance of the seller’s own account', async () => {
    const seller = await app.signUp()
    await press(await openPage(await begin(seller)), 'complete')
    const { stripe_account_id: account } = await sellerRow(app, seller.user.sellerId)
    const { status, body } = await seller.api.post('/get-account-balance')
    expect(status).toBe(200)
    expect(body).toEqual(
      await stripeOf(app)
        .within(9_000)
        .getBalance(account ?? ''),
    )
    expect(body).toEqual({
      available: [{ amount: expect.any(Number), currency: 'usd' }],
      pending: [{ amount: expect.any(Number), currency: 'usd' }],
    })
  })
})
