import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import { openExport } from '#server/features/finding/search/page/export.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { atLength } from '#tests/support/at-length.ts'
import { makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let seller: SignedIn
let admin: SignedIn
beforeAll(async () => {
  seller = await app.signUp()
  admin = await app.signUp({ role: 'admin' })
})

async function exported(query = ''): Promise<{ head: string[]; rows: Record<string, string>[] }> {
  const { bytes } = await admin.api.get(`/admin/parts/export${query}`)
  const [head = [], ...rows] = readCsv(bytes.toString())
  return {
    head,
    rows: rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? '']))),
  }
}

/** Parses RFC 4180 the way a spreadsheet does. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.filter((cells) => cells.length > 1)
}

describe('GET /admin/parts/export', () => {
  test('exports every field under its API name, newest first, as a dated file', async () => {
    const listing = await makePictureListing(seller.api, { stocknum: 'EX-1', partname: 'Oddlot lamp' })
    await admin.api.put(`/auto-parts/${listing.id}`, { status: 'HIDDEN' })
    const answer = await admin.api.get('/admin/parts/export?q=oddlot')
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toMatch(/filename="auto-parts-\d{4}-\d\d-\d\d\.csv"/)
    const { head, rows } = await exported('?q=oddlot')
    expect(head.slice(0, 6)).toEqual(['id', 'version', 'status', 'partyear', 'partmanuname', 'partmodel'])
    expect(rows).toEqual([
      expect.objectContaining({
        id: listing.id,
        version: '2',
        status: 'HIDDEN',
        partname: 'Oddlot lamp',
        partcategory: listing.partcategory?.name,
        partprice: '149.99',
        partshipping: '20.00',
        stocknum: 'EX-1',
        dealerphone: '(918) 555-0142',
        picture: listing.imageUrl,
      }),
    ])
  })

  test('cells that a spreadsheet would run are escaped; negative numbers stay numbers', async () => {
    const evil = '=HYPERLINK("http://x","y")'
    const listing = await makeQuickListing(seller.api, {
      partname: evil,
      partdesc: '@SUM(A1)\r\n+1, "quoted"',
      longitude: '-95.99',
      latitude: '36.15',
    })
    const { rows } = await exported('?q=hyperlink')
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ partname: `'${evil}`, longitude: '-95.99' })
    expect(rows[0]?.partdescription?.startsWith("'@SUM(A1)")).toBe(true)
    expect(withoutFormulaGuard(rows[0]?.partdescription ?? '')).toBe(listing.partdescription)
  })

  test('applies the list filters, and no match gives only the header', async () => {
    await makeQuickListing(seller.api, { partname: 'Marlinspike' })
    expect((await exported('?q=marlinspike&status=HIDDEN')).rows).toEqual([])
    expect((await exported('?q=marlinspike&status=ACTIVE')).rows).toHaveLength(1)
    expect((await exported('?model=%25')).head[0]).toBe('id')
    expect((await admin.api.get('/admin/parts/export?status=GONE')).status).toBe(400)
  })

  test('covers every page and includes each listing once', async () => {
    const listing = await makeQuickListing(seller.api, { partname: 'Many of them' })
    // Two windows at full length; five pages show whether the next test reads ahead.
    const copies = atLength({ full: 12_500, brief: 4_500 })
    await copyTimes(listing.id, copies)
    const { rows } = await exported()
    const ids = rows.map(({ id }) => id ?? '')
    expect(ids.length).toBeGreaterThan(copies)
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed())
  })

  test('reads no further than the consumer does, and stops when the consumer stops', async () => {
    let statements = 0
    app.database.pool.on('acquire', () => {
      statements += 1
    })
    const pieces = openExport(app.db, 'everything')[Symbol.asyncIterator]()
    const taken = [await pieces.next(), await pieces.next()]
    expect(taken.map(({ value }) => String(value).split('\r\n').length - 1)).toEqual([1, 200])
    await pieces.return?.()
    expect(statements).toBeLessThan(5)
  })
})

async function copyTimes(id: string, times: number): Promise<void> {
  await withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, async (trx) => {
    await sql`
      with made as (
        insert into listing (seller_id, kind, slug, name, manufacturer_name, model_name, year_from, year_to, price_cents)
        select seller_id, kind, 'copy-' || n, name, manufacturer_name, model_name, year_from, year_to, price_cents
        from listing, generate_series(1, ${times}) as n where id = ${id}
        returning id, seller_id
      )
      insert into listing_search (listing_id, seller_id, live, document) select id, seller_id, true, '' from made
    `.execute(trx)
  })
}
