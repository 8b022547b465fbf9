import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { LandingKind, LandingPage } from '#contract/landing.ts'
import { deletePagesOfGone } from '#server/features/finding/landing/pages.ts'
import { lookupDesk, startRelabeling } from '#tests/support/admin-lookups.ts'
import { untilStatus } from '#tests/support/job-bench.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Where a page’s old address redirects after its category, manufacturer or model was merged or renamed. */

const app = await startTestApp()
const { db, visitor } = app
let admin: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
})

const FACTS = { priceFromCents: null, priceToCents: null, yearFrom: null, yearTo: null }
const NO_TOPS = { topCategories: [], topManufacturers: [], topModels: [] }

/** As the scripts create it. */
async function makePage(kind: LandingKind, lookupId: string, slug: string, parts = 1): Promise<string> {
  const facts = JSON.stringify({ ...FACTS, ...NO_TOPS, parts })
  await sql`
    insert into landing_page (kind, lookup_id, slug, title, meta_description, intro, facts, facts_hash, writer)
    values (${kind}, ${lookupId}, ${slug}, ${slug}, 'About it', 'All about it', ${facts}, '', 'built-in')
  `.execute(db)
  return slug
}

const desk = lookupDesk(() => admin)
const { category, manufacturer, model } = desk
const pathOf = { category: 'category', manufacturer: 'manufacturer', model: 'car-model' } as const
const merge = (kind: LandingKind, from: { id: string }, into: { id: string }) =>
  desk.merge(pathOf[kind], from, into)
const rename = async (kind: LandingKind, { id }: { id: string }, name: string) => {
  const answer = await admin.api.put(`/admin/lookups/${pathOf[kind]}/${id}`, { name })
  expect(answer.status).toBe(200)
}

/** What the endpoint returns for an address, and where the page itself redirects. */
async function ask(kind: LandingKind, slug: string, query = '') {
  const { status, body } = await visitor.get<LandingPage | ErrorReply>(
    `/landing/${kind}/${slug.replaceAll('/', '%2F')}`,
  )
  // Before models were below their makes, they had a folder of their own.
  const folder = { category: 'category', manufacturer: 'make', model: slug.includes('/') ? 'make' : 'model' }[
    kind
  ]
  const page = await app.http.inject({ method: 'GET', url: `/parts/${folder}/${slug}${query}` })
  return {
    slug: 'slug' in body ? body.slug : status,
    moved: page.statusCode === 301 ? page.headers.location : undefined,
    cached: page.headers['cache-control'],
  }
}

test('the address of a merged category redirects to the other one, even after its row is deleted; chains take one step', async () => {
  const [first, second, third] = [
    await category('Zorp Blinker'),
    await category('Zorp Turn Lamp'),
    await category('Zorp Turn Signal'),
  ]
  await makePage('category', first.id, 'zorp-blinker')
  await makePage('category', second.id, 'zorp-turn-lamp')
  await makePage('category', third.id, 'zorp-turn-signal')
  const jobs = [await merge('category', first, second)]
  expect(await ask('category', 'zorp-blinker')).toMatchObject({
    slug: 'zorp-turn-lamp',
    moved: '/parts/category/zorp-turn-lamp',
    cached: 'no-cache',
  })
  jobs.push(await merge('category', second, third))
  const worker = await startRelabeling(app)
  for (const job of jobs) await untilStatus(app, job, 'completed')
  await worker.close()
  await deletePagesOfGone(db)
  for (const slug of ['zorp-blinker', 'zorp-turn-lamp']) {
    expect(await ask('category', slug, '?page=2')).toMatchObject({
      slug: 'zorp-turn-signal',
      moved: '/parts/category/zorp-turn-signal?page=2',
    })
  }
  expect(await ask('category', 'zorp-turn-signal')).toMatchObject({
    slug: 'zorp-turn-signal',
    moved: undefined,
  })
})

test('a rename moves the page and redirects the old address, back and forth without a loop', async () => {
  const rotor = await category('Zorp Roter')
  await makePage('category', rotor.id, 'zorp-roter')
  await rename('category', rotor, 'Zorp Rotor')
  expect(await ask('category', 'zorp-roter')).toMatchObject({ moved: '/parts/category/zorp-rotor' })
  await rename('category', rotor, 'Zorp Roter')
  expect(await ask('category', 'zorp-roter')).toMatchObject({ slug: 'zorp-roter', moved: undefined })
  expect(await ask('category', 'zorp-rotor')).toMatchObject({ moved: '/parts/category/zorp-roter' })
  // The same address in different letter case.
  await rename('category', rotor, 'Zorp ROTER')
  expect(await ask('category', 'zorp-roter')).toMatchObject({ slug: 'zorp-roter', moved: undefined })
})

test('a name without a page takes over the page of the name merged into it, under its own name', async () => {
  const [from, into] = [await category('Windscreen Zorp'), await category('Windshield Zorp')]
  await makePage('category', from.id, 'windscreen-zorp')
  await merge('category', from, into)
  expect(await ask('category', 'windscreen-zorp')).toMatchObject({ moved: '/parts/category/windshield-zorp' })
  expect((await visitor.get<LandingPage>('/landing/category/windshield-zorp')).body).toMatchObject({
    lookupId: into.id,
    name: 'Windshield Zorp',
  })
})

test('models follow a manufacturer that is merged or renamed', async () => {
  const [chevy, chevrolet] = [await manufacturer('Zorpy'), await manufacturer('Zorpolet')]
  const [twin, moved, own] = [
    await model(chevy.id, 'Malibu'),
    await model(chevy.id, 'Silverado'),
    await model(chevrolet.id, 'Malibu'),
  ]
  await makePage('manufacturer', chevy.id, 'zorpy')
  await makePage('manufacturer', chevrolet.id, 'zorpolet')
  await makePage('model', twin.id, 'zorpy/malibu')
  await makePage('model', moved.id, 'zorpy/silverado')
  await makePage('model', own.id, 'zorpolet/malibu')
  await merge('manufacturer', chevy, chevrolet)
  const leads = async () =>
    Promise.all([ask('manufacturer', 'zorpy'), ask('model', 'zorpy/malibu'), ask('model', 'zorpy/silverado')])
  expect((await leads()).map(({ moved }) => moved)).toEqual([
    '/parts/make/zorpolet',
    '/parts/make/zorpolet/malibu',
    '/parts/make/zorpolet/silverado',
  ])
  await rename('manufacturer', chevrolet, 'Zorpo')
  expect((await leads()).map(({ moved }) => moved)).toEqual([
    '/parts/make/zorpo',
    '/parts/make/zorpo/malibu',
    '/parts/make/zorpo/silverado',
  ])
  expect(await ask('model', 'zorpolet/malibu')).toMatchObject({ moved: '/parts/make/zorpo/malibu' })
})

test('a page keeps its address; a page renamed to the same address gets a piece of its id appended', async () => {
  const [mirror, other] = [await category('Mirror Zorp'), await category('Looking-Glass')]
  await makePage('category', mirror.id, 'mirror-zorp')
  await makePage('category', other.id, 'looking-glass')
  await rename('category', other, 'Mirror-Zorp')
  const slug = `mirror-zorp-${other.id.slice(-6)}`
  expect(await ask('category', 'mirror-zorp')).toMatchObject({ slug: 'mirror-zorp', moved: undefined })
  expect(await ask('category', 'looking-glass')).toMatchObject({ slug, moved: `/parts/category/${slug}` })
})

test('an address that nothing replaced stays missing', async () => {
  const gone = await category('Carburettor Zorp')
  await makePage('category', gone.id, 'carburetor-zorp')
  await rename('category', gone, 'Carburetor Heat')
  expect((await admin.api.delete(`/admin/lookups/category/${gone.id}`)).status).toBe(200)
  await deletePagesOfGone(db)
  for (const slug of ['carburetor-zorp', 'carburetor-heat', 'never-there', '%00', 'a%2Fb']) {
    expect(await ask('category', slug)).toMatchObject({ moved: undefined })
    expect((await visitor.get(`/landing/category/${slug}`)).status).toBeGreaterThanOrEqual(400)
  }
  expect(await db.selectFrom('landing_slug').selectAll().where('lookup_id', '=', gone.id).execute()).toEqual(
    [],
  )
})

test('related links follow a merge without duplicates or self-links, even after the row is deleted', async () => {
  const [lamp, light, fog, own] = [
    await category('Zorp Headlamp'),
    await category('Zorp Headlight'),
    await category('Zorp Fog Lamp'),
    await category('Zorp Bulb'),
  ]
  for (const [{ id }, slug] of [
    [lamp, 'zorp-headlamp'],
    [light, 'zorp-headlight'],
    [fog, 'zorp-fog-lamp'],
    [own, 'zorp-bulb'],
  ] as const)
    await makePage('category', id, slug)
  for (const [position, { id }] of [lamp, fog, light].entries()) {
    await sql`
      insert into page_link (from_kind, from_id, position, to_kind, to_id, anchor)
      values ('category', ${own.id}, ${position}, 'category', ${id}, ${`link ${position}`})
    `.execute(db)
  }
  const related = async (slug: string) => {
    const { body } = await visitor.get<LandingPage>(`/landing/category/${slug}`)
    return body.related.map((link) => [link.slug, link.anchor])
  }
  const job = await merge('category', lamp, light)
  const after = [
    ['zorp-headlight', 'link 0'],
    ['zorp-fog-lamp', 'link 1'],
  ]
  expect(await related('zorp-bulb')).toEqual(after)
  const worker = await startRelabeling(app)
  await untilStatus(app, job, 'completed')
  await deletePagesOfGone(db)
  expect(await related('zorp-bulb')).toEqual(after)
  // Merged again, it still takes one step; a link to itself is dropped.
  await untilStatus(app, await merge('category', light, own), 'completed')
  await worker.close()
  expect(await related('zorp-bulb')).toEqual([['zorp-fog-lamp', 'link 1']])
})
