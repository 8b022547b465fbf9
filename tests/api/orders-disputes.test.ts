import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AdminDispute } from '#contract/order/disputes/dispute-views.ts'
import { DAY_MS, HOUR_MS } from '#contract/order/order-steps.ts'
import type { AdminOrder, SellerOrder } from '#contract/order/order-views.ts'
import { readLateNews } from '#server/features/money/orders/deadlines.ts'
import { checkOrderBooks } from '#server/features/money/orders/money/books.ts'
import { findLedgerProblems, post } from '#server/features/money/orders/money/ledger.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { startBillingWorker, stripeOf } from '#tests/support/payments.ts'
import { type Failed, openShop, type PlacedOrder, type Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* The buyer's bank takes the money back: it is set aside, an administrator answers, the bank decides. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const shop = openShop(app)
const clock = openOrderClock(app)
const sdk = simulator.sdk()
afterEach(() => simulator.behave({}))

let admin: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
})

type Sold = Shop & { placed: PlacedOrder; by: ReturnType<typeof shop.buyer>; id: string; charge: string }

/** A part with shipping and core that is paid: $135. */
async function sold(shipped?: { tracking: string }): Promise<Sold> {
  const yard = await shop.yard({ corecharge: '20' }, { mode: 'instant' })
  const by = shop.buyer()
  const placed = await by.buys(yard.listing.partslug, { expectedTotal: 135 })
  await shop.pay(placed, by)
  const { id } = placed.order
  if (shipped) {
    const { body } = await shop.act(yard.seller, id, 'ship', { carrier: 'ups', ...shipped })
    expect(body.state).toBe('shipped')
  }
  return { ...yard, placed, by, id, charge: await clock.column(id, 'charge_id') }
}

const dispute = async ({ charge }: Sold, more: object = {}) =>
  (await simulator.control('POST', '/disputes', { charge, reason: 'product_not_received', ...more })) as {
    id: string
  }
const close = (id: string, outcome: 'won' | 'lost') =>
  simulator.control('POST', '/disputes/close', { dispute: id, outcome })
const yards = async ({ seller, id }: Sold) => (await seller.api.get<SellerOrder>(`/seller/orders/${id}`)).body
const admins = async ({ id }: Sold) => (await admin.api.get<AdminOrder>(`/admin/orders/${id}`)).body
const desk = async ({ id }: Sold) => (await admin.api.get<AdminDispute>(`/admin/orders/${id}/dispute`)).body
const seen = async ({ by, placed }: Sold) => (await by.read(placed.token)).body
const balances = async ({ id }: Sold) =>
  (await admin.api.get<{ balances: Record<string, number> }>(`/admin/orders/${id}/ledger`)).body.balances
const accounts = async (one: Sold) =>
  Object.fromEntries(Object.entries(await balances(one)).filter(([, dollars]) => dollars !== 0))
const mails = ({ id }: Sold, to: SignedIn) => clock.mails(id, to.person.email)

/** Disputed, and heard of. */
async function disputed(shipped?: { tracking: string }): Promise<Sold & { dispute: string }> {
  const one = await sold(shipped)
  const { id } = await dispute(one)
  await expect.poll(async () => (await yards(one)).disputed).toBe(true)
  await clock.quiet(one.id, simulator)
  return { ...one, dispute: id }
}

/** Neither the entries nor what the provider says of an order is off. */
async function booksAgree({ id }: Sold): Promise<void> {
  const number = await clock.column<string>(id, 'number')
  expect((await findLedgerProblems(app.db)).filter(({ order }) => order === number)).toEqual([])
  const found: string[] = []
  // What is minutes old may be on its way.
  const later = new Date(Date.now() + 2 * 3_600_000)
  for await (const check of checkOrderBooks(app.db, stripeOf(app).within(9_000), later)) {
    if (check.name.endsWith(number)) found.push(check.found)
  }
  expect(found).toEqual([])
}

describe('a dispute', () => {
  test('sets the money aside, stops the order, and tells yard and administrators', async () => {
    const one = await disputed()
    expect(await yards(one)).toMatchObject({
      state: 'confirmed',
      disputed: true,
      needsAttention: true,
      dispute: { state: 'needs-response', amount: 135, reason: 'the part did not arrive', canAnswer: true },
      actions: [],
    })
    expect((await yards(one)).sentence).toMatch(/took back \$135\.00\. Do not ship/)
    expect((await seen(one)).sentence).toContain('Your bank is checking this payment')
    expect(await accounts(one)).toEqual({ provider: -19.22, fees: 19.22 })
    await booksAgree(one)
    const ship = await shop.act(one.seller, one.id, 'ship', { carrier: 'ups', tracking: '1Z' })
    expect([ship.status, ship.body.error]).toEqual([409, expect.stringContaining('disputes this payment')])
    expect((await mails(one, one.seller)).at(-1)).toMatch(/disputes \$135\.00, tell us what happened by/)
    expect((await mails(one, admin)).at(-1)).toMatch(/^Dispute of \$135\.00, send the evidence by/)
  })

  test('nothing is refunded or acts by itself while it is open', async () => {
    const one = await disputed()
    const lines = [{ kind: 'part', amount: 50 }]
    const refund = await admin.api.post<Failed>(`/admin/orders/${one.id}/refund`, { lines, reason: 'Kind' })
    expect([refund.status, refund.body.code]).toEqual([409, 'STATE'])
    await sql`update part_order set act_at = now() - interval '1 day' where id = ${one.id}`.execute(app.db)
    await clock.sweep()
    expect(await clock.kinds(one.id)).not.toContain('delay-told')
    expect((await seen(one)).refunds).toEqual([])
  })

  test('doubled, shuffled and late events change nothing', async () => {
    await simulator.behave({ webhooks: { seed: 'doubled', double: 1, shuffle: 1 } })
    const one = await disputed({ tracking: '1Z1' })
    expect(await seen(one)).toMatchObject({ state: 'shipped', actions: [] })
    await close(one.dispute, 'won')
    await expect.poll(async () => (await yards(one)).dispute?.state).toBe('won')
    expect((await seen(one)).actions).toContain('received')
    await clock.look(one.id)
    await clock.look(one.id)
    expect((await clock.kinds(one.id)).filter((kind) => kind.startsWith('disput'))).toEqual([
      'disputed',
      'dispute-won',
    ])
    await booksAgree(one)
  })

  test('whose events are all lost is found by the daily look', async () => {
    const one = await sold({ tracking: '1Z1' })
    await simulator.behave({ webhooks: { seed: 'lost', drop: 1 } })
    const { id } = await dispute(one)
    await readLateNews(clock.deps, { signal: new AbortController().signal })
    expect((await yards(one)).disputed).toBe(true)
    await close(id, 'lost')
    await readLateNews(clock.deps, { signal: new AbortController().signal })
    expect((await yards(one)).dispute).toMatchObject({ state: 'lost' })
  })

  test('of a part of the money leaves the rest where it was', async () => {
    const one = await sold({ tracking: '1Z1' })
    const { id } = await dispute(one, { amountCents: 4_000 })
    await expect.poll(async () => (await yards(one)).disputed).toBe(true)
    // 40% of the part's price, with 40% of the royalty of $10.
    expect(await accounts(one)).toMatchObject({ held: -69, royalty: -6, core: -20 })
    await close(id, 'lost')
    await expect.poll(async () => (await yards(one)).dispute?.state).toBe('lost')
    const rest = await shop.act(one.seller, one.id, 'refund', {
      lines: [{ kind: 'part', amount: 60.01 }],
      reason: 'All of it',
    })
    expect(rest.body.error).toBe('At most $60.00 of the part can be refunded.')
    await booksAgree(one)
  })

  test('takes back what was transferred to the yard, as its debt', async () => {
    const one = await sold({ tracking: '1Z1' })
    const amounts = { held: 10_500, provider: -10_500 }
    await post(app.db, { orderId: one.id, at: new Date(), why: 'transferred', providerId: 'tr_1', amounts })
    await dispute(one)
    await expect.poll(async () => (await yards(one)).disputed).toBe(true)
    await clock.quiet(one.id, simulator)
    expect(await accounts(one)).toEqual({ provider: -124.22, fees: 19.22, held: 105 })
    // No transfer is left to reverse here.
    await clock.release()
    expect(await accounts(one)).toEqual({ provider: -124.22, fees: 19.22, 'seller-debt': 105 })
  })
})

describe('the fee', () => {
  test('is ours if the yard shipped in time with tracking', async () => {
    const one = await disputed({ tracking: '1Z1' })
    expect(await desk(one)).toMatchObject({ fee: 15, feeOf: 'platform' })
  })

  test('is the debt of a yard that cannot prove that it shipped', async () => {
    const one = await disputed({ tracking: '' })
    expect(await desk(one)).toMatchObject({ fee: 15, feeOf: 'yard' })
    expect(await accounts(one)).toEqual({ provider: -19.22, fees: 4.22, 'seller-debt': 15 })
    await booksAgree(one)
  })

  test('is the debt of a yard that missed its promise', async () => {
    const one = await sold()
    await sql`update part_order set ship_by = now() - interval '1 day' where id = ${one.id}`.execute(app.db)
    await dispute(one)
    await expect.poll(async () => (await yards(one)).disputed).toBe(true)
    expect((await desk(one)).feeOf).toBe('yard')
  })
})

describe('the bank decides', () => {
  test('for the yard: the money is the order’s again, and it goes on', async () => {
    const one = await disputed()
    await sql`update part_order set act_at = now() - interval '1 day' where id = ${one.id}`.execute(app.db)
    await close(one.dispute, 'won')
    await expect.poll(async () => (await yards(one)).disputed).toBe(false)
    await expect.poll(() => accounts(one)).toMatchObject({ held: -105, core: -20, royalty: -10 })
    await clock.sweep()
    // The yard has a day for what it was kept from.
    expect(await clock.kinds(one.id)).not.toContain('delay-told')
    expect((await yards(one)).sentence).toContain('Ship the part')
    expect((await mails(one, one.seller)).at(-1)).toContain('dispute won, $135.00 stays with the order')
    await booksAgree(one)
  })

  test('for the buyer: it reads lost, not refunded, and the yard gets nothing', async () => {
    const one = await disputed({ tracking: '1Z1' })
    await close(one.dispute, 'lost')
    await expect.poll(async () => (await yards(one)).dispute?.state).toBe('lost')
    const yard = await yards(one)
    expect(yard).toMatchObject({ state: 'shipped', disputed: false, money: { refunded: 0 } })
    expect(yard.sentence).toContain('Lost dispute: the bank gave $135.00 back to Ruth')
    expect(yard.actions).not.toContain('refund')
    expect((await seen(one)).sentence).toContain('Your bank decided for you: $135.00')
    expect(await accounts(one)).toEqual({ provider: -19.22, fees: 19.22 })
    expect((await mails(one, one.seller)).at(-1)).toContain('dispute lost, $135.00 went back to Ruth')
    await booksAgree(one)
  })

  test('for the buyer of a part that is still in the yard: the order ends, and the yard says where the part is', async () => {
    const one = await disputed()
    await close(one.dispute, 'lost')
    await expect.poll(async () => (await yards(one)).state).toBe('canceled')
    expect((await yards(one)).actions).toEqual(['restock'])
    expect((await shop.act(one.seller, one.id, 'restock', { answer: 'sell' })).status).toBe(200)
    await booksAgree(one)
  })
})

describe('the evidence', () => {
  test('is prepared from the order, with the yard’s answer', async () => {
    const one = await disputed({ tracking: '1Z77' })
    const said = { text: 'Packed in foam, photo taken at the counter.' }
    const answered = await shop.act(one.seller, one.id, 'dispute', said)
    expect(answered.body.dispute).toMatchObject({ answer: said.text })
    const { evidence, isSaved } = await desk(one)
    expect(isSaved).toBe(false)
    expect(evidence).toMatchObject({
      customer_name: 'Ruth Baker',
      customer_email_address: one.by.email,
      shipping_address: 'Ruth Baker\n1 Elm Street\nDallas, TX 75201',
      shipping_carrier: 'UPS',
      shipping_tracking_number: '1Z77',
    })
    expect(evidence.product_description).toContain(one.listing.partname)
    expect(evidence.uncategorized_text).toContain('shipped the part with UPS')
    expect(evidence.uncategorized_text).toContain(said.text)
    // What we thought of it meanwhile is not for the bank.
    expect(evidence.uncategorized_text).not.toMatch(/dispute|fraud|hold/i)
    expect(evidence.shipping_date).toMatch(/^[A-Z][a-z]{2}, [A-Z][a-z]{2} \d+, \d{4}$/)
    expect((await mails(one, admin)).at(-1)).toContain('answered a dispute')
  })

  test('is saved, then sent once, and closes the yard’s answer', async () => {
    const one = await disputed({ tracking: '1Z77' })
    const { evidence } = await desk(one)
    const mine = { ...evidence, uncategorized_text: 'Delivered and signed for.' }
    const path = `/admin/orders/${one.id}/dispute`
    expect((await admin.api.put<AdminDispute>(path, { evidence: mine })).body).toMatchObject({
      isSaved: true,
      evidence: mine,
    })
    const clicks = await Promise.all(
      [1, 2].map(() => admin.api.post<AdminDispute & Failed>(`${path}/submit`, { evidence: mine })),
    )
    expect(clicks.some(({ status }) => status === 200)).toBe(true)
    await expect.poll(async () => (await desk(one)).submittedAt).not.toBeNull()
    const at = await sdk.disputes.retrieve(one.dispute)
    expect(at).toMatchObject({ status: 'under_review', evidence_details: { submission_count: 1 } })
    expect(at.evidence).toMatchObject({
      uncategorized_text: 'Delivered and signed for.',
      customer_name: 'Ruth Baker',
    })
    const again = await admin.api.post<Failed>(`${path}/submit`, { evidence: mine })
    expect([again.status, again.body.code]).toEqual([409, 'STATE'])
    expect(again.body.error).toContain('with the bank already')
    const late = await shop.act(one.seller, one.id, 'dispute', { text: 'One more thing' })
    expect([late.status, late.body.code]).toEqual([409, 'STATE'])
    expect(await admins(one)).toMatchObject({ needsAttention: false, disputed: true })
    expect((await clock.kinds(one.id)).filter((kind) => kind === 'evidence-submitted')).toHaveLength(1)
  })

  test('whose reply was lost is read before it is sent again', async () => {
    const one = await disputed({ tracking: '1Z77' })
    const { evidence } = await desk(one)
    await admin.api.post(`/admin/orders/${one.id}/dispute/submit`, { evidence })
    await sql`update order_step set state = 'wanted' where order_id = ${one.id} and kind = 'submit-evidence'`.execute(
      app.db,
    )
    await sql`update order_dispute set submitted_at = null where order_id = ${one.id}`.execute(app.db)
    const { performSteps } = await import('#server/features/money/orders/money/provider-steps.ts')
    await performSteps(clock.deps, one.id, stripeOf(app).within(9_000))
    expect((await sdk.disputes.retrieve(one.dispute)).evidence_details.submission_count).toBe(1)
    expect((await desk(one)).submittedAt).not.toBeNull()
  })

  test('that is empty, too long or not asked for is refused with a sentence', async () => {
    const one = await disputed({ tracking: '1Z77' })
    const { evidence } = await desk(one)
    const path = `/admin/orders/${one.id}/dispute`
    const none = Object.fromEntries(Object.keys(evidence).map((name) => [name, '']))
    const empty = await admin.api.post<Failed>(`${path}/submit`, { evidence: none })
    expect([empty.status, empty.body.error]).toEqual([422, 'Fill in at least one text for the bank.'])
    const long = { ...evidence, uncategorized_text: 'x'.repeat(20_001) }
    const tooLong = await admin.api.put<Failed>(path, { evidence: long })
    expect([tooLong.status, tooLong.body.error]).toEqual([422, expect.stringContaining('20000 characters')])
    const other = await sold()
    expect((await admin.api.get(`/admin/orders/${other.id}/dispute`)).status).toBe(404)
    expect((await shop.act(other.seller, other.id, 'dispute', { text: 'Hi' })).status).toBe(404)
  })

  test('that nobody has sent is due: administrators are told once, a day before', async () => {
    const one = await disputed()
    const due = new Date(app.clock.now().getTime() + 2 * DAY_MS)
    await sql`update order_dispute set due_at = ${due} where order_id = ${one.id}`.execute(app.db)
    const told = async () =>
      (await mails(one, admin)).filter((subject) => subject.startsWith('Send the evidence'))
    await clock.sweep()
    expect(await told()).toHaveLength(0)
    app.clock.advance(25 * HOUR_MS)
    await clock.sweep()
    await clock.sweep()
    expect(await told()).toHaveLength(1)
    const list = await admin.api.get<{ items: AdminOrder[] }>('/admin/orders?attention=true')
    expect(list.body.items.map(({ id }) => id)).toContain(one.id)
  })
})
