import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { DryRunReply, ImportReceipt } from '#contract/imports.ts'
import type { Listing } from '#contract/listings.ts'
import type { OwnPicture, PictureList } from '#contract/pictures.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { atLength, longTest } from '#tests/support/at-length.ts'
import { exportParts, standardMapping } from '#tests/support/exported-parts.ts'
import { jpeg } from '#tests/support/image-fixtures.ts'
import { proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { formOf } from '#tests/support/make-rows.ts'
import {
  changesOf,
  importRows,
  listingsOf,
  partFields,
  startPromotionWorker,
  undoImport,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Several pictures of a part from files, beside those that people add. */

const app = await startTestApp()
const { db } = app
await startPromotionWorker(app)

const url = (name: string | number) => `https://yard.example/${name}.jpg`
const urls = (names: string) => names.split('').map(url)
const row = (names: string, changes: Fields = {}) =>
  partFields(1, { stocknum: 'S-1', imageUrl: urls(names).join('|'), ...changes })

/** A seller with one part from a file that has these pictures, all of them fetched. */
async function yardWith(names: string) {
  const seller = await proSeller(app, { trusted: true })
  await importRows(app, seller, [row(names)])
  const [listing] = await listingsOf(app, seller)
  const id = listing?.id ?? ''
  await fetchAll(id)
  return { seller, id }
}

/** What the job that fetches pictures writes. */
async function fetchAll(listingId: string): Promise<void> {
  await sql`
    update listing_image
    set state = 'ready', sha256 = encode(sha256(convert_to(source_url, 'UTF8')), 'hex'), width = 64, height = 48
    where listing_id = ${listingId} and state = 'pending'`.execute(db)
}

const picturesOf = (id: string) =>
  db.selectFrom('listing_image').selectAll().where('listing_id', '=', id).orderBy('position').execute()
/** The pictures by the names of their addresses; a person's is "own". */
const namesOf = async (id: string) =>
  (await picturesOf(id))
    .map(({ source_url }) => /(\w+)\.jpg$/.exec(source_url ?? '')?.[1] ?? ' own ')
    .join('')
const pending = async (id: string) =>
  (await picturesOf(id)).filter(({ state }) => state === 'pending').map(({ source_url }) => source_url)
const versionOf = async ({ seller }: { seller: SignedIn }) => (await listingsOf(app, seller))[0]?.version

const addOwn = async ({ seller, id }: { seller: SignedIn; id: string }, width = 40) =>
  (
    await seller.api.post<OwnPicture>(
      `/listings/${id}/pictures`,
      formOf({}, { bytes: await jpeg({ width, height: 30 }) }),
    )
  ).body
async function order({ seller, id }: { seller: SignedIn; id: string }, places: number[]): Promise<void> {
  const ids = (await picturesOf(id)).map((picture) => picture.id)
  const { status } = await seller.api.put(`/listings/${id}/pictures/order`, {
    ids: places.map((place) => ids[place]),
  })
  expect(status).toBe(200)
}

describe('a new part', () => {
  test('gets its pictures in the file’s order, waiting to be fetched', async () => {
    const seller = await proSeller(app, { trusted: true })
    await importRows(app, seller, [row('cab'), partFields(2), partFields(3, { imageUrl: url('d') })])
    const listings = await listingsOf(app, seller)
    expect(await Promise.all(listings.map(({ id }) => namesOf(id)))).toEqual(['cab', '', 'd'])
    expect(await pending(listings[0]?.id ?? '')).toEqual(urls('cab'))
    const { body } = await seller.api.get<PictureList>(`/listings/${listings[0]?.id}/pictures`)
    expect(body.pictures).toMatchObject(Array(3).fill({ url: null, width: 0, height: 0, problem: null }))
  })

  longTest('has at most 24', async () => {
    const seller = await proSeller(app, { trusted: true })
    const all = Array.from({ length: 30 }, (_, at) => url(at)).join('\n')
    await importRows(app, seller, [row('a', { imageUrl: all })])
    const [listing] = await listingsOf(app, seller)
    expect(await picturesOf(listing?.id ?? '')).toHaveLength(24)
  })
})

describe('a later file', () => {
  test('with the same list fetches nothing and keeps people’s edits', async () => {
    const yard = await yardWith('abc')
    const { seller, id } = yard
    await addOwn(yard)
    await order(yard, [3, 2, 0, 1])
    const [, first] = await picturesOf(id)
    await seller.api.put(`/pictures/${first?.id}`, { alt: 'Left', marks: [{ x: 0, y: 1, note: 'Dent' }] })
    const before = await picturesOf(id)
    for (const partprice of atLength({ full: ['80', '70'], brief: ['70'] }))
      await importRows(app, seller, [row('abc', { partprice })])
    expect(await picturesOf(id)).toEqual(before)
    expect((await listingsOf(app, seller))[0]).toMatchObject({ price_cents: 7000 })
  })

  test('with a new list keeps pictures, words and people’s own in their places', async () => {
    const yard = await yardWith('abc')
    const { seller, id } = yard
    await addOwn(yard, 40)
    await addOwn(yard, 50)
    await order(yard, [4, 0, 1, 2, 3])
    const [, a] = await picturesOf(id)
    await seller.api.put(`/pictures/${a?.id}`, { alt: 'Left' })
    expect(await namesOf(id)).toBe(' own abc own ')
    await importRows(app, seller, [row('xcady')])
    expect(await namesOf(id)).toBe(' own xcady own ')
    expect(await pending(id)).toEqual(urls('xdy'))
    const now = await picturesOf(id)
    expect(now.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(now[3]).toMatchObject({ id: a?.id, alt: 'Left', state: 'ready' })
    await importRows(app, seller, [row('', { imageUrl: '' }), partFields(2, { imageUrl: url('e') })])
    expect(await namesOf(id)).toBe(' own  own ')
  })

  test('adds its pictures after one that a person added first', async () => {
    const seller = await proSeller(app, { trusted: true })
    await importRows(app, seller, [row('', { imageUrl: '' }), partFields(2, { imageUrl: url('e') })])
    const [listing] = await listingsOf(app, seller)
    const id = listing?.id ?? ''
    await addOwn({ seller, id })
    await importRows(app, seller, [row('ab'), partFields(2, { imageUrl: url('e') })])
    expect(await namesOf(id)).toBe(' own ab')
  })

  test('leaves a person’s order, removal and cover, and the receipt offers the file’s list', async () => {
    const seller = await proSeller(app, { trusted: true })
    const file = (names: string, changes: Fields = {}) =>
      [1, 2, 3].map((number) => ({
        ...row(names, changes),
        ...partFields(number, changes),
        stocknum: `S-${number}`,
      }))
    await importRows(app, seller, file('abc'))
    const [one = '', two = '', three = ''] = (await listingsOf(app, seller)).map(({ id }) => id)
    await order({ seller, id: one }, [2, 0, 1])
    await seller.api.delete(`/pictures/${(await picturesOf(two))[1]?.id}`)
    await seller.api.put(`/seller/parts/${three}`, formOf({}, { bytes: await jpeg({ width: 60 }) }))
    const names = () => Promise.all([one, two, three].map(namesOf))
    const mine = ['cab', 'ac', ' own bc']
    expect(await names()).toEqual(mine)
    await importRows(app, seller, file('abc', { partprice: '80' }))
    expect(await names()).toEqual(mine)
    const { importId } = await importRows(app, seller, file('abcd'))
    expect(await names()).toEqual(mine)
    const { body } = await seller.api.get<ImportReceipt>(`/pro/imports/${importId}/receipt`)
    const kept = { fields: [{ field: 'imageUrl', file: urls('abcd').join(' | ') }] }
    expect(body.kept.rows).toMatchObject([kept, kept, kept])
    await seller.api.post(`/pro/imports/${importId}/kept`, {})
    // The person’s cover is still a picture of the listing.
    expect(await names()).toEqual(['abcd', 'abcd', ' own abcd'])
    await importRows(app, seller, file('abcd', { partprice: '80' }))
    for (const id of [one, two, three]) {
      expect((await changesOf(app, id)).at(-1)?.changes).toEqual({ price_cents: [9550, 8000] })
    }
  })

  test('fills the places that people’s pictures leave, once', async () => {
    const yard = await yardWith('a')
    const { seller, id } = yard
    await addOwn(yard, 40)
    await addOwn(yard, 50)
    const all = Array.from({ length: 24 }, (_, at) => url(`p${at}`)).join(' ')
    await importRows(app, seller, [row('', { imageUrl: all })])
    expect(await picturesOf(id)).toHaveLength(24)
    expect(await pending(id)).toHaveLength(22)
    const version = await versionOf(yard)
    await importRows(app, seller, [row('', { imageUrl: all, partgrade: 'A' })])
    expect(await versionOf(yard)).toBe((version ?? 0) + 1)
    expect((await changesOf(app, id)).at(-1)?.changes).toEqual({ grade: [null, 'A'] })
    await importRows(app, seller, [row('ab')])
    expect(await namesOf(id)).toBe('ab own  own ')
  })
})

describe('an undo', () => {
  /** The columns that an undo must bring back. */
  const exactly = async (id: string) => (await picturesOf(id)).map((picture) => ({ ...picture }))

  test('brings back exactly the pictures there were, without fetching them again', async () => {
    const yard = await yardWith('abc')
    const { seller, id } = yard
    await addOwn(yard)
    await order(yard, [0, 3, 1, 2])
    const [a, , b] = await picturesOf(id)
    await seller.api.put(`/pictures/${a?.id}`, { alt: 'A', marks: [{ x: 0.5, y: 0.5, note: 'Dent' }] })
    await seller.api.put(`/pictures/${b?.id}`, { alt: 'B' })
    const before = await exactly(id)
    const done = await importRows(app, seller, [row('xb')])
    expect(await namesOf(id)).toBe('x own b')
    await fetchAll(id)
    expect(await undoImport(app, seller, done)).toMatchObject({ undone: 1, leftAsIs: 0 })
    expect(await exactly(id)).toEqual(before)
    // As if it had never been: the same file again does the same.
    await importRows(app, seller, [row('xb')])
    expect(await namesOf(id)).toBe('x own b')
  })

  longTest('of one import after the other leads back to the first list', async () => {
    const { seller, id } = await yardWith('ab')
    const first = await exactly(id)
    const one = await importRows(app, seller, [row('bcd')])
    await fetchAll(id)
    const second = await exactly(id)
    const two = await importRows(app, seller, [row('d')])
    await undoImport(app, seller, two)
    expect(await exactly(id)).toEqual(second)
    await undoImport(app, seller, one)
    expect(await exactly(id)).toEqual(first)
    // The history has had lists only since a listing may have several pictures.
    const three = await importRows(app, seller, [row('b')])
    await sql`update listing_change set changes = changes - 'pictures' where listing_id = ${id}`.execute(db)
    await undoImport(app, seller, three)
    expect(await namesOf(id)).toBe('ab')
    expect(await pending(id)).toEqual(urls('a'))
  })

  test('leaves a listing whose pictures a person edited since', async () => {
    const yard = await yardWith('ab')
    const done = await importRows(app, yard.seller, [row('bcd')])
    await addOwn(yard)
    expect(await undoImport(app, yard.seller, done)).toMatchObject({ undone: 0, leftAsIs: 1 })
    expect(await namesOf(yard.id)).toBe('bcd own ')
  })
})

describe('the export', () => {
  test('has all addresses in one cell, and importing it again changes nothing', async () => {
    const yard = await yardWith('cab')
    const { seller, id } = yard
    await addOwn(yard)
    await order(yard, [1, 3, 0, 2])
    const { text, rows } = await exportParts(seller.api)
    expect(rows[0]?.imageUrl).toBe(urls('acb').join(' | '))
    const { body } = await sendCsv<DryRunReply>(seller.api, {
      file: text,
      fields: { mapping: standardMapping },
      dryRun: true,
    })
    expect(body.preview.whole).toMatchObject({ create: 0, update: 0, unchanged: 1 })
    const before = await picturesOf(id)
    await importRows(app, seller, [row('cab', { listingid: id, imageUrl: rows[0]?.imageUrl ?? '' })])
    expect(await picturesOf(id)).toEqual(before)
    // In its cell a seller orders, adds and removes.
    await importRows(app, seller, [{ ...row('bxc'), listingid: id }])
    expect(await namesOf(id)).toBe('b own xc')
  })
})

test('a dry run and the plan show the list that a file changes', async () => {
  const { seller, id } = await yardWith('ab')
  const promotion = await importRows(app, seller, [row('abc')])
  const [change] = (await changesOf(app, id)).slice(-1)
  expect(promotion.plan).toMatchObject({ update: 1 })
  const ids = (await picturesOf(id)).map((picture) => picture.id)
  expect(change?.changes).toEqual({
    imageUrl: [urls('ab').join(' | '), urls('abc').join(' | ')],
    pictures: [ids.slice(0, 2), ids],
  })
  const page = await app.visitor.get<Listing>(`/auto-part/${(await listingsOf(app, seller))[0]?.slug}`)
  expect(page.body.images).toHaveLength(2)
})
