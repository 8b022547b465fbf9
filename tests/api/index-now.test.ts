import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasUnsentChanges, type IndexNowDeps, sendChanges } from '#server/features/finding/feeds/index-now.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { GiveUp, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { isInternalHost } from '#server/platform/net/addresses.ts'
import { openGuardedFetch } from '#server/platform/net/guarded-fetch.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const SITE = 'https://parts.example'
const KEY = 'a-key-of-ours-1234'
const app = await startTestApp({ PUBLIC_URL: SITE, INDEXNOW_KEY: KEY, INDEXNOW_PER_MINUTE: '3' })
const without = await startTestApp()
const { db } = app

type Told = { host: string; key: string; keyLocation: string; urlList: string[] }
const told: Told[] = []
let status = 200
const engine = createServer(async (request, response) => {
  expect(request.headers['content-type']).toBe('application/json; charset=utf-8')
  told.push(JSON.parse(await text(request)))
  response.writeHead(status).end()
})
await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve))
const { port } = engine.address() as AddressInfo
const web = openGuardedFetch({
  ports: [port],
  isInside: (host) => host !== '127.0.0.1' && isInternalHost(host),
})
afterAll(async () => {
  await web.close()
  engine.close()
})

const HOUR = 3_600_000
let aheadMs = 0
const deps: IndexNowDeps = {
  db,
  web,
  indexNow: app.config.indexNow ?? { key: '', perMinute: 0 },
  publicUrl: SITE,
  now: () => new Date(Date.now() + aheadMs),
  endpoint: `http://127.0.0.1:${port}/indexnow`,
}
const run = {
  signal: new AbortController().signal,
  withFence: (work) => db.transaction().execute(work),
} as Pick<JobRun<Record<string, never>>, 'signal' | 'withFence'> as JobRun<Record<string, never>>

/** The addresses of one minute; changes settle before they are told. */
async function minute(): Promise<string[]> {
  const before = told.length
  await sendChanges(deps, run)
  return told.slice(before).flatMap(({ urlList }) => urlList)
}
const settle = () => {
  aheadMs += 3 * 60_000
}
/** Tells what happens from now on. */
async function begin(): Promise<void> {
  aheadMs = 0
  await sql`delete from index_now`.execute(db)
  expect(await minute()).toEqual([])
  // Times have milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 5))
}
const addressOf = (id: string | undefined) => `${SITE}/parts/part-${id}`
let yard: SignedIn
const stock = (parts: number) => makeStock(db, { sellerId: yard.user.sellerId, parts })

beforeAll(async () => {
  yard = await app.signUp()
})

test('the key is public, and 404 if there is none', async () => {
  const { statusCode, headers, body } = await app.http.inject({ method: 'GET', url: '/indexnow.txt' })
  expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/plain; charset=utf-8', KEY])
  expect((await without.http.inject({ method: 'GET', url: '/indexnow.txt' })).statusCode).toBe(404)
  expect(without.config.indexNow).toBeUndefined()
})

test('existing stock is left to the sitemap; new parts are announced once, a few a minute', async () => {
  await stock(2)
  expect(await hasUnsentChanges(db)).toBe(true)
  await begin()
  expect(await hasUnsentChanges(db)).toBe(false)
  const ids = await stock(7)
  expect(await minute()).toEqual([])
  settle()
  expect(await minute()).toEqual(ids.slice(0, 3).map(addressOf))
  expect(await minute()).toEqual(ids.slice(3, 6).map(addressOf))
  // Changes that come meanwhile wait for their turn.
  settle()
  expect(await minute()).toEqual(ids.slice(6).map(addressOf))
  expect(await minute()).toEqual([])
  expect(told[0]).toMatchObject({ host: 'parts.example', key: KEY, keyLocation: `${SITE}/indexnow.txt` })
})

test('changed and ended parts are announced, hidden new ones are not', async () => {
  await begin()
  const { rows } = await sql<{ id: string }>`select id from listing order by id limit 2`.execute(db)
  const [changed, ended] = rows.map(({ id }) => id)
  const put = await yard.api.put(`/seller/parts/${changed}`, { partprice: '77' })
  expect(put.status).toBe(200)
  expect((await yard.api.post(`/seller/parts/${ended}/end`, { reason: 'sold-here' })).status).toBe(200)
  await makeStock(db, { sellerId: yard.user.sellerId, parts: 1 }, () => ({ status: 'HIDDEN' }))
  settle()
  expect(await minute()).toEqual([addressOf(changed), addressOf(ended)])
})

test.each([429, 500, 503])('%i is tried again from the same place', async (refusal) => {
  await begin()
  const [id] = await stock(1)
  settle()
  status = refusal
  await expect(minute()).rejects.toThrow(`IndexNow returned status ${refusal}`)
  await expect(minute()).rejects.not.toBeInstanceOf(GiveUp)
  status = 202
  expect(await minute()).toEqual([addressOf(id)])
})

test('a refused key ends the job with a sentence', async () => {
  await begin()
  await stock(1)
  settle()
  status = 403
  await expect(minute()).rejects.toThrow(
    `IndexNow returned status 403. Check that ${SITE}/indexnow.txt shows INDEXNOW_KEY to everyone.`,
  )
  status = 200
})

test('a search engine in a private network is not called', async () => {
  await begin()
  await stock(1)
  settle()
  const guarded = openGuardedFetch({ ports: [port] })
  await expect(sendChanges({ ...deps, web: guarded }, run)).rejects.toThrow('inside a private network')
  await guarded.close()
})

test('after more than a day of silence, only the last day is announced', async () => {
  await begin()
  await withChangeSet(db, { actorKind: 'system', reason: 'test' }, (trx) =>
    sql`update listing_change set at = at - interval '3 days'`.execute(trx),
  )
  await sql`update index_now set since = ${new Date(deps.now().getTime() - 72 * HOUR)}, until = null, after_listing = null`.execute(
    db,
  )
  aheadMs += 30 * HOUR
  expect(await minute()).toEqual([])
})
