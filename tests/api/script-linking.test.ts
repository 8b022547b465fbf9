import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import type { LandingPage, PageLink } from '#contract/landing.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { longTest } from '#tests/support/at-length.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db, visitor } = app
const scripts = await openLiveScripts(app)

let ids: string[]
let sellerId: string
beforeAll(async () => {
  sellerId = (await app.signUp()).user.sellerId
  ids = await stock(24)
})

type Car = { make: string; makeId: string; model: string; modelId: string }
async function carsAndParts() {
  const { rows: cars } = await sql<Car>`
    select f.name as make, f.id as "makeId", m.name as model, m.id as "modelId"
    from car_model m join manufacturer f on f.id = m.manufacturer_id
    where (f.name, m.name) in (('Ford', 'Escape'), ('Ford', 'Focus'), ('Toyota', 'Camry')) order by 1, 3
  `.execute(db)
  const parts = await db
    .selectFrom('category')
    .select(['id', 'name'])
    .where('name', 'in', ['Alternator', 'Starter Motor'])
    .orderBy('name')
    .execute()
  return { cars, parts }
}

async function stock(count: number): Promise<string[]> {
  const { cars, parts } = await carsAndParts()
  return makeStock(db, { sellerId, parts: count }, (at) => {
    const car = cars[at % cars.length]
    const part = parts[at % 4 === 3 ? 1 : 0]
    return {
      name: part?.name ?? '',
      category_id: part?.id ?? null,
      manufacturer_id: car?.makeId ?? null,
      manufacturer_name: car?.make ?? '',
      car_model_id: car?.modelId ?? null,
      model_name: car?.model ?? '',
      year_from: 2010 + (at % 9),
      year_to: 2010 + (at % 9),
    }
  })
}

const links = async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select k.*, k.xmin::text as written from page_link k order by from_kind, from_id, position`.execute(db)
  return rows
}
const related = async (id: string) => (await visitor.get<PageLink[]>(`/auto-part/part-${id}/related`)).body
const page = async (kind: string, slug: string) =>
  (await visitor.get<LandingPage>(`/landing/${kind}/${slug.replaceAll('/', '%2F')}`)).body

test('Dry run reports what would be made and writes nothing', async () => {
  const { stdout, result } = await scripts.run('internal-linking', { dryRun: true })
  expect(stdout).toContain('Toyota Camry: new page from the template (8 parts)')
  expect(result).toMatchObject({ pages: 7, made: 7, listings: 24, changed: 24 })
  expect(stdout.join('\n')).toMatch(/Alternator \(listing\)\n {2}\+ .+ \(listing\)/)
  expect(await links()).toEqual([])
  expect(await db.selectFrom('landing_page').selectAll().execute()).toEqual([])
})

test('pages are made and linked, listings lead to their pages and to listings like them', async () => {
  expect((await scripts.run('internal-linking')).result).toMatchObject({ made: 7, changed: 31 })
  const model = await page('model', 'ford/escape')
  expect(model).toMatchObject({ name: 'Escape', parts: 8, manufacturer: { name: 'Ford', slug: 'ford' } })
  const ends = (some: readonly PageLink[]) => some.map(({ kind, slug }) => `${kind} ${slug}`)
  expect(ends(model.related)).toEqual(
    expect.arrayContaining(['manufacturer ford', 'category alternator', 'model ford/focus']),
  )
  expect(model.related.filter(({ kind }) => kind === 'listing')).toHaveLength(3)
  expect(ends((await page('category', 'alternator')).related)).toEqual(
    expect.arrayContaining(['category starter-motor', 'manufacturer toyota', 'model toyota/camry']),
  )
  expect(ends((await page('manufacturer', 'ford')).related)).toContain('manufacturer toyota')
  for (const id of ids) {
    const its = await related(id)
    expect(new Set(ends(its)).size).toBe(its.length)
    expect(its.map(({ kind }) => kind).slice(0, 3)).toEqual(['model', 'category', 'manufacturer'])
    expect(its.filter(({ kind }) => kind === 'listing').length).toBeGreaterThan(0)
    expect(ends(its)).not.toContain(`listing part-${id}`)
    for (const { anchor } of its) expect(anchor).toMatch(/^.{3,60}$/)
    expect(new Set(its.map(({ anchor }) => anchor.toLowerCase())).size).toBe(its.length)
  }
})

test('a second run changes nothing; nor does Force reprocess, as the words are the same', async () => {
  const before = await links()
  expect((await scripts.run('internal-linking')).result).toMatchObject({ made: 0, changed: 0 })
  expect((await scripts.run('internal-linking', { forceReprocess: true })).result).toMatchObject({
    changed: 0,
  })
  expect(await links()).toEqual(before)
}, 60_000)

test('links to what is gone vanish at once, and the next run replaces them', async () => {
  const [gone = ''] = ids
  await withChangeSet(db, { actorKind: 'system', reason: 'test' }, (trx) =>
    sql`update listing set ended_at = now(), ended_reason = 'withdrawn' where id = ${gone}`.execute(trx),
  )
  for (const id of ids) {
    expect((await related(id)).some(({ slug }) => slug === `part-${gone}`)).toBe(false)
  }
  const { result } = await scripts.run('internal-linking')
  expect((result as { changed: number }).changed).toBeGreaterThan(2)
  const { rows } = await sql`select from page_link where to_id = ${gone}`.execute(db)
  expect(rows).toEqual([])
  expect((await visitor.get('/auto-part/no-such-part/related')).status).toBe(404)
})

test('Type, Target, Start and Limit choose pages and listings; an unknown target is reported', async () => {
  const run = async (flags: Record<string, string | number | boolean>) =>
    (await scripts.run('internal-linking', { dryRun: true, ...flags })).result
  expect(await run({ type: 'model', target: 'Camry' })).toMatchObject({ pages: 1, listings: 0 })
  expect(await run({ target: `part-${ids[1]}`, forceReprocess: true })).toMatchObject({
    pages: 0,
    listings: 1,
  })
  expect(await run({ start: 5, limit: 10 })).toMatchObject({ pages: 2, listings: 8 })
  const { error } = await scripts.run('internal-linking', { type: 'category', target: 'Camry' }, 'failed')
  expect(error).toBe(
    'Nothing called “Camry” can be linked. Enter the name or address of a category, manufacturer, or model, or the address of a live listing.',
  )
}, 90_000)

test('links of one page never share their text, on pages of lookups either', async () => {
  for (const kind of ['category', 'manufacturer', 'model']) {
    const { body: all } = await visitor.get<{ slug: string }[]>(`/landing/${kind}`)
    for (const { slug } of all) {
      const { related: its, ...tops } = await page(kind, slug)
      const names = [tops.topCategories, tops.topManufacturers, tops.topModels].flat().map(({ name }) => name)
      const texts = [...names, ...its.map(({ anchor }) => anchor)].map((text) => text.toLowerCase())
      expect(new Set(texts).size).toBe(texts.length)
    }
  }
})

longTest(
  'of thousands of listings, killed (kill -9) in the middle, it resumes on the next worker',
  async () => {
    await stock(6_000)
    let id = ''
    const linkSome = async () => {
      id = await scripts.start('internal-linking', { forceReprocess: true })
      await vi.waitFor(
        async () => {
          const { rows } = await sql<{ done: number | null }>`
          select (checkpoint ->> 'listings')::int as done from job where id = ${id}`.execute(db)
          expect(rows[0]?.done).toBeGreaterThan(0)
        },
        { timeout: 40_000, interval: 10 },
      )
    }

    await scripts.killWorkerAfter(linkSome)
    const { stdout, result } = await scripts.ended(id)
    expect(stdout.some((line) => /^Continuing after [1-9],000 listings$/.test(line))).toBe(true)
    expect(result).toMatchObject({ listings: 6_023 })
    const { rows } = await sql<{ linked: number; doubled: number }>`
      select count(*)::int as linked, count(*) filter (where targets < links)::int as doubled from (
        select from_id, count(*) as links, count(distinct (to_kind, to_id)) as targets from page_link
        where from_kind = 'listing' group by from_id) as each`.execute(db)
    expect(rows[0]).toEqual({ linked: 6_024, doubled: 0 })
  },
  90_000,
)
