import { beforeAll, expect, test } from 'vitest'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* A seller’s public page, and the seller as a filter of the list. */

const SITE = 'https://parts.example'
const app = await startTestApp({ PUBLIC_URL: SITE })
const { db, visitor } = app
let yard: SignedIn
let other: SignedIn
let sold: string | undefined
const words = ['Alternator', 'Starter', 'Hood']

beforeAll(async () => {
  yard = await app.signUp()
  other = await app.signUp()
  await makeStock(db, { sellerId: yard.user.sellerId, parts: 3 }, (at) => ({
    name: words[at] ?? '',
    dealer_name: 'Harbor <Salvage>',
    dealer_phone: '555-0100',
    city: 'Tulsa',
    state: 'OK',
  }))
  await makeStock(db, { sellerId: yard.user.sellerId, parts: 1 }, () => ({
    name: 'Fender',
    status: 'HIDDEN',
  }))
  const listed = await makeStock(db, { sellerId: other.user.sellerId, parts: 1 }, () => ({
    name: 'Alternator',
  }))
  sold = listed[0]
})

const open = async (path: string) => {
  const { statusCode, body } = await app.http.inject({ method: 'GET', url: path })
  return { status: statusCode, body, isKept: !body.includes('content="noindex,follow"') }
}
const pageOf = ({ user }: SignedIn) => `/sellers/${user.sellerSlug}`

test('the list can be narrowed to a seller, to what is public of it', async () => {
  const names = async (query: string) =>
    (await visitor.get<{ items: { partname: string }[] }>(`/parts?${query}`)).body.items.map(
      ({ partname }) => partname,
    )
  expect(await names(`seller=${yard.user.sellerSlug}`)).toEqual(['Hood', 'Starter', 'Alternator'])
  expect(await names(`seller=${yard.user.sellerSlug}&q=alternator`)).toEqual(['Alternator'])
  expect(await names('seller=nobody')).toEqual([])
})

test('the page has the name, the place and the stock, and no phone number', async () => {
  const { status, body, isKept } = await open(pageOf(yard))
  expect([status, isKept]).toEqual([200, true])
  expect(body).toContain(
    '<title>Used auto parts from Harbor &lt;Salvage&gt; in Tulsa, OK | PartHarbor</title>',
  )
  expect(body).toContain(`<link rel="canonical" href="${SITE}${pageOf(yard)}"/>`)
  expect(body.match(/<h1[^>]*>Harbor &lt;Salvage&gt;<\/h1>/g)).toHaveLength(1)
  expect(body.match(/<article/g)).toHaveLength(3)
  for (const hidden of ['Fender', '555-0100', yard.person.email]) expect(body).not.toContain(hidden)
})

test('its search needs no script, and is not kept by search engines', async () => {
  const { status, body, isKept } = await open(`${pageOf(yard)}?q=hood`)
  expect([status, isKept, body.match(/<article/g)?.length]).toEqual([200, false, 1])
  expect(body).toContain('value="hood"')
  expect((await open(`${pageOf(yard)}?q=nothing-like-it`)).body).toContain(
    'No parts found for “nothing-like-it”',
  )
})

test('a seller who never listed anything has no page; one who sold everything has a page that is not indexed', async () => {
  const { user } = await app.signUp()
  for (const slug of [user.sellerSlug, 'nobody']) expect((await open(`/sellers/${slug}`)).status).toBe(404)
  expect((await other.api.post(`/seller/parts/${sold}/end`, { reason: 'sold-here' })).status).toBe(200)
  expect(await open(pageOf(other))).toMatchObject({ status: 200, isKept: false })
})
