import { parseArgs } from 'node:util'
import { drawFreshQueries, drawSweep, type SweptQuery } from '#tests/search-judge/fresh-queries.ts'
import { GOOD, judge, precisionOf, queriesFor, worstFirst } from '#tests/search-judge/judge.ts'
import { type JudgedListing, partOf } from '#tests/search-judge/relevance.ts'

/** What the judge reads of a page of parts. */
type FoundPage = { items: JudgedListing[]; relaxed?: { sentence: string } }
type FindParts = (query: string) => Promise<FoundPage>

// Public lists end here.
const LAST_PAGE = 400
const FRESH = 500
const SWEPT = 1_000

/**
 * The long form of tests/api/search-judge.test.ts: asks a running installation all searches about its own stock, and as many
 * that it has never seen, and prints every one with what came first, the worst on top. Then it sweeps years, models and part
 * types for parts that are shown as others.
 */
export async function benchJudge(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      at: { type: 'string', default: 'http://127.0.0.1:3000' },
      // To see the new queries of a run again.
      seed: { type: 'string', default: new Date().toISOString() },
    },
  })
  const get = async <Reply>(path: string): Promise<Reply> => {
    const reply = await fetch(`${values.at}/api${path}`)
    if (!reply.ok) throw new Error(`${path} returned ${reply.status}`)
    return (await reply.json()) as Reply
  }
  const find: FindParts = (query) =>
    get<FoundPage>(`/parts?${new URLSearchParams({ q: query, perPage: '24' })}`)
  const stock: JudgedListing[] = []
  for (let page = 1; page <= LAST_PAGE; page += 1) {
    const listings = await get<JudgedListing[]>(`/list-auto-parts/${page}?perPage=100`)
    if (listings.length === 0) break
    stock.push(...listings)
  }
  const { seed } = values
  const sets = { ...queriesFor(stock), new: drawFreshQueries(stock, { seed, count: FRESH }) }
  const lines: string[] = []
  let isGood = true
  for (const [name, queries] of Object.entries(sets)) {
    const verdicts = await judge(queries, stock, async (query) => (await find(query)).items)
    const empty = verdicts.filter((verdict) => verdict.isEmpty).length
    const precision = precisionOf(verdicts)
    isGood &&= precision >= GOOD && empty === 0
    console.log(`${worstFirst(verdicts)}\n`)
    lines.push(`${name}: ${verdicts.length} searches, precision at 5 ${precision.toFixed(3)}, ${empty} empty`)
  }
  const wrong = await sweep(drawSweep(stock, { seed, count: SWEPT }), find)
  console.log(wrong.map(({ query, shown }) => `${query}  ->  ${shown}`).join('\n'))
  lines.push(`sweep: ${SWEPT} years, models and part types, ${wrong.length} with other parts and no notice`)
  console.log(`\nseed of the new queries and of the sweep: ${seed}\n${lines.join('\n')}`)
  return isGood && wrong.length === 0
}

/** Searches whose first page has another part type, without saying so. */
async function sweep(
  queries: readonly SweptQuery[],
  find: FindParts,
): Promise<{ query: string; shown: string }[]> {
  const wrong: { query: string; shown: string }[] = []
  for (const { query, part } of queries) {
    const { items, relaxed } = await find(query)
    const others = new Set(items.map(partOf).filter((name) => name !== part))
    if (!relaxed && others.size > 0) wrong.push({ query, shown: [...others].join(', ') })
  }
  return wrong
}
