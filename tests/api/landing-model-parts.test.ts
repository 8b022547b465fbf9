import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { LandingPage } from '#contract/landing.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { databaseBefore } from '#tests/support/older-database.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* The page of one category of a model's parts: /parts/make/{make}/{model}/{category}. */

const app = await startTestApp()
const { db, visitor } = app
const scripts = await openLiveScripts(app)
const before = await databaseBefore('0044')
let admin: SignedIn
let ids: string[]

type Car = { makeId: string; make: string; modelId: string; model: string }
let cars: Record<string, Car>
let parts: Record<string, string>

beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  const { rows } = await sql<Car>`
    select f.id as "makeId", f.name as make, m.id as "modelId", m.name as model
    from car_model m join manufacturer f on f.id = m.manufacturer_id
    where (f.name, m.name) in (('Ford', 'Escape'), ('Ford', 'Focus'), ('Toyota', 'Camry'))
  `.execute(db)
  cars = Object.fromEntries(rows.map((car) => [car.model, car]))
  const lookups = await sql<{ id: string; name: string }>`
    select id, name from category where name in ('Alternator', 'Starter Motor', 'Headlamp Assembly')`.execute(
    db,
  )
  parts = Object.fromEntries(lookups.rows.map(({ id, name }) => [name, id]))
  const listed = [
    ['Escape', 'Alternator', 9_000],
    ['Escape', 'Alternator', 12_050],
    ['Escape', 'Starter Motor', 4_000],
    ['Focus', 'Alternator', 8_000],
    ['Camry', 'Headlamp Assembly', 20_000],
  ] as const
  ids = await makeStock(db, { sellerId: admin.user.sellerId, parts: listed.length }, (at) => {
    const [model, part, price] = listed[at] ?? listed[0]
    const car = cars[model]
    return {
      name: part,
      category_id: parts[part] ?? null,
      manufacturer_id: car?.makeId ?? null,
      manufacturer_name: car?.make ?? '',
      car_model_id: car?.modelId ?? null,
      model_name: model,
      price_cents: price,
    }
  })
  await scripts.run('internal-linking')
})

const read = (slug: string) => visitor.get<LandingPage>(`/landing/model/${slug.replaceAll('/', '%2F')}`)
const open = (path: string) => app.http.inject({ method: 'GET', url: path })

test('has live counts and prices, and leads to what is beside and above it', async () => {
  const { status, body } = await read('ford/escape/alternator')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    kind: 'model',
    slug: 'ford/escape/alternator',
    heading: 'Ford Escape alternators',
    title: 'Used Ford Escape alternators for sale, from $90',
    parts: 2,
    priceFrom: 90,
    priceTo: 120.5,
    category: { id: parts.Alternator, name: 'Alternator' },
    breadcrumbs: [
      { name: 'Auto parts', path: '/parts' },
      { name: 'Ford parts', path: '/parts/make/ford' },
      { name: 'Ford Escape parts', path: '/parts/make/ford/escape' },
    ],
    topCategories: [{ name: 'Starter Motor', slug: 'ford/escape/starter-motor', count: 1 }],
    topModels: [{ name: 'Ford Focus', slug: 'ford/focus/alternator', count: 1 }],
  })
  expect(body.lookupId).toBe(cars.Escape?.modelId)
  expect((await open('/parts/make/ford/escape/alternator')).headers.location).toBeUndefined()
})

test('the pages of the model and of the category lead to it', async () => {
  expect((await read('ford/escape')).body.topCategories).toEqual([
    { name: 'Alternator', slug: 'ford/escape/alternator', count: 2 },
    { name: 'Starter Motor', slug: 'ford/escape/starter-motor', count: 1 },
  ])
  const { body: category } = await visitor.get<LandingPage>('/landing/category/alternator')
  expect(category.topModels.map(({ slug }) => slug)).toEqual([
    'ford/escape/alternator',
    'ford/focus/alternator',
  ])
})

test('what was never listed is not there', async () => {
  for (const slug of ['ford/escape/headlamp-assembly', 'ford/camry/alternator', 'ford/escape/alternator/x']) {
    expect((await read(slug)).status).toBe(404)
  }
  expect((await open('/parts/make/ford/escape/headlamp-assembly')).statusCode).toBe(404)
})

test('a page whose last part is sold stays, without parts', async () => {
  await withChangeSet(db, { actorKind: 'system', reason: 'test' }, (trx) =>
    sql`update listing set ended_at = now(), ended_reason = 'sold-here' where id = ${ids[3]}`.execute(trx),
  )
  const { status, body } = await read('ford/focus/alternator')
  expect([status, body.parts, body.title]).toEqual([200, 0, 'Used Ford Focus alternators'])
})

test('an address by a former name of the make, the model or the category redirects', async () => {
  const renamed = await admin.api.put(`/admin/lookups/category/${parts.Alternator}`, { name: 'Generator' })
  expect(renamed.status).toBe(200)
  const { statusCode, headers } = await open('/parts/make/ford/escape/alternator?page=2')
  expect([statusCode, headers.location]).toEqual([301, '/parts/make/ford/escape/generator?page=2'])
  expect((await read('ford/escape/alternator')).body.slug).toBe('ford/escape/generator')
})

test('addresses from before models were below their makes redirect', async () => {
  const { db: older, pool } = before
  const page = (kind: string, lookupId: string, slug: string) =>
    sql`
    insert into landing_page (kind, lookup_id, slug, title, meta_description, intro, facts, facts_hash, writer)
    values (${kind}, ${lookupId}, ${slug}, '', '', '', '{}', '', 'built-in')`.execute(older)
  const ids = await older.transaction().execute(async (trx) => {
    await sql`select set_config('partharbor.change_set', 'test', true)`.execute(trx)
    const { rows } = await sql<{ id: string }>`
      with makes as (
        insert into manufacturer (name, confirmed) values ('Zorp', true), ('Citroën Zorp', true) returning id, name
      )
      insert into car_model (manufacturer_id, name, confirmed)
      select id, case name when 'Zorp' then 'Camry 2' else 'DS' end, true from makes returning id`.execute(
      trx,
    )
    return rows.map(({ id }) => id)
  })
  await page('model', ids[0] ?? '', 'zorp-camry-2')
  await page('model', ids[1] ?? '', 'citroen-zorp-ds')
  await migrate(pool)
  const { rows } = await sql`
    select p.slug, s.slug as former from landing_page p join landing_slug s on s.lookup_id = p.lookup_id order by 1
  `.execute(older)
  expect(rows).toEqual([
    { slug: 'citroen-zorp/ds', former: 'citroen-zorp-ds' },
    { slug: 'zorp/camry-2', former: 'zorp-camry-2' },
  ])
  await sql`insert into landing_slug (kind, slug, lookup_id) values ('model', 'ford-focus', ${cars.Focus?.modelId})`.execute(
    db,
  )
  const { statusCode, headers } = await open('/parts/model/ford-focus')
  expect([statusCode, headers.location]).toEqual([301, '/parts/make/ford/focus'])
})
