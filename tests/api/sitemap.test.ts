import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { readXml, textsOf } from '#tests/support/read-xml.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const SITE = 'https://parts.example'
const app = await startTestApp({ PUBLIC_URL: SITE })
const local = await startTestApp()
const { db } = app
const scripts = await openLiveScripts(app)
let yard: SignedIn
let ids: string[]

const get = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'GET', url, headers })
const read = async (url: string) => {
  const answer = await get(url)
  expect([url, answer.statusCode]).toEqual([url, 200])
  expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
  return readXml(answer.body)
}
const filesNow = async () =>
  textsOf(await read('/sitemap.xml'), 'loc').map((address) => address.slice(SITE.length))
const addressesIn = async (file: string) =>
  textsOf(await read(`/sitemaps/${file}.xml`), 'loc')
    .map((address) => {
      expect(address.startsWith(SITE)).toBe(true)
      return address.slice(SITE.length)
    })
    .toSorted()
const change = (work: ReturnType<typeof sql>) =>
  withChangeSet(db, { actorKind: 'system', reason: 'test' }, (trx) => work.execute(trx))

async function stock(count: number): Promise<string[]> {
  const { rows } = await sql<{ makeId: string; modelId: string; categoryId: string }>`
    select f.id as "makeId", m.id as "modelId", c.id as "categoryId"
    from car_model m join manufacturer f on f.id = m.manufacturer_id, category c
    where f.name = 'Ford' and m.name in ('Escape', 'Focus') and c.name = 'Alternator' order by m.name
  `.execute(db)
  return makeStock(db, { sellerId: yard.user.sellerId, parts: count }, (at) => {
    const car = rows[at % rows.length]
    return {
      category_id: car?.categoryId ?? null,
      manufacturer_id: car?.makeId ?? null,
      car_model_id: car?.modelId ?? null,
      model_name: at % 2 === 0 ? 'Escape' : 'Focus',
    }
  })
}

beforeAll(async () => {
  yard = await app.signUp()
  ids = await stock(6)
  await scripts.run('internal-linking')
})

test('malformed XML would fail these tests', () => {
  for (const broken of ['<a><b></a>', '<a>&</a>', '<a>x', '<a b=c/>']) expect(() => readXml(broken)).toThrow()
})

test('robots.txt points to the sitemap and excludes everything private', async () => {
  const { statusCode, headers, body } = await get('/robots.txt')
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(body).toContain(`\nSitemap: ${SITE}/sitemap.xml\n`)
  for (const path of ['/api/', '/dashboard', '/admin/', '/*?'])
    expect(body).toContain(`\nDisallow: ${path}\n`)
  for (const path of ['/api/auto-part/image/', '/*?page=']) expect(body).toContain(`\nAllow: ${path}\n`)
})

test('without PUBLIC_URL addresses are those of this machine', async () => {
  const answer = await local.http.inject({ method: 'GET', url: '/sitemap.xml' })
  expect(textsOf(readXml(answer.body), 'loc')).toEqual([`${local.config.publicUrl}/sitemaps/pages-1.xml`])
})

test('the sitemap has every page with stock, and pages without', async () => {
  const files = await filesNow()
  expect(files[0]).toBe('/sitemaps/pages-1.xml')
  expect(files.slice(1).filter((file) => !file.includes('model-parts'))).toEqual(
    ['categories', 'makes', 'models', 'sellers', 'parts'].map((kind) => `/sitemaps/${kind}-1.xml`),
  )
  const named: Record<string, string[]> = {}
  for (const file of files) {
    const name = file.slice('/sitemaps/'.length, -'.xml'.length)
    named[name.replace(/-\d+$/, '')] = await addressesIn(name)
  }
  expect(named.pages).toEqual(
    expect.arrayContaining(['/', '/parts', '/help', '/help/grades', '/privacy-policy']),
  )
  expect(named).toMatchObject({
    categories: ['/parts/category/alternator'],
    makes: ['/parts/make/ford'],
    models: ['/parts/make/ford/escape', '/parts/make/ford/focus'],
    'model-parts': ['/parts/make/ford/escape/alternator', '/parts/make/ford/focus/alternator'],
    sellers: [`/sellers/${yard.user.sellerSlug}`],
    parts: ids.map((id) => `/parts/part-${id}`),
  })
})

test('each address has the day and time of its last change', async () => {
  const root = await read('/sitemaps/parts-1.xml')
  const { rows } = await sql<{ at: Date }>`select updated_at as at from listing order by id`.execute(db)
  expect(textsOf(root, 'lastmod')).toEqual(rows.map(({ at }) => at.toISOString()))
  expect(textsOf(await read('/sitemap.xml'), 'lastmod')).toContain(
    rows
      .map(({ at }) => at.toISOString())
      .toSorted()
      .at(-1),
  )
})

test('ended, hidden and deleted parts are left out', async () => {
  const [ended, hidden, deleted, ...rest] = await stock(4)
  await change(sql`update listing set ended_at = now(), ended_reason = 'sold-here' where id = ${ended}`)
  await change(sql`update listing set status = 'HIDDEN' where id = ${hidden}`)
  await change(sql`update listing set deleted_at = now() where id = ${deleted}`)
  expect(await addressesIn('parts-1')).toEqual([...ids, ...rest].map((id) => `/parts/part-${id}`))
  ids = [...ids, ...rest]
})

test.each(['parts-2', 'parts-0', 'wheels-1', 'parts-01', '..%2Fparts-1'])(
  'there is no file %s',
  async (name) => {
    expect((await get(`/sitemaps/${name}.xml`)).statusCode).toBe(404)
  },
)

describe('a file of the sitemap', () => {
  test('is sent compressed, and not resent to clients that have it', async () => {
    const plain = await get('/sitemaps/parts-1.xml')
    const packed = await get('/sitemaps/parts-1.xml', { 'accept-encoding': 'gzip' })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', etag: plain.headers.etag })
    expect(String(packed.headers.vary)).toContain('accept-encoding')
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    const again = await get('/sitemaps/parts-1.xml', { 'if-none-match': String(plain.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await app.http.inject({ method: 'HEAD', url: '/sitemaps/parts-1.xml' })
    expect([head.statusCode, head.headers.etag, head.body]).toEqual([200, plain.headers.etag, ''])
  })

  test('keeps its limits: a new part changes the last file only', async () => {
    await filesNow()
    await sql`insert into sitemap_file (kind, number, after_id) values ('parts', 2, ${ids[3]})`.execute(db)
    const etags = async () =>
      Promise.all(
        ['parts-1', 'parts-2'].map(async (name) => (await get(`/sitemaps/${name}.xml`)).headers.etag),
      )
    const [first, second] = await etags()
    const [added = ''] = await stock(1)
    const [firstNow, secondNow] = await etags()
    expect(firstNow).toBe(first)
    expect(secondNow).not.toBe(second)
    expect(await addressesIn('parts-1')).toEqual(ids.slice(0, 4).map((id) => `/parts/part-${id}`))
    expect(await addressesIn('parts-2')).toEqual([...ids.slice(4), added].map((id) => `/parts/part-${id}`))
    await change(sql`update listing set price_cents = 1, updated_at = now() where id = ${ids[0]}`)
    expect((await etags())[0]).not.toBe(first)
  })

  test('is in the index within ten minutes', async () => {
    app.clock.advance(10 * 60_000 + 1)
    expect(await filesNow()).toContain('/sitemaps/parts-2.xml')
  })

  test('a kind with more rows than a file takes gets more files, without gaps', async () => {
    const { rows } = await sql<{ models: number; files: number; gaps: number }>`
      select (select count(*)::int from car_model) as models, count(*)::int as files,
             (max(number) - count(*))::int as gaps
      from sitemap_file where kind = 'model-parts'
    `.execute(db)
    const [{ models, files, gaps } = { models: 0, files: 0, gaps: 0 }] = rows
    expect(models).toBeGreaterThan(60)
    expect([files, gaps]).toEqual([Math.ceil(models / 60), 0])
  })
})
