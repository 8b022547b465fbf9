import { sql } from 'kysely'
import { DAY_MS } from '#contract/order/order-steps.ts'
import type { BuyerOrder, SellerOrder } from '#contract/order/order-views.ts'
import type { OrderReturn } from '#contract/order/returns/return-views.ts'
import { sweepReturns } from '#server/features/money/orders/returns/return-sweep.ts'
import { openOrderClock } from './order-clock.ts'
import { type Failed, openShop, type PlacedOrder, type Shop } from './shop.ts'
import type { TestApp } from './test-app.ts'

/* Orders that were delivered, and what comes back of them. */

export type Delivered = Shop & {
  placed: PlacedOrder
  by: ReturnType<ReturnType<typeof openShop>['buyer']>
  id: string
}
export type Told = BuyerOrder & Failed

type Making = {
  part?: Record<string, unknown>
  vin?: string
  fitsVin?: boolean
  delivery?: 'ship' | 'pickup'
}

export function openReturns(app: TestApp) {
  const shop = openShop(app)
  const clock = openOrderClock(app)
  let passed = 0
  const run = { signal: new AbortController().signal }
  const sweep = () => sweepReturns({ db: app.db, site: app.config, now: app.clock.now }, run)

  /** Bought, confirmed and on its way. */
  async function shipped({ part = {}, vin, fitsVin = false }: Making = {}): Promise<Delivered> {
    const yard = await shop.yard(part)
    const by = shop.buyer()
    const { body: quote } = await by.api.get<{ total: number }>(
      `/parts/${yard.listing.partslug}/quote?delivery=ship&zip=75201`,
    )
    const placed = await by.buys(yard.listing.partslug, { expectedTotal: quote.total, ...(vin && { vin }) })
    await shop.pay(placed, by)
    const { id } = placed.order
    await shop.act(yard.seller, id, 'confirm', { fitsVin })
    const { body } = await shop.act(yard.seller, id, 'ship', { carrier: 'ups', tracking: '1Z1' })
    if (body.state !== 'shipped') throw new Error(`the order is ${body.state}: ${body.error}`)
    return { ...yard, placed, by, id }
  }

  async function delivered(making: Making = {}): Promise<Delivered> {
    const one = await shipped(making)
    await one.by.act('received', one.placed.token)
    return one
  }

  const ask = (one: Delivered, body: object) => one.by.act<Told>('return', one.placed.token, body)
  const change = (one: Delivered, returnId: string, step: string, more: object = {}) =>
    one.by.act<Told>('return/step', one.placed.token, { returnId, step, ...more })
  const answer = (one: Delivered, returnId: string, body: object) =>
    one.seller.api.post<SellerOrder & Failed>(`/seller/orders/${one.id}/returns/${returnId}`, body)
  const read = async ({ by, placed }: Delivered): Promise<BuyerOrder> => (await by.read(placed.token)).body

  async function the(one: Delivered, kind: OrderReturn['kind'] = 'return'): Promise<OrderReturn> {
    const found = (await read(one)).returns.findLast((row) => row.kind === kind)
    if (!found) throw new Error(`the order has no ${kind}`)
    return found
  }

  return {
    shop,
    clock,
    sweep,
    shipped,
    delivered,
    ask,
    change,
    answer,
    read,
    the,
    /** Asks, and returns the id. */
    async asked(one: Delivered, body: object): Promise<string> {
      const { status, body: told } = await ask(one, body)
      if (status !== 200) throw new Error(`${status} ${told.error}`)
      return told.returns.at(-1)?.id ?? ''
    },
    async pass(days: number): Promise<void> {
      passed += days * DAY_MS
      app.clock.advance(days * DAY_MS)
      await clock.sweep()
      await sweep()
    },
    /** The next test begins at the real time: links and sessions end with a clock that is far ahead. */
    resetClock(): void {
      app.clock.advance(-passed)
      passed = 0
    },
    /** What a refund gave back, by kind, in cents. */
    async refunds(one: Delivered) {
      const { rows } = await sql<{
        part: number
        shipping: number
        core: number
        reason: string
        state: string
      }>`
        select part_cents::int as part, shipping_cents::int as shipping, core_cents::int as core, reason, state
        from order_refund where order_id = ${one.id} order by id`.execute(app.db)
      return rows
    },
    put: (one: Delivered, state: string, kind = 'return') =>
      sql`
        update order_return set state = ${state},
          act_at = case when ${state} in ('refunded', 'refused', 'withdrawn', 'lapsed') then null else now() + interval '1 year' end,
          ended_at = case when ${state} in ('refunded', 'refused', 'withdrawn', 'lapsed') then now() end
        where order_id = ${one.id} and kind = ${kind}`.execute(app.db),
  }
}
