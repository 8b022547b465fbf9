import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { OrderState } from '#contract/order/order-steps.ts'
import type { AroundPart } from '#contract/pages/part-page.ts'
import type { FitEvidence } from '#contract/pages/track-record.ts'
import { sweepReviews } from '#server/features/money/orders/reviews/review-sweep.ts'
import { countRecords, readRecord } from '#server/features/money/orders/reviews/track-records.ts'
import { makeOrder } from '#tests/support/make-orders.ts'
import { openShop, type Shop } from '#tests/support/shop.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const shop = openShop(app)
const run = { signal: new AbortController().signal }
const deps = { db: app.db, site: app.config, now: app.clock.now }
const count = () => countRecords(app.db, app.clock.now())

type Kind = 'confirm' | 'take' | 'not-found' | 'miss' | 'cancel'
type Past = {
  state: OrderState
  events?: readonly Kind[]
  /** Days ago. */
  shipBy?: number
  shipped?: number
  delivered?: number
  placed?: number
  set?: Record<string, unknown>
}

const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000)

/** An order as it stands after what happened to it. */
async function past({ listing }: Shop, of: Past): Promise<string> {
  const { id } = await makeOrder(app.db, { listingId: listing.id, state: of.state })
  const times = {
    ...(of.shipBy !== undefined && { ship_by: daysAgo(of.shipBy), captured_cents: 10_000 }),
    ...(of.shipped !== undefined && { shipped_at: daysAgo(of.shipped) }),
    ...(of.delivered !== undefined && { delivered_at: daysAgo(of.delivered) }),
    ...(of.placed !== undefined && { created_at: daysAgo(of.placed) }),
    ...of.set,
  }
  for (const [column, value] of Object.entries(times)) {
    await sql`update part_order set ${sql.ref(column)} = ${value} where id = ${id}`.execute(app.db)
  }
  for (const kind of of.events ?? ['confirm']) {
    await sql`
      insert into order_event (order_id, at, kind, side, state) values (${id}, now(), ${kind}, 'seller', ${of.state})
    `.execute(app.db)
  }
  return id
}

async function recordOf(yard: Shop) {
  const { rows } = await sql<Record<string, number>>`
    select confirmed, confirm_of, shipped, ship_of, came_back, deliver_of from yard_record
    where seller_id = ${await shop.sellerIdOf(yard.seller)}`.execute(app.db)
  const [row] = rows
  return (
    row && [
      `${row.confirmed}/${row.confirm_of}`,
      `${row.shipped}/${row.ship_of}`,
      `${row.came_back}/${row.deliver_of}`,
    ]
  )
}

test.each<[string, Past, string[]]>([
  [
    'confirmed, shipped and received in time',
    { state: 'closed', shipBy: 9, shipped: 10, delivered: 8 },
    ['1/1', '1/1', '0/1'],
  ],
  ['sold at once', { state: 'confirmed', events: ['take'], shipBy: -1 }, ['1/1', '0/0', '0/0']],
  ['not found', { state: 'not-found', events: ['not-found'] }, ['0/1', '0/0', '0/0']],
  [
    'sold at once and then not found',
    { state: 'not-found', events: ['take', 'not-found'], shipBy: -1 },
    ['0/1', '0/1', '0/0'],
  ],
  ['not confirmed in time', { state: 'canceled', events: ['miss'] }, ['0/1', '0/0', '0/0']],
  [
    'canceled by the buyer before the yard looked',
    { state: 'canceled', events: ['cancel'] },
    ['0/0', '0/0', '0/0'],
  ],
  ['shipped a day late', { state: 'shipped', shipBy: 5, shipped: 4 }, ['1/1', '0/1', '0/0']],
  ['not shipped, and the day is over', { state: 'confirmed', shipBy: 1 }, ['1/1', '0/1', '0/0']],
  ['not shipped, and there is time', { state: 'confirmed', shipBy: -1 }, ['1/1', '0/0', '0/0']],
  [
    'not shipped, on hold',
    { state: 'confirmed', shipBy: 1, set: { held_at: daysAgo(3) } },
    ['1/1', '0/0', '0/0'],
  ],
  ['refunded by the yard before it shipped', { state: 'refunded', shipBy: -1 }, ['1/1', '0/1', '0/0']],
  [
    'refunded because the buyer asked',
    { state: 'refunded', shipBy: -1, set: { cancel_asked_at: daysAgo(1) } },
    ['1/1', '0/0', '0/0'],
  ],
  [
    'refunded after delivery',
    { state: 'refunded', shipBy: 9, shipped: 10, delivered: 8 },
    ['1/1', '1/1', '1/1'],
  ],
])('counts an order that is %s', async (_name, of, expected) => {
  const yard = await shop.yard()
  await past(yard, of)
  await count()
  expect(await recordOf(yard)).toEqual(expected)
})

test('a part that was sent back came back', async () => {
  const yard = await shop.yard()
  const id = await past(yard, { state: 'closed', shipBy: 9, shipped: 10, delivered: 8 })
  await sql`update order_line set state = 'returned' where order_id = ${id}`.execute(app.db)
  await count()
  expect(await recordOf(yard)).toEqual(['1/1', '1/1', '1/1'])
})

test('orders leave the figures after 180 days, and nothing is written that says the same', async () => {
  const yard = await shop.yard()
  const id = await past(yard, { state: 'closed', shipBy: 170, shipped: 171, delivered: 169, placed: 179 })
  await count()
  expect(await recordOf(yard)).toEqual(['1/1', '1/1', '0/1'])
  const version = async () =>
    (
      await sql<{
        x: string
      }>`select xmin::text as x from yard_record where seller_id = ${await shop.sellerIdOf(yard.seller)}`.execute(
        app.db,
      )
    ).rows[0]?.x
  const before = await version()
  await count()
  expect(await version()).toBe(before)
  await sql`update part_order set created_at = ${daysAgo(181)} where id = ${id}`.execute(app.db)
  await count()
  expect(await recordOf(yard)).toEqual(['0/0', '0/0', '0/0'])
})

test('the yard’s page and its parts show the badge and its figures from ten orders up', async () => {
  const yard = await shop.yard()
  const sellerId = await shop.sellerIdOf(yard.seller)
  for (let order = 0; order < 10; order += 1) {
    if (order === 9) {
      await count()
      expect((await readRecord(app.db, sellerId)).record).toEqual({ badge: false, lines: [] })
    }
    await past(yard, { state: 'closed', shipBy: 9, shipped: 10, delivered: 8 })
  }
  await count()
  const { body } = await app.visitor.get<AroundPart>(`/parts/${yard.listing.partslug}/around`)
  expect(body.seller.record).toEqual({
    badge: true,
    lines: [
      '10 of 10 orders confirmed in time',
      '10 of 10 orders shipped in time',
      '0 of 10 orders came back',
    ],
  })
  const page = await app.visitor.get<{ record: object }>(`/sellers/${body.seller.slug}`)
  expect(page.body.record).toEqual(body.seller.record)
})

/* What buyers' vehicles say. The VINs are of made-up Accords; NHTSA publishes the patterns. */

const ACCORD = '1HGCR2F3XFA027534'

test('a number shows how many were bought for a model and came back, over all yards, from three up', async () => {
  const [yard, other] = [await shop.yard(), await shop.yard()]
  const bought = async (shopOf: Shop, number: string, set: Record<string, unknown> = {}) => {
    const id = await past(shopOf, {
      state: 'delivered',
      shipBy: 40,
      shipped: 41,
      delivered: 35,
      set: { vin: ACCORD, ...set },
    })
    await sql`
      update order_line set facts = jsonb_build_object('partNumber', ${number}::text) where order_id = ${id}
    `.execute(app.db)
    return id
  }
  const evidence = async (number = '31100-5A2-A02') =>
    (
      await app.visitor.get<{ evidence: FitEvidence[] }>(
        `/public/interchange?number=${encodeURIComponent(number)}`,
      )
    ).body.evidence
  await bought(yard, '31100-5A2-A02')
  await bought(other, '311005A2A02')
  // Too early to say, no VIN, another number.
  await bought(yard, '31100-5A2-A02', { delivered_at: daysAgo(29) })
  await bought(yard, '31100-5A2-A02', { return_until: daysAgo(-3) })
  await bought(yard, '31100-5A2-A02', { vin: null })
  await bought(yard, '31100-5A2-A99')
  await sweepReviews(deps, run)
  expect(await evidence()).toEqual([])

  const back = await bought(yard, '31100 5a2 a02', { delivered_at: daysAgo(2) })
  await sql`
    insert into order_return (order_id, kind, reason, state, line_ids, part_cents, fee_cents, shipping_cents, core_cents,
      way_back, created_at, ended_at)
    select order_id, 'return', 'doesnt-fit', 'refunded', array[id], 0, 0, 0, 0, 'buyer', now(), now()
    from order_line where order_id = ${back}`.execute(app.db)
  await sweepReviews(deps, run)
  await sweepReviews(deps, run)
  const accords = { make: 'Honda', model: 'Accord', from: 2015, to: 2015, bought: 3, cameBack: 1 }
  expect(await evidence()).toEqual([accords])
  const part = await shop.addPart(other.seller, { partnum: '31100-5A2-A02' })
  const around = await app.visitor.get<AroundPart>(`/parts/${part.partslug}/around`)
  expect(around.body.evidence).toEqual(['Bought for 3 Honda Accords (2015), 1 came back as not fitting'])
  expect(JSON.stringify(around.body)).not.toContain(ACCORD)
})
