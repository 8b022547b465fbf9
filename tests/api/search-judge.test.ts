import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { addDemoParts } from '#server/features/running/demo/add-demo-parts.ts'
import { loadDemo } from '#server/features/running/demo/load-demo.ts'
import { GOOD, judge, precisionOf, queriesFor, type Verdict, worstFirst } from '#tests/search-judge/judge.ts'
import type { JudgedListing } from '#tests/search-judge/relevance.ts'
import { atLength } from '#tests/support/at-length.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/*
 * 150 searches written by hand and 1,000 drawn from the stock (200 in the suite), judged as buyers would: tests/search-judge. The stock is
 * always that of one day, so that every run judges the same.
 */
const app = await startTestApp()
const STOCK = { parts: 10_000, now: new Date('2026-11-20T12:00:00Z') }

let stock: JudgedListing[]
let queries: ReturnType<typeof queriesFor>
beforeAll(async () => {
  await loadDemo(app.db, app.files, STOCK.now)
  await addDemoParts(app.db, { ...STOCK, report: () => {} })
  // As autovacuum does a minute later: until then, every search reads all words that were added, one by one.
  await sql`vacuum listing_search`.execute(app.db)
  stock = await readStock()
  queries = queriesFor(stock)
}, 120_000)

/** The live listings, by the call that lists all of them. */
async function readStock(): Promise<JudgedListing[]> {
  const listings: JudgedListing[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await app.visitor.get<JudgedListing[]>(`/list-auto-parts/${page}?perPage=100`)
    listings.push(...body)
    if (body.length === 0) return listings
  }
}

async function ask(query: string): Promise<JudgedListing[]> {
  const path = `/parts?${new URLSearchParams({ q: query })}`
  const { status, body } = await app.visitor.get<{ items: JudgedListing[] }>(path)
  if (status !== 200) throw new Error(`${path} returned ${status}: ${JSON.stringify(body)}`)
  return body.items
}

function expectGood(verdicts: Verdict[]): void {
  const empty = verdicts.filter(({ isEmpty }) => isEmpty)
  const precision = precisionOf(verdicts)
  const found = `precision at 5 is ${precision.toFixed(3)}, ${empty.length} of ${verdicts.length} found nothing`
  expect(precision >= GOOD && empty.length === 0, `${found}\n${worstFirst(verdicts, 20)}`).toBe(true)
}

test('searches written by hand find what their buyers want', async () => {
  const verdicts = await judge(queries.byHand, stock, ask)
  expect(verdicts).toHaveLength(150)
  expectGood(verdicts)
}, 120_000)

test('searches drawn from the stock find what their buyers want', async () => {
  const drawn = queries.drawn.slice(0, atLength({ full: 1_000, brief: 200 }))
  expectGood(await judge(drawn, stock, ask))
}, 240_000)
