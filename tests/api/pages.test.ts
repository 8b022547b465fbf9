import { brotliDecompressSync } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ListingPage } from '#contract/listings.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { POOL_SIZE, type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
let seller: SignedIn
beforeAll(async () => {
  seller = await app.signUp()
  await makeQuickListing(seller.api, { partname: 'Alternator 130A' })
})

type Headers = Record<string, string>

async function open(url: string, headers: Headers = {}) {
  const { statusCode, headers: sent, rawPayload } = await app.http.inject({ method: 'GET', url, headers })
  const bytes = sent['content-encoding'] === 'br' ? brotliDecompressSync(rawPayload) : rawPayload
  const html = bytes.toString()
  return {
    status: statusCode,
    headers: sent as Headers,
    html,
    // Not toContain, which prints the whole page.
    has: (text: string) => html.includes(text),
    title: attribute(html, /<title>([^<]*)<\/title>/),
    canonical: attribute(html, /<link rel="canonical" href="([^"]*)"/),
    robots: attribute(html, /<meta name="robots" content="([^"]*)"/),
    /** What the page says of itself in data blocks. */
    things: [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
      ([, json]) => JSON.parse(json ?? '') as Record<string, unknown>,
    ),
  }
}

const attribute = (html: string, pattern: RegExp) => pattern.exec(html)?.[1]
const DAY_MS = 86_400_000
const SHARED = 'public, max-age=0, s-maxage=55'
// Lists may be two seconds old.
const waitForLists = () => app.clock.advance(2_001)
const system = { actorKind: 'system', reason: 'test' } as const

describe('the list of parts', () => {
  test('arrives with its parts, its title and its address', async () => {
    const page = await open('/parts')
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': SHARED,
      vary: 'accept-encoding',
    })
    expect(page.title).toBe('Find Auto Parts | PartHarbor')
    expect(page.html.match(/<title>|<h1/g)).toEqual(['<title>', '<h1'])
    expect(page.canonical).toBe('https://parts.example/parts')
    expect(page.things.map((thing) => thing['@type'])).toEqual(['BreadcrumbList', 'ItemList'])
    expect(['Alternator 130A', '1 product(s) found'].map(page.has)).toEqual([true, true])
    expect(page.robots).toBeUndefined()
  })

  test('a page after the last one does not exist; the first one does, even of an empty list', async () => {
    for (const [url, first] of [
      ['/parts?page=2', '/parts'],
      ['/parts?q=alternator&amp;page=401', '/parts?q=alternator'],
      [`/sellers/${seller.user.sellerSlug}?page=2`, `/sellers/${seller.user.sellerSlug}`],
    ] as const) {
      const page = await open(url.replaceAll('&amp;', '&'))
      expect([page.status, page.robots], url).toEqual([404, 'noindex,follow'])
      expect(page.has('That page no longer exists'), url).toBe(true)
      expect(page.has(`href="${first}"`), url).toBe(true)
    }
    expect((await open('/parts?q=no-such-part&page=1')).status).toBe(200)
    expect((await open('/parts?q=no-such-part&page=2')).status).toBe(404)
  })

  test('a search needs no script, and search engines only follow its links', async () => {
    expect((await open('/parts?q=no-such-part')).has('No parts found for “no-such-part”')).toBe(true)
    expect((await open('/parts?priceMax=1')).has('No parts match your filters.')).toBe(true)
    const page = await open('/parts?q=alternator&sort=price-low')
    expect([page.title, page.robots, page.canonical]).toEqual([
      'Alternator: used auto parts | PartHarbor',
      'noindex,follow',
      'https://parts.example/parts',
    ])
    expect(attribute(page.html, /<input[^>]*name="q"[^>]*value="([^"]*)"/)).toBe('alternator')
  })

  test('a filter without effect is not an error, and an unknown parameter does not make another page', async () => {
    const odd = await open('/parts?categoryId=nonsense&page=x&perPage=12')
    expect([odd.status, odd.has('1 product(s) found')]).toEqual([200, true])
    const etagOf = async (url: string) => (await open(url)).headers.etag
    const etag = await etagOf('/parts')
    expect(await etagOf('/parts?utm_source=mail')).toBe(etag)
    expect(await etagOf('/parts?q=door')).not.toBe(etag)
    expect(await etagOf('/parts?sort=price-low&q=door')).toBe(
      await etagOf('/parts?q=door&x=1&sort=price-low'),
    )
  })

  test('a value that cannot be used has an error at its field, and the list ignores it', async () => {
    const sentences = {
      'zip=00000&radius=50&sort=nearest': 'There is no ZIP code 00000. Check its digits.',
      'zip=abcde': 'A ZIP code has 5 digits',
      'priceMin=abc': 'Use an amount in dollars, such as 49.95',
    }
    for (const [query, sentence] of Object.entries(sentences)) {
      const page = await open(`/parts?${query}`)
      expect([query, page.status, page.has('1 product(s) found'), page.has(`>${sentence}</p>`)]).toEqual([
        query,
        200,
        true,
        true,
      ])
    }
    expect((await open('/parts?priceMin=100&priceMax=50')).has('The highest price is below the lowest')).toBe(
      true,
    )
    expect((await open(`/sellers/${seller.user.sellerSlug}?zip=00000`)).status).toBe(200)
  })

  test('a text cannot break out of the page’s data', async () => {
    await makeQuickListing(seller.api, { partname: 'Door </script><b>' })
    waitForLists()
    const page = await open('/parts')
    expect(page.has('</script><b>')).toBe(false)
    const data = attribute(page.html, /<script type="application\/json" id="data">(.*?)<\/script>/)
    expect(JSON.stringify(JSON.parse(data ?? '')).includes('Door </script><b>')).toBe(true)
  })
})

describe('the page of a part', () => {
  test('says what it is, to people and to search engines', async () => {
    const { partslug } = await makeQuickListing(seller.api, { partname: 'Mirror', partprice: '45.5' })
    const page = await open(`/parts/${partslug}`)
    expect([page.status, page.canonical]).toEqual([200, `https://parts.example/parts/${partslug}`])
    expect(page.title?.includes('Mirror')).toBe(true)
    const [product, trail] = page.things
    expect(product).toMatchObject({
      '@type': 'Product',
      itemCondition: 'https://schema.org/UsedCondition',
      offers: { price: '45.50', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    })
    expect(trail?.['@type']).toBe('BreadcrumbList')
    expect(page.html.match(/<h1/g)).toHaveLength(1)
  })

  test('unknown, hidden, deleted, sold, long sold, renamed', async () => {
    const [hidden, deleted, sold, renamed] = [
      await makeQuickListing(seller.api),
      await makeQuickListing(seller.api),
      await makeQuickListing(seller.api, { partname: 'Sold one' }),
      await makeQuickListing(seller.api),
    ]
    await withChangeSet(app.db, system, async (trx) => {
      await sql`update listing set status = 'HIDDEN' where id = ${hidden.id}`.execute(trx)
      await sql`update listing set slug = slug || '-new' where id = ${renamed.id}`.execute(trx)
      await sql`insert into listing_slug (slug, listing_id) values (${renamed.partslug}, ${renamed.id})`.execute(
        trx,
      )
    })
    await seller.api.delete(`/seller/parts/${deleted.id}`)
    await seller.api.post(`/seller/parts/${sold.id}/end`, { reason: 'sold-here' })
    const statusOf = async (slug: string) => (await open(`/parts/${slug}`)).status
    expect(await statusOf('never-was')).toBe(404)
    expect(await statusOf(hidden.partslug)).toBe(404)
    expect(await statusOf(deleted.partslug)).toBe(410)
    const page = await open(`/parts/${sold.partslug}`)
    expect([page.status, page.has('Sold')]).toEqual([200, true])
    expect(page.things[0]).toMatchObject({ offers: { availability: 'https://schema.org/SoldOut' } })
    const typed = await open(`/parts/${sold.partslug.toUpperCase()}?page=2`)
    expect([typed.status, typed.headers.location]).toEqual([301, `/parts/${sold.partslug}?page=2`])
    const moved = await open(`/parts/${renamed.partslug}`)
    expect([moved.status, moved.headers.location, moved.headers['cache-control']]).toEqual([
      301,
      `/parts/${renamed.partslug}-new`,
      'no-cache',
    ])
    await withChangeSet(app.db, system, (trx) =>
      sql`update listing set ended_at = now() - interval '91 days' where id = ${sold.id}`.execute(trx),
    )
    expect(await statusOf(sold.partslug)).toBe(410)
    expect((await app.visitor.get(`/auto-part/${deleted.partslug}`)).status).toBe(404)
  })

  test('a message needs no script: it is stored once, and problems come back with what was typed', async () => {
    const { partslug, id } = await makeQuickListing(seller.api)
    const send = (fields: Record<string, string>, headers: Headers = {}) =>
      app.http.inject({
        method: 'POST',
        url: `/parts/${partslug}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: new URLSearchParams({ intent: 'message', ...fields }).toString(),
      })
    const messages = () =>
      app.db
        .selectFrom('lead_message')
        .innerJoin('lead', 'lead.id', 'lead_message.lead_id')
        .select(['body', 'price_cents'])
        .where('listing_id', '=', id)
        .execute()
    const refused = await send({ name: 'Lee', email: 'nonsense', message: 'Is it <left>?' })
    expect([refused.headers['cache-control'], refused.body.includes('Is it &lt;left&gt;?')]).toEqual([
      'no-store',
      true,
    ])
    expect(refused.body.includes('aria-invalid="true"')).toBe(true)
    const fields = { name: 'Lee', email: 'lee@buyer.example', message: 'Is it left?' }
    expect((await send(fields, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(400)
    expect(await messages()).toEqual([])
    const sent = await send(fields)
    expect([sent.statusCode, sent.headers['cache-control'], sent.headers.etag]).toEqual([
      200,
      'no-store',
      undefined,
    ])
    expect(await messages()).toEqual([{ body: 'Is it left?', price_cents: null }])

    const tooMuch = await send({ ...fields, offer: '5000' })
    expect(tooMuch.body).toContain('The asking price is $95.50. Offer that or less.')
    expect(tooMuch.body).toContain('value="5000"')
    expect((await send({ ...fields, offer: '55' })).statusCode).toBe(200)
    expect((await messages())[1]).toEqual({ body: 'Is it left?', price_cents: 5_500 })
  })
})

test.each([
  ['/', 'used and OEM auto parts', ['Organization', 'WebSite']],
  ['/help', 'How To Support Articles', []],
  ['/terms-of-service', 'Terms of service', []],
  ['/privacy-policy', 'Privacy policy', []],
  ['/support', 'Technical support', []],
])('%s arrives with its text', async (path, title, things) => {
  const page = await open(path)
  expect([page.status, page.canonical]).toEqual([200, `https://parts.example${path}`])
  expect(page.title?.toLowerCase()).toContain(title.toLowerCase())
  expect(page.html.match(/<h1/g)).toHaveLength(1)
  expect(page.things.map((thing) => thing['@type'])).toEqual(expect.arrayContaining(things))
})

describe('a client that already has the page', () => {
  const asked = async (url: string) => {
    const { headers } = await open(url)
    return async () => (await open(url, { 'if-none-match': headers.etag ?? '' })).status
  }

  test('gets 304 until the page shows something else, whatever else changes', async () => {
    const { id, version } = await makeQuickListing(seller.api)
    const inDatabase = (statement: RawBuilder<unknown>) => () =>
      withChangeSet(app.db, system, (trx) => statement.execute(trx))
    const changes: Record<string, [status: number, change: () => Promise<unknown>]> = {
      'a part': [200, () => seller.api.put(`/seller/parts/${id}`, { partprice: '71', version })],
      'the name of a make': [
        200,
        inDatabase(
          sql`update manufacturer set name = name || 'X' where id = (select manufacturer_id from listing limit 1)`,
        ),
      ],
      'a setting of its seller': [
        304,
        () => seller.api.put('/profile', { communicationPrefs: { showPhonePublicly: true } }),
      ],
      'another name of a category': [
        304,
        inDatabase(
          sql`insert into category_alias (category_id, alias, alias_key) select id, 'Zz', 'zz' from category limit 1`,
        ),
      ],
      'a link between pages': [
        304,
        inDatabase(sql`insert into page_link values ('listing', ${id}, 1, 'listing', ${id}, 'Itself')`),
      ],
    }
    for (const [what, [status, change]] of Object.entries(changes)) {
      const again = await asked('/parts')
      expect([what, await again()]).toEqual([what, 304])
      await change()
      waitForLists()
      expect([what, await again()]).toEqual([what, status])
    }
    await inDatabase(sql`update manufacturer set name = rtrim(name, 'X')`)()
  })
})

describe('while others write', () => {
  beforeAll(() => app.clock.hold())

  /** How often a connection was taken meanwhile. */
  const reads = async (work: () => Promise<unknown>) => {
    let taken = 0
    const count = () => {
      taken += 1
    }
    app.database.pool.on('acquire', count)
    await work()
    app.database.pool.off('acquire', count)
    return taken
  }

  test('a list needs no database for two seconds, and then waits for what changed', async () => {
    const url = '/parts'
    await open(url)
    const { id } = await makeQuickListing(seller.api, { partname: 'Radiator fan' })
    expect(await reads(async () => expect((await open(url)).has('Radiator fan')).toBe(false))).toBe(0)
    waitForLists()
    expect((await open(url)).has('Radiator fan')).toBe(true)
    await seller.api.post(`/seller/parts/${id}/end`, { reason: 'sold-elsewhere' })
    waitForLists()
    expect((await open(url)).has('Radiator fan')).toBe(false)
  })

  test('whoever wrote sees it at once, and then everybody', async () => {
    const url = '/parts?q=muffler'
    await open(url)
    const { id } = await makeQuickListing(seller.api, { partname: 'Muffler' })
    const sold = await seller.api.post(`/seller/parts/${id}/end`, { reason: 'sold-elsewhere' })
    expect(sold.headers['set-cookie']).toBe('wrote=1; Path=/; Max-Age=10; HttpOnly; SameSite=Lax')
    await seller.api.post(`/seller/parts/${id}/restore`)
    expect((await open(url)).has('1 product(s) found')).toBe(false)
    expect((await open(url, { cookie: 'a=b; wrote=1' })).has('1 product(s) found')).toBe(true)
    expect((await open(url)).has('1 product(s) found')).toBe(true)
  })

  test('a failed call, a visit and a sign-in leave kept pages to the browser', async () => {
    const { partslug } = await makeQuickListing(seller.api)
    const calls = {
      '/seller/quick-listings': {},
      [`/parts/${partslug}/views`]: undefined,
      '/login': { email: seller.person.email, password: 'wrong' },
    }
    for (const [path, body] of Object.entries(calls)) {
      const { headers } = await seller.api.post(path, body)
      expect([path, headers['set-cookie']]).toEqual([path, undefined])
    }
  })

  test('twenty readers at once wait for one page', async () => {
    const url = '/parts?q=bumper'
    const alone = await reads(() => open(url))
    await makeQuickListing(seller.api, { partname: 'Bumper' })
    waitForLists()
    const together = await reads(() => Promise.all(Array.from({ length: 20 }, () => open(url))))
    expect(alone).toBeGreaterThan(1)
    // Each alone would take twenty times as many.
    expect(together).toBeLessThan(4 * alone)
  })

  test('the page of a part is never stale, and not made again because of others', async () => {
    const { id, partslug, version } = await makeQuickListing(seller.api, { partname: 'Tailgate' })
    const url = `/parts/${partslug}`
    const whole = await reads(() => open(url))
    await makeQuickListing(seller.api, { partname: 'Another part' })
    const compared = await reads(() => open(url))
    expect([compared < whole / 2, await reads(() => open(url))]).toEqual([true, 1])
    await seller.api.put(`/seller/parts/${id}`, { partprice: '333', version })
    expect((await open(url)).has('$333')).toBe(true)
    await withChangeSet(app.db, system, (trx) =>
      sql`update listing set status = 'HIDDEN' where id = ${id}`.execute(trx),
    )
    expect((await open(url)).status).toBe(404)
  })
})

describe('any visitor', () => {
  test('gets the anonymous page, whatever token or cookie comes with the request', async () => {
    const stranger = await open('/parts')
    const person = await open('/parts', {
      authorization: `Bearer ${seller.api.token}`,
      cookie: 'session=anything',
    })
    expect([person.html === stranger.html, person.headers.etag]).toEqual([true, stranger.headers.etag])
    expect(person.has(seller.user.email)).toBe(false)
    expect(person.headers['set-cookie']).toBeUndefined()
  })

  test('gets it compressed if supported', async () => {
    const { headers, has } = await open('/parts', { 'accept-encoding': 'gzip, br' })
    expect([headers['content-encoding'], has('<h1')]).toEqual(['br', true])
    expect((await open('/parts')).headers['content-encoding']).toBeUndefined()
  })
})

describe('no page', () => {
  test('an unknown address is the not-found page with status 404, the same for all', async () => {
    const page = await open('/no/such/page?x=1')
    expect([page.status, page.headers['cache-control'], page.title]).toEqual([
      404,
      'no-cache',
      'Page not found | PartHarbor',
    ])
    expect(page.has('We couldn’t find that page')).toBe(true)
    expect((await open('/another')).html === page.html).toBe(true)
  })

  test('below the dashboards it has their header, as the browser renders it', async () => {
    const searchBox = 'data-search="true"'
    const [none, ofDesk] = [await open('/no/such/page'), await open('/dashboard/no/such/page')]
    expect([none.html.includes(searchBox), ofDesk.html.includes(searchBox)]).toEqual([true, false])
    expect(ofDesk.status).toBe(404)
  })

  test('a page of the app is sent empty, for the app to fill', async () => {
    const { status, headers, has } = await open('/dashboard/seller')
    expect([status, headers['cache-control'], has('<div id="root"><noscript>')]).toEqual([
      200,
      'no-cache',
      true,
    ])
  })

  test('the server’s own files are not served', async () => {
    for (const path of ['/.server/render.js', '/.vite/manifest.json', '/assets/%2e%2e/.server/render.js']) {
      expect((await open(path)).status).toBe(404)
    }
  })
})

describe('JSON that is public', () => {
  test('may be cached by anyone without a token, and revalidated', async () => {
    const first = await app.visitor.get<ListingPage>('/parts')
    expect(first.headers).toMatchObject({ 'cache-control': SHARED, vary: 'accept-encoding, authorization' })
    const again = () => app.visitor.get('/parts', { 'if-none-match': String(first.headers.etag) })
    expect((await again()).status).toBe(304)
    await makeQuickListing(seller.api)
    // The browser of whoever listed it.
    expect((await again()).status).toBe(200)
  })

  test('is cached compressed until anything public changes', async () => {
    const read = async (url: string, headers: Headers = {}) => {
      const reply = await app.http.inject({ method: 'GET', url, headers })
      const isPacked = reply.headers['content-encoding'] === 'br'
      const body = isPacked ? brotliDecompressSync(reply.rawPayload).toString() : reply.body
      return { isPacked, etag: reply.headers.etag, total: (JSON.parse(body) as ListingPage).total }
    }
    const br = { 'accept-encoding': 'gzip, br' }
    const first = await read('/api/parts?q=mirror&perPage=12', br)
    expect(first.isPacked).toBe(true)
    expect(await read('/api/parts?perPage=12&q=mirror&utm_source=mail', br)).toEqual(first)
    expect(await read('/api/parts?q=mirror')).toEqual({ ...first, isPacked: false })
    await makeQuickListing(seller.api, { partname: 'Mirror' })
    expect(await read('/api/parts?q=mirror', br)).toEqual(first)
    waitForLists()
    const next = await read('/api/parts?q=mirror', br)
    expect([next.total, next.etag === first.etag]).toEqual([first.total + 1, false])
    expect((await read('/api/parts?q=mirror')).total).toBe(next.total)
    // What an owner sees is no one else's.
    const own = await read('/api/parts?q=mirror', { ...br, authorization: `Bearer ${seller.api.token}` })
    expect([own.etag, own.total]).toEqual([undefined, next.total])
  })

  test.each(['/site', '/public/top-names'])(
    '%s may be a minute old, and is marked by its content',
    async (path) => {
      const { headers } = await app.visitor.get(path)
      expect(headers['cache-control']).toBe(SHARED)
      const again = await app.visitor.get(path, { 'if-none-match': String(headers.etag) })
      expect(again.status).toBe(304)
    },
  )

  test('with a token, or as an error, it is private', async () => {
    const { partslug } = await makeQuickListing(seller.api)
    const own = await seller.api.get(`/auto-part/${partslug}`)
    expect([own.headers['cache-control'], own.headers.etag]).toEqual(['no-store', undefined])
    const missing = await app.visitor.get('/auto-part/no-such-part')
    expect([missing.status, missing.headers['cache-control'], missing.headers.etag]).toEqual([
      404,
      'no-store',
      undefined,
    ])
  })
})

test('without the database a page says so in the site’s frame and is not cached', async () => {
  const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => app.database.pool.connect()))
  const { status, headers, has } = await open('/parts?q=outage')
  for (const client of clients) client.release()
  expect([status, headers['cache-control'], headers['retry-after'], headers.etag]).toEqual([
    503,
    'no-store',
    '1',
    undefined,
  ])
  expect(has('The service is busy. Please try again in a moment.')).toBe(true)
  expect((await open('/parts?q=outage')).status).toBe(200)
})

test('a sold part’s page ends with a day, for whoever keeps it and whoever reads it first', async () => {
  const [kept, unread] = [await makeQuickListing(seller.api), await makeQuickListing(seller.api)]
  await withChangeSet(app.db, system, async (trx) => {
    await sql`
      update listing set ended_at = ${new Date(app.clock.now().getTime() - 90 * DAY_MS)}, ended_reason = 'sold-here'
      where id = any(${[kept.id, unread.id]}::uuid[])
    `.execute(trx)
  })
  const statusOf = async ({ partslug }: { partslug: string }) => (await open(`/parts/${partslug}`)).status
  expect(await statusOf(kept)).toBe(200)
  app.clock.hold()
  app.clock.advance(DAY_MS - (app.clock.now().getTime() % DAY_MS) - 500)
  expect([await statusOf(kept), await statusOf(unread)]).toEqual([200, 200])
  app.clock.advance(1_000)
  expect([await statusOf(kept), await statusOf(unread)]).toEqual([410, 410])
})
