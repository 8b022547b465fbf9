import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { gapNames, hasGap, type ListingGap } from '#contract/listing/seller-check.ts'
import type { Listing, ListingPage } from '#contract/listings.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* The seller's check as a filter of My Listings: the rules in SQL and those of the table are the same. */

const app = await startTestApp()
const { db } = app
let seller: SignedIn
let all: Listing[]

const list = async (query: Record<string, string>, as = seller) =>
  (await as.api.get<ListingPage>(`/seller/parts?${new URLSearchParams({ perPage: '48', ...query })}`)).body
const counts = async (query: Record<string, string> = {}, as = seller) =>
  (
    await as.api.get<{ counts: Record<ListingGap, number> }>(
      `/seller/listing-gaps?${new URLSearchParams(query)}`,
    )
  ).body.counts
const write = (statement: RawBuilder<unknown>) =>
  withChangeSet(
    db,
    { actorKind: 'system', reason: 'test' },
    async (trx) => void (await statement.execute(trx)),
  )
const idsOf = (listings: readonly Listing[]) => listings.map(({ id }) => id).toSorted()

const long = 'Tested at 130 A for half an hour, runs quietly and charges well.'
const changes = [
  { vin: '4T1BF1FKXCU345678', partdesc: long, warrantydays: '90' },
  { partname: 'Door', partdesc: ` ${'x'.repeat(39)} `, returndays: '0' },
  { partname: 'Door shell', partdesc: 'x'.repeat(40), asis: 'Yes' },
  { partname: 'Starter', corecharge: '45' },
  { partname: 'Starter cover', partdesc: `  ${long}  ` },
  { partname: 'Fuel pump' },
]
/** What no form allows any more, and older listings and files have. */
const holes = [
  'miles = null, category_id = null',
  "grade = null, miles = null, kind = 'ecommerce'",
  "part_number = ''",
  'miles = null',
  'miles = null, category_id = null',
  'part_number = null',
]

beforeAll(async () => {
  seller = await app.signUp()
  for (const [at, given] of changes.entries()) {
    const { id } = await makeQuickListing(seller.api, given)
    await write(sql`update listing set ${sql.raw(holes[at] ?? '')} where id = ${id}`)
    await sql`
      insert into listing_image (listing_id, position, sha256, state, width, height)
      select ${id}, place, md5(${id} || place), case when place = 3 then 'failed' else 'ready' end, 40, 30
      from generate_series(0, ${at} - 1) place
    `.execute(db)
  }
  await makeQuickListing((await app.signUp()).api)
  all = (await list({})).items
  expect(all).toHaveLength(changes.length)
})

test('the listings differ in every gap', () => {
  for (const gap of gapNames) {
    const lacking = all.filter((listing) => hasGap(gap, listing, false)).length
    expect([gap, lacking > 0 && lacking < all.length]).toEqual([gap, true])
  }
})

describe('GET /seller/parts?missing=', () => {
  test.each(gapNames)('%s finds what the table says, in any order', async (missing) => {
    const expected = idsOf(all.filter((listing) => hasGap(missing, listing, false)))
    for (const sort of ['newest', 'oldest', 'price-low', 'most-views', 'fewest-messages']) {
      const found = await list({ missing, sort })
      expect([sort, idsOf(found.items), found.total]).toEqual([sort, expected, expected.length])
    }
    // Once more, when the search is known.
    expect(idsOf((await list({ missing })).items)).toEqual(expected)
    expect((await list({ missing, state: 'sold' })).total).toBe(0)
  })

  test('narrows with words and a category, and follows what is added', async () => {
    const missing = 'grade'
    const [door] = all.filter((listing) => hasGap(missing, listing, false))
    expect(idsOf((await list({ missing, q: 'door' })).items)).toEqual([door?.id])
    expect((await list({ missing, q: 'starter' })).total).toBe(0)
    expect((await list({ missing, categoryId: String(door?.partcategory?.id) })).total).toBe(1)
    await seller.api.put(`/seller/parts/${door?.id}`, { partgrade: 'B' })
    expect((await list({ missing })).total).toBe(0)
    await write(sql`update listing set grade = null where id = ${door?.id}`)
  })

  test('of something else is refused', async () => {
    expect((await seller.api.get('/seller/parts?missing=wheels')).status).toBe(400)
  })
})

describe('GET /seller/listing-gaps', () => {
  test('counts each gap among the seller’s own, also of a search', async () => {
    const expected = (among: readonly Listing[]) =>
      Object.fromEntries(
        gapNames.map((gap) => [gap, among.filter((listing) => hasGap(gap, listing, false)).length]),
      )
    expect(await counts()).toEqual(expected(all))
    expect(await counts({ q: 'door' })).toEqual(
      expected(all.filter(({ partname }) => partname?.startsWith('Door'))),
    )
    expect(await counts({ q: '!!' })).toEqual(expected([]))
    expect(await counts()).toMatchObject({ miles: 4, shipping: 1 })
    expect(await counts({ state: 'sold' })).toEqual(expected([]))
  })
})

test('a yard with terms of its own lacks none in its listings, whose pages show them', async () => {
  const { id } = seller.user
  const state = (policy: object) =>
    sql`
    update seller set policy = ${JSON.stringify(policy)}::jsonb
    where id = (select seller_id from seller_member where user_id = ${id})`.execute(db)
  const read = async () => {
    const { body } = await seller.api.get<{ yardHasTerms: boolean }>('/seller/parts')
    const found = (await list({ missing: 'terms' })).total
    expect((await counts()).terms).toBe(found)
    return [body.yardHasTerms, found]
  }
  await state({ shipping: 'We ship daily.', returns: '' })
  expect(await read()).toEqual([false, all.filter((listing) => hasGap('terms', listing, false)).length])
  await state({ returns: '30 days.' })
  expect(await read()).toEqual([true, 0])
  expect(all.some((listing) => hasGap('terms', listing, true))).toBe(false)
  await state({})
})

describe('GET /seller/listing-ids', () => {
  test('has the ids of all pages of a filter, and nobody else’s', async () => {
    const query = new URLSearchParams({ missing: 'vin', sort: 'oldest' })
    const { body } = await seller.api.get<{ ids: string[] }>(`/seller/listing-ids?${query}`)
    expect(body.ids).toEqual((await list({ missing: 'vin', sort: 'oldest' })).items.map(({ id }) => id))
    expect(body.ids).toHaveLength(changes.length - 1)
  })
})
