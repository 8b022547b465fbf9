import { beforeAll, describe, expect, test } from 'vitest'
import type { BulkResult } from '#contract/admin/listings.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing, ListingPage } from '#contract/listings.ts'
import type { CarModel } from '#contract/lookups.ts'
import { makeQuickListing, someLookups } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

type Saved = {
  ok: boolean
  updated: number
  changeSetId: string | null
  earlierChangeSetIds?: string[]
  results: BulkResult[]
  error?: string
}

const app = await startTestApp()
let seller: SignedIn
let admin: SignedIn
beforeAll(async () => {
  seller = await app.signUp()
  admin = await app.signUp({ role: 'admin' })
})

let made = 0
/** A listing with a unique part number. */
const make = (changes: object = {}) => makeQuickListing(seller.api, { partnum: `BE-${++made}-X`, ...changes })
const save = async (items: unknown[]) =>
  (await admin.api.post<Saved>('/admin/parts/bulk-update', { items })).body
const read = async (id: string) => (await admin.api.get<Listing>(`/admin/parts/${id}`)).body
/** The listing as an administrator reads it: not their own. */
const asRead = (listing: Listing) => ({ ...listing, mine: false })
const briefly = ({ results }: Saved) => results.map(({ ok, code }) => (ok ? 'ok' : code))

describe('POST /admin/parts/bulk-update', () => {
  test('changes several listings under one change set and returns their current state', async () => {
    const [one, two] = [await make(), await make()]
    const saved = await save([
      { id: one.id, partprice: 80, partname: 'Dynamo', version: one.version },
      {
        partnum: two.partnum?.toLowerCase().replaceAll('-', ' '),
        dealername: 'Hull & Sons',
        status: 'hidden',
      },
    ])
    expect(saved).toMatchObject({ ok: true, updated: 2, changeSetId: expect.any(String) })
    expect(saved.results).toEqual([
      expect.objectContaining({ id: one.id, partnum: one.partnum, ok: true, errors: [] }),
      expect.objectContaining({ id: two.id, ok: true, errors: [] }),
    ])
    expect(saved.results[0]?.current).toEqual(await read(one.id))
    expect(await read(one.id)).toMatchObject({ partprice: 80, partname: 'Dynamo', version: 2 })
    expect(await read(two.id)).toMatchObject({ dealername: 'Hull & Sons', status: 'HIDDEN', version: 2 })
    const found = await app.visitor.get<ListingPage>('/parts?q=dynamo')
    expect(found.body.items.map(({ id }) => id)).toEqual([one.id])
  })

  test('a listing missing from the search index is found again with the others', async () => {
    const [lost, other] = [await make(), await make()]
    await app.db.deleteFrom('listing_search').where('listing_id', '=', lost.id).execute()
    await save([lost, other].map(({ id }) => ({ id, partname: 'Supercharger' })))
    const found = await app.visitor.get<ListingPage>('/parts?q=supercharger')
    expect(found.body.items.map(({ id }) => id).toSorted()).toEqual([lost.id, other.id].toSorted())
  })

  test('one invalid item leaves the others saved, in the order of the call', async () => {
    const listings = await Promise.all(Array.from({ length: 5 }, () => make()))
    const saved = await save(
      listings.map(({ id }, at) => ({
        id,
        partprice: at === 2 ? '12.345' : '50',
        partgrade: at === 2 ? 'Q' : 'B',
      })),
    )
    expect([saved.ok, saved.updated, briefly(saved)]).toEqual([
      true,
      4,
      ['ok', 'ok', 'VALIDATION_FAILED', 'ok', 'ok'],
    ])
    expect(saved.results[2]).toEqual({
      id: listings[2]?.id,
      partnum: listings[2]?.partnum,
      ok: false,
      code: 'VALIDATION_FAILED',
      errors: [
        'Price: Enter a price like 129.95 (up to 2 decimals)',
        'Grade: Choose A excellent, B good, C fair or D poor',
      ],
      fields: {
        partprice: 'Enter a price like 129.95 (up to 2 decimals)',
        partgrade: 'Choose A excellent, B good, C fair or D poor',
      },
    })
    expect((await read(listings[2]?.id ?? '')).version).toBe(1)
  })

  test('a required field cannot be cleared, and banned words are refused', async () => {
    const [one, two] = [await make(), await make()]
    const saved = await save([
      { id: one.id, partname: '' },
      { id: two.id, partdescription: 'a shit part' },
    ])
    expect(saved).toMatchObject({ ok: false, updated: 0, changeSetId: null, error: expect.any(String) })
    expect(saved.results.map(({ errors }) => errors)).toEqual([
      ['Title is required'],
      ['Description: Please remove inappropriate language (shit).'],
    ])
  })

  test('a stale version fails only its row, names the editor and returns the current record', async () => {
    const [one, two] = [await make(), await make()]
    await admin.api.put(`/auto-parts/${one.id}`, { partprice: '70' })
    const saved = await save([
      { id: one.id, version: 1, partprice: '60' },
      { id: two.id, version: 1, partprice: '60' },
    ])
    expect([saved.updated, briefly(saved)]).toEqual([1, ['STALE', 'ok']])
    const [stale] = saved.results
    expect(stale?.errors[0]).toMatch(
      /^Dana Whitfield changed it on \w{3} \d+, \d{4}, \d+:\d\d\s[AP]M UTC, after you loaded it$/,
    )
    expect(stale?.current).toEqual(await read(one.id))
    expect(stale?.current).toMatchObject({ partprice: 70, version: 2 })
  })

  test('a save sent again after its answer was lost finds its own values, and both can be undone', async () => {
    const [one, two, three] = [await make(), await make(), await make()]
    const items = [one, two, three].map(({ id }) => ({ id, version: 1, partprice: '61', partgrade: 'c' }))
    const lost = await save(items)
    await admin.api.put(`/auto-parts/${two.id}`, { dealername: 'Hull & Sons' })
    await admin.api.put(`/auto-parts/${three.id}`, { partprice: '75' })

    const again = await save(items)
    expect([again.ok, again.updated, briefly(again)]).toEqual([true, 2, ['ok', 'ok', 'STALE']])
    expect(again).toMatchObject({ changeSetId: null, earlierChangeSetIds: [lost.changeSetId] })
    expect(again.results[1]?.current).toMatchObject({ partprice: 61, dealername: 'Hull & Sons', version: 3 })

    const other = await app.signUp({ role: 'admin' })
    const { body: same } = await other.api.post<Saved>('/admin/parts/bulk-update', {
      items: items.slice(0, 1),
    })
    expect([same.ok, same.updated, same.earlierChangeSetIds]).toEqual([true, 0, undefined])
    await admin.api.post(`/admin/change-sets/${lost.changeSetId}/undo`)
    expect((await read(one.id)).partprice).toBe(one.partprice)
  })

  test('a part number of two listings is ambiguous, one of none is unknown', async () => {
    const [one, two] = [await make({ partnum: 'TWIN 77-A' }), await make({ partnum: 'TWIN77A' })]
    const saved = await save([
      { partnum: 'twin-77a', partprice: '1' },
      { partnum: 'NO-SUCH-9', partprice: '1' },
      { partnum: '%_', partprice: '1' },
    ])
    expect(briefly(saved)).toEqual(['AMBIGUOUS', 'NOT_FOUND', 'NOT_FOUND'])
    expect(saved.results[0]?.errors[0]).toContain('More than one listing has part number')
    expect(saved.results[1]?.errors).toEqual(['There is no listing with part number NO-SUCH-9'])
    expect([await read(one.id), await read(two.id)]).toEqual([asRead(one), asRead(two)])
  })

  test('a part number in another listing’s text does not match that listing', async () => {
    const listing = await make()
    await make({ partdesc: `Also fits in place of ${listing.partnum}.` })
    const saved = await save([{ partnum: listing.partnum, partprice: '33' }])
    expect(saved.results).toMatchObject([{ ok: true, id: listing.id }])
  })

  test('of two items for the same listing, only the first counts', async () => {
    const listing = await make()
    const saved = await save([
      { id: listing.id, partprice: '10' },
      { partnum: listing.partnum, partprice: '20' },
    ])
    expect(briefly(saved)).toEqual(['ok', 'VALIDATION_FAILED'])
    expect(saved.results[1]?.errors[0]).toContain('twice')
    expect((await read(listing.id)).partprice).toBe(10)
  })

  test('deleted listings, unknown ids and items without a key get different errors', async () => {
    const listing = await make()
    await seller.api.delete(`/seller/parts/${listing.id}`)
    const saved = await save([
      { id: listing.id, partprice: '10' },
      { id: '00000000-0000-7000-8000-000000000000', partprice: '10' },
      { id: 'nonsense', partprice: '10' },
      { partprice: '10' },
      { partnum: listing.partnum, partprice: '10' },
    ])
    expect(briefly(saved)).toEqual([
      'LISTING_DELETED',
      'NOT_FOUND',
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'NOT_FOUND',
    ])
    expect(saved.results[0]?.errors).toEqual(['This listing was deleted'])
  })

  test('fields that a bulk save may not change are ignored; an item without changes succeeds', async () => {
    const listing = await make()
    const saved = await save([
      {
        id: listing.id,
        partslug: 'mine-now',
        sellerId: seller.user.id,
        partmanuname: 'Toyota',
        endedAt: '2020-01-01',
        partprice: String(listing.partprice),
      },
    ])
    expect(saved).toMatchObject({ ok: true, updated: 0, changeSetId: null })
    expect(saved.results[0]?.current).toEqual(asRead(listing))
    expect(await read(listing.id)).toEqual(asRead(listing))
  })

  test('a model is matched among the listing’s manufacturer’s models, or else kept as text', async () => {
    const { manufacturer, model } = await someLookups(app.visitor)
    const { body: models } = await app.visitor.get<CarModel[]>(`/carmodels?manuId=${manufacturer.id}`)
    const other = models.find(({ id }) => id !== model.id)
    const [one, two] = [await make(), await make()]
    const saved = await save([
      { id: one.id, partmodel: other?.carname.toUpperCase() },
      { id: two.id, partmodel: 'Wyvern' },
    ])
    expect(saved.results.map(({ current }) => [current?.partmodel, current?.partmodelId])).toEqual([
      [other?.carname, other?.id],
      ['Wyvern', null],
    ])
  })

  test('more than 1,000 items are refused, and an empty list does nothing', async () => {
    const json = { 'content-type': 'application/json' }
    const items = Array.from({ length: 1_001 }, () => ({ id: 'x' }))
    const answer = await admin.api.post<ErrorReply>('/admin/parts/bulk-update', { items })
    expect([answer.status, answer.body.error]).toEqual([422, 'At most 1,000 items a call; split them'])
    expect((await admin.api.post('/admin/parts/bulk-update', {})).status).toBe(422)
    expect((await admin.api.post('/admin/parts/bulk-update', '{"items":', json)).status).toBe(400)
    expect(await save([])).toEqual({ ok: true, updated: 0, changeSetId: null, results: [] })
  })

  test('two saves of the same rows at once do not deadlock, and one is stale', async () => {
    const listings = await Promise.all(Array.from({ length: 30 }, () => make()))
    const items = (partprice: string) => listings.map(({ id, version }) => ({ id, version, partprice }))
    const saves = await Promise.all([save(items('41')), save(items('42').toReversed())])
    expect(saves.map(({ updated }) => updated).toSorted()).toEqual([0, 30])
    const lost = saves.find(({ updated }) => updated === 0)
    expect(new Set(lost && briefly(lost))).toEqual(new Set(['STALE']))
    const won = saves[0]?.updated === 30 ? 41 : 42
    const now = await Promise.all(listings.map(({ id }) => read(id)))
    expect(new Set(now.map(({ partprice, version }) => `${partprice} v${version}`))).toEqual(
      new Set([`${won} v2`]),
    )
  })
})

describe('permissions', () => {
  test('a seller is refused and nothing is written; a visitor has to sign in', async () => {
    const listing = await make()
    const items = [{ id: listing.id, partprice: '1' }]
    expect((await seller.api.post('/admin/parts/bulk-update', { items })).status).toBe(403)
    expect((await app.visitor.post('/admin/parts/bulk-update', { items })).status).toBe(401)
    expect(await read(listing.id)).toEqual(asRead(listing))
  })
})
