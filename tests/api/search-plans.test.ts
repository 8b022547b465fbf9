import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { PartsQuery } from '#contract/search/parts-search.ts'
import { matchingIds, matchingRows } from '#server/features/finding/search/matches/match-queries.ts'
import { searchOf } from '#server/features/finding/search/query/conditions.ts'
import { openReading } from '#server/features/finding/search/query/reading.ts'
import { addDemoParts } from '#server/features/running/demo/add-demo-parts.ts'
import { loadDemo } from '#server/features/running/demo/load-demo.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* How the database looks up what buyers type: one index finds what must be there, and only what it finds is filtered. */

const app = await startTestApp()
const NOW = new Date('2026-11-20T12:00:00Z')
const read = openReading(() => NOW)

beforeAll(async () => {
  await loadDemo(app.db, app.files, NOW)
  await addDemoParts(app.db, { parts: 2_000, now: NOW, report: () => {} })
  await sql`vacuum analyze listing_search`.execute(app.db)
}, 120_000)

async function searchFor(q: string) {
  const { asked } = await read(app.db, { q } as PartsQuery)
  if (asked === 'nothing') throw new Error(`“${q}” asks for nothing`)
  return searchOf(asked)
}

/** So few rows are read one by one unless that is forbidden. */
const planOf = (statement: ReturnType<typeof matchingIds>) =>
  app.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(trx)
    return rows.map((row) => row['QUERY PLAN'].trim())
  })

test.each<[typed: string, excluded: RegExp]>([
  ['left headlight', /=right/],
  ['2012 camry left door', /=right/],
  ['driver side toyota camry', /=right/],
  ['right mirror civic', /=left/],
  ['front left caliper', /=right/],
  ['rear caliper camry', /front/],
])('“%s” is looked up by the index, and what must not be there is filtered', async (typed, excluded) => {
  const search = await searchFor(typed)
  for (const statement of [matchingIds(search), matchingRows(search, 8, sql`t.listing_id`)]) {
    const plan = await planOf(statement)
    const lines = (start: string) => plan.filter((line) => line.startsWith(start)).join('\n')
    expect(plan.join('\n')).toContain('Bitmap Index Scan on listing_search_all')
    expect(lines('Index Cond:')).toMatch(/category_id = |@@ .*\^/)
    // No index answers what is only negative: it would read all rows.
    expect(lines('Index Cond:')).not.toContain('!')
    expect(lines('Filter:')).toMatch(excluded)
  }
})

test('a sample of many matches is looked up by the index', async () => {
  const plan = await planOf(matchingRows(await searchFor('left headlight'), 64, sql`t.listing_id`))
  expect(plan.find((line) => line.startsWith('Index Cond:'))).toContain('=64th')
})

test('a vehicle that is listed and one that only words say are looked up apart, each within the part type', async () => {
  const plan = await planOf(matchingIds(await searchFor('2012 camry left door')))
  const lookups = plan.filter((line) => line.startsWith('Index Cond:'))
  expect(lookups).toHaveLength(2)
  expect(lookups[0]).toMatch(/\^.*category_id = /)
  expect(lookups[0]).not.toContain('camri')
  expect(lookups[1]).toMatch(/camri.*=unlisted.*category_id = /)
})
