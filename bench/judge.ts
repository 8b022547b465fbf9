import { parseArgs } from 'node:util'
import { GOOD, judge, precisionOf, queriesFor, worstFirst } from '#tests/search-judge/judge.ts'
import type { JudgedListing } from '#tests/search-judge/relevance.ts'

/**
 * The long form of tests/api/search-judge.test.ts: asks a running installation all searches about its own stock and
 * prints every one with what came first, the worst on top.
 */
export async function benchJudge(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { at: { type: 'string', default: 'http://127.0.0.1:3000' } },
  })
  const get = async <Reply>(path: string): Promise<Reply> => {
    const reply = await fetch(`${values.at}/api${path}`)
    if (!reply.ok) throw new Error(`${path} returned ${reply.status}`)
    return (await reply.json()) as Reply
  }
  const stock: JudgedListing[] = []
  for (let page = 1; ; page += 1) {
    const listings = await get<JudgedListing[]>(`/list-auto-parts/${page}?perPage=100`)
    if (listings.length === 0) break
    stock.push(...listings)
  }
  const ask = async (query: string) =>
    (await get<{ items: JudgedListing[] }>(`/parts?${new URLSearchParams({ q: query })}`)).items
  let isGood = true
  for (const [name, queries] of Object.entries(queriesFor(stock))) {
    const verdicts = await judge(queries, stock, ask)
    const empty = verdicts.filter((verdict) => verdict.isEmpty).length
    const precision = precisionOf(verdicts)
    isGood &&= precision >= GOOD && empty === 0
    console.log(worstFirst(verdicts))
    console.log(
      `${name}: ${verdicts.length} searches, precision at 5 ${precision.toFixed(3)}, ${empty} empty\n`,
    )
  }
  return isGood
}
