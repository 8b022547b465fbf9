import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type OrderState, orderStates } from '#contract/order/order-steps.ts'
import type { Answer } from '#tests/support/api-client.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { type Failed, openShop, type PlacedOrder, type Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Every call of a buyer and of a yard, in every state: it answers the order or 409 STATE, and changes nothing if refused. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
const shop = openShop(app)
const clock = openOrderClock(app)

type Kind = { delivery?: 'ship' | 'pickup'; mode?: 'confirm' | 'instant' }
type Made = PlacedOrder & { by: ReturnType<typeof shop.buyer> }

let yard: Shop
beforeAll(async () => {
  yard = await shop.yard()
})

const paid: readonly OrderState[] = ['confirmed', 'ready', 'shipped', 'delivered', 'closed', 'refunded']

/** An order that was placed as orders are, and then put into a state. */
async function orderIn(state: OrderState, { delivery = 'ship', mode = 'confirm' }: Kind = {}): Promise<Made> {
  const listing = await shop.addPart(yard.seller)
  const by = shop.buyer()
  const placed = await by.buys(listing.partslug)
  const { id } = placed.order
  const captured = paid.includes(state) ? 11_500 : 0
  await sql`
    update part_order set state = ${state}, delivery = ${delivery}, mode = ${mode}, captured_cents = ${captured},
      refunded_cents = ${state === 'refunded' ? captured : 0}, restock = ${state === 'refunded' ? 'asked' : null},
      pickup_code = ${state === 'ready' ? '123456' : null}, act_at = null
    where id = ${id}`.execute(app.db)
  return { ...placed, by }
}

type Call = (made: Made) => Promise<Answer<Failed & { state: OrderState }>>
const buyers =
  (path: string, body: object = {}): Call =>
  ({ by, token }) =>
    by.act(path, token, body)
const yards =
  (path: string, body: object = {}): Call =>
  ({ order }) =>
    shop.act(yard.seller, order.id, path, body)

const calls = {
  pay: buyers('pay', { expectedTotal: 115 }),
  cancel: buyers('cancel', { reason: 'Changed my mind' }),
  received: buyers('received'),
  wait: buyers('delay', { answer: 'wait' }),
  code: buyers('code'),
  quote: yards('quote', { shipping: 20, days: 3 }),
  confirm: yards('confirm'),
  'not-found': yards('not-found', { reason: 'Not on the shelf' }),
  ship: yards('ship', { carrier: 'ups', tracking: '1Z1' }),
  ready: yards('ready'),
  'hand-over': yards('hand-over', { code: '123456' }),
  refund: yards('refund', { lines: [{ kind: 'shipping', amount: 5 }], reason: 'Damaged box' }),
  restock: yards('restock', { answer: 'sell' }),
} satisfies Record<string, Call>
type CallName = keyof typeof calls
const callNames = Object.keys(calls) as CallName[]

/** Written out: which calls each state takes, and the state after each. */
const takes: Record<OrderState, Partial<Record<CallName, OrderState>>> = {
  quoting: { pay: 'pending', cancel: 'canceled', quote: 'quoting' },
  pending: { pay: 'pending', cancel: 'canceled' },
  authorized: { cancel: 'canceled', confirm: 'capturing', 'not-found': 'not-found' },
  capturing: {},
  confirmed: { cancel: 'confirmed', wait: 'confirmed', ship: 'shipped', refund: 'confirmed' },
  ready: { code: 'ready', 'hand-over': 'delivered', refund: 'ready' },
  shipped: { received: 'delivered', refund: 'shipped' },
  delivered: { refund: 'delivered' },
  closed: { refund: 'closed' },
  expired: {},
  canceled: { cancel: 'canceled' },
  // "It turned up" puts it back, also later.
  'not-found': { 'not-found': 'not-found', restock: 'not-found' },
  refunded: { restock: 'refunded' },
}

describe.each(orderStates)('an order that is %s', (state) => {
  test('refuses every other call with a sentence, and stays as it is', async () => {
    const made = await orderIn(state)
    const before = await clock.snapshot(made.order.id)
    for (const name of callNames.filter((one) => !(one in takes[state]))) {
      const { status, body } = await calls[name](made)
      expect([name, status, body.code]).toEqual([name, 409, 'STATE'])
      expect(body.error).toMatch(/^[A-Z].{10,}\.$/)
    }
    expect(await clock.snapshot(made.order.id)).toBe(before)
  })

  const allowed = Object.entries(takes[state]) as [CallName, OrderState][]
  if (allowed.length === 0) return
  test('takes what the table has, and again without a second effect', async () => {
    for (const [name, after] of allowed) {
      const made = await orderIn(state)
      // The page of an order with a price is open; one without has none yet.
      if (state === 'quoting') await forgetHold(made.order.id)
      const first = await calls[name](made)
      expect([name, first.status, first.body.state]).toEqual([name, 200, after])
      const count = (await clock.kinds(made.order.id)).length
      const again = await calls[name](made)
      expect([name, [200, 409].includes(again.status)]).toEqual([name, true])
      // A new code, and a longer wait, are new each time.
      if (name !== 'code') expect([name, (await clock.kinds(made.order.id)).length]).toEqual([name, count])
    }
  })
})

const forgetHold = (id: string) =>
  sql`update part_hold set ended_at = now(), ending = 'released' where order_id = ${id}`.execute(app.db)

describe('by delivery and mode', () => {
  test('what is fetched becomes ready and is never shipped', async () => {
    const fetched = await orderIn('confirmed', { delivery: 'pickup' })
    expect((await calls.ship(fetched)).body.code).toBe('STATE')
    expect((await calls.ready(fetched)).body.state).toBe('ready')
    expect((await calls.ready(await orderIn('confirmed'))).body.code).toBe('STATE')
  })

  test('only instant yards say "not found" after the money was taken', async () => {
    expect((await calls['not-found'](await orderIn('confirmed'))).body.code).toBe('STATE')
    const instant = await calls['not-found'](await orderIn('confirmed', { mode: 'instant' }))
    expect(instant.body.state).toBe('not-found')
  })

  test('an order without a shipping price cannot be paid', async () => {
    const made = await orderIn('quoting')
    await sql`update part_order set shipping_cents = null where id = ${made.order.id}`.execute(app.db)
    const before = await clock.snapshot(made.order.id)
    const { status, body } = await calls.pay(made)
    expect([status, body.code]).toEqual([409, 'STATE'])
    expect(body.error).toContain('shipping price')
    expect(await clock.snapshot(made.order.id)).toBe(before)
  })
})

test('an administrator’s hold stops the yard, not the buyer', async () => {
  for (const [state, stopped] of [
    ['authorized', ['confirm']],
    ['confirmed', ['ship']],
    ['ready', ['hand-over']],
  ] as const) {
    const made = await orderIn(state)
    await sql`update part_order set held_at = now(), held_reason = 'Odd address' where id = ${made.order.id}`.execute(
      app.db,
    )
    const before = await clock.snapshot(made.order.id)
    for (const name of stopped) {
      const { status, body } = await calls[name](made)
      expect([name, status, body.code]).toEqual([name, 409, 'STATE'])
      expect(body.error).toContain('being reviewed')
    }
    expect(await clock.snapshot(made.order.id)).toBe(before)
  }
  const mine = await orderIn('authorized')
  await sql`update part_order set held_at = now() where id = ${mine.order.id}`.execute(app.db)
  expect((await calls.cancel(mine)).body.state).toBe('canceled')
})
