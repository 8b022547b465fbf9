import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import type { Listing } from '#contract/listings.ts'
import type { PictureList } from '#contract/pictures.ts'
import { pictureJobs } from '#server/features/market/pictures/jobs.ts'
import { promotionJobs } from '#server/features/stock-files/jobs.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { isInternalHost } from '#server/platform/net/addresses.ts'
import { openGuardedFetch } from '#server/platform/net/guarded-fetch.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { jpeg, png } from '#tests/support/image-fixtures.ts'
import { QUICK } from '#tests/support/job-bench.ts'
import { importRows, listingsOf, partFields, reviewed } from '#tests/support/promotions.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db, files, clock } = app

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const answers = new Map<string, Answer>()
const asked: string[] = []
let now = 0
let mostAtOnce = 0
const yard = createServer((request, response) => {
  asked.push(request.url ?? '')
  mostAtOnce = Math.max(mostAtOnce, ++now)
  response.on('close', () => now--)
  const answer = answers.get(request.url ?? '')
  if (answer) answer(request, response)
  else response.writeHead(404).end()
})

await new Promise<void>((resolve) => yard.listen(0, '127.0.0.1', resolve))
const { port } = yard.address() as AddressInfo
const web = openGuardedFetch({
  ports: [port],
  totalMs: 1_000,
  // The yard's server is played by this machine.
  isInside: (host) => host !== '127.0.0.1' && isInternalHost(host),
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
})
const url = app.config.databaseUrl ?? ''
const engine = await startJobEngine({
  url,
  directUrl: url,
  db,
  log: pino({ level: 'silent' }),
  definitions: [
    ...promotionJobs({
      db,
      plans: db,
      files,
      now: clock.now,
      letterhead: app.config,
      ...reviewed,
      reviewsNothing: true,
    }),
    ...pictureJobs({ db, files, web, now: clock.now }),
  ],
  periodic: [],
  times: QUICK,
})
afterAll(async () => {
  await engine.close()
  await web.close()
  yard.closeAllConnections()
  yard.close()
})

const at = (path: string) => `http://yard.example:${port}${path}`

type Image = { url: string; state: string; error: string | null; slug: string; id: string }

async function imagesOf(sellerId: string): Promise<Image[]> {
  const { rows } = await sql<Image>`
    select i.source_url as url, i.state, i.error, l.slug, l.id from listing_image i
    join listing l on l.id = i.listing_id where l.seller_id = ${sellerId} order by i.source_url`.execute(db)
  return rows
}

const settled = (sellerId: string, count: number) =>
  vi.waitFor(
    async () => {
      const images = await imagesOf(sellerId)
      expect(images.filter(({ state }) => state !== 'pending')).toHaveLength(count)
      return images
    },
    { timeout: 20_000, interval: 100 },
  )

test('parts go live with or without their picture, and each says why', async () => {
  const seller = await app.signUp({ tier: 'PAID' })
  const photo = await jpeg()
  answers.set('/good.jpg', (_request, response) => response.end(photo))
  answers.set('/page.html', (_request, response) => response.end('<html><body>not here</body></html>'))
  answers.set('/drawing.svg', (_request, response) =>
    response.end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  )
  answers.set('/huge.jpg', (_request, response) => response.end(Buffer.alloc(2_000_000)))
  answers.set('/inside.jpg', (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  )
  const named = ['/good.jpg', '/page.html', '/drawing.svg', '/huge.jpg', '/inside.jpg', '/missing.jpg']
  const rows = named.map((path, number) => partFields(number + 1, { imageUrl: at(path) }))
  await importRows(app, seller, rows)
  const images = await settled(seller.user.sellerId, named.length)
  const found = Object.fromEntries(
    images.map(({ url, state, error }) => [URL.parse(url)?.pathname, [state, error]]),
  )
  expect(found).toMatchObject({
    '/good.jpg': ['ready', null],
    '/page.html': ['failed', expect.stringContaining('not a picture')],
    '/drawing.svg': ['failed', expect.stringContaining('SVG')],
    '/huge.jpg': ['failed', 'it is larger than 1.5 MB'],
    '/inside.jpg': ['failed', '169.254.169.254 is inside a private network, not on the internet'],
    '/missing.jpg': ['failed', 'there is nothing at the address'],
  })
  const good = images.find(({ state }) => state === 'ready')
  const answer = await app.visitor.get(`/auto-part/image/${good?.id}`)
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/webp'])
  // The job writes its log a moment after the pictures.
  await vi.waitFor(async () => {
    const { rows: lines } = await sql`
      select from job_event e join job j on j.id = e.job_id
      where j.queue = 'fetch-pictures' and j.seller_id = ${seller.user.sellerId} and e.stream = 'stderr'`.execute(
      db,
    )
    expect(lines).toHaveLength(5)
  })
  const missing = images.find(({ url }) => url.endsWith('/missing.jpg'))
  const asSeen = (by: ApiClient) => by.get<Listing>(`/auto-part/${missing?.slug}`)
  expect((await asSeen(seller.api)).body.imageProblem).toBe('there is nothing at the address')
  expect((await asSeen(app.visitor)).body.imageProblem).toBeNull()
})

test('of several pictures of a part each is fetched, covers first, and one that fails loses no other', async () => {
  const seller = await app.signUp({ tier: 'PAID' })
  for (const name of ['a', 'b', 'd', 'e']) {
    const photo = await jpeg({ width: 100 + name.charCodeAt(0), height: 80 })
    answers.set(`/several/${name}.jpg`, (_request, response) => response.end(photo))
  }
  asked.length = 0
  const cell = (names: string) => [...names].map((name) => at(`/several/${name}.jpg`)).join(' ; ')
  await importRows(app, seller, [
    partFields(1, { imageUrl: cell('abcd') }),
    partFields(2, { imageUrl: `${cell('e')}, http://192.168.0.9/f.jpg` }),
  ])
  await settled(seller.user.sellerId, 6)
  expect(asked.slice(0, 2).toSorted()).toEqual(['/several/a.jpg', '/several/e.jpg'])
  const listings = await listingsOf(app, seller)
  const problems = async (id = '') => {
    const { body } = await seller.api.get<PictureList>(`/listings/${id}/pictures`)
    return body.pictures.map(({ width, url: address, problem }) => (address ? width : problem))
  }
  const [a, b, d, e] = ['a', 'b', 'd', 'e'].map((name) => 100 + name.charCodeAt(0))
  expect(await problems(listings[0]?.id)).toEqual([a, b, 'there is nothing at the address', d])
  expect(await problems(listings[1]?.id)).toEqual([e, expect.stringContaining('inside a private network')])
  const page = await app.visitor.get<Listing>(`/auto-part/${listings[0]?.slug}`)
  expect(page.body.images.map(({ width }) => width)).toEqual([a, b, d])
})

test('a picture named by many rows is fetched once, two per host at a time', async () => {
  const seller = await app.signUp({ tier: 'PAID' })
  const photo = await png()
  const slowly: Answer = (_request, response) => void setTimeout(() => response.end(photo), 40)
  for (let n = 0; n < 5; n++) answers.set(`/shared/${n}.png`, slowly)
  asked.length = 0
  mostAtOnce = 0
  const rows = Array.from({ length: 45 }, (_, n) =>
    partFields(n + 1, { imageUrl: at(`/shared/${n % 5}.png`) }),
  )
  await importRows(app, seller, rows)
  const images = await settled(seller.user.sellerId, 45)
  expect(images.every(({ state }) => state === 'ready')).toBe(true)
  // A page of forty at a time, and within one each address once.
  expect(asked.length).toBeLessThanOrEqual(10)
  expect(mostAtOnce).toBeLessThanOrEqual(2)
})

test('a busy server is asked again', async () => {
  const seller = await app.signUp({ tier: 'PAID' })
  const photo = await png()
  let tries = 0
  answers.set('/busy.png', (_request, response) =>
    ++tries === 1 ? response.writeHead(503).end() : response.end(photo),
  )
  await importRows(app, seller, [partFields(1, { imageUrl: at('/busy.png') })])
  expect((await settled(seller.user.sellerId, 1))[0]).toMatchObject({ state: 'ready' })
  expect(tries).toBe(2)
})
