import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { ListingPage } from '#contract/listings.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import {
  copyListings,
  draftListings,
  type NewListingRow,
} from '#server/features/market/listings/copy-listings.ts'
import { loadSearchNames } from '#server/features/market/listings/search-row/search-rows.ts'
import { insertListings, newListingIds } from '#server/features/market/listings/write-queries.ts'
import { someLookups } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let seller: SignedIn
let full: Omit<NewListingRow, 'id' | 'slug'>
let bare: Omit<NewListingRow, 'id' | 'slug'>

beforeAll(async () => {
  seller = await app.signUp()
  const { category, manufacturer, model } = await someLookups(app.visitor)
  bare = {
    seller_id: await sellerId(),
    kind: 'quick',
    name: 'Door',
    manufacturer_name: 'No such make',
    model_name: 'None',
    year_from: 2003,
    year_to: 2003,
    price_cents: 0,
  }
  full = {
    ...bare,
    kind: 'ecommerce',
    name: 'Headlamp "left"\tHalogen',
    description: 'Tabs present.\r\n\\N is no null; Škoda fits too.',
    category_id: category.id,
    manufacturer_id: manufacturer.id,
    manufacturer_name: manufacturer.manuname,
    car_model_id: model.id,
    model_name: model.carname,
    trim_name: 'XLT',
    year_from: 2011,
    year_to: 2014,
    part_number: 'CL34-13W030-AJ',
    stock_number: 'WA-2400/01',
    vin: '1FTFW1ET5DFC10312',
    grade: 'B',
    price_cents: 14_999,
    quantity: 3,
    shipping_kind: 'flat',
    shipping_cents: 2_000,
    miles: 84_000,
    damage: '000',
    city: 'Tulsa',
    state: 'OK',
    zip: '04103',
    latitude: 36.15,
    longitude: -95.99,
    dealer_name: 'Whitfield’s',
    dealer_phone: '(918) 555-0142',
    dealer_phone_e164: '+19185550142',
    created_at: new Date('2026-01-02T03:04:05.678Z'),
    updated_at: new Date('2026-01-02T03:04:05.678Z'),
  }
})

async function sellerId(): Promise<string> {
  const { seller_id } = await app.db
    .selectFrom('seller_member')
    .select('seller_id')
    .where('user_id', '=', seller.user.id)
    .executeTakeFirstOrThrow()
  return seller_id
}

async function withIds(rows: Omit<NewListingRow, 'id' | 'slug'>[]): Promise<NewListingRow[]> {
  const ids = await newListingIds(app.db, rows.length)
  return rows.map((row, at) => ({ ...row, id: ids[at] ?? '', slug: `row-${ids[at]}` }))
}

const write = (rows: NewListingRow[], how: 'copied' | 'inserted') =>
  withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, async (trx, changeSetId) => {
    if (how === 'inserted') await insertListings(trx, rows, { changeSetId, source: 'test' })
    else await copyListings(trx, await draftListings(trx, rows, await loadSearchNames(trx)))
  })

/** Everything stored about these listings, except what differs between any two. */
async function standing(rows: NewListingRow[]) {
  const ids = rows.map(({ id }) => id)
  const found = await sql`
    select to_jsonb(l) - 'id' - 'slug' - 'created_at' - 'updated_at' as listing, l.created_at > now() - interval '1 min' as now,
           to_jsonb(s) - 'listing_id'
             || jsonb_build_object('document', ts_delete(s.document, array['=8th', '=64th', '=512th'])) as search
    from listing l left join listing_search s on s.listing_id = l.id where l.id = any(${ids}::uuid[]) order by l.id
  `.execute(app.db)
  return found.rows
}

test('a copied listing equals an inserted one, including search row and defaults', async () => {
  const states = [
    full,
    bare,
    { ...full, status: 'HIDDEN' },
    { ...full, ended_at: new Date(), ended_reason: 'sold-here' },
    { ...full, deleted_at: new Date() },
  ]
  const [copied, inserted] = await Promise.all([withIds(states), withIds(states)])
  await write(copied, 'copied')
  await write(inserted, 'inserted')
  const rows = await standing(copied)
  expect(rows).toHaveLength(5)
  expect(rows).toEqual(await standing(inserted))
  expect(rows.map((row) => (row as { search: { live: boolean } | null }).search?.live)).toEqual([
    true,
    true,
    false,
    false,
    undefined,
  ])
})

test('rows that all omit the same columns get the table defaults', async () => {
  const rows = await withIds([bare, bare])
  await write(rows, 'copied')
  expect(await standing(rows)).toMatchObject(
    Array(2).fill({
      now: true,
      listing: { currency: 'USD', quantity: 1, version: 1 },
      search: { live: true },
    }),
  )
})

test('copied listings are searchable and have no history until they change', async () => {
  const rows = await withIds([{ ...full, name: 'Quillaja rack' }])
  await write(rows, 'copied')
  for (const q of ['quillaja', 'cl3413w030aj', 'wa240001']) {
    const { body } = await seller.api.get<ListingPage>(`/seller/parts?q=${q}`)
    expect(body.items[0]?.partname, q).toBe('Quillaja rack')
  }
  const { rows: changes } = await sql`
    select from listing_change where listing_id = ${rows[0]?.id}
  `.execute(app.db)
  expect(changes).toEqual([])
})

test('no row is written without a change set, or if one of them is invalid', async () => {
  const names = await loadSearchNames(app.db)
  const [good, bad] = await withIds([full, { ...full, grade: 'Q' }])
  if (!good || !bad) throw new Error('two rows')
  const draft = await draftListings(app.db, [good], names)
  const bySelf = app.db.transaction().execute((trx) => copyListings(trx, draft))
  await expect(bySelf).rejects.toThrow('needs a change set')
  await expect(write([good, bad], 'copied')).rejects.toMatchObject({ code: '23514' })
  expect(await standing([good, bad])).toEqual([])
  await write([], 'copied')
})
