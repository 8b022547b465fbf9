import type { Updateable } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Person } from '#contract/admin/people.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { DB } from '#db/schema.gen.ts'
import { reconcileQueue } from '#server/features/money/billing/reconcile.ts'
import { openStripeClient } from '#server/features/money/billing/stripe/stripe-client.ts'
import { syncSubscription } from '#server/features/money/billing/sync.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { buyPro, profileOf, sellerRow, startBillingWorker } from '#tests/support/payments.ts'
import { signatureOf } from '#tests/support/signed-event.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What payments do when something at the provider is lost, wrong or changed. No webhook arrives in this file. */

const simulator = await startTestSimulator()
const app = await startTestApp({ ...simulator.settings, EMAIL_CONFIRM: 'off' })
await startBillingWorker(app)
const cheaper = await startTestApp({ ...simulator.settings, PRO_PRICE_TEXT: '$99' })
const { db } = app

/** A seller who has Pro, as a webhook would have said. */
async function subscriber(): Promise<SignedIn> {
  const seller = await app.signUp()
  const sessionId = await buyPro(seller)
  expect((await seller.api.post('/subscription/status', { sessionId })).body).toMatchObject({ ok: true })
  return seller
}

const set = (seller: SignedIn, values: Updateable<DB['seller']>) =>
  db.updateTable('seller').set(values).where('id', '=', seller.user.sellerId).execute()
const rowOf = (seller: SignedIn) => sellerRow(app, seller.user.sellerId)
const cancelAtStripe = async (seller: SignedIn) =>
  simulator.sdk().subscriptions.cancel((await rowOf(seller)).subscription_id ?? '')
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** Runs the hourly job and returns its result. */
async function reconcileNow(): Promise<unknown> {
  const jobId = await enqueueJob(db, { queue: reconcileQueue, payload: {} })
  return vi.waitFor(
    async () => {
      const job = await db
        .selectFrom('job')
        .select(['status', 'result'])
        .where('id', '=', String(jobId))
        .executeTakeFirstOrThrow()
      expect(job.status).toBe('completed')
      return job.result
    },
    { timeout: 15_000, interval: 30 },
  )
}

describe('every hour', () => {
  test('reads sellers not read for a day; a lost webhook does not leave Pro on', async () => {
    const [old, fresh] = [await subscriber(), await subscriber()]
    await cancelAtStripe(old)
    await cancelAtStripe(fresh)
    await set(old, { plan_read_at: daysAgo(1.1) })
    expect(await reconcileNow()).toEqual({ read: 1, changed: 1, failed: 0 })
    expect(await profileOf(old)).toMatchObject({ sellerTier: 'FREE', subscriptionStatus: 'CANCELED' })
    expect(await profileOf(fresh)).toMatchObject({ sellerTier: 'PAID' })
    expect(await reconcileNow()).toEqual({ read: 0, changed: 0, failed: 0 })
  })

  test('a plan three days past its period is read at once, one two days past is not', async () => {
    const [over, late] = [await subscriber(), await subscriber()]
    const read = { plan_read_at: new Date(Date.now() - 3_600_000) }
    await set(over, { ...read, subscription_period_end: daysAgo(3.1) })
    await set(late, { ...read, subscription_period_end: daysAgo(2) })
    await cancelAtStripe(over)
    expect(await reconcileNow()).toMatchObject({ read: 1, changed: 1 })
    expect(await profileOf(over)).toMatchObject({ sellerTier: 'FREE' })
  })

  test('a payment without any webhook or return gives Pro', async () => {
    const seller = await app.signUp()
    await buyPro(seller)
    expect(await reconcileNow()).toMatchObject({ read: 1, changed: 1 })
    expect(await profileOf(seller)).toMatchObject({ sellerTier: 'PAID' })
  })
})

describe('a customer that is missing', () => {
  test('is gone if it was seen before: the plan ends and checkout makes a new one', async () => {
    const seller = await subscriber()
    await set(seller, { stripe_customer_id: 'cus_deleted_by_hand' })
    await seller.api.post('/get-account-status')
    expect(await rowOf(seller)).toMatchObject({ tier: 'FREE', stripe_customer_id: null, plan_problem: null })
    expect((await seller.api.post('/subscription/checkout')).status).toBe(200)
  })

  test('of another account only flags the plan for administrators, and is read again once corrected', async () => {
    const seller = await subscriber()
    const customer = (await rowOf(seller)).stripe_customer_id
    await set(seller, { stripe_customer_id: 'cus_of_another', customer_home: 'live acct_of_another' })
    expect((await seller.api.post('/get-account-status')).status).toBe(503)
    expect(await rowOf(seller)).toMatchObject({ tier: 'PAID', plan_problem: 'OTHER_HOME' })
    const admin = await app.signUp({ role: 'admin' })
    expect((await admin.api.get<Person>(`/admin/users/${seller.user.id}`)).body.planProblem).toBe(
      'OTHER_HOME',
    )
    await set(seller, { stripe_customer_id: customer })
    await seller.api.post('/get-account-status')
    expect(await rowOf(seller)).toMatchObject({ tier: 'PAID', plan_problem: null })
  })
})

test('a subscription to another price is not Pro and is reported to the administrator; a former price still counts', async () => {
  const seller = await subscriber()
  const { payments } = app.config
  if (payments.kind === 'off') throw new Error('this app has no payments')
  const sync = (changes: object) =>
    syncSubscription(db, openStripeClient({ ...payments, ...changes }).within(9_000), seller.user.sellerId)
  await sync({ proPriceId: 'price_new' })
  expect(await rowOf(seller)).toMatchObject({ tier: 'FREE', plan_problem: 'OTHER_PRICE' })
  const told = await db
    .selectFrom('audit_entry')
    .select('detail')
    .where('target', '=', seller.user.sellerId)
    .where('action', '=', 'subscription-of-other-price')
    .execute()
  expect(told).toMatchObject([{ detail: { price: 'price_pro_monthly' } }])
  await sync({ proPriceId: 'price_new', formerPriceIds: ['price_pro_monthly'] })
  expect(await rowOf(seller)).toMatchObject({ tier: 'PAID', plan_problem: null })
})

describe('a person who pays is', () => {
  const mailsTo = (seller: SignedIn) =>
    db.selectFrom('mail').select(['subject', 'body']).where('recipient', '=', seller.person.email).execute()
  const change = async (seller: SignedIn, body: object) => {
    const admin = await app.signUp({ role: 'admin' })
    expect((await admin.api.put<Person>(`/admin/users/${seller.user.id}`, body)).body.isCharged).toBe(true)
  }
  const atStripe = async (seller: SignedIn) =>
    simulator
      .sdk()
      .subscriptions.list({ customer: (await rowOf(seller)).stripe_customer_id ?? '', status: 'all' })

  test('disabled: the subscription ends with the period, with a mail; an open checkout cannot be paid', async () => {
    const seller = await subscriber()
    await change(seller, { disabled: true })
    const [mail] = await vi.waitFor(async () => {
      const mails = await mailsTo(seller)
      expect(mails).toHaveLength(1)
      return mails
    }, 15_000)
    expect(mail?.subject).toMatch(/^Your PartHarbor Pro subscription ends on \w+ \d+, \d{4} \(UTC\)$/)
    expect(mail?.body).toContain('because an administrator disabled your account')
    expect((await atStripe(seller)).data).toMatchObject([{ status: 'active', cancel_at_period_end: true }])
    expect(await rowOf(seller)).toMatchObject({ tier: 'PAID', subscription_ends_at: expect.any(Date) })
  })

  test('made an administrator: it ends now if they choose so', async () => {
    const seller = await subscriber()
    await change(seller, { role: 1, subscription: 'now' })
    const [mail] = await vi.waitFor(async () => {
      const mails = await mailsTo(seller)
      expect(mails).toHaveLength(1)
      return mails
    }, 15_000)
    expect(mail?.subject).toBe('Your PartHarbor Pro subscription ended')
    expect((await atStripe(seller)).data).toMatchObject([{ status: 'canceled' }])
    expect(await rowOf(seller)).toMatchObject({ tier: 'FREE', subscription_status: 'CANCELED' })
  })

  test('about to pay when they are disabled: the open checkout can no longer be paid', async () => {
    const seller = await app.signUp()
    const { body } = await seller.api.post<{ sessionId: string }>('/subscription/checkout')
    const admin = await app.signUp({ role: 'admin' })
    await admin.api.put(`/admin/users/${seller.user.id}`, { disabled: true })
    await vi.waitFor(async () => {
      const session = await simulator.sdk().checkout.sessions.retrieve(body.sessionId)
      expect(session.status).toBe('expired')
    }, 15_000)
  })
})

test('a changed email address reaches the customer', async () => {
  const seller = await subscriber()
  const email = `moved-${seller.person.email}`
  const body = { email, currentPassword: seller.person.password }
  expect((await seller.api.put('/profile', body)).status).toBe(200)
  const customer = (await rowOf(seller)).stripe_customer_id ?? ''
  await vi.waitFor(async () => {
    expect(await simulator.sdk().customers.retrieve(customer)).toMatchObject({ email })
  }, 15_000)
})

test('a thin event is distinguished from a wrong signature', async () => {
  const thin = JSON.stringify({
    id: 'evt_thin',
    object: 'v2.core.event',
    type: 'v1.customer.updated',
    livemode: false,
    created: new Date().toISOString(),
    related_object: { id: 'cus_1', type: 'customer', url: '/v1/customers/cus_1' },
  })
  const send = (signature: string) =>
    app.http.inject({
      method: 'POST',
      url: '/api/webhooks/stripe',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      payload: thin,
    })
  const right = await send(signatureOf(thin))
  expect([right.statusCode, right.json<ErrorReply>().error]).toEqual([
    400,
    expect.stringContaining('set the payload style of the event destination to Snapshot'),
  ])
  expect((await send(signatureOf(thin, { secret: 'whsec_other' }))).json<ErrorReply>().error).toContain(
    'signature',
  )
})

test('the provider’s reason is shown to administrators only', async () => {
  await simulator.behave({ setup: { lacks: ['rak_account_link_write'] } })
  onTestFinished(() => simulator.behave({}))
  const press = async (who: SignedIn) =>
    (await who.api.post<ErrorReply>('/create-connect-account')).body.error
  expect(await press(await app.signUp())).toBe('Unable to resume Stripe onboarding')
  expect(await press(await app.signUp({ role: 'admin' }))).toContain('rak_account_link_write')
})

describe('the price', () => {
  const site = async () => (await app.visitor.get<{ proPrice: string }>('/site')).body.proPrice

  test('that differs from the site’s blocks checkout until it is right again', async () => {
    expect(await site()).toBe('$149')
    await simulator.behave({ setup: { unitAmountCents: 19_900 } })
    onTestFinished(() => simulator.behave({}))
    await db.deleteFrom('pro_price').execute()
    const seller = await app.signUp()
    const refused = await seller.api.post<ErrorReply>('/subscription/checkout')
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('cannot be bought')])
    expect(await db.selectFrom('pro_price').selectAll().execute()).toMatchObject([
      { amount_text: '$199', problem: expect.stringContaining('PRO_PRICE_TEXT says $149') },
    ])
    await simulator.behave({})
    expect((await seller.api.post('/subscription/checkout')).status).toBe(200)
  })

  test('is shown as the provider has it', async () => {
    expect((await (await cheaper.signUp()).api.post('/subscription/checkout')).status).toBe(409)
    expect((await cheaper.visitor.get<{ proPrice: string }>('/site')).body.proPrice).toBe('$149')
  })
})
