import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { analyticsEndpoints } from '#contract/analytics.ts'
import type { Answer } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import { readAnalytics, replaceDays } from '#server/features/market/analytics/figures.ts'
import { openViewCounter } from '#server/features/market/listings/view-counter.ts'
import { openLog } from '#server/platform/log.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

type Figures = Answer<typeof analyticsEndpoints.sellerFigures>
type Analytics = Answer<typeof analyticsEndpoints.sellerAnalytics>

const app = await startTestApp()

const figuresOf = async ({ api }: SignedIn) => (await api.get<Figures>('/seller/figures')).body
const analyticsOf = async ({ api }: SignedIn, query = '') =>
  (await api.get<Analytics>(`/seller/analytics${query}`)).body

/** Updates the daily totals that the calls writing views and messages keep current. */
async function sumUpDays(): Promise<void> {
  const sellers = await app.db.selectFrom('seller').select('id').execute()
  await replaceDays(
    app.db,
    sellers.map(({ id }) => id),
  )
}

/** In Chicago time, the default for sellers. */
const day = (ago: number) => sql`((now() at time zone 'America/Chicago')::date - ${ago}::int)`

async function addViews(listing: Listing, ago: number, views: number): Promise<void> {
  await sql`
    insert into listing_view (listing_id, seller_id, day, views)
    select id, seller_id, ${day(ago)}, ${views} from listing where id = ${listing.id}`.execute(app.db)
  await sumUpDays()
}

/** At noon that day in that time zone, unless another time is given. */
async function addLeads(listing: Listing, ago: number, leads: number, time = '12:00'): Promise<void> {
  await sql`
    insert into lead (seller_id, listing_id, listing_title, name, phone, created_at)
    select l.seller_id, l.id, 'Part', 'Ruth', '1', (${day(ago)} + ${time}::time) at time zone 'America/Chicago'
    from listing l, generate_series(1, ${leads}) where l.id = ${listing.id}`.execute(app.db)
  await sumUpDays()
}

describe('GET /seller/figures', () => {
  test('are zero when nothing happened', async () => {
    const nothing = { activeListings: 0, views: 0, leads: 0, conversionPercent: null }
    expect(await figuresOf(await app.signUp())).toEqual(nothing)
  })

  test('count live listings and the last 30 days including today', async () => {
    const yard = await app.signUp()
    const [kept, ended, deleted] = [
      await makeQuickListing(yard.api),
      await makeQuickListing(yard.api),
      await makeQuickListing(yard.api),
    ]
    await makeQuickListing((await app.signUp()).api)
    await yard.api.post(`/seller/parts/${ended.id}/end`, { reason: 'scrapped' })
    await yard.api.delete(`/seller/parts/${deleted.id}`)
    await addViews(kept, 0, 5)
    await addViews(ended, 29, 2)
    await addViews(deleted, 3, 1)
    await addViews(kept, 30, 100)
    await addLeads(kept, 29, 1, '00:00')
    await addLeads(kept, 30, 4, '23:59:59.999')
    expect(await figuresOf(yard)).toEqual({ activeListings: 1, views: 8, leads: 1, conversionPercent: 13 })
  })
})

describe('GET /seller/analytics', () => {
  let yard: SignedIn
  let horn: Listing
  let lamp: Listing
  let gone: Listing
  beforeAll(async () => {
    yard = await app.signUp()
    const { body: categories } = await app.visitor.get<{ id: string }[]>('/categories')
    const [first, second] = categories
    horn = await makeQuickListing(yard.api, { partname: 'Horn', partcategoryId: first?.id ?? '' })
    lamp = await makeQuickListing(yard.api, { partname: 'Lamp', partcategoryId: second?.id ?? '' })
    gone = await makeQuickListing(yard.api, { partname: 'Gone', partcategoryId: second?.id ?? '' })
    await addViews(horn, 0, 10)
    await addViews(horn, 6, 10)
    await addViews(horn, 7, 40)
    await addViews(lamp, 2, 4)
    await addViews(gone, 2, 30)
    await addLeads(horn, 0, 1, '00:00')
    await addLeads(lamp, 2, 3)
    await addLeads(horn, 7, 2)
    await yard.api.delete(`/seller/parts/${gone.id}`)
    const other = await makeQuickListing((await app.signUp()).api)
    await addViews(other, 1, 1_000)
    await addLeads(other, 1, 10)
  })

  test('returns totals, the previous period and every day, including days without views', async () => {
    const { days, totals, previous, byDay } = await analyticsOf(yard, '?days=7')
    expect(days).toBe(7)
    expect(totals).toEqual({ views: 54, leads: 4, conversionPercent: 7 })
    expect(previous).toEqual({ views: 40, leads: 2, conversionPercent: 5 })
    expect(byDay.map(({ views, leads }) => [views, leads])).toEqual([
      [10, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [34, 3],
      [0, 0],
      [10, 1],
    ])
    const dates = byDay.map(({ day }) => Date.parse(day))
    expect(dates.map((date) => (date - (dates[0] ?? 0)) / 86_400_000)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('lists listings by views, most first, without deleted ones', async () => {
    const { byListing } = await analyticsOf(yard, '?days=7')
    expect(byListing).toEqual([
      {
        slug: horn.partslug,
        title: `2014 Ford ${horn.partmodel} Horn`,
        views: 20,
        leads: 1,
        conversionPercent: 5,
      },
      {
        slug: lamp.partslug,
        title: `2014 Ford ${lamp.partmodel} Lamp`,
        views: 4,
        leads: 3,
        conversionPercent: 75,
      },
    ])
  })

  test('groups by category, including deleted listings', async () => {
    const { byCategory } = await analyticsOf(yard, '?days=7')
    expect(byCategory).toEqual([
      { name: lamp.partcategory?.name, views: 34, leads: 3, conversionPercent: 9 },
      { name: horn.partcategory?.name, views: 20, leads: 1, conversionPercent: 5 },
    ])
  })

  test('covers 30 days by default; 30 and 90 reach further back', async () => {
    const thirty = await analyticsOf(yard)
    expect(thirty).toEqual(await analyticsOf(yard, '?days=30'))
    expect(thirty).toMatchObject({
      days: 30,
      totals: { views: 94, leads: 6 },
      previous: { views: 0, leads: 0 },
    })
    expect((await analyticsOf(yard, '?days=90')).byDay).toHaveLength(90)
    expect((await yard.api.get('/seller/analytics?days=31')).status).toBe(400)
  })

  test('ranks listings with messages but no views after viewed ones', async () => {
    const { api, user } = await app.signUp()
    const [seen, asked] = [await makeQuickListing(api), await makeQuickListing(api)]
    await addViews(seen, 1, 1)
    await addLeads(asked, 1, 2)
    const { byListing } = await readAnalytics(app.db, { sellerId: user.sellerId, days: 7, now: new Date() })
    expect(
      byListing.map(({ slug, views, leads, conversionPercent }) => [slug, views, leads, conversionPercent]),
    ).toEqual([
      [seen.partslug, 1, 0, 0],
      [asked.partslug, 0, 2, null],
    ])
  })
})

test('days begin and end in the seller’s time zone', async () => {
  const { api, user } = await app.signUp()
  await app.db
    .updateTable('seller')
    .set({ time_zone: 'Pacific/Auckland' })
    .where('id', '=', user.sellerId)
    .execute()
  const part = await makeQuickListing(api)
  const at = (moment: string) =>
    sql`insert into lead (seller_id, listing_id, listing_title, name, phone, created_at)
        values (${user.sellerId}, ${part.id}, 'Part', 'Ruth', '1', ${moment})`.execute(app.db)
  // Midnight there is noon here, an hour earlier in summer.
  await at('2026-07-10T11:59:59Z')
  await at('2026-07-10T12:00:00Z')
  await at('2026-07-11T12:00:00Z')
  await sumUpDays()
  const now = new Date('2026-07-11T13:00:00Z')
  const { byDay } = await readAnalytics(app.db, { sellerId: user.sellerId, days: 7, now })
  expect(byDay.slice(-3)).toEqual([
    { day: '2026-07-10', views: 0, leads: 1 },
    { day: '2026-07-11', views: 0, leads: 1 },
    { day: '2026-07-12', views: 0, leads: 1 },
  ])
})

const look = ({ partslug }: Listing, ip: string) => app.visitor.as({ ip }).post(`/parts/${partslug}/views`)

test('a view counts on the seller’s day and appears in the figures', async () => {
  const yard = await app.signUp()
  await app.db
    .updateTable('seller')
    .set({ time_zone: 'Pacific/Kiritimati' })
    .where('id', '=', yard.user.sellerId)
    .execute()
  const part = await makeQuickListing(yard.api)
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) await look(part, ip)
  await expect.poll(async () => (await figuresOf(yard)).views, { timeout: 8_000 }).toBe(3)
  const { rows } = await sql<{ isToday: boolean; sellerId: string }>`
    select day = (now() at time zone 'Pacific/Kiritimati')::date as "isToday", seller_id as "sellerId"
    from listing_view where listing_id = ${part.id}`.execute(app.db)
  expect(rows).toEqual([{ isToday: true, sellerId: yard.user.sellerId }])
  const { byDay, byCategory } = await analyticsOf(yard)
  expect(byDay.at(-1)?.views).toBe(3)
  expect(byCategory).toMatchObject([{ name: part.partcategory?.name, views: 3, leads: 0 }])
  for (const ip of ['192.0.2.4', '192.0.2.5']) await look(part, ip)
  await expect.poll(async () => (await figuresOf(yard)).views, { timeout: 8_000 }).toBe(5)
})

test('returns at most the 50 listings and 20 categories with the most views', async () => {
  const yard = await app.signUp()
  const { body: categories } = await app.visitor.get<{ id: string }[]>('/categories')
  const ids = await makeStock(app.db, { sellerId: yard.user.sellerId, parts: 60 }, (at) => ({
    category_id: categories[at % 25]?.id ?? null,
  }))
  await sql`
    insert into listing_view (listing_id, seller_id, day, views)
    select id, ${yard.user.sellerId}, ${day(1)}, 100 - place
    from unnest(${ids}::uuid[]) with ordinality as t(id, place)`.execute(app.db)
  await sumUpDays()
  const { byListing, byCategory } = await analyticsOf(yard)
  expect(byListing.map(({ views }) => views)).toEqual(Array.from({ length: 50 }, (_, at) => 99 - at))
  expect(byCategory).toHaveLength(20)
})

test('a message counts at once, and the stored totals match the rows', async () => {
  const yard = await app.signUp()
  const part = await makeQuickListing(yard.api)
  await addViews(part, 0, 4)
  const message = { name: 'Ruth', phone: '(918) 555-0107', message: 'Still there?' }
  await Promise.all([1, 2, 3].map(() => app.visitor.post(`/parts/${part.partslug}/messages`, message)))
  const counted = await analyticsOf(yard)
  expect(counted.totals).toEqual({ views: 4, leads: 3, conversionPercent: 75 })
  expect(counted.byDay.at(-1)).toMatchObject({ views: 4, leads: 3 })
  expect(counted.byListing).toMatchObject([{ slug: part.partslug, views: 4, leads: 3 }])
  expect(counted.byCategory).toMatchObject([{ name: part.partcategory?.name, views: 4, leads: 3 }])
  await sumUpDays()
  expect(await analyticsOf(yard)).toEqual(counted)
})

test('processes that write the same views at the same time lose none', async () => {
  const yard = await app.signUp()
  const parts = [await makeQuickListing(yard.api), await makeQuickListing(yard.api)]
  const log = openLog({ role: 'test', level: 'silent' })
  const counters = [1, 2, 3].map(() => openViewCounter(app.db, log))
  for (let n = 0; n < 20; n += 1)
    for (const { id } of parts)
      for (const [at, counter] of counters.entries()) {
        counter.count(id, { ip: `192.0.2.${n}`, userAgent: `browser ${at}` })
        counter.count(id, { ip: '198.51.100.1', userAgent: 'seen by all' })
      }
  await Promise.all(counters.map((counter) => counter.close()))
  expect(await figuresOf(yard)).toMatchObject({ views: 122 })
})

describe('the view counter', () => {
  const log = openLog({ role: 'test', level: 'silent' })
  /** Runs this while the test controls the counter’s timer. */
  const withTimer = async (run: () => Promise<void>) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await run().finally(() => vi.useRealTimers())
  }
  const visitor = (number: number) => ({ ip: `192.0.2.${number}`, userAgent: undefined })
  const nextFlush = () => vi.advanceTimersToNextTimer()
  const isWaitingForLock = async () => {
    const { rows } = await sql`
      select from pg_locks where not granted and relation = 'listing_view'::regclass`.execute(app.db)
    return rows.length > 0
  }

  test('close waits for the flush in progress', async () => {
    const yard = await app.signUp()
    const { id } = await makeQuickListing(yard.api)
    await withTimer(async () => {
      const counter = openViewCounter(app.db, log)
      const done: string[] = []
      let closing: Promise<unknown> | undefined
      await app.db.transaction().execute(async (trx) => {
        await sql`lock table listing_view in access exclusive mode`.execute(trx)
        counter.count(id, visitor(1))
        nextFlush()
        await expect.poll(isWaitingForLock).toBe(true)
        closing = counter.close().then(() => done.push('closed'))
        await app.db.selectFrom('seller').select('id').execute()
        done.push('unlocked')
      })
      await closing
      expect(done).toEqual(['unlocked', 'closed'])
      expect(await figuresOf(yard)).toMatchObject({ views: 1 })
    })
  })

  test('views that could not be written are written with the next ones', async () => {
    const yard = await app.signUp()
    const { id } = await makeQuickListing(yard.api)
    const failures: unknown[] = []
    await withTimer(async () => {
      const counter = openViewCounter(app.db, { ...log, warn: (told: unknown) => void failures.push(told) })
      counter.count(id, visitor(1))
      counter.count(id, visitor(2))
      await sql`alter table listing_view rename to listing_view_away`.execute(app.db)
      nextFlush()
      await expect.poll(() => failures.length).toBe(1)
      await sql`alter table listing_view_away rename to listing_view`.execute(app.db)
      counter.count(id, visitor(3))
      await counter.close()
    })
    expect(await figuresOf(yard)).toMatchObject({ views: 3 })
  })
})
