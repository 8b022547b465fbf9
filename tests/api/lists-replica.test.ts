import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing, ListingPage } from '#contract/listings.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { freePort } from '#server/platform/net/port.ts'
import { openCuttingProxy } from '#tests/support/cutting-proxy.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { overTcp } from '#tests/support/template-database.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'

/* Reads from a replica: one that lags far behind shows which reads go where, and accepts no writes. */

const replica = await createTestDatabase()
afterAll(() => replica.drop())
const readOnly = `${replica.url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`
const app = await startTestApp({ DATABASE_READ_URL: readOnly })
const alone = await startTestApp({
  DATABASE_READ_URL: `postgres://nobody@127.0.0.1:${await freePort('127.0.0.1')}/none`,
})
const primary = await createTestDatabase()
afterAll(() => primary.drop())
const line = await openCuttingProxy({ upstreams: [overTcp(primary.url).href], nextCut: () => undefined })
const lineUrl = overTcp(primary.url)
lineUrl.port = new URL(line.address).port
const orphan = await startTestApp({ DATABASE_URL: lineUrl.href, DATABASE_READ_URL: readOnly })
let seller: SignedIn
let own: Listing

beforeAll(async () => {
  seller = await app.signUp()
  own = await makeQuickListing(seller.api)
  const { db, close } = openDatabase(replica.url, { max: 1, applicationName: 'stock of the replica' })
  const { id: sellerId } = await db
    .insertInto('seller')
    .values({ name: 'Yard', slug: 'yard' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await makeStock(db, { sellerId, parts: 3 }, () => ({ name: 'Replicated' }))
  await close()
})

test('public lists, their search and their count read from the replica', async () => {
  const { visitor } = app
  const newest = (await visitor.get<Listing[]>('/list-auto-parts/1')).body
  expect(newest.map(({ partname }) => partname)).toEqual(['Replicated', 'Replicated', 'Replicated'])
  expect((await visitor.get('/auto-parts-count')).body).toBe(3)
  const found = async (q: string) => (await visitor.get<ListingPage>(`/parts?q=${q}`)).body.total
  expect([await found('replicated'), await found(own.partnum ?? '')]).toEqual([3, 0])
  expect((await visitor.get<Listing[]>('/list-auto-parts/3000')).body).toEqual([])
})

test('a user who changes something reads from the primary', async () => {
  const admin = await app.signUp({ role: 'admin' })
  for (const [{ api }, path] of [
    [seller, '/seller/parts'],
    [admin, '/admin/parts'],
  ] as const) {
    expect((await api.get<ListingPage>(path)).body.items.map(({ id }) => id)).toEqual([own.id])
  }
  const found = await seller.api.get<ListingPage>(`/parts?q=${own.partnum}`)
  expect(found.body.items.map(({ id }) => id)).toEqual([own.id])
})

test('what the replica does not have yet is found on the primary', async () => {
  expect((await app.visitor.get(`/auto-part/${own.partslug}`)).status).toBe(200)
  expect((await app.visitor.get(`/parts/${own.partslug}/around`)).status).toBe(200)
  expect((await app.visitor.get('/auto-part/no-such-part')).status).toBe(404)
})

test('while the replica is down the primary serves reads, and the process is ready', async () => {
  await makeQuickListing((await alone.signUp()).api)
  expect((await alone.visitor.get<Listing[]>('/list-auto-parts/1')).body).toHaveLength(1)
  expect((await alone.visitor.get('/auto-parts-count')).body).toBe(1)
  expect((await alone.visitor.get<ListingPage>('/parts?q=nothing')).body.total).toBe(0)
  expect((await alone.http.inject('/readyz')).statusCode).toBe(200)
})

test('while the primary is down everything public comes from the replica, and nothing can be changed', async () => {
  const { api } = await orphan.signUp()
  expect((await orphan.http.inject('/readyz')).json().checks.database).toBe('ok')
  await line.close()

  const ready = await orphan.http.inject('/readyz')
  expect([ready.statusCode, ready.json().checks]).toEqual([
    200,
    { database: 'reading', queue: 'ok', storage: 'ok', search: 'ok' },
  ])
  const [part] = (await orphan.visitor.get<Listing[]>('/list-auto-parts/1')).body
  for (const path of [
    `/auto-part/${part?.partslug}`,
    `/parts/${part?.partslug}/around`,
    '/parts?q=replicated&facets=1',
    '/categories',
    '/site',
  ]) {
    // A person who is signed in is a stranger meanwhile.
    expect([path, (await orphan.visitor.get(path)).status]).toEqual([path, 200])
    expect([path, (await api.get(path)).status]).toEqual([path, 200])
  }
  expect((await orphan.visitor.get('/auto-part/no-such-part')).status).toBe(404)
  for (const page of ['/', '/parts', `/parts/${part?.partslug}`]) {
    expect([page, (await orphan.http.inject(page)).statusCode]).toEqual([page, 200])
  }
  expect((await api.get('/seller/parts')).status).toBe(503)
  const message = { name: 'Dana', email: 'dana@yard.example', message: 'Do you still have it?' }
  const refused = await orphan.visitor.post<ErrorReply>(`/parts/${part?.partslug}/messages`, message)
  expect([refused.status, refused.body.error]).toEqual([
    503,
    'Changes can’t be saved right now. Please try again in a minute.',
  ])
})
