import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { LandingPage, TopNames } from '#contract/landing.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db, visitor } = app
const scripts = await openLiveScripts(app)

type Named = { id: string; name: string }
const lookup = async (table: 'category' | 'manufacturer', name: string): Promise<Named> =>
  db.selectFrom(table).select(['id', 'name']).where('name', '=', name).executeTakeFirstOrThrow()
const model = (manufacturerId: string, name: string): Promise<Named> =>
  db
    .selectFrom('car_model')
    .select(['id', 'name'])
    .where('manufacturer_id', '=', manufacturerId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()

let ids: string[]
beforeAll(async () => {
  const seller = await app.signUp()
  const [alternator, starter, headlight] = await Promise.all(
    ['Alternator', 'Starter Motor', 'Headlamp Assembly'].map((name) => lookup('category', name)),
  )
  const [ford, toyota] = await Promise.all([lookup('manufacturer', 'Ford'), lookup('manufacturer', 'Toyota')])
  const [suv, camry] = await Promise.all([model(ford.id, 'Escape'), model(toyota.id, 'Camry')])
  const categories = [alternator, alternator, alternator, starter, headlight]
  ids = await makeStock(db, { sellerId: seller.user.sellerId, parts: 20 }, (at) => {
    const isFord = at % 4 !== 0
    return {
      name: `Part ${at}`,
      category_id: categories[at % 5]?.id ?? null,
      manufacturer_id: isFord ? ford.id : toyota.id,
      manufacturer_name: isFord ? 'Ford' : 'Toyota',
      car_model_id: isFord ? suv.id : camry.id,
      model_name: isFord ? 'Escape' : 'Camry',
      year_from: 2008 + at,
      year_to: 2008 + at,
      price_cents: 1_000 + at * 500,
    }
  })
})

const pages = () =>
  db.selectFrom('landing_page').selectAll().where('kind', '=', 'category').orderBy('slug').execute()
const page = async (slug: string) => (await visitor.get<LandingPage>(`/landing/category/${slug}`)).body

test('Dry run prints the pages as a diff and writes none; Test takes the first three', async () => {
  const { stdout, result } = await scripts.run('product-page-category', { test: true, dryRun: true })
  expect(stdout).toContain('Alternator: new page from the template (12 parts)')
  expect(stdout.filter((line) => /^ {2}\+ (Title|Meta description|Intro): .{8}/.test(line))).toHaveLength(9)
  expect(result).toMatchObject({ categories: 3, new: 3, changed: 0 })
  expect(await pages()).toEqual([])
})

test('a name with parts has its page before a script writes one; a name without parts has none', async () => {
  const { body } = await visitor.get<LandingPage>('/landing/category/alternator')
  expect(body).toMatchObject({ slug: 'alternator', name: 'Alternator', parts: 12 })
  expect(body.title).toBe('Used alternators for sale, from $10')
  const ford = (await visitor.get<LandingPage>('/landing/manufacturer/ford')).body
  // The name leaves out the make, the address does not.
  expect(ford.topModels).toEqual([expect.objectContaining({ name: 'Escape', slug: 'ford/escape' })])
  const fordEscape = (await visitor.get<LandingPage>('/landing/model/ford%2Fescape')).body
  expect(fordEscape.manufacturer).toMatchObject({ name: 'Ford', slug: 'ford' })
  expect((await visitor.get('/landing/category/drum-brake')).status).toBe(404)
  expect((await visitor.get('/landing/category/no-such-name')).status).toBe(404)
  const { categories, manufacturers } = (await visitor.get<TopNames>('/public/top-names')).body
  expect(categories[0]).toMatchObject({ name: 'Alternator', slug: 'alternator', count: 12 })
  expect(manufacturers[0]).toMatchObject({ name: 'Ford', slug: 'ford' })
})

test('pages are made from what is live, and a second run changes nothing', async () => {
  expect((await scripts.run('product-page-category')).result).toMatchObject({ new: 3, stands: 0 })
  const made = await pages()
  expect(made.map(({ slug }) => slug)).toEqual(['alternator', 'headlamp-assembly', 'starter-motor'])
  const { body } = await visitor.get<LandingPage>('/landing/category/alternator')
  expect(body).toMatchObject({
    kind: 'category',
    name: 'Alternator',
    manufacturer: null,
    parts: 12,
    priceFrom: 10,
    priceTo: 95,
    topCategories: [],
    topManufacturers: [
      { name: 'Ford', count: 9, slug: 'ford' },
      { name: 'Toyota', count: 3, slug: 'toyota' },
    ],
    topModels: [
      { name: 'Ford Escape', count: 9, slug: 'ford/escape/alternator' },
      { name: 'Toyota Camry', count: 3, slug: 'toyota/camry/alternator' },
    ],
    related: [],
  })
  expect(body.title).toBe('Used alternators for sale, from $10')
  expect(made.map(({ title, intro }) => `${title} ${intro}`).join()).not.toMatch(/\$|listings/)
  expect(body.intro).toBe(
    '12 listings, $10 to $95. Used alternators for Ford and Toyota. Model years 2008 to 2025. Models: Ford Escape and Toyota Camry.',
  )
  const again = await scripts.run('product-page-category', { verbose: true })
  expect(again.result).toMatchObject({ new: 0, changed: 0, stands: 3 })
  expect(again.stdout).toContain('Alternator: unchanged (12 parts)')
  expect(await pages()).toEqual(made)
})

test('a page is written again when its facts change, under its old address; empty once its last part is gone', async () => {
  // The page says so before the script has run again.
  await end(ids.filter((_, at) => at % 5 === 0).slice(0, 1))
  expect(await page('alternator')).toMatchObject({
    title: 'Used alternators for sale, from $15',
    intro: expect.stringMatching(/^11 listings, \$15 to \$95\. /),
    parts: 11,
  })
  await scripts.run('product-page-category')
  const [headlight] = (await pages()).filter(({ slug }) => slug === 'headlamp-assembly')
  await end(ids.filter((_, at) => at % 5 === 4).slice(1))
  const changed = await scripts.run('product-page-category', { dryRun: true })
  expect(changed.result).toMatchObject({ changed: 1, stands: 2 })
  expect(changed.stdout.join('\n')).toMatch(/Headlamp Assembly: updated.* \(1 part\)\n {2}- /)
  await scripts.run('product-page-category')
  expect(await page('headlamp-assembly')).toMatchObject({ parts: 1 })
  await end(ids)
  await scripts.run('product-page-category', { category: 'headlamp  ASSEMBLY' })
  expect(await page('headlamp-assembly')).toMatchObject({
    parts: 0,
    priceFrom: null,
    intro: expect.stringContaining('No used headlamp assemblies are listed right now.'),
  })
  expect(headlight?.slug).toBe('headlamp-assembly')
})

test('Start, End and Limit choose categories; an unknown Category is reported', async () => {
  expect((await scripts.run('product-page-category', { start: 1, end: 3, limit: 1 })).result).toMatchObject({
    categories: 1,
  })
  const { error } = await scripts.run('product-page-category', { category: 'Flux Capacitor' }, 'failed')
  expect(error).toBe(
    'There is no category “Flux Capacitor”. Enter its name as shown in Manage Categories, or leave Category empty.',
  )
})

test('the page of a merged category is removed', async () => {
  const [gone, kept] = await Promise.all([
    lookup('category', 'Headlamp Assembly'),
    lookup('category', 'Alternator'),
  ])
  await withChangeSet(db, { actorKind: 'system', reason: 'test' }, (trx) =>
    sql`update category set merged_into = ${kept.id} where id = ${gone.id}`.execute(trx),
  )
  expect((await visitor.get('/landing/category/headlamp-assembly')).status).toBe(404)
  expect((await scripts.run('product-page-category')).result).toMatchObject({ removed: 1 })
  expect((await visitor.get<{ slug: string }[]>('/landing/category')).body.map(({ slug }) => slug)).toEqual([
    'alternator',
    'starter-motor',
  ])
})

const end = (listings: readonly string[]) =>
  withChangeSet(db, { actorKind: 'system', reason: 'test' }, (trx) =>
    sql`update listing set ended_at = now(), ended_reason = 'withdrawn' where id = any(${[...listings]}::uuid[])`.execute(
      trx,
    ),
  )
