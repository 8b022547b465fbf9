import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import type { CarModel } from '#contract/lookups.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { makeQuickListing, someLookups } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

type Saved = { updated: number; changeSetId: string }
type Undone = { ok: true; undone: number; kept: { id: string; title: string; why: string }[] }
type Saves = {
  items: { id: string; by: string | null; how: string; listings: number; undoneAt: string | null }[]
  nextBefore: string | null
}
type History = {
  items: {
    version: number
    by: string | null
    how: string
    changeSetId: string
    fields: { field: string; label: string; before: unknown; after: unknown }[]
  }[]
  nextBefore: number | null
  created: { at: string; how: string }
}

const app = await startTestApp()
let seller: SignedIn
let admin: SignedIn
beforeAll(async () => {
  seller = await app.signUp()
  admin = await app.signUp({ role: 'admin' })
})

const save = async (items: unknown[]) =>
  (await admin.api.post<Saved>('/admin/parts/bulk-update', { items })).body
const undo = (changeSetId: string) => admin.api.post<Undone>(`/admin/change-sets/${changeSetId}/undo`)
const read = async (id: string) => (await admin.api.get<Listing>(`/admin/parts/${id}`)).body
const saves = async (query = '') => (await admin.api.get<Saves>(`/admin/change-sets${query}`)).body
const history = async (id: string, query = '') =>
  (await admin.api.get<History>(`/admin/parts/${id}/history${query}`)).body
const makeSome = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeQuickListing(seller.api)))

describe('POST /admin/change-sets/{id}/undo', () => {
  test('restores every listing under a change set of its own', async () => {
    const listings = await makeSome(3)
    const saved = await save(
      listings.map(({ id }) => ({
        id,
        partprice: '5',
        partname: 'Dynamo',
        status: 'HIDDEN',
        partmodel: 'Wyvern',
      })),
    )
    expect((await undo(saved.changeSetId)).body).toEqual({ ok: true, undone: 3, kept: [] })
    for (const listing of listings) {
      const now = await read(listing.id)
      expect(now).toEqual({ ...listing, mine: false, version: 3, updatedAt: now.updatedAt })
    }
    const { items } = await saves()
    expect(items.slice(0, 2)).toEqual([
      expect.objectContaining({ how: 'undo bulk edit', by: 'Dana Whitfield', listings: 3, undoneAt: null }),
      expect.objectContaining({ id: saved.changeSetId, how: 'bulk edit', undoneAt: expect.any(String) }),
    ])
  })

  test('listings changed or deleted since then are named and left alone', async () => {
    const [changed, deleted, untouched] = await makeSome(3)
    if (!changed || !deleted || !untouched) throw new Error('three were made')
    const { changeSetId } = await save(
      [changed, deleted, untouched].map(({ id }) => ({ id, partprice: '5' })),
    )
    await seller.api.put(`/seller/parts/${changed.id}`, { partcity: 'Enid' })
    await seller.api.delete(`/seller/parts/${deleted.id}`)
    const { body } = await undo(changeSetId)
    expect(body.undone).toBe(1)
    expect(body.kept.toSorted((a, b) => a.why.localeCompare(b.why))).toEqual([
      {
        id: changed.id,
        title: expect.stringContaining('Alternator'),
        why: expect.stringMatching(/^Dana .+ changed it on /),
      },
      { id: deleted.id, title: expect.stringContaining('Alternator'), why: 'It was deleted' },
    ])
    expect(await read(changed.id)).toMatchObject({ partprice: 5, partcity: 'Enid' })
    expect((await read(untouched.id)).partprice).toBe(untouched.partprice)
  })

  test('a second undo is refused, even at the same time; 404 for anything but a bulk save', async () => {
    const [listing] = await makeSome(1)
    const { changeSetId } = await save([{ id: listing?.id, partprice: '5' }])
    const answers = await Promise.all([undo(changeSetId), undo(changeSetId)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const again = await admin.api.post<ErrorReply>(`/admin/change-sets/${changeSetId}/undo`)
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
    const { rows } = await sql<{ id: string }>`
      select id from change_set where reason = 'create quick listing' limit 1
    `.execute(app.db)
    expect((await undo(rows[0]?.id ?? '')).status).toBe(404)
  })

  test('an undo can be undone like any other bulk save, and an undone change does not count', async () => {
    const [listing] = await makeSome(1)
    const first = await save([{ id: listing?.id, partprice: '5' }])
    const second = await save([{ id: listing?.id, partprice: '6', partgrade: 'D' }])
    await undo(second.changeSetId)
    const [newest] = (await saves()).items
    await undo(newest?.id ?? '')
    expect(await read(listing?.id ?? '')).toMatchObject({ partprice: 6, partgrade: 'D' })
    expect((await undo(first.changeSetId)).body).toMatchObject({ undone: 0, kept: [{ id: listing?.id }] })
    await admin.api.put(`/auto-parts/${listing?.id}`, { partprice: '5', partgrade: listing?.partgrade })
    expect((await undo(first.changeSetId)).body).toMatchObject({ undone: 1, kept: [] })
    expect((await read(listing?.id ?? '')).partprice).toBe(listing?.partprice)
  })

  test('a deleted model is not restored', async () => {
    const { manufacturer } = await someLookups(app.visitor)
    const { body: model } = await admin.api.post<CarModel>('/carmodel', {
      carname: 'Basilisk',
      manuId: manufacturer.id,
    })
    const listing = await makeQuickListing(seller.api, { partmodel: 'Basilisk', partmodelId: model.id })
    const { changeSetId } = await save([{ id: listing.id, partmodel: 'Wyvern' }])
    await withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx) =>
      trx.deleteFrom('car_model').where('id', '=', model.id).execute(),
    )
    const { body } = await undo(changeSetId)
    expect([body.undone, body.kept[0]?.why]).toEqual([
      0,
      'Its former model is no longer in the list of models',
    ])
  })
})

test('GET /admin/change-sets is paged', async () => {
  const [listing] = await makeSome(1)
  for (let price = 1; price <= 21; price++) await save([{ id: listing?.id, partprice: price }])
  const first = await saves()
  expect([first.items.length, first.nextBefore]).toEqual([20, first.items.at(-1)?.id])
  const second = await saves(`?before=${first.nextBefore}`)
  expect(second.items[0]?.id).not.toBe(first.items.at(-1)?.id)
  const ids = [...first.items, ...second.items].map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted().toReversed())
})

describe('GET /admin/parts/{id}/history', () => {
  test('lists who changed what and how, with field labels', async () => {
    const [listing] = await makeSome(1)
    if (!listing) throw new Error('one was made')
    await seller.api.put(`/seller/parts/${listing.id}`, { partprice: '80.5', partshipping: 'Flat $20' })
    const { changeSetId } = await save([{ id: listing.id, partgrade: 'C', status: 'HIDDEN' }])
    const told = await history(listing.id)
    expect(told).toEqual({
      items: [
        {
          version: 3,
          at: expect.any(String),
          by: 'Dana Whitfield',
          how: 'bulk edit',
          changeSetId,
          fields: [
            { field: 'partgrade', label: 'Grade', before: 'A', after: 'C' },
            { field: 'status', label: 'Status', before: 'ACTIVE', after: 'HIDDEN' },
          ],
        },
        {
          version: 2,
          at: expect.any(String),
          by: 'Dana Whitfield',
          how: 'edit listing',
          changeSetId: expect.any(String),
          fields: [
            { field: 'partprice', label: 'Price', before: 95.5, after: 80.5 },
            { field: 'partshipping', label: 'Shipping', before: 'On request', after: '$20.00' },
          ],
        },
      ],
      nextBefore: null,
      created: { at: listing.createdAt, how: 'quick form' },
    })
  })

  test('shows a category by name', async () => {
    const [listing] = await makeSome(1)
    const { body: categories } = await app.visitor.get<{ id: string; name: string }[]>('/categories')
    const other = categories.find(({ id }) => id !== listing?.partcategoryId)
    await admin.api.put(`/auto-parts/${listing?.id}`, { partcategory: other?.id })
    expect((await history(listing?.id ?? '')).items[0]?.fields).toEqual([
      {
        field: 'partcategory',
        label: 'Category',
        before: listing?.partcategory?.name,
        after: other?.name,
      },
    ])
  })

  test('is paged by version and survives deletion', async () => {
    const [listing] = await makeSome(1)
    const id = listing?.id ?? ''
    for (let price = 1; price <= 22; price++) await admin.api.put(`/auto-parts/${id}`, { partprice: price })
    await seller.api.delete(`/seller/parts/${id}`)
    const first = await history(id)
    expect(first.items.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, at) => 24 - at))
    expect(first.items[0]?.fields.map(({ label }) => label)).toEqual(['Deleted'])
    const rest = await history(id, `?before=${first.nextBefore}`)
    expect([rest.items.map(({ version }) => version), rest.nextBefore]).toEqual([[4, 3, 2], null])
  })

  test('is empty for an unknown listing', async () => {
    expect((await admin.api.get('/admin/parts/00000000-0000-7000-8000-000000000000/history')).status).toBe(
      404,
    )
  })
})
