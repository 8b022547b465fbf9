import { brotliDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ListingPage } from '#contract/listings.ts'
import { withChangeSet } from '#server/features/history/change-sets.ts'
import { openKeptPages, packPage } from '#server/features/pages/kept-pages.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

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
  return { status: statusCode, headers: sent as Headers, html: bytes.toString() }
}

const attribute = (html: string, pattern: RegExp) => pattern.exec(html)?.[1]
const titleOf = (html: string) => attribute(html, /<title>([^<]*)<\/title>/)
const canonicalOf = (html: string) => attribute(html, /<link rel="canonical" href="([^"]*)"/)
/** What the page says of itself in data blocks. */
const thingsOf = (html: string): { '@type': string }[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json]) =>
    JSON.parse(json ?? ''),
  )
const SHARED = 'public, max-age=0, s-maxage=60, stale-while-revalidate=60'

describe('the list of parts', () => {
  test('arrives with its parts, its title and its address', async () => {
    const { status, headers, html } = await open('/parts')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': SHARED,
      vary: 'accept-encoding',
    })
    expect(titleOf(html)).toBe('Find Auto Parts | PartHarbor')
    expect(html.match(/<title>|<h1/g)).toEqual(['<title>', '<h1'])
    expect(canonicalOf(html)).toBe('https://parts.example/parts')
    expect(thingsOf(html).map((thing) => thing['@type'])).toEqual(['BreadcrumbList', 'ItemList'])
    expect(html).toContain('Alternator 130A')
    expect(html).toContain('1 product(s) found')
    expect(html).not.toContain('name="robots"')
  })

  test('a search is answered without scripts, and search engines only follow its links', async () => {
    const none = await open('/parts?q=no-such-part-anywhere')
    expect(none.html).toContain('No products match these filters.')
    const { html } = await open('/parts?q=alternator&sort=price-low')
    expect(titleOf(html)).toBe('alternator: used auto parts | PartHarbor')
    expect(html).toContain('<meta name="robots" content="noindex,follow"/>')
    expect(canonicalOf(html)).toBe('https://parts.example/parts')
    expect(html).toMatch(/<input[^>]*name="q"[^>]*value="alternator"/)
  })

  test('a value that filters nothing is no error, and an unknown parameter is not another page', async () => {
    expect((await open('/parts?categoryId=nonsense&page=x&perPage=12')).html).toContain('1 product(s) found')
    const { headers } = await open('/parts')
    expect((await open('/parts?utm_source=mail')).headers.etag).toBe(headers.etag)
    expect((await open('/parts?sort=price-low&q=door')).headers.etag).toBe(
      (await open('/parts?q=door&x=1&sort=price-low')).headers.etag,
    )
    expect((await open('/parts?q=door')).headers.etag).not.toBe(headers.etag)
  })

  test('a text cannot end the data that the page brings', async () => {
    await makeQuickListing(seller.api, { partname: 'Door </script><script>alert(1)</script>' })
    const { html } = await open('/parts')
    expect(html).not.toContain('<script>alert')
    const data = attribute(html, /<script type="application\/json" id="data">(.*?)<\/script>/)
    expect(JSON.stringify(JSON.parse(data ?? ''))).toContain('</script><script>alert(1)')
  })
})

describe('who has the page already', () => {
  const known = async (url: string) => {
    const { headers } = await open(url)
    return async () => (await open(url, { 'if-none-match': headers.etag ?? '' })).status
  }

  test('is told so, until anything public changes', async () => {
    const listing = await makeQuickListing(seller.api, { partname: 'Starter' })
    const changes: Record<string, () => Promise<unknown>> = {
      'a part': () => seller.api.put(`/seller/parts/${listing.id}`, { partprice: '71', version: listing.version }),
      'a setting of its seller': () =>
        seller.api.put('/profile', { communicationPrefs: { showPhonePublicly: true } }),
      'another name of a category': () =>
        sql`insert into category_alias (category_id, alias) select id, 'zz alias' from category limit 1`.execute(app.db),
      'the day': async () => app.clock.advance(86_400_000),
    }
    for (const [what, change] of Object.entries(changes)) {
      const again = await known('/parts')
      expect([what, await again()]).toEqual([what, 304])
      await change()
      expect([what, await again()]).toEqual([what, 200])
    }
  })

  test('a change is on the next page that anyone opens', async () => {
    await open('/parts')
    await makeQuickListing(seller.api, { partname: 'Radiator fan' })
    expect((await open('/parts')).html).toContain('Radiator fan')
  })

  test('what another process writes is on the next page, too', async () => {
    const { html } = await open('/parts')
    expect(html).not.toContain('Renamed by hand')
    await withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx) =>
      sql`update listing set dealer_name = 'Renamed by hand'`.execute(trx),
    )
    expect((await open('/parts')).html).toContain('Renamed by hand')
  })
})

describe('whoever asks', () => {
  test('gets the page of a stranger, whatever token or cookie comes with the request', async () => {
    const stranger = await open('/parts')
    const person = await open('/parts', {
      authorization: `Bearer ${seller.api.token}`,
      cookie: 'session=anything',
    })
    expect(person.html).toBe(stranger.html)
    expect(person.headers.etag).toBe(stranger.headers.etag)
    expect(person.html).not.toContain(seller.user.email)
    expect(person.headers['set-cookie']).toBeUndefined()
  })

  test('gets it compressed where that is understood', async () => {
    const { headers, html } = await open('/parts', { 'accept-encoding': 'gzip, br' })
    expect(headers['content-encoding']).toBe('br')
    expect(html).toContain('<h1')
    expect((await open('/parts')).headers['content-encoding']).toBeUndefined()
  })
})

describe('no page', () => {
  test('an address that is none is the not-found page with status 404, the same for all', async () => {
    const { status, headers, html } = await open('/no/such/page?x=1')
    expect([status, headers['cache-control']]).toEqual([404, 'no-cache'])
    expect(titleOf(html)).toBe('Page not found | PartHarbor')
    expect(html).toContain('We couldn’t find that page')
    expect((await open('/another')).html).toBe(html)
  })

  test('a page of the app is sent empty, for the app to fill', async () => {
    const { status, headers, html } = await open('/dashboard/seller')
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache'])
    expect(html).toContain('<div id="root"></div>')
  })

  test('the server’s own files are no files of the app', async () => {
    for (const path of ['/.server/render.js', '/.vite/manifest.json', '/assets/../.server/render.js']) {
      expect((await open(path)).status).toBe(404)
    }
  })
})

describe('JSON that is public', () => {
  test('may be kept by anyone without a token, and tells who has it already', async () => {
    const first = await app.visitor.get<ListingPage>('/parts')
    expect(first.headers).toMatchObject({ 'cache-control': SHARED, vary: 'accept-encoding, authorization' })
    const again = () => app.visitor.get('/parts', { 'if-none-match': String(first.headers.etag) })
    expect((await again()).status).toBe(304)
    await makeQuickListing(seller.api)
    expect((await again()).status).toBe(200)
  })

  test('with a token, or as an error, it is nobody else’s', async () => {
    const { partslug } = await makeQuickListing(seller.api)
    const own = await seller.api.get(`/auto-part/${partslug}`)
    expect([own.headers['cache-control'], own.headers.etag]).toEqual(['no-store', undefined])
    const missing = await app.visitor.get('/auto-part/no-such-part')
    expect([missing.status, missing.headers['cache-control'], missing.headers.etag]).toEqual([404, 'no-store', undefined])
  })
})

describe('kept pages', async () => {
  const page = await packPage(200, 'x'.repeat(100))

  test('are bounded by number and size, and those asked for last stay', async () => {
    const pages = openKeptPages({ mostPages: 3, mostBytes: 1_000 })
    let made = 0
    const get = (key: string, its = page) =>
      pages.get(key, async () => {
        made++
        return its
      })
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a']) await get(key)
    expect([made, pages.size().pages]).toEqual([4, 3])
    await get('b')
    expect(made).toBe(5)
    await get('large', { status: 200, packed: Buffer.alloc(900) })
    expect(pages.size().bytes).toBeLessThanOrEqual(1_000)
  })

  test('one rendering serves all who ask meanwhile, and what is missing is not kept', async () => {
    const pages = openKeptPages()
    let made = 0
    const make = async () => {
      made++
      return { ...page, status: 404 }
    }
    await Promise.all([pages.get('a', make), pages.get('a', make)])
    await pages.get('a', make)
    expect([made, pages.size().pages]).toEqual([2, 0])
  })
})

describe('without the database', () => {
  test('a page says so in the frame of the site, and a kept one is not sent for another state', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => app.database.pool.connect()))
    const { status, headers, html } = await open('/parts?q=outage')
    for (const client of clients) client.release()
    expect([status, headers['cache-control'], headers['retry-after'], headers.etag]).toEqual([503, 'no-store', '1', undefined])
    expect(html).toContain('The service is busy. Please try again in a moment.')
    expect((await open('/parts?q=outage')).status).toBe(200)
  })
})
