import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { loadLookups } from '#server/features/market/lookups/load-lookups.ts'
import { createProvisionalNames } from '#server/features/market/lookups/new-names.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let admin: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
})

test('real vehicles and our own tree of part types are there', async () => {
  const [categories, manufacturers] = await Promise.all([
    app.visitor.get<Category[]>('/categories'),
    app.visitor.get<Manufacturer[]>('/manufacturers'),
  ])
  expect(categories.body.length).toBeGreaterThanOrEqual(120)
  expect(new Set(categories.body.map(({ group }) => group)).size).toBeGreaterThanOrEqual(12)
  expect(categories.body.find(({ aliases }) => aliases.includes('taillight'))?.name).toBe(
    'Tail Lamp Assembly',
  )
  expect(manufacturers.body.find(({ aliases }) => aliases.includes('Chevy'))?.manuname).toBe('Chevrolet')
  const toyota = manufacturers.body.find(({ manuname }) => manuname === 'Toyota')
  const { body: models } = await app.visitor.get<CarModel[]>(`/carmodels?manuId=${toyota?.id}`)
  const camry = models.find(({ carname }) => carname === 'Camry')
  expect(camry?.years.some(([from, to]) => from <= 2014 && 2014 <= to)).toBe(true)
  expect(new Set(models.map(({ manuId }) => manuId))).toEqual(new Set([toyota?.id]))
})

test('models of a category include those that belong to none', async () => {
  const [category] = (await app.visitor.get<Category[]>('/categories')).body
  const { body } = await app.visitor.get<CarModel[]>(`/carmodels?categoryId=${category?.id}&q=camry`)
  expect(body.map(({ carname }) => carname)).toContain('Camry')
})

test('models can be listed by year', async () => {
  const { body: makes } = await app.visitor.get<Manufacturer[]>('/manufacturers')
  const ford = makes.find(({ manuname }) => manuname === 'Ford')?.id ?? ''
  const namesIn = async (year: string) =>
    (await app.visitor.get<CarModel[]>(`/carmodels?manuId=${ford}&year=${year}`)).body.map(
      ({ carname }) => carname,
    )
  const [all, old, recent] = [await namesIn(''), await namesIn('1994-1996'), await namesIn('2023')]
  expect(all).toEqual(expect.arrayContaining(['F-150', 'Aspire', 'Mustang MACH-E']))
  expect(old).toEqual(expect.arrayContaining(['F-150', 'Aspire']))
  expect(old).not.toContain('Mustang MACH-E')
  expect(recent).toContain('Mustang MACH-E')
  expect(recent).not.toContain('Aspire')
})

const countOf = async (table: 'category' | 'manufacturer' | 'car_model' | 'change_set' | 'lookup_change') =>
  Number((await app.db.selectFrom(table).select(app.db.fn.countAll().as('n')).executeTakeFirst())?.n)

test('loading again changes nothing and leaves no empty change set', async () => {
  const counts = () => Promise.all([countOf('car_model'), countOf('change_set'), countOf('lookup_change')])
  const before = await counts()
  await Promise.all([loadLookups(app.db), loadLookups(app.db)])
  expect(await counts()).toEqual(before)
})

test('built-in names are in the history with their source, an admin’s with the admin’s name', async () => {
  const changes = await app.db
    .selectFrom('lookup_change')
    .innerJoin('change_set', 'change_set.id', 'change_set_id')
    .select((eb) => ['kind', 'reason', 'changes', eb.fn.countAll<number>().as('n')])
    .groupBy(['kind', 'reason', 'changes'])
    .orderBy('kind')
    .execute()
  const loaded = async (kind: 'category' | 'manufacturer' | 'car_model') => ({
    kind,
    reason: 'load lookups',
    changes: { created: [null, 'catalogue data'] },
    n: await countOf(kind),
  })
  expect(changes).toEqual([await loaded('car_model'), await loaded('category'), await loaded('manufacturer')])

  const { body: made } = await admin.api.post<Category>('/category', { name: 'Hovercraft skirt' })
  const change = await app.db
    .selectFrom('lookup_change')
    .innerJoin('change_set', 'change_set.id', 'change_set_id')
    .select(['kind', 'changes', 'actor_user_id', 'reason'])
    .where('lookup_id', '=', made.id)
    .execute()
  expect(change).toEqual([
    {
      kind: 'category',
      changes: { name: [null, 'Hovercraft skirt'] },
      actor_user_id: admin.user.id,
      reason: 'create category',
    },
  ])
})

describe('POST /category, /manufacturer, /carmodel', () => {
  test('of many admins adding one name at once exactly one succeeds', async () => {
    const names = ['Flux Capacitor', 'flux capacitor', ' FLUX  CAPACITOR ', 'FluxCapacitor']
    const answers = await Promise.all(names.map((name) => admin.api.post<ErrorReply>('/category', { name })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({
      code: 'CONFLICT',
      fields: { name: expect.stringContaining('already') },
    })
  })

  test('a new model belongs to its manufacturer; the same name under another is fine', async () => {
    const made = await admin.api.post<Manufacturer>('/manufacturer', { manuname: 'Studebaker' })
    const model = await admin.api.post<CarModel>('/carmodel', { carname: 'Lark', manuId: made.body.id })
    expect([model.status, model.body.carname]).toEqual([201, 'Lark'])
    const twice = await admin.api.post('/carmodel', { carname: 'LARK', manuId: made.body.id })
    expect(twice.status).toBe(409)
    const other = await admin.api.post<Manufacturer>('/manufacturer', { manuname: 'Nash' })
    expect((await admin.api.post('/carmodel', { carname: 'Lark', manuId: other.body.id })).status).toBe(201)
  })

  test.each([
    ['/category', { name: '   ' }, 'Category name is required'],
    ['/carmodel', { carname: '', manuId: '' }, 'Model name is required'],
    ['/carmodel', { carname: 'X', manuId: 'x' }, 'Please choose a manufacturer'],
    [
      '/carmodel',
      { carname: 'X', manuId: '00000000-0000-7000-8000-000000000000' },
      'There is no such manufacturer. Choose one from the list.',
    ],
  ])('%s %j', async (path, body, error) => {
    const answer = await admin.api.post<ErrorReply>(path, body)
    expect([answer.status, answer.body.error]).toEqual([422, error])
  })

  test('the database keeps a manufacturer that listings use', async () => {
    const listing = await makeQuickListing(admin.api)
    const remove = app.db.transaction().execute(async (trx) => {
      await trx.executeQuery({
        ...trx
          .selectNoFrom((eb) =>
            eb.fn('set_config', [eb.val('partharbor.change_set'), eb.val('x'), eb.val(true)]).as('x'),
          )
          .compile(),
      })
      await trx.deleteFrom('manufacturer').where('id', '=', listing.partmanuId).execute()
    })
    await expect(remove).rejects.toThrow('foreign key')
  })
})

describe('a name that one yard’s file made', () => {
  const everyoneSees = async (path: string, id: string) =>
    (await app.visitor.get<{ id: string }[]>(path)).body.some((each) => each.id === id)
  const SINCE = new Date(Date.now() - 40 * 86_400_000)
  /** Registered 40 days ago and selling. */
  const established = async () => {
    const seller = await app.signUp()
    await app.db.updateTable('app_user').set({ created_at: SINCE }).where('id', '=', seller.user.id).execute()
    const part = await makeQuickListing(seller.api)
    return { ...seller, part }
  }

  test('is chosen by a stranger neither by id nor by name, and shared by an established yard’s person', async () => {
    const owner = await app.signUp()
    const made = await withChangeSet(
      app.db,
      { actorKind: 'system', reason: 'a test' },
      (trx, changeSetId) => {
        const names = { categories: ['Zorb coupler'], manufacturers: ['Zorbmobil'] }
        const models = [{ manufacturer: 'Zorbmobil', model: 'Zorbine' }]
        return createProvisionalNames(
          trx,
          changeSetId,
          { ...names, models },
          { sellerId: owner.user.sellerId },
        )
      },
    )
    const [category, manufacturer, model] = [made.categories[0], made.manufacturers[0], made.models[0]]
    const chosen = {
      partcategoryId: category?.id ?? '',
      partmanuId: manufacturer?.id ?? '',
      partmodelId: model?.id ?? '',
      partmodel: 'Zorbine',
    }
    await makeQuickListing(owner.api, chosen)
    const [stranger, second] = [await app.signUp({ isNew: true }), await established()]
    const { part } = { part: await makeQuickListing(stranger.api) }
    const refused = await stranger.api.put<ErrorReply>(`/seller/parts/${part.id}`, chosen)
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([
      422,
      ['partcategoryId', 'partmanuId', 'partmodelId'],
    ])
    for (const named of [{ partcategoryId: 'zorb coupler' }, { partmanuId: '', partmanuname: 'Zorbmobil' }]) {
      expect((await stranger.api.put(`/seller/parts/${part.id}`, named)).status).toBe(422)
    }
    expect(await everyoneSees('/categories', chosen.partcategoryId)).toBe(false)

    const { body: created } = await second.api.post<{ token: string }>('/api-tokens', {
      name: 'Yard',
      scopes: ['listings:write'],
      expiresInDays: null,
    })
    const program = app.visitor.as({ token: created.token })
    const category2 = { partcategoryId: chosen.partcategoryId }
    expect((await program.put(`/seller/parts/${second.part.id}`, category2)).status).toBe(200)
    expect(await everyoneSees('/categories', chosen.partcategoryId)).toBe(false)
    const listed = await makeQuickListing(second.api, chosen)
    expect(listed).toMatchObject({ partmanuname: 'Zorbmobil', partmodel: 'Zorbine' })
    for (const [path, id] of [
      ['/categories', chosen.partcategoryId],
      ['/manufacturers', chosen.partmanuId],
      [`/carmodels?manuId=${chosen.partmanuId}`, chosen.partmodelId],
    ] as const) {
      expect([path, await everyoneSees(path, id)]).toEqual([path, true])
    }
    expect((await stranger.api.put(`/seller/parts/${part.id}`, chosen)).status).toBe(200)
  })
})
