import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/order/order-steps.ts'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import type { OwnReview, ReportedReview } from '#contract/order/review-calls.ts'
import type { PublicYard } from '#contract/pages/sellers.ts'
import { askForReviews } from '#server/features/money/orders/letters/review-mails.ts'
import { sweepReviews } from '#server/features/money/orders/reviews/review-sweep.ts'
import { eraseAccounts } from '#server/features/people/closing/erase-account.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import { type Failed, openShop, type PlacedOrder, type Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const shop = openShop(app)
const clock = openOrderClock(app)
const run = { signal: new AbortController().signal }

type Delivered = Shop & { buyer: ReturnType<typeof shop.buyer>; placed: PlacedOrder }
type OwnReviews = { items: OwnReview[]; total: number; figures: { reviews: number; stars: number | null } }

/** A part that was bought, shipped and received. */
async function delivered(yard?: Shop): Promise<Delivered> {
  const { seller, listing } = yard ?? (await shop.yard({}, { mode: 'instant' }))
  const buyer = shop.buyer()
  const placed = await buyer.buys(listing.partslug)
  await shop.pay(placed, buyer)
  await shop.act(seller, placed.order.id, 'ship', { carrier: 'ups', tracking: '1Z999' })
  await buyer.act('received', placed.token)
  return { seller, listing, buyer, placed }
}

/** As if it was written, or delivered, so many days earlier. */
const age = (orderId: string, days: number) =>
  Promise.all([
    sql`update yard_review set publish_at = publish_at - make_interval(days => ${days}) where order_id = ${orderId}`.execute(
      app.db,
    ),
    sql`update part_order set delivered_at = delivered_at - make_interval(days => ${days}) where id = ${orderId}`.execute(
      app.db,
    ),
  ])

const sweep = () => sweepReviews(clock.deps, run)
const ownReviews = async ({ api }: SignedIn) => (await api.get<OwnReviews>('/seller/reviews')).body
async function html(yard: Shop): Promise<string> {
  const { slug } = await yardPage(yard)
  return (await app.http.inject({ method: 'GET', url: `/sellers/${slug}` })).body
}
async function yardPage({ listing }: Shop): Promise<PublicYard> {
  const { body } = await app.visitor.get<{ seller: { slug: string } }>(`/parts/${listing.partslug}/around`)
  return (await app.visitor.get<PublicYard>(`/sellers/${body.seller.slug}`)).body
}

describe('a review', () => {
  let order: Delivered
  beforeAll(async () => {
    order = await delivered()
  })

  test('comes from a delivered order only', async () => {
    const { listing } = await shop.yard({}, { mode: 'instant' })
    const buyer = shop.buyer()
    const placed = await buyer.buys(listing.partslug)
    const paid = await shop.pay(placed, buyer)
    expect(paid.actions).not.toContain('review')
    const early = await buyer.act('review', placed.token, { stars: 5 })
    expect([early.status, early.body.code]).toEqual([409, 'STATE'])
  })

  test.each([
    [{ stars: 6 }, 'stars'],
    [{ stars: 0 }, 'stars'],
    [{ stars: 4.5 }, 'stars'],
    [{ stars: 5, text: 'What a shit part' }, 'text'],
    [{ stars: 5, text: 'See https://evil.example' }, 'text'],
  ])('is refused: %j', async (body, field) => {
    const refused = await order.buyer.act<Failed>('review', order.placed.token, body)
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([422, [field]])
  })

  test('is the yard’s alone for 14 days, and its buyer can change it', async () => {
    const { buyer, placed, seller } = order
    expect((await buyer.read(placed.token)).body.actions).toContain('review')
    const said = await buyer.act('review', placed.token, { stars: 2, text: 'Dented.' })
    expect(said.body.review).toMatchObject({ stars: 2, text: 'Dented.', state: 'waiting' })
    const changed = await buyer.act('review', placed.token, { stars: 4, text: 'Small dent.' })
    expect(changed.body.actions).toContain('review')
    const { items } = await ownReviews(seller)
    expect(items).toMatchObject([
      { stars: 4, text: 'Small dent.', state: 'waiting', order: { number: placed.order.number } },
    ])
    expect((await yardPage(order)).newestReviews).toEqual([])
    expect(await clock.mails(placed.order.id, seller.person.email)).toContainEqual(
      expect.stringContaining('Ruth reviewed you, 2 stars'),
    )
  })

  test('is answered by its yard, which the buyer sees with the published review', async () => {
    const { buyer, placed, seller } = order
    const [review] = (await ownReviews(seller)).items
    const other = await app.signUp()
    const foreign = await other.api.post<Failed>(`/seller/reviews/${review?.id}/answer`, { answer: 'Ha.' })
    expect(foreign.status).toBe(404)
    const answered = await seller.api.post<OwnReview>(`/seller/reviews/${review?.id}/answer`, {
      answer: 'We take it back.',
    })
    expect(answered.body.answer).toBe('We take it back.')
    expect((await buyer.read(placed.token)).body.review?.answer).toBeNull()
    // The yard is told of a change after its answer, once.
    await buyer.act('review', placed.token, { stars: 5, text: 'They took it back.' })
    await buyer.act('review', placed.token, { stars: 5, text: 'They took it back.' })
    const mails = await clock.mails(placed.order.id, seller.person.email)
    expect(mails.filter((subject) => subject.includes('changed the review'))).toHaveLength(1)

    await sweep()
    expect((await yardPage(order)).newestReviews).toEqual([])
    await age(placed.order.id, 14)
    await sweep()
    expect((await buyer.read(placed.token)).body.review).toMatchObject({
      state: 'published',
      answer: 'We take it back.',
    })
    const { newestReviews, stars, reviews } = await yardPage(order)
    expect(newestReviews).toMatchObject([
      { stars: 5, text: 'They took it back.', answer: 'We take it back.', part: expect.any(String) },
    ])
    expect(JSON.stringify(newestReviews)).not.toMatch(/Ruth|Baker|garage\.example/)
    expect({ stars, reviews }).toEqual({ stars: null, reviews: 1 })
    const late = await buyer.act('review', placed.token, { stars: 1 })
    expect([late.status, late.body.code]).toEqual([409, 'STATE'])
    expect((await buyer.read(placed.token)).body.actions).not.toContain('review')
  })

  test('is reported, hidden with a reason, and restored', async () => {
    const { buyer, placed, seller } = order
    const admin = await app.signUp({ role: 'admin' })
    const [review] = (await ownReviews(seller)).items
    const report = { reason: 'personal', text: 'Has a phone number.' }
    const path = `/public/reviews/${review?.id}/reports`
    expect((await app.visitor.post(path, report)).status).toBe(201)
    await app.visitor.post(path, report)
    await seller.api.post(path, report)
    const open = async () =>
      (await admin.api.get<{ items: ReportedReview[]; open: number }>('/admin/reviews')).body
    expect(await open()).toMatchObject({ open: 1, items: [{ id: review?.id, reports: [{}, {}] }] })
    expect((await open()).items[0]?.reports).toHaveLength(2)

    const decide = (body: object) => admin.api.post<Failed>(`/admin/reviews/${review?.id}/decision`, body)
    expect((await decide({ decision: 'hide', note: 'It has a phone number.' })).status).toBe(200)
    expect((await yardPage(order)).newestReviews).toEqual([])
    expect((await yardPage(order)).reviews).toBe(0)
    expect((await buyer.read(placed.token)).body.review).toMatchObject({
      state: 'hidden',
      hiddenNote: 'It has a phone number.',
    })
    expect((await open()).open).toBe(0)
    expect((await decide({ decision: 'keep' })).status).toBe(409)
    expect((await app.visitor.post<Failed>(path, report)).status).toBe(404)
    await decide({ decision: 'restore' })
    expect((await yardPage(order)).reviews).toBe(1)
  })
})

test('the average shows from five reviews up, also to search engines', async () => {
  const yard = await shop.yard({}, { mode: 'instant' })
  const given = [5, 4, 5, 3, 4]
  for (const [index, stars] of given.entries()) {
    const listing = index === 0 ? yard.listing : await shop.addPart(yard.seller)
    const { buyer, placed } = await delivered({ seller: yard.seller, listing })
    await buyer.act('review', placed.token, { stars, text: '' })
    await age(placed.order.id, 14)
    if (index === given.length - 2) {
      await sweep()
      expect(await yardPage(yard)).toMatchObject({ reviews: 4, stars: null })
      expect(await html(yard)).not.toContain('aggregateRating')
    }
  }
  await sweep()
  expect(await yardPage(yard)).toMatchObject({ reviews: 5, stars: 4.2 })
  const page = await html(yard)
  expect(page).toContain('4.2 of 5 stars from 5 reviews')
  expect(page).toContain(
    '"aggregateRating":{"@type":"AggregateRating","ratingValue":4.2,"reviewCount":5,"bestRating":5}',
  )
  expect((await ownReviews(yard.seller)).figures).toMatchObject({ reviews: 5, stars: 4.2 })
})

test('a buyer is asked once, three days after delivery', async () => {
  const { buyer, placed } = await delivered()
  const { id, number } = placed.order
  const asked = async () =>
    (await clock.mails(id, buyer.email)).filter((subject) => subject.includes('Review order'))
  await sweep()
  expect(await asked()).toEqual([])
  await age(id, 3)
  await sweep()
  await sweep()
  expect(await asked()).toEqual([expect.stringContaining(number)])
})

test('nobody is asked who has reviewed, sent the part back, or says that the order is not theirs', async () => {
  const [reviewed, returning, stranger] = await Promise.all([delivered(), delivered(), delivered()])
  await reviewed.buyer.act('review', reviewed.placed.token, { stars: 5 })
  await sql`update part_order set open_returns = 1 where id = ${returning.placed.order.id}`.execute(app.db)
  await stranger.buyer.act('not-mine', stranger.placed.token)
  for (const { placed } of [reviewed, returning, stranger]) await age(placed.order.id, 4)
  await askForReviews(app.db, { now: new Date(app.clock.now().getTime() + DAY_MS), site: app.config })
  for (const { placed, buyer } of [reviewed, returning, stranger]) {
    const mails = await clock.mails(placed.order.id, buyer.email)
    expect(mails.filter((subject) => subject.includes('Review order'))).toEqual([])
  }
})

test('a review is in what its buyer can download, and keeps no name when the account is erased', async () => {
  const buyer = await app.signUp()
  const { seller, listing } = await shop.yard({}, { mode: 'instant' })
  const placed = await buyer.api.post<PlacedOrder>(
    `/parts/${listing.partslug}/orders`,
    {
      email: buyer.person.email,
      name: 'Ruth Baker',
      delivery: 'ship',
      address: { line1: '1 Elm Street', city: 'Dallas', state: 'TX', zip: '75201' },
      expectedTotal: 115,
    },
    { 'idempotency-key': crypto.randomUUID() },
  )
  await shop.pay(placed.body, { read: (token: string) => buyer.api.post('/orders/read', { token }) } as never)
  const { id } = placed.body.order
  await shop.act(seller, id, 'ship', { carrier: 'ups', tracking: '' })
  await buyer.api.post('/orders/received', { id })
  const text = `Good, says ${buyer.person.name}.`
  const said = await buyer.api.post<BuyerOrder>('/orders/review', { id, stars: 5, text })
  expect(said.body.review).toMatchObject({ stars: 5 })
  const { body } = await buyer.api.get<{ items: BuyerOrder[] }>('/orders')
  expect(body.items[0]?.review).toMatchObject({ text })

  const now = app.clock.now()
  await sql`
    insert into account_closure (user_id, asked_at, taken_down_at, erase_after)
    select id, ${now}, ${now}, ${now} from app_user where email = ${buyer.person.email}`.execute(app.db)
  await eraseAccounts(app.db, { now, ...run })
  const { rows } = await sql`select stars, body from yard_review where order_id = ${id}`.execute(app.db)
  expect(rows).toEqual([{ stars: 5, body: 'Good, says (erased).' }])
})
