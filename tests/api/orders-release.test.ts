import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OwnPayouts } from '#contract/order/money/release-views.ts'
import type { BuyerOrder, SellerOrder } from '#contract/order/order-views.ts'
import { findLedgerProblems } from '#server/features/money/orders/money/ledger.ts'
import { readPayouts } from '#server/features/money/orders/release/payouts.ts'
import { hasDueReleases } from '#server/features/money/orders/release/sweep.ts'
import { openDelivery } from '#tests/support/delivered-orders.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import type { Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* The yard's share: released, taken back, owed; and the failures of other shops that are about it, by their numbers. */

// Each buys, pays, ships and moves money: seconds on a quiet machine.
vi.setConfig({ testTimeout: 90_000 })

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const clock = openOrderClock(app)
const delivery = openDelivery({ app, simulator, clock })
const sdk = simulator.sdk()

let yard: Shop & { accountId: string }
beforeAll(async () => {
  yard = await delivery.yard()
})
afterEach(async () => {
  await simulator.behave({})
  expect(await findLedgerProblems(app.db)).toEqual([])
})

const ALL = [
  { kind: 'part', amount: 100 },
  { kind: 'shipping', amount: 15 },
]
const stateOf = async (order: {
  by: { read(token: string): Promise<{ body: BuyerOrder }> }
  token: string
}) => (await order.by.read(order.token)).body.state
const debtLeft = async (sellerId: string) => {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::float8 as cents from ledger_entry e join part_order o on o.id = e.order_id
    where o.seller_id = ${sellerId} and account = 'seller-debt'`.execute(app.db)
  return rows[0]?.cents
}

describe('release', () => {
  test('waits for its day, then goes to the yard once, from the charge, without the royalty', async () => {
    const order = await delivery.deliver(yard.seller)
    await clock.release()
    expect(await delivery.transfersOf(order)).toEqual([])
    await delivery.comeDue(order)
    expect(await hasDueReleases(app.db, new Date())).toBe(true)
    await clock.release()
    await clock.release()
    const [transfer, ...others] = await delivery.transfersOf(order)
    expect(others).toEqual([])
    expect(transfer).toMatchObject({
      amount: 10_500,
      destination: yard.accountId,
      source_transaction: await clock.column(order.id, 'charge_id'),
      transfer_group: order.id,
    })
    expect(await delivery.balances(order)).toMatchObject({ royalty: -1_000 })
    expect((await delivery.balances(order)).held).toBeUndefined()
    expect(await clock.column(order.id, 'released_at')).toBeInstanceOf(Date)
    expect(await clock.kinds(order.id)).toContain('transferred')
    expect(await clock.mails(order.id, yard.seller.person.email)).toContainEqual(
      expect.stringContaining('$105.00 is on its way to you'),
    )
    expect(JSON.stringify((await order.by.read(order.token)).body)).not.toMatch(/transferred/)
    expect(await hasDueReleases(app.db, new Date())).toBe(false)
  })

  test.each([
    ['held', sql`held_at = now()`, sql`held_at = null`],
    ['disputed', sql`disputed = true`, sql`disputed = false`],
    ['coming back', sql`open_returns = 1`, sql`open_returns = 0`],
  ])('not while it is %s', async (_, stop, go) => {
    const order = await delivery.deliver(yard.seller)
    await delivery.comeDue(order)
    await sql`update part_order set ${stop} where id = ${order.id}`.execute(app.db)
    await clock.release()
    expect(await delivery.transfersOf(order)).toEqual([])
    await sql`update part_order set ${go} where id = ${order.id}`.execute(app.db)
    await clock.release()
    expect(await delivery.transfersOf(order)).toHaveLength(1)
  })

  test('the money of a core stays until it lapsed', async () => {
    const order = await delivery.deliver(yard.seller, { corecharge: '40' }, 155)
    await delivery.comeDue(order)
    await clock.release()
    expect(await delivery.balances(order)).toMatchObject({ core: -4_000 })
    await sql`
      insert into ledger_entry (order_id, account, amount_cents, at, why, provider_id)
      values (${order.id}, 'core', 4000, now(), 'lapsed', ${order.id}), (${order.id}, 'held', -4000, now(), 'lapsed', ${order.id})
    `.execute(app.db)
    await sql`update part_order set core_state = 'lapsed', to_release = true where id = ${order.id}`.execute(
      app.db,
    )
    await clock.release()
    expect((await delivery.transfersOf(order)).map(({ amount }) => amount)).toEqual([4_000, 10_500])
  })

  test('a refund before it lessens it', async () => {
    const order = await delivery.deliver(yard.seller)
    await delivery.refund(order, [{ kind: 'part', amount: 20 }])
    await delivery.perform(order)
    await delivery.comeDue(order)
    await clock.release()
    expect((await delivery.transfersOf(order)).map(({ amount }) => amount)).toEqual([8_700])
  })

  test('an order is closed when it can no longer come back and its money is gone, not before', async () => {
    const order = await delivery.deliver(yard.seller)
    await sql`
      update part_order set delivered_at = now() - interval '31 days', return_until = now() - interval '1 day'
      where id = ${order.id}`.execute(app.db)
    await clock.release()
    expect(await stateOf(order)).toBe('delivered')
    await delivery.comeDue(order)
    await clock.release()
    expect(await stateOf(order)).toBe('closed')
  })

  test('an account is closed once its money is transferred, not before', async () => {
    const leaving = await delivery.yard()
    const order = await delivery.deliver(leaving.seller)
    const close = () => leaving.seller.api.post<{ error?: string }>('/account/close')
    const refused = await close()
    expect([refused.status, refused.body.error]).toEqual([
      409,
      '$105.00 of your sales is not transferred yet. Your account can be closed once it is.',
    ])
    await delivery.comeDue(order)
    await clock.release()
    expect((await close()).status).toBe(200)
  })
})

describe('5: a transfer that is refused does not hang', () => {
  test('it waits for the account, the yard is told once, and it goes when the account can', async () => {
    const shop = await delivery.shop.yard()
    const account = await delivery.giveAccount(shop.seller)
    const order = await delivery.deliver(shop.seller)
    await simulator.control('POST', '/accounts', { account, stage: 'paused' })
    await sql`update seller set can_transfer = false where stripe_account_id = ${account}`.execute(app.db)
    await delivery.comeDue(order)
    for (let tries = 0; tries < 3; tries += 1) {
      await clock.release()
      await sql`update order_step set try_at = now() where order_id = ${order.id} and state = 'wanted'`.execute(
        app.db,
      )
    }
    expect(await delivery.transfersOf(order)).toEqual([])
    const told = await clock.mails(order.id, shop.seller.person.email)
    expect(told.filter((subject) => subject.includes('waits for your Stripe account'))).toHaveLength(1)
    await simulator.control('POST', '/accounts', { account, stage: 'verified' })
    await sql`update seller set can_transfer = true where stripe_account_id = ${account}`.execute(app.db)
    await clock.release()
    expect(await delivery.transfersOf(order)).toHaveLength(1)
  })
})

test('6: a shipped or delivered order is refunded, and never canceled without a word', async () => {
  const order = await delivery.deliver(yard.seller)
  const answer = await order.by.act('cancel', order.token, { reason: 'Changed my mind' })
  expect([answer.status, answer.body.code]).toEqual([409, 'STATE'])
  expect(answer.body.error).toBe('This order is already delivered.')
})

describe('a lost answer', () => {
  test('makes no second transfer: it is read first, and repeated with the same key', async () => {
    const order = await delivery.deliver(yard.seller)
    await delivery.comeDue(order)
    await simulator.behave({ fail: 'lose-answer', onPaths: ['/v1/transfers'], times: 3 })
    await clock.release().catch(() => undefined)
    await simulator.behave({})
    await sql`update order_step set try_at = now() where order_id = ${order.id} and state = 'wanted'`.execute(
      app.db,
    )
    await clock.release()
    expect(await delivery.transfersOf(order)).toHaveLength(1)
    expect((await delivery.balances(order)).held).toBeUndefined()
  })

  test('a transfer that was never sent is called off by a hold, and wanted again after it', async () => {
    const order = await delivery.deliver(yard.seller)
    await delivery.comeDue(order)
    await simulator.behave({ fail: 503, onPaths: ['/v1/transfers'] })
    await clock.release().catch(() => undefined)
    await simulator.behave({})
    await sql`update part_order set held_at = now() where id = ${order.id}`.execute(app.db)
    await sql`
      update order_step set try_at = now(), sent_at = sent_at - interval '1 hour' where order_id = ${order.id} and state = 'wanted'`.execute(
      app.db,
    )
    await clock.release()
    await clock.release()
    expect(await delivery.transfersOf(order)).toEqual([])
    await sql`update part_order set held_at = null where id = ${order.id}`.execute(app.db)
    await clock.release()
    expect(await delivery.transfersOf(order)).toHaveLength(1)
  })
})

describe('23: the buyer’s refund comes first', () => {
  test('nothing is taken back while it is under way, and nothing if it fails', async () => {
    const order = await delivery.deliverAndRelease(yard.seller)
    await simulator.behave({ refunds: 'pending' })
    await delivery.refund(order, ALL)
    await delivery.perform(order)
    await clock.release()
    expect((await delivery.transfersOf(order))[0]).toMatchObject({ amount_reversed: 0 })
    const [refund] = (await sdk.refunds.list({ limit: 1 })).data
    await simulator.control('POST', '/refunds/fail', { refund: refund?.id })
    await clock.look(order.id)
    await clock.release()
    expect((await delivery.transfersOf(order))[0]).toMatchObject({ amount_reversed: 0 })
    expect(await stateOf(order)).toBe('delivered')
    expect((await delivery.balances(order)).held).toBeUndefined()
  })

  test('once it succeeded, the yard’s share is taken back', async () => {
    const order = await delivery.deliverAndRelease(yard.seller)
    await delivery.refund(order, ALL)
    await delivery.perform(order)
    await clock.release()
    expect((await delivery.transfersOf(order))[0]).toMatchObject({ amount_reversed: 10_500, reversed: true })
    expect(await delivery.balances(order)).toEqual({
      provider: -(await clock.column<bigint>(order.id, 'fee_cents').then(Number)),
      fees: await clock.column<bigint>(order.id, 'fee_cents').then(Number),
    })
    expect(await clock.kinds(order.id)).toContain('taken-back')
  })

  test('a refund that succeeded and fails later gives the yard its money again', async () => {
    const order = await delivery.deliverAndRelease(yard.seller)
    await delivery.refund(order, [{ kind: 'part', amount: 50 }])
    await delivery.perform(order)
    await clock.release()
    const [refund] = (await sdk.refunds.list({ limit: 1 })).data
    await simulator.control('POST', '/refunds/fail', { refund: refund?.id })
    await clock.look(order.id)
    await clock.release()
    const transfers = await delivery.transfersOf(order)
    expect(transfers.reduce((sum, { amount, amount_reversed: back }) => sum + amount - back, 0)).toBe(10_500)
  })
})

describe('9: never more than there is', () => {
  test('what the yard’s balance does not cover is owed, and kept of its next sales', async () => {
    const poor = await delivery.yard()
    const sellerId = await delivery.shop.sellerIdOf(poor.seller)
    const order = await delivery.deliverAndRelease(poor.seller)
    await delivery.empty(poor.accountId)
    await delivery.refund(order, ALL)
    await delivery.perform(order)
    await clock.release()
    expect((await delivery.transfersOf(order))[0]).toMatchObject({ amount_reversed: 0 })
    expect(await debtLeft(sellerId)).toBe(10_500)
    expect(await stateOf(order)).toBe('refunded')
  })

  test('of two sales, the first pays the debt and the second goes to the yard', async () => {
    const poor = await delivery.yard()
    const sellerId = await delivery.shop.sellerIdOf(poor.seller)
    const order = await delivery.deliverAndRelease(poor.seller)
    await delivery.empty(poor.accountId)
    await delivery.refund(order, [{ kind: 'part', amount: 100 }])
    await delivery.perform(order)
    await clock.release()
    expect(await debtLeft(sellerId)).toBe(9_000)
    const [first, second] = [await delivery.deliver(poor.seller), await delivery.deliver(poor.seller)]
    await delivery.comeDue(first)
    await delivery.comeDue(second)
    await clock.release()
    expect(await debtLeft(sellerId)).toBe(0)
    const transfers = [...(await delivery.transfersOf(first)), ...(await delivery.transfersOf(second))]
    expect(transfers.reduce((sum, { amount }) => sum + amount, 0)).toBe(2 * 10_500 - 9_000)
  })

  test('part of it is taken back, and the rest owed', async () => {
    const poor = await delivery.yard()
    const order = await delivery.deliverAndRelease(poor.seller)
    await simulator.behave({ clockAheadMs: 3 * 86_400_000 })
    await simulator.control('POST', '/payouts', { account: poor.accountId, amountCents: 8_000 })
    await delivery.refund(order, ALL)
    await delivery.perform(order)
    await clock.release()
    await clock.release()
    expect((await delivery.transfersOf(order))[0]).toMatchObject({ amount_reversed: 2_500 })
    expect(await debtLeft(await delivery.shop.sellerIdOf(poor.seller))).toBe(8_000)
  })
})

describe('10: a payout that was paid can fail', () => {
  test('the yard sees each order’s way to its bank, and is told when the bank refuses', async () => {
    const paid = await delivery.yard()
    const order = await delivery.deliverAndRelease(paid.seller)
    const wayOf = async () =>
      (await paid.seller.api.get<SellerOrder>(`/seller/orders/${order.id}`)).body.payout?.sentence ?? ''
    const ownPayouts = async () => (await paid.seller.api.get<OwnPayouts>('/seller/payouts')).body
    expect(await wayOf()).toMatch(/^We transferred \$105\.00 on /)
    expect(await ownPayouts()).toMatchObject({ transferred: 105, waitingTotal: 0, debt: 0, payouts: [] })

    const failing = { clockAheadMs: 3 * 86_400_000, payouts: 'fail', failureDelayMs: 3_600_000 }
    await simulator.behave(failing)
    await simulator.control('POST', '/payouts', { account: paid.accountId, amountCents: 10_500 })
    await simulator.behave({ ...failing, clockAheadMs: failing.clockAheadMs + 10_000 })
    await simulator.control('POST', '/pass-time', {})
    await expect.poll(wayOf, { timeout: 15_000 }).toMatch(/^\$105\.00 was paid to your bank on /)
    expect(await ownPayouts()).toMatchObject({
      transferred: 0,
      payouts: [{ amount: 105, state: 'paid', orders: [{ id: order.id, amount: 105 }] }],
    })

    await simulator.behave({ ...failing, clockAheadMs: failing.clockAheadMs + 2 * 3_600_000 })
    await simulator.control('POST', '/pass-time', {})
    await expect.poll(wayOf, { timeout: 15_000 }).toMatch(/^Your bank refused the payout with \$105/)
    const { rows } = await sql<{ subject: string }>`
      select subject from mail where recipient = ${paid.seller.person.email} and subject like '%refused%'`.execute(
      app.db,
    )
    expect(rows.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('your bank refused $105.00, check your bank account'),
    ])
    // Read again without an event, as every hour: told once.
    await readPayouts(clock.deps, paid.accountId, clock.deps.calls())
    expect((await ownPayouts()).payouts).toHaveLength(1)
  })
})

test('11: the sweep is scheduled, and looks before it runs', async () => {
  const { PERIODIC_JOBS } = await import('#server/job-queues.ts')
  const sweep = PERIODIC_JOBS.find(({ queue }) => queue.name === 'order-releases')
  expect(sweep?.everySeconds).toBeLessThanOrEqual(60)
  const order = await delivery.deliver(yard.seller)
  await delivery.comeDue(order)
  expect(await app.db.transaction().execute(async (trx) => sweep?.isNeeded?.(trx))).toBe(true)
  await clock.release()
  // What moved is looked at once more.
  await clock.release()
  expect(await app.db.transaction().execute(async (trx) => sweep?.isNeeded?.(trx))).toBe(false)
})

test('20: a refund asks for no fee that the charge does not have', async () => {
  const order = await delivery.deliverAndRelease(yard.seller)
  await delivery.refund(order, ALL)
  await delivery.perform(order)
  const charge = await sdk.charges.retrieve(await clock.column(order.id, 'charge_id'))
  const [refund] = (await sdk.refunds.list({ charge: charge.id, limit: 1 })).data
  expect(refund).toMatchObject({ status: 'succeeded', amount: 11_500 })
  expect(charge).not.toHaveProperty('application_fee')
})
