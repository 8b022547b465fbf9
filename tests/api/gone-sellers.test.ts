import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '#contract/admin/people.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import type { OwnPicture } from '#contract/pictures.ts'
import type { PartsPage } from '#contract/search/parts-search.ts'
import type { Suggestion } from '#contract/search/suggestions.ts'
import { countSite } from '#server/features/finding/site/site-queries.ts'
import { settleGoneSellers } from '#server/features/market/for-sale/gone-sellers.ts'
import { readLookupIds } from '#server/features/running/demo/load-demo.ts'
import { mailGone } from '#server/features/talk/leads/gone-mails.ts'
import { formOf, makePictureListing, newPerson, somePicture } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { savedSearchesOf } from '#tests/support/saved-searches.ts'
import { openTalks } from '#tests/support/talk.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Sellers whose people are all disabled or closed: nothing of theirs is public, and enabling brings the same back. */

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
const { db, visitor, clock } = app
const { match, mail, mailsTo, confirmed } = savedSearchesOf(app)
let admin: SignedIn
let yard: SignedIn
let other: SignedIn
let ids: string[]
let picture: OwnPicture
let columns: { category_id: string | null; manufacturer_id: string | null; car_model_id: string | null }

beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  yard = await app.signUp()
  other = await app.signUp()
  const { categories, manufacturers, models } = await readLookupIds(db)
  columns = {
    category_id: categories.get('Alternator') ?? null,
    manufacturer_id: manufacturers.get('Ford') ?? null,
    car_model_id: models.get('Ford/F-150') ?? null,
  }
  ids = await makeStock(db, { sellerId: yard.user.sellerId, parts: 3 }, (at) => ({
    ...columns,
    name: 'Alternator wombat',
    part_number: `WMB-100${at}`,
    slug: `wombat-${at}`,
  }))
  await makeStock(db, { sellerId: other.user.sellerId, parts: 1 }, () => ({ ...columns, name: 'Alternator' }))
  await yard.api.put('/seller/feeds', { enabled: true })
  const form = formOf({}, { bytes: await somePicture() })
  const added = await yard.api.post<OwnPicture>(`/listings/${ids[1]}/pictures`, form)
  expect(added.status).toBe(201)
  picture = added.body
})

const setDisabled = async (person: SignedIn, disabled: boolean) => {
  const { status } = await admin.api.put(`/admin/users/${person.user.id}`, { disabled })
  expect(status).toBe(200)
}
const statusOf = async (url: string) => (await app.http.inject({ method: 'GET', url })).statusCode
const find = async (query: string) => (await visitor.get<PartsPage>(`/parts?${query}`)).body
const totalOf = async (query: string) => (await find(query)).total
const suggest = async (q: string) =>
  (await visitor.get<{ suggestions: Suggestion[] }>(`/search/suggestions?q=${q}`)).body.suggestions

/** Everything public that may have the yard's parts. */
async function seen() {
  const slug = yard.user.sellerSlug
  const sitemaps = await app.http.inject({ method: 'GET', url: '/sitemap.xml' })
  const files = [...sitemaps.body.matchAll(/<loc>https:\/\/parts\.example([^<]+)<\/loc>/g)].map(
    ([, url = '']) => url,
  )
  const sitemap = await Promise.all(
    files.map(async (url) => (await app.http.inject({ method: 'GET', url })).body),
  )
  const { body: ownList } = await visitor.get<{ id: string }[]>('/list-auto-parts/1')
  const { body: kept } = await visitor.get<{ items: unknown[] }>(`/parts/cards?ids=${ids.join(',')}`)
  const { listings, sellers } = await countSite(db)
  const facets = await find('facets=1')
  return {
    list: await totalOf(''),
    cheapest: await totalOf('sort=price-low'),
    whole: ownList.length,
    count: (await visitor.get<number>('/auto-parts-count')).body,
    words: await totalOf('q=wombat'),
    number: await totalOf('q=WMB-1001'),
    filter: await totalOf(`categoryId=${columns.category_id}`),
    facet: facets.facets?.categories.find(({ id }) => id === columns.category_id)?.count,
    bySeller: await totalOf(`seller=${slug}`),
    numbers: (await suggest('wmb100')).length,
    kept: kept.items.length,
    site: [listings, sellers],
    inSitemap: sitemap.some((text) => text.includes('wombat-1')),
    part: await statusOf('/parts/wombat-1'),
    partJson: (await visitor.get('/auto-part/wombat-1')).status,
    around: (await visitor.get('/parts/wombat-1/around')).status,
    seller: await statusOf(`/sellers/${slug}`),
    sellerJson: (await visitor.get(`/sellers/${slug}`)).status,
    picture: await statusOf(picture.url ?? ''),
    feeds: [await statusOf(`/feeds/${slug}/google.xml`), await statusOf(`/feeds/${slug}/meta.csv`)],
    message: (
      await visitor.post('/parts/wombat-1/messages', {
        name: 'Al',
        email: 'al@buyers.example',
        message: 'Hi',
      })
    ).status,
  }
}

const SOLD_BY_BOTH = {
  list: 4,
  cheapest: 4,
  whole: 4,
  count: 4,
  words: 3,
  number: 1,
  filter: 4,
  facet: 4,
  bySeller: 3,
  numbers: 3,
  kept: 3,
  site: [4, 2],
  inSitemap: true,
  part: 200,
  partJson: 200,
  around: 200,
  seller: 200,
  sellerJson: 200,
  picture: 200,
  feeds: [200, 200],
  message: 201,
}
const WITHOUT_YARD = {
  list: 1,
  cheapest: 1,
  whole: 1,
  count: 1,
  words: 0,
  filter: 1,
  facet: 1,
  bySeller: 0,
  numbers: 0,
  kept: 0,
  site: [1, 1],
  inSitemap: false,
  part: 404,
  partJson: 404,
  around: 404,
  seller: 404,
  sellerJson: 404,
  picture: 404,
  feeds: [404, 404],
  message: 404,
}

describe('a disabled seller', () => {
  test('is in nothing public, and is back with the same addresses once enabled', async () => {
    expect(await seen()).toEqual(SOLD_BY_BOTH)
    await setDisabled(yard, true)
    // The suggestions of names follow a moment later.
    expect(await seen()).toMatchObject(WITHOUT_YARD)
    const { body: part } = await admin.api.get<Listing>('/auto-part/wombat-1')
    expect(await statusOf(part.imageUrl ?? '')).toBe(200)
    expect((await admin.api.get<{ total: number }>('/admin/parts')).body.total).toBe(4)
    await setDisabled(yard, false)
    expect(await seen()).toEqual(SOLD_BY_BOTH)
  })

  test('is not disabled as long as one of its people can sign in', async () => {
    const second = await app.signUp()
    await db
      .insertInto('seller_member')
      .values({ seller_id: yard.user.sellerId, user_id: second.user.id, role: 'staff' })
      .execute()
    await setDisabled(yard, true)
    expect(await totalOf('q=wombat')).toBe(3)
    await setDisabled(second, true)
    expect(await totalOf('q=wombat')).toBe(0)
    await setDisabled(second, false)
    expect(await totalOf('q=wombat')).toBe(3)
    await setDisabled(yard, false)
    await db
      .deleteFrom('seller_member')
      .where('user_id', '=', second.user.id)
      .where('seller_id', '=', yard.user.sellerId)
      .execute()
  })

  test('is found by the daily check if an earlier version disabled the account', async () => {
    const set = (at: Date | null) =>
      db.updateTable('app_user').set({ disabled_at: at }).where('id', '=', yard.user.id).execute()
    await set(new Date())
    expect(await totalOf('q=wombat')).toBe(3)
    await settleGoneSellers(db)
    expect(await totalOf('q=wombat')).toBe(0)
    await set(null)
    await settleGoneSellers(db)
    expect(await totalOf('q=wombat')).toBe(3)
  })

  test('is named with the listings that go and come', async () => {
    const person = async () => (await admin.api.get<Person>(`/admin/users/${yard.user.id}`)).body
    const listings = { activeListings: 3, sellsAlone: true }
    expect(await person()).toMatchObject(listings)
    await setDisabled(yard, true)
    expect(await person()).toMatchObject(listings)
    await setDisabled(yard, false)
  })

  test('tells the buyer of an open conversation, which takes no more messages until it is back', async () => {
    const talks = openTalks(app)
    const place = await talks.yard()
    const { answer, read, say } = await talks.ask(place)
    await answer('Yes, on the shelf.')
    expect((await read()).body).toMatchObject({ sellerGone: false, may: ['offer'] })
    await setDisabled(place.seller, true)
    const mails = await talks.mailsTo(place.seller.person.email)
    expect((await read()).body).toMatchObject({
      sellerGone: true,
      sellerPhone: null,
      part: { forSale: false },
      may: [],
    })
    const { status, body } = await say('I’ll take it.')
    expect([status, body.error]).toEqual([
      409,
      'This seller no longer sells here, so nobody would read your message.',
    ])
    expect(await talks.mailsTo(place.seller.person.email)).toEqual(mails)
    await setDisabled(place.seller, false)
    expect((await say('I’ll take it.')).status).toBe(201)
  })

  test('has the buyers of its open conversations told once, if it stays gone', async () => {
    const talks = openTalks(app)
    const place = await talks.yard()
    const [open, closed, strange] = [
      await talks.ask(place),
      await talks.ask(place),
      await talks.ask(place, { strange: true }),
    ]
    await place.seller.api.put(`/seller/leads/${closed.id}`, { state: 'closed' })
    const { sellerId } = place.seller.user
    const job = { payload: { sellerId }, signal: new AbortController().signal }
    const withFence = <T>(work: (trx: typeof db) => Promise<T>) => db.transaction().execute(work)
    const tell = () => mailGone({ now: clock.now, site: app.config }, { ...job, withFence })
    const told = async () => {
      const mails = await Promise.all([open, closed, strange].map(({ email }) => talks.mailsTo(email)))
      return mails.map((all) => all.filter(({ subject }) => subject.includes('no longer sells')).length)
    }
    const asked = () =>
      db
        .selectFrom('job')
        .select('payload')
        .where('queue', '=', 'mail-gone')
        .where('payload', '@>', { sellerId })
        .execute()
    expect(await asked()).toEqual([])
    // Others who are gone have nothing to do with it.
    for (const other of [await app.signUp(), await app.signUp()]) await setDisabled(other, true)
    await tell()
    expect(await told()).toEqual([0, 0, 0])
    await setDisabled(place.seller, true)
    expect(await asked()).toEqual([{ payload: { sellerId } }])
    await tell()
    await tell()
    expect(await told()).toEqual([1, 0, 0])
    const { body = '' } = (await talks.mailsTo(open.email)).at(-1) ?? {}
    const token = /messages#([\w-]{43})/.exec(body)?.[1]
    expect((await open.read(token)).body).toMatchObject({ sellerGone: true, may: [] })
    await setDisabled(place.seller, false)
    await open.say('Are you back?')
    await tell()
    expect(await told()).toEqual([1, 0, 0])
  })

  test('what arrived just before is mailed to nobody', async () => {
    const { email } = newPerson()
    await confirmed('q=quokka', { email })
    await makeStock(db, { sellerId: yard.user.sellerId, parts: 1 }, () => ({ name: 'Hood quokka' }))
    await setDisabled(yard, true)
    await match()
    clock.advance(25 * 3_600_000)
    await mail()
    expect((await mailsTo(email)).filter(({ body }) => body.includes('Hood quokka'))).toEqual([])
  })
})

test('pictures are public as long as their part is; its seller and administrators still see them', async () => {
  const { api } = await app.signUp()
  const { id, partslug, imageUrl } = await makePictureListing(api)
  const open = async (url: string | null | undefined) =>
    app.http.inject({ method: 'GET', url: url ?? '/none' })
  const addresses = [imageUrl, `/api/auto-part/image/${id}`, `${imageUrl}&width=440`]
  const statuses = async () => (await Promise.all(addresses.map(open))).map(({ statusCode }) => statusCode)
  const shown = await open(imageUrl)
  expect([shown.statusCode, shown.headers['cache-control']]).toEqual([
    200,
    'public, max-age=31536000, s-maxage=60, immutable',
  ])
  await admin.api.put(`/auto-parts/${id}`, { status: 'HIDDEN' })
  expect(await statuses()).toEqual([404, 404, 404])
  const { body: own } = await api.get<Listing>(`/seller/parts/${id}`)
  const { body: ofAdmin } = await admin.api.get<{ items: Listing[] }>('/admin/parts')
  const { body: list } = await api.get<{ pictures: OwnPicture[] }>(`/listings/${id}/pictures`)
  const keyed = [
    own.imageUrl,
    own.images[0]?.url,
    ofAdmin.items.find((item) => item.id === id)?.imageUrl,
    list.pictures[0]?.url,
  ]
  for (const url of keyed) {
    const { statusCode, headers } = await open(url)
    expect([statusCode, headers['cache-control']]).toEqual([200, 'private, max-age=3600'])
  }
  // A key opens its own part's pictures alone.
  const { imageUrl: other } = await makePictureListing(api)
  await admin.api.put(`/auto-parts/${other?.split('/').at(-1)?.split('?')[0]}`, { status: 'HIDDEN' })
  expect((await open(`${other}&key=${/key=(\w+)/.exec(own.imageUrl ?? '')?.[1]}`)).statusCode).toBe(404)
  await admin.api.put(`/auto-parts/${id}`, { status: 'ACTIVE' })
  expect(await statuses()).toEqual([200, 200, 200])
  await api.delete(`/seller/parts/${id}`)
  expect(await statuses()).toEqual([404, 404, 404])
  expect((await api.get<Listing>(`/auto-part/${partslug}`)).status).toBe(404)
})

test('a closed seller is gone for good, and back if the owner signs in', async () => {
  const closing = await app.signUp()
  await makeStock(db, { sellerId: closing.user.sellerId, parts: 1 }, () => ({
    name: 'Numbat',
    slug: 'numbat',
  }))
  await closing.api.put('/seller/feeds', { enabled: true })
  const { sellerSlug } = closing.user
  const { imageUrl } = await makePictureListing(closing.api, { partname: 'Quoll' })
  const addresses = [
    '/parts/numbat',
    `/sellers/${sellerSlug}`,
    `/feeds/${sellerSlug}/google.xml`,
    imageUrl ?? '',
  ]
  const statuses = () => Promise.all(addresses.map(statusOf))
  expect(await statuses()).toEqual([200, 200, 200, 200])
  const { person } = closing
  const talks = openTalks(app)
  const place = await talks.yard()
  const talk = await talks.ask(place)
  expect((await closing.api.post('/account/close')).status).toBe(200)
  expect(await statuses()).toEqual([410, 410, 410, 410])
  for (const path of ['/auto-part/numbat', `/sellers/${sellerSlug}`]) {
    const { status, body } = await visitor.get<ErrorReply>(path)
    expect([status, body.code]).toEqual([410, 'SELLER_CLOSED'])
  }
  expect(await totalOf('q=numbat')).toBe(0)
  expect((await place.seller.api.post('/account/close')).status).toBe(200)
  const mails = await talks.mailsTo(place.seller.person.email)
  expect((await talk.read()).body).toMatchObject({ sellerGone: true, sellerName: 'Closed seller' })
  expect((await talk.say('Hello?')).status).toBe(409)
  const { status: reported } = await visitor.post(`/parts/${place.listing.partslug}/reports`, {
    reason: 'other',
  })
  expect(reported).toBe(404)
  expect(await talks.mailsTo(place.seller.person.email)).toEqual(mails)
  const { status } = await visitor.post('/login', { email: person.email, password: person.password })
  expect(status).toBe(200)
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect(await totalOf('q=numbat')).toBe(1)
})
