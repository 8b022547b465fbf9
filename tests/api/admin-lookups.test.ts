import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import type { CarModel, Category, ManagedLookup, Manufacturer } from '#contract/lookups.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { createProvisionalNames } from '#server/features/market/lookups/new-names.ts'
import { finishMerges, hasUnfinished } from '#server/features/market/relabeling/relabel-listings.ts'
import { lookupNamed, managed, startRelabeling } from '#tests/support/admin-lookups.ts'
import { untilStatus } from '#tests/support/job-bench.ts'
import { makePictureListing, makeQuickListing, quickListing, someLookups } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { changesOf } from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
await startRelabeling(app)
let admin: SignedIn
let seller: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  seller = await app.signUp()
})

async function category(name: string): Promise<Category> {
  const { status, body } = await admin.api.post<Category>('/category', { name })
  expect([name, status]).toEqual([name, 201])
  return body
}
const manufacturer = async (manuname: string) =>
  (await admin.api.post<Manufacturer>('/manufacturer', { manuname })).body
const model = async (manuId: string, carname: string) =>
  (await admin.api.post<CarModel>('/carmodel', { manuId, carname })).body
const provisional = (categories: string[], models: { manufacturer: string; model: string }[] = []) =>
  withChangeSet(app.db, { actorKind: 'system', reason: 'import' }, (trx, changeSetId) =>
    createProvisionalNames(trx, changeSetId, {
      categories,
      manufacturers: models.map((each) => each.manufacturer),
      models,
    }),
  )
const listingNow = async (id: string) => (await seller.api.get<Listing>(`/seller/parts/${id}`)).body
const foundBy = async (q: string) => {
  const { body } = await seller.api.get<{ items: Listing[] }>(`/seller/parts?q=${encodeURIComponent(q)}`)
  return body.items.map(({ id }) => id)
}
/** The newest job that has listings follow the lookup, when it has ended. */
async function followed(id: string) {
  const jobs = await app.db.selectFrom('job').selectAll().where('queue', '=', 'relabel-listings').execute()
  const job = jobs.filter(({ payload }) => (payload as { id: string }).id === id).at(-1)
  return untilStatus(app, job?.id ?? '', 'completed')
}
async function merge(kind: string, id: string, into: string) {
  const { status, body } = await admin.api.post<{ jobId: string }>(`/admin/lookups/${kind}/${id}/merge`, {
    into,
  })
  expect(status).toBe(202)
  return untilStatus(app, body.jobId, 'completed')
}
const historyOf = (id: string) =>
  app.db
    .selectFrom('lookup_change')
    .innerJoin('change_set', 'change_set.id', 'change_set_id')
    .select(['changes', 'reason', 'actor_user_id'])
    .where('lookup_id', '=', id)
    .orderBy('lookup_change.id')
    .execute()
const auditOf = (target: string) =>
  app.db.selectFrom('audit_entry').select(['action', 'detail']).where('target', '=', target).execute()

describe('GET /admin/lookups/{kind}', () => {
  test('counts what uses each, deleted listings left out, provisional ones too', async () => {
    const { id } = await category('Bumper Trim')
    await provisional(['Bumper Trimm'])
    const [kept, ended, deleted] = [
      await makeQuickListing(seller.api, { partcategoryId: id }),
      await makeQuickListing(seller.api, { partcategoryId: id }),
      await makeQuickListing(seller.api, { partcategoryId: id }),
    ]
    await seller.api.post(`/seller/parts/${ended.id}/end`, { reason: 'scrapped' })
    await seller.api.delete(`/seller/parts/${deleted.id}`)
    expect(kept.partcategoryId).toBe(id)
    const { items, total, provisional: waiting } = await managed(admin, 'category', 'q=bumpertrim')
    expect(items).toMatchObject([
      { id, name: 'Bumper Trim', confirmed: true, listings: 2, aliases: [], manuId: null, models: 0 },
      { name: 'Bumper Trimm', confirmed: false, listings: 0 },
    ])
    expect([total, waiting > 0]).toEqual([2, true])
    const states = await Promise.all(
      ['confirmed', 'provisional', 'unused'].map((state) =>
        managed(admin, 'category', `q=bumper trim&state=${state}`),
      ),
    )
    expect(states.map((state) => state.items.map(({ name }) => name))).toEqual([
      ['Bumper Trim'],
      ['Bumper Trimm'],
      ['Bumper Trimm'],
    ])
  })

  test('finds aliases, and models by their manufacturer; pages; punctuation is not a wildcard', async () => {
    expect((await managed(admin, 'manufacturer', 'q=chev y')).items.map(({ name }) => name)).toEqual([
      'Chevrolet',
    ])
    const chevrolet = await lookupNamed(admin, 'manufacturer', 'Chevrolet')
    expect(chevrolet.models).toBeGreaterThan(10)
    const models = await managed(admin, 'car-model', `manuId=${chevrolet.id}&perPage=3`)
    expect([models.total, models.items.length]).toEqual([chevrolet.models, 3])
    const next = await managed(admin, 'car-model', `manuId=${chevrolet.id}&perPage=3&page=2`)
    expect(next.items[0]?.name).not.toBe(models.items[2]?.name)
    expect(models.items[0]).toMatchObject({ manuId: chevrolet.id, manuname: 'Chevrolet' })
    expect((await managed(admin, 'car-model', 'q=fordmustang')).items.map(({ name }) => name)).toContain(
      'Mustang',
    )
    expect((await managed(admin, 'category', 'q=%25')).total).toBe(0)
    expect((await managed(admin, 'category', 'page=100000')).items).toEqual([])
  })

  test.each(['page=0', 'perPage=101', 'state=broken', `q=${'x'.repeat(201)}`, 'manuId=7'])(
    '400 for %s',
    async (query) => {
      expect((await admin.api.get(`/admin/lookups/category?${query}`)).status).toBe(400)
    },
  )
})

describe('PUT /admin/lookups/{kind}/{id}', () => {
  test('a manufacturer’s listings show the new name and are found by the new and the old one', async () => {
    const { id } = await manufacturer('Hupmobil')
    const listing = await makePictureListing(seller.api, { partmanuId: id, partmodel: 'Skylark' })
    const { status, body } = await admin.api.put<ManagedLookup>(`/admin/lookups/manufacturer/${id}`, {
      name: 'Hupp Motors',
    })
    expect([status, body]).toMatchObject([
      200,
      { id, name: 'Hupp Motors', aliases: ['Hupmobil'], listings: 1 },
    ])
    expect((await followed(id)).result).toEqual({ moved: 0, relabelled: 1 })
    expect(await listingNow(listing.id)).toMatchObject({ partmanuname: 'Hupp Motors', version: 2 })
    expect([await foundBy('hupp'), await foundBy('hupmobil')]).toEqual([[listing.id], [listing.id]])
    expect(await changesOf(app, listing.id)).toMatchObject([
      {},
      { version: 2, changes: { manufacturer_name: ['Hupmobil', 'Hupp Motors'] } },
    ])
    const typed = { partmanuId: '', partmanuname: 'hupmobil', partmodel: 'A' }
    const again = await makePictureListing(seller.api, typed)
    expect(again).toMatchObject({ partmanuId: id, partmanuname: 'Hupp Motors' })
    expect(await historyOf(id)).toMatchObject([
      {},
      {
        changes: { name: ['Hupmobil', 'Hupp Motors'] },
        reason: 'rename manufacturer',
        actor_user_id: admin.user.id,
      },
    ])
    expect(await auditOf(id)).toMatchObject([
      { action: 'lookup-created' },
      { action: 'lookup-renamed', detail: { kind: 'manufacturer', from: 'Hupmobil', to: 'Hupp Motors' } },
    ])
  })

  test('a description’s line for the vehicle follows the new name, and the seller’s words stay', async () => {
    const { id } = await manufacturer('Duesenborg')
    const listing = await makePictureListing(seller.api, {
      partmanuId: id,
      partmodel: 'SJ',
      partyear: '2014',
      partdescription: 'Off a Duesenborg.\n\nVehicle: 2014 Duesenborg SJ',
    })
    await admin.api.put(`/admin/lookups/manufacturer/${id}`, { name: 'Duesenberg' })
    await followed(id)
    expect((await listingNow(listing.id)).partdescription).toBe(
      'Off a Duesenborg.\n\nVehicle: 2014 Duesenberg SJ',
    )
  })

  test('a category’s listings keep their version, as nothing in them changes, and are found by both names', async () => {
    const { id } = await category('Zeppelin Cabin')
    const listing = await makeQuickListing(seller.api, { partcategoryId: id })
    await admin.api.put(`/admin/lookups/category/${id}`, { name: 'Airship Gondola' })
    await followed(id)
    expect(await listingNow(listing.id)).toMatchObject({
      version: 1,
      partcategory: { name: 'Airship Gondola' },
    })
    expect([await foundBy('gondola'), await foundBy('zeppelin')]).toEqual([[listing.id], [listing.id]])
  })

  test('a model’s old name still works in forms and files', async () => {
    const { id: manuId } = await manufacturer('Tucker')
    const { id } = await model(manuId, '48 Sedan')
    const listing = await makeQuickListing(seller.api, {
      partmanuId: manuId,
      partmodel: '48 Sedan',
      partmodelId: id,
    })
    await admin.api.put(`/admin/lookups/car-model/${id}`, { name: 'Torpedo' })
    await followed(id)
    expect(await listingNow(listing.id)).toMatchObject({ partmodel: 'Torpedo', partmodelId: id })
    const typed = { partmanuId: manuId, partmodel: '48sedan' }
    expect(await makePictureListing(seller.api, typed)).toMatchObject({
      partmodel: 'Torpedo',
      partmodelId: id,
    })
    const found = await provisional([], [{ manufacturer: 'tucker', model: '48 SEDAN' }])
    expect(found.models).toMatchObject([{ id, name: 'Torpedo' }])
  })

  test('renaming back, and to another spelling', async () => {
    const { id } = await category('Rumble Seat')
    const rename = async (name: string) =>
      (await admin.api.put<ManagedLookup>(`/admin/lookups/category/${id}`, { name })).body
    expect((await rename('rumble  seat')).aliases).toEqual([])
    expect((await rename('Dickey Seat')).aliases).toEqual(['rumble  seat'])
    expect(await rename('Rumble Seat')).toMatchObject({ name: 'Rumble Seat', aliases: ['Dickey Seat'] })
    const entries = await historyOf(id)
    await rename('Rumble Seat')
    expect(await historyOf(id)).toHaveLength(entries.length)
  })

  test('409 names the lookup that has the name and offers to merge', async () => {
    const { id } = await category('Opera Window')
    await category('Zorp Window')
    const rename = (name: string) => admin.api.put<ErrorReply>(`/admin/lookups/category/${id}`, { name })
    const taken = await rename(' ZORP window')
    expect([taken.status, taken.body.fields]).toEqual([
      409,
      { name: '“Zorp Window” already exists. Merge the two instead.' },
    ])
    const alias = await rename('taillight')
    expect([alias.status, alias.body.error]).toEqual([
      409,
      '“taillight” is another name of the category “Tail Lamp Assembly”. Merge the two instead.',
    ])
    const made = await admin.api.post<ErrorReply>('/category', { name: 'Tail Light' })
    expect([made.status, made.body.error]).toEqual([
      409,
      '“Tail Light” is another name of the category “Tail Lamp Assembly”',
    ])
    expect((await rename('  ')).status).toBe(422)
    expect((await rename('x'.repeat(81))).status).toBe(422)
  })

  test('work left undone by a failed job is picked up, even for a merge whose lookup is gone', async () => {
    const [from, into] = [await category('Landau Bar'), await category('Landau Iron')]
    const endedAs = async (status: string, id: string) => {
      await sql`update job set status = ${status} where id = ${id}`.execute(app.db)
      expect(await hasUnfinished(app.db)).toBe(true)
      expect([await finishMerges(app.db), await finishMerges(app.db)]).toMatchObject([
        { resumed: 1 },
        { resumed: 0 },
      ])
    }
    await admin.api.put(`/admin/lookups/category/${from.id}`, { name: 'Landau Joint' })
    const renaming = await followed(from.id)
    await endedAs('failed', renaming.id)
    expect((await followed(from.id)).id).not.toBe(renaming.id)
    const merging = await merge('category', from.id, into.id)
    expect(await hasUnfinished(app.db)).toBe(false)
    await endedAs('cancelled', merging.id)
    expect(await followed(into.id)).toMatchObject({ payload: { kind: 'category', id: into.id } })
    expect(await hasUnfinished(app.db)).toBe(false)
  })

  test('of several lookups renamed to one name at once exactly one gets it', async () => {
    const made = [
      await category('Fender Skirt A'),
      await category('Fender Skirt B'),
      await category('Fender Skirt C'),
    ]
    const answers = await Promise.all([
      ...made.map(({ id }) => admin.api.put(`/admin/lookups/category/${id}`, { name: 'Fender Skirt' })),
      admin.api.post('/category', { name: 'fender skirt' }),
    ])
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
  })
})

describe('POST /admin/lookups/{kind}/{id}/confirm', () => {
  test('publishes a provisional name; a model after its manufacturer', async () => {
    const found = await provisional([], [{ manufacturer: 'Kaiser', model: 'Manhattan' }])
    const [maker, carModel] = [found.manufacturers[0]?.id ?? '', found.models[0]?.id ?? '']
    const confirm = (kind: string, id: string) =>
      admin.api.post<ManagedLookup & ErrorReply>(`/admin/lookups/${kind}/${id}/confirm`)
    const early = await confirm('car-model', carModel)
    expect([early.status, early.body.error]).toEqual([
      409,
      'Its manufacturer “Kaiser” is provisional too. Confirm or merge that one first.',
    ])
    expect((await confirm('manufacturer', maker)).body).toMatchObject({ name: 'Kaiser', confirmed: true })
    expect((await confirm('car-model', carModel)).body).toMatchObject({ name: 'Manhattan', confirmed: true })
    expect((await confirm('car-model', carModel)).status).toBe(200)
    const { body } = await app.visitor.get<CarModel[]>(`/carmodels?manuId=${maker}`)
    expect(body.map(({ carname }) => carname)).toEqual(['Manhattan'])
    expect(await historyOf(carModel)).toMatchObject([{}, { changes: { confirmed: [false, true] } }])
  })
})

describe('DELETE /admin/lookups/{kind}/{id}', () => {
  const remove = (kind: string, id: string) => admin.api.delete<ErrorReply>(`/admin/lookups/${kind}/${id}`)

  test('not while listings use it, and says how many', async () => {
    const { id } = await category('Curb Feeler')
    const listing = await makeQuickListing(seller.api, { partcategoryId: id })
    const refused = await remove('category', id)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      '1 listing uses “Curb Feeler”. Merge it into another category, or change those first.',
    ])
    await seller.api.delete(`/seller/parts/${listing.id}`)
    expect((await remove('category', id)).status).toBe(200)
    expect((await remove('category', id)).status).toBe(404)
    const restored = await seller.api.post<Listing>(`/seller/parts/${listing.id}/restore`)
    expect(restored.body.partcategory).toBeNull()
    expect((await changesOf(app, listing.id)).map(({ changes }) => changes)).toContainEqual({
      category_id: [id, null],
    })
    expect(await historyOf(id)).toMatchObject([{}, { changes: { name: ['Curb Feeler', null] } }])
  })

  test('thousands of deleted listings drop it page by page, in one change set', async () => {
    const { id } = await category('Trunk Rack')
    const { sellerId } = seller.user
    await makeStock(app.db, { sellerId, parts: 2_500 }, () => ({ category_id: id }))
    await withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx) =>
      sql`update listing set deleted_at = now(), version = version + 1 where category_id = ${id}`.execute(
        trx,
      ),
    )
    expect((await remove('category', id)).status).toBe(200)
    const { rows } = await sql`
      select count(*)::int as listings, count(distinct change_set_id)::int as sets from listing_change
      where changes -> 'category_id' ->> 0 = ${id} and changes -> 'category_id' ->> 1 is null
    `.execute(app.db)
    expect(rows).toEqual([{ listings: 2_500, sets: 1 }])
  })

  test('a manufacturer not while it has models, nor a category that models belong to', async () => {
    const { id: manuId } = await manufacturer('Stutz')
    const { id: categoryId } = await category('Boat Tail')
    const { body } = await admin.api.post<CarModel>('/carmodel', { manuId, carname: 'Bearcat', categoryId })
    const refused = await remove('manufacturer', manuId)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      '1 car model belongs to “Stutz”. Delete or merge those first, or merge it into another manufacturer.',
    ])
    expect((await remove('category', categoryId)).status).toBe(409)
    expect((await remove('car-model', body.id)).status).toBe(200)
    expect((await remove('manufacturer', manuId)).status).toBe(200)
    expect((await remove('category', categoryId)).status).toBe(200)
  })

  test('a delete racing with listings leaves nothing dangling, and the loser gets a sentence that says what to do', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id } = await category(`Landau Bar ${round}`)
      const body = quickListing(await someLookups(seller.api), { partcategoryId: id })
      const [removed, ...made] = await Promise.all([
        remove('category', id),
        ...[1, 2, 3].map(() => seller.api.post<ErrorReply>('/seller/quick-listings', body)),
      ])
      const listed = made.filter(({ status }) => status === 201)
      const refused = made.filter(({ status }) => status === 422)
      expect(listed.length + refused.length).toBe(3)
      for (const answer of refused) expect(answer.body.fields?.partcategoryId).toContain('from the list')
      const stands = (await managed(admin, 'category', `q=landau bar ${round}`)).items
      expect(stands.map(({ listings }) => listings)).toEqual(removed.status === 200 ? [] : [listed.length])
      if (removed.status === 200) expect(listed).toEqual([])
    }
  })
})

describe('404 and 422', () => {
  const NOBODY = '00000000-0000-7000-8000-000000000000'

  test('a lookup of another kind is not found', async () => {
    const { id } = await category('Spat')
    const path = `/admin/lookups/manufacturer/${id}`
    const answers = await Promise.all([
      admin.api.put(path, { name: 'X' }),
      admin.api.post(`${path}/confirm`),
      admin.api.post(`${path}/merge`, { into: id }),
      admin.api.delete(path),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })

  test('what a lookup cannot be merged into', async () => {
    const { id } = await category('Zorp Ornament')
    const [ford, dodge] = [
      await lookupNamed(admin, 'car-model', 'Mustang'),
      await lookupNamed(admin, 'car-model', 'Charger'),
    ]
    const merging = async (kind: string, from: string, into: string) => {
      const { status, body } = await admin.api.post<ErrorReply>(`/admin/lookups/${kind}/${from}/merge`, {
        into,
      })
      return [status, body.fields?.into]
    }
    expect(await merging('category', id, id)).toEqual([
      422,
      'A category cannot be merged into itself. Choose another one.',
    ])
    expect(await merging('category', id, NOBODY)).toEqual([
      422,
      'There is no such category. Choose one from the list.',
    ])
    expect(await merging('category', id, '')).toEqual([422, 'Choose the name to merge into'])
    expect(await merging('car-model', ford.id, dodge.id)).toEqual([
      422,
      'The two models belong to different manufacturers. Choose a model of the same one, or merge the manufacturers.',
    ])
  })

  test('merging shows at once what is merged', async () => {
    const [from, into] = [await category('Zorp Cover'), await category('Zorp Ring')]
    await merge('category', from.id, into.id)
    expect((await managed(admin, 'category', 'q=zorp cover')).items).toMatchObject([
      { id: into.id, aliases: ['Zorp Cover'] },
    ])
  })
})

describe('whether the parts of a category need a vehicle', () => {
  const marked = async (id: string, universal: boolean) =>
    admin.api.put<ManagedLookup & ErrorReply>(`/admin/lookups/category/${id}`, { universal })
  const isUniversal = async (id: string) =>
    (await app.visitor.get<Category[]>('/categories')).body.find((one) => one.id === id)?.universal

  test('is marked later, counts at once, and is in the history and the audit', async () => {
    const { id } = await category('Shop manual')
    const lookups = await someLookups(app.visitor)
    const manual = quickListing(lookups, {
      partcategoryId: id,
      partname: 'Shop manual',
      ...{ partmanuId: '', partmanuname: '', partmodel: '', partmodelId: '', parttrim: '', partyear: '' },
      partmiles: '',
    })
    const create = () => seller.api.post<Listing>('/seller/quick-listings', manual)
    expect((await create()).status).toBe(422)
    const { status, body } = await marked(id, true)
    expect([status, body.universal, await isUniversal(id)]).toEqual([200, true, true])
    expect((await historyOf(id)).at(-1)?.changes).toEqual({ universal: [false, true] })
    expect((await auditOf(id)).at(-1)).toEqual({
      action: 'lookup-marked',
      detail: { kind: 'category', name: 'Shop manual', universal: true },
    })
    const made = await create()
    expect(made.status).toBe(201)

    // A part without a vehicle could no longer be edited.
    const refused = await marked(id, false)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'Some parts in “Shop manual” name no vehicle. Give them one, or another category.',
    ])
    expect((await seller.api.delete(`/seller/parts/${made.body.id}`)).status).toBe(200)
    expect([(await marked(id, false)).status, await isUniversal(id)]).toEqual([200, false])
  })

  test('is said of categories only, with a name or alone', async () => {
    const { id } = await manufacturer('Wagoneer Works')
    const wrong = await admin.api.put(`/admin/lookups/manufacturer/${id}`, { universal: true })
    expect(wrong.status).toBe(422)
    const empty = await admin.api.put<ErrorReply>(`/admin/lookups/manufacturer/${id}`, {})
    expect([empty.status, empty.body.fields]).toEqual([422, { name: 'New name is required' }])
  })
})
