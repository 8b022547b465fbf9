import type Stripe from 'stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { sell, takeMoney } from '#tests/support/simulated-sales.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'

/* Money that goes back at the simulator: refunds and disputes. */

const simulator = await startTestSimulator()
const stripe = simulator.sdk()

afterEach(() => simulator.behave({}))

const DAY_MS = 24 * 3_600_000
const available = async () => (await stripe.balance.retrieve()).available[0]?.amount ?? 0

async function eventsOf(id: string): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 })
  return data
    .filter(({ data: { object } }) => 'id' in object && object.id === id)
    .map(({ type }) => type)
    .reverse()
}

const take = () => takeMoney(simulator, stripe)

// First: the balance must be empty.
test('a refund waits while the balance is short, and is paid when money becomes available', async () => {
  await simulator.behave({ setup: { openingBalanceCents: 0 } })
  const { charge, intent } = await take()
  expect(await available()).toBe(0)
  const refund = await stripe.refunds.create({ payment_intent: intent.id })
  expect(refund).toMatchObject({
    status: 'pending',
    pending_reason: 'insufficient_funds',
    balance_transaction: null,
  })
  // The fee is gone: the refund needs money of another sale.
  await take()
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({
    refunded: true,
    amount_refunded: 11_500,
  })
  await simulator.behave({ clockAheadMs: 2 * DAY_MS + 5_000, setup: { openingBalanceCents: 0 } })
  const paid = await stripe.refunds.retrieve(refund.id, { expand: ['balance_transaction'] })
  expect(paid).toMatchObject({
    status: 'succeeded',
    balance_transaction: { amount: -11_500, fee: 0, type: 'refund', source: refund.id },
  })
  expect(paid).not.toHaveProperty('pending_reason')
  expect(await eventsOf(refund.id)).toEqual(['refund.created', 'refund.updated'])
  expect(await available()).toBe(2 * 11_136 - 11_500)
})

describe('refunds', () => {
  test('of a fresh charge succeed at once, in part and for the rest', async () => {
    const { charge, intent } = await take()
    const part = await stripe.refunds.create({
      charge: charge.id,
      amount: 1_500,
      reason: 'requested_by_customer',
      metadata: { order: '7' },
    })
    expect(part).toMatchObject({
      status: 'succeeded',
      amount: 1_500,
      payment_intent: intent.id,
      reason: 'requested_by_customer',
      metadata: { order: '7' },
    })
    const partly = await stripe.charges.retrieve(charge.id)
    expect(partly).toMatchObject({ refunded: false, amount_refunded: 1_500 })
    const rest = await stripe.refunds.create({ payment_intent: intent.id })
    expect(rest.amount).toBe(10_000)
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({
      refunded: true,
      amount_refunded: 11_500,
    })
    const ids = async (params: Stripe.RefundListParams) =>
      (await stripe.refunds.list(params)).data.map(({ id }) => id)
    expect(await ids({ charge: charge.id })).toEqual([rest.id, part.id])
    expect(await ids({ payment_intent: intent.id })).toEqual([rest.id, part.id])
    expect((await eventsOf(charge.id)).filter((type) => type === 'charge.refunded')).toHaveLength(2)
    await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
      statusCode: 400,
      code: 'charge_already_refunded',
    })
  })

  test('of more than was captured are 400, also for a partial capture', async () => {
    const { intent } = await sell(stripe)
    await stripe.paymentIntents.capture(intent.id, { amount_to_capture: 5_000 })
    const refund = (amount: number) => stripe.refunds.create({ payment_intent: intent.id, amount })
    await expect(refund(5_001)).rejects.toMatchObject({ statusCode: 400, param: 'amount' })
    await refund(2_000)
    await expect(refund(3_001)).rejects.toThrow('greater than unrefunded amount on charge ($30.00)')
    await expect(refund(0)).rejects.toMatchObject({ statusCode: 400, param: 'amount' })
    expect(await refund(3_000)).toMatchObject({ status: 'succeeded' })
  })

  test('at the same time never exceed the charge', async () => {
    const { intent } = await take()
    const refund = () => stripe.refunds.create({ payment_intent: intent.id, amount: 6_000 })
    const results = await Promise.allSettled([refund(), refund(), refund()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('need a captured charge that exists', async () => {
    const { intent, charge } = await sell(stripe)
    await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toThrow(
      'does not have a successful charge to refund',
    )
    await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({ statusCode: 400 })
    await expect(stripe.refunds.create({})).rejects.toMatchObject({ statusCode: 400 })
    await expect(stripe.refunds.create({ charge: 'ch_nothing' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'charge',
    })
    await expect(stripe.refunds.create({ payment_intent: 'pi_nothing' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'payment_intent',
    })
    await expect(stripe.refunds.retrieve('re_nothing')).rejects.toMatchObject({ statusCode: 404 })
    await expect(
      stripe.refunds.create({ payment_intent: intent.id, refund_application_fee: true }),
    ).rejects.toMatchObject({ code: 'parameter_unknown' })
  })

  test('set to fail succeed first, then the money comes back', async () => {
    const { charge, intent } = await take()
    const before = await available()
    await simulator.behave({ refunds: 'fail', failureDelayMs: 60_000 })
    const refund = await stripe.refunds.create({ payment_intent: intent.id })
    expect(refund.status).toBe('succeeded')
    expect(await available()).toBe(before - 11_500)
    await simulator.behave({ clockAheadMs: 61_000 })
    const failed = await stripe.refunds.retrieve(refund.id, { expand: ['failure_balance_transaction'] })
    expect(failed).toMatchObject({
      status: 'failed',
      failure_reason: expect.any(String),
      failure_balance_transaction: { type: 'refund_failure', amount: 11_500, source: refund.id },
    })
    expect(await available()).toBe(before)
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ refunded: false, amount_refunded: 0 })
    expect(await eventsOf(refund.id)).toEqual(['refund.created', 'refund.failed', 'refund.updated'])
    expect((await stripe.refunds.create({ payment_intent: intent.id })).status).toBe('succeeded')
  })

  test('set to stay pending go on when that is over', async () => {
    const { intent } = await take()
    await simulator.behave({ refunds: 'pending' })
    const refund = await stripe.refunds.create({ payment_intent: intent.id })
    expect(refund.status).toBe('pending')
    await simulator.behave({})
    await expect
      .poll(async () => (await stripe.refunds.retrieve(refund.id)).status, { timeout: 4_000 })
      .toBe('succeeded')
  })

  test('one refund can be made to fail', async () => {
    const { intent } = await take()
    const { id } = await stripe.refunds.create({ payment_intent: intent.id, amount: 100 })
    await simulator.control('POST', '/refunds/fail', { refund: id })
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'failed' })
    await expect(simulator.control('POST', '/refunds/fail', { refund: id })).rejects.toThrow('cannot fail')
  })
})

describe('disputes', () => {
  const open = async (charge: string, more: object = {}) =>
    (await simulator.control('POST', '/disputes', { charge, ...more })) as Stripe.Dispute

  test('take the money and a fee; a won one returns the money', async () => {
    const { charge, intent } = await take()
    const before = await available()
    const { id } = await open(charge.id, { reason: 'product_not_received' })
    expect(await available()).toBe(before - 11_500 - 1_500)
    expect(await stripe.disputes.retrieve(id)).toMatchObject({
      amount: 11_500,
      charge: charge.id,
      payment_intent: intent.id,
      reason: 'product_not_received',
      status: 'needs_response',
      balance_transactions: [{ amount: -11_500, fee: 1_500, type: 'adjustment' }],
    })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true })
    expect((await stripe.disputes.list({ charge: charge.id })).data).toMatchObject([{ id }])
    await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
      code: 'charge_disputed',
    })
    const draft = { evidence: { shipping_carrier: 'UPS' }, submit: false }
    expect(await stripe.disputes.update(id, draft)).toMatchObject({ status: 'needs_response' })
    const sent = await stripe.disputes.update(id, { evidence: { shipping_tracking_number: '1Z' } })
    expect(sent).toMatchObject({
      status: 'under_review',
      evidence: { shipping_carrier: 'UPS', shipping_tracking_number: '1Z' },
      evidence_details: { has_evidence: true, submission_count: 1 },
    })
    await simulator.control('POST', '/disputes/close', { dispute: id, outcome: 'won' })
    expect(await available()).toBe(before - 1_500)
    expect(await eventsOf(id)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      'charge.dispute.updated',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ])
    await expect(stripe.disputes.close(id)).rejects.toThrow('can no longer be closed')
  })

  test('take files of their purpose, kind and size, that are there', async () => {
    const { charge } = await take()
    const { id } = await open(charge.id)
    const upload = (
      bytes: Buffer,
      purpose: 'business_logo' | 'dispute_evidence' = 'dispute_evidence',
      key = '',
    ) =>
      stripe.files.create(
        { purpose, file: { data: bytes, name: 'photos.pdf', type: 'application/pdf' } },
        key === '' ? {} : { idempotencyKey: key },
      )
    const pdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(size - 8)])
    const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
    await expect(upload(Buffer.from('<html>'))).rejects.toThrow('not supported')
    await expect(upload(pdf(5 * 1024 * 1024 + 1))).rejects.toThrow('larger than 5 MB')
    await expect(upload(pdf(9), 'tax_document_user_upload' as never)).rejects.toThrow('Invalid purpose')
    await expect(stripe.rawRequest('POST', '/v1/files', { purpose: 'dispute_evidence' })).rejects.toThrow(
      'param: file',
    )
    const title = { purpose: 'dispute_evidence', title: 'Photos', file: { data: png, name: 'a' } }
    await expect(stripe.files.create(title as never)).rejects.toThrow('unknown parameter: title')
    const use = (field: string, file: string) =>
      stripe.disputes.update(id, { evidence: { [field]: file }, submit: false })
    await expect(use('uncategorized_file', 'file_nothing')).rejects.toThrow(
      "No such file upload: 'file_nothing'",
    )
    const logo = await upload(png, 'business_logo')
    await expect(use('receipt', logo.id)).rejects.toThrow('not dispute_evidence')
    const half = await upload(pdf(3 * 1024 * 1024), 'dispute_evidence', 'half')
    expect(half).toMatchObject({ object: 'file', type: 'pdf', filename: 'photos.pdf', size: 3 * 1024 * 1024 })
    expect(await upload(pdf(3 * 1024 * 1024), 'dispute_evidence', 'half')).toMatchObject({ id: half.id })
    await expect(upload(pdf(30), 'dispute_evidence', 'half')).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    })
    expect(await use('uncategorized_file', half.id)).toMatchObject({
      evidence: { uncategorized_file: half.id },
    })
    await expect(use('receipt', half.id)).rejects.toThrow('at most 4.5 MB')
    expect(await stripe.files.retrieve(half.id)).toMatchObject({ purpose: 'dispute_evidence' })
  })

  test('are lost when they are accepted', async () => {
    const { charge } = await take()
    const { id } = await open(charge.id)
    const before = await available()
    expect(await stripe.disputes.close(id)).toMatchObject({ status: 'lost' })
    expect(await available()).toBe(before)
    await expect(stripe.disputes.update(id, { evidence: {} })).rejects.toMatchObject({ statusCode: 400 })
    await expect(stripe.disputes.retrieve('du_nothing')).rejects.toMatchObject({ statusCode: 404 })
  })

  test('are impossible for a refunded charge, and for one that is disputed', async () => {
    const { charge } = await take()
    await open(charge.id, { amountCents: 1_000 })
    await expect(open(charge.id)).rejects.toThrow('disputed already')
    const refunded = await take()
    await stripe.refunds.create({ charge: refunded.charge.id })
    await expect(open(refunded.charge.id)).rejects.toThrow('not that much to dispute')
    await expect(open('ch_nothing')).rejects.toThrow('No such charge')
  })
})

test('an early fraud warning names its charge', async () => {
  const { charge, intent } = await take()
  const warning = (await simulator.control('POST', '/fraud-warnings', {
    charge: charge.id,
  })) as Stripe.Radar.EarlyFraudWarning
  expect(await stripe.radar.earlyFraudWarnings.retrieve(warning.id)).toMatchObject({
    actionable: true,
    charge: charge.id,
    payment_intent: intent.id,
  })
  expect((await stripe.radar.earlyFraudWarnings.list({ charge: charge.id })).data).toHaveLength(1)
  expect(await eventsOf(warning.id)).toEqual(['radar.early_fraud_warning.created'])
})

test('a review opened later is kept in the payment, and ends with its refund', async () => {
  const { charge, intent } = await take()
  const { id } = (await simulator.control('POST', '/reviews', { charge: charge.id })) as Stripe.Review
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ review: id })
  await stripe.refunds.create({ charge: charge.id })
  expect(await stripe.reviews.retrieve(id)).toMatchObject({ open: false, closed_reason: 'refunded' })
  expect(await eventsOf(id)).toEqual(['review.opened', 'review.closed'])
})
