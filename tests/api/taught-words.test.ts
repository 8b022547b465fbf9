import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { DryRunReply, ImportRecord, StagedReply } from '#contract/imports.ts'
import type { PartsPage } from '#contract/search/parts-search.ts'
import type { Suggestion } from '#contract/search/suggestions.ts'
import { readLookupIds } from '#server/features/running/demo/load-demo.ts'
import { csvOf, partRow, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { listingsOf, startPromotionWorker } from '#tests/support/promotions.ts'
import { savedSearchesOf } from '#tests/support/saved-searches.ts'
import { stagedRecords } from '#tests/support/staged-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/*
 * A word that an administrator teaches is known everywhere within a minute, also in processes that had read the vocabulary
 * before; what a yard says of its own words is known to its files only.
 */

const app = await startTestApp()
// Another process of the same installation, which also runs the jobs.
const other = await startTestApp({ DATABASE_URL: app.database.pool.options.connectionString ?? '' })
await startPromotionWorker(other)
const { confirmed } = savedSearchesOf(app)
const { match } = savedSearchesOf(other)

let admin: SignedIn
let yard: SignedIn
let lamp: string | null
let lookups: Awaited<ReturnType<typeof readLookupIds>>

beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  yard = await proSeller(app, { trusted: true })
  lookups = await readLookupIds(app.db)
  lamp = lookups.categories.get('Headlamp Assembly') ?? null
  await stock(1)
})

const stock = (parts: number) =>
  makeStock(app.db, { sellerId: yard.user.sellerId, parts }, () => ({
    name: 'Headlight left',
    category_id: lamp,
    manufacturer_id: lookups.manufacturers.get('Ford') ?? null,
    manufacturer_name: 'Ford',
    car_model_id: lookups.models.get('Ford/F-150') ?? null,
    model_name: 'F-150',
  }))

const search = async (from: typeof app, q: string) =>
  (await from.visitor.get<PartsPage>(`/parts?${new URLSearchParams({ q })}`)).body
const kindsOf = ({ understood }: PartsPage) => understood.map(({ kind, label }) => `${kind}: ${label}`)
const suggested = async (from: typeof app, q: string) =>
  (
    await from.visitor.get<{ suggestions: Suggestion[] }>(`/search/suggestions?${new URLSearchParams({ q })}`)
  ).body.suggestions.map(({ label }) => label)

const asIn = (from: typeof app, { api }: SignedIn) => from.visitor.as({ token: api.token ?? '' })
const check = async (from: typeof app, seller: SignedIn, file: string) =>
  (await sendCsv<DryRunReply>(asIn(from, seller), { file, dryRun: true })).body.preview
const heldIn = async (from: typeof app, seller: SignedIn, file: string) => {
  const { plan, questions } = await check(from, seller, file)
  return {
    held: plan?.held,
    typed: (questions ?? []).flatMap((asked) => ('typed' in asked ? asked.typed : [])),
  }
}

/** Files are kept by the process with the worker. */
async function run(seller: SignedIn, file: string): Promise<ImportRecord> {
  const api = asIn(other, seller)
  const { body } = await sendCsv<StagedReply>(api, { file })
  return vi.waitFor(
    async () => {
      const found = await api.get<ImportRecord>(`/pro/imports/${body.importId}`)
      expect(found.body.state).toBe('applied')
      return found.body
    },
    { timeout: 15_000, interval: 50 },
  )
}

const teach = (word: string, kind: string, means: string) =>
  admin.api.post<{ id: string }>('/admin/search/words', { word, kind, means })

const file = (title: string, type: string) => csvOf([partRow(1, { Title: title, Type: type })])

async function readTitle(from: typeof app, title: string) {
  const api = asIn(from, await proSeller(app))
  const { body } = await sendCsv<StagedReply>(api, {
    file: csvOf([['1', title, '80']], ['SKU', 'Title', 'Price']),
    fields: {
      mapping: {
        stocknum: 'SKU',
        partname: 'Title',
        partprice: 'Price',
        split: { from: 'Title', as: 'title' },
      },
    },
  })
  return (await stagedRecords(from, body.importId)).map(({ fields }) => fields)
}

describe('a word that is taught', () => {
  const both = [app, other]
  const title = '2014 Fordor F-150 Headlight'
  const query = 'q=glimmerer+f-150'

  beforeAll(async () => {
    for (const each of both) {
      expect(kindsOf(await search(each, 'glimmerer'))).not.toContain('part: Headlamp Assembly')
      expect(await suggested(each, 'glimmerer')).toEqual([])
      expect(await heldIn(each, yard, file('Glimmerer LH', 'Glimmerer'))).toMatchObject({ held: 1 })
      expect(await readTitle(each, title)).not.toMatchObject([{ partname: 'Headlight' }])
    }
    await confirmed(query, { email: 'buyer@garage.example' })
    await match()
    expect((await teach('glimmerer', 'part', 'headlamp assembly')).status).toBe(201)
    expect((await teach('fordor', 'make', 'Ford')).status).toBe(201)
    for (const each of both) each.clock.advance(60_000)
  })

  test.each(['the process that taught it', 'another one'] as const)('is known to %s', async (which) => {
    const from = which === 'another one' ? other : app
    const found = await search(from, 'glimmerer')
    expect(kindsOf(found)).toEqual(['part: Headlamp Assembly'])
    expect(found.total).toBe(1)
    await vi.waitFor(async () => expect(await suggested(from, 'glimmerer')).toEqual(['Headlamp Assembly']))
    expect(await heldIn(from, yard, file('Glimmerer LH', 'Glimmerer'))).toEqual({ held: 0, typed: [] })
    expect(await readTitle(from, title)).toMatchObject([{ partmanu: 'Fordor', partname: 'Headlight' }])
  })

  test('is known to the worker: what a file brings has its part type, and a saved search finds it', async () => {
    const seller = await proSeller(app, { trusted: true })
    expect((await run(seller, file('Glimmerer LH', 'Glimmerer'))).plan).toMatchObject({ create: 1, held: 0 })
    expect((await listingsOf(app, seller)).map(({ category_id }) => category_id)).toEqual([lamp])
    const [plain] = await stock(1)
    await match()
    const { rows } = await sql<{ id: string }>`
      select listing_id as id from saved_search_hit h join saved_search s on s.id = h.search_id where s.query = ${query}
    `.execute(app.db)
    expect(rows.map(({ id }) => id)).toContain(plain)
  })
})

describe('what a yard says of its own word', () => {
  const title = 'Winkthing LH'
  const file = (number: number) => csvOf([partRow(number, { Title: title, Type: 'Winkthing' })])
  let before: PartsPage

  beforeAll(async () => {
    before = await search(app, 'winkthing')
    const { questions } = await check(app, yard, file(1))
    const names = (questions ?? []).flatMap((asked) => ('typed' in asked ? asked : []))
    const [{ kind, typed, about } = { kind: '', typed: '', about: '' }] = names
    const { status } = await yard.api.post('/pro/names', {
      answers: [{ kind, typed, about, lookupId: lamp }],
    })
    expect([status, kind, typed]).toEqual([200, 'category', 'Winkthing'])
    for (const each of [app, other]) each.clock.advance(60_000)
  })

  test('is known to its next file, also to the worker that runs it', async () => {
    for (const each of [app, other]) {
      expect(await heldIn(each, yard, file(7))).toEqual({ held: 0, typed: [] })
    }
    expect((await run(yard, file(7))).plan).toMatchObject({ create: 1, held: 0 })
    const live = await listingsOf(app, yard)
    expect(live.filter(({ name }) => name === title).map(({ category_id }) => category_id)).toEqual([lamp])
  })

  test('is a question in the file of another yard', async () => {
    const another = await proSeller(app, { trusted: true })
    for (const each of [app, other]) {
      expect(await heldIn(each, another, file(7))).toEqual({ held: 1, typed: ['Winkthing'] })
    }
    expect((await run(another, file(7))).plan).toMatchObject({ create: 0, held: 1 })
  })

  test('changes neither what the public search understands nor its suggestions', async () => {
    for (const each of [app, other]) {
      const found = await search(each, 'winkthing')
      expect(found.understood).toEqual(before.understood)
      expect(kindsOf(found)).not.toContain('part: Headlamp Assembly')
      expect(await suggested(each, 'winkthin')).toEqual([])
    }
  })
})

test('a word follows the name that it means: a renamed part type keeps its words', async () => {
  const { status } = await admin.api.put(`/admin/lookups/category/${lamp}`, { name: 'Front Lamp' })
  expect(status).toBe(200)
  for (const each of [app, other]) {
    each.clock.advance(60_000)
    // One that was taught, and one that the program comes with.
    for (const q of ['glimmerer', 'headlights', 'faro']) {
      expect([q, kindsOf(await search(each, q))]).toEqual([q, ['part: Front Lamp']])
    }
    await vi.waitFor(async () => expect(await suggested(each, 'glimmerer')).toEqual(['Front Lamp']))
  }
})
