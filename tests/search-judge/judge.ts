import { drawQueries } from './drawn-queries.ts'
import { readQueriesByHand } from './queries-by-hand.ts'
import { isRelevant, type JudgedListing, type JudgedQuery, partOf, type Wanted } from './relevance.ts'

/** How a search was answered, and how many of its first listings the buyer would be glad to see. */
export type Verdict = {
  query: string
  /** How many relevant listings there are in the whole stock. */
  existing: number
  /** Relevant ones among the first five, or among as many as exist. */
  precision: number
  isEmpty: boolean
  first: string[]
}

/** The first page of an answer. */
export type Ask = (query: string) => Promise<readonly JudgedListing[]>

const FIRST = 5
/** The precision at 5 that the search must reach. */
export const GOOD = 0.92
const DRAWN = { seed: 'buyers of 2026', count: 1_000 }

/** Both sets of queries for this stock. */
export function queriesFor(stock: readonly JudgedListing[]): Record<'byHand' | 'drawn', JudgedQuery[]> {
  return { byHand: readQueriesByHand(), drawn: drawQueries(stock, DRAWN) }
}

// The database works on one query while the app writes the answer to another.
const AT_ONCE = 4

/** Asks and judges every query that the stock has something for. */
export async function judge(
  queries: readonly JudgedQuery[],
  stock: readonly JudgedListing[],
  ask: Ask,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const byPart = Map.groupBy(stock, partOf)
  const stockFor = ({ parts }: Wanted) =>
    parts ? [...new Set(parts)].flatMap((part) => byPart.get(part) ?? []) : stock
  for (let at = 0; at < queries.length; at += AT_ONCE) {
    const batch = queries.slice(at, at + AT_ONCE).map((query) => judgeOne(query, stockFor(query.wanted), ask))
    verdicts.push(...(await Promise.all(batch)).flat())
  }
  return verdicts
}

async function judgeOne(
  { query, wanted }: JudgedQuery,
  stock: readonly JudgedListing[],
  ask: Ask,
): Promise<Verdict[]> {
  const { best, existing } = bestOf(stock, wanted)
  if (existing === 0) return []
  const answered = await ask(query)
  const asked = Math.min(FIRST, existing)
  const hits = answered.slice(0, asked).filter((listing) => isRelevant(listing, best)).length
  const first = answered.slice(0, FIRST).map(titleOf)
  return [{ query, existing, precision: hits / asked, isEmpty: answered.length === 0, first }]
}

/** Where nothing has all that the buyer wants, the part for other years of the vehicle is what they would look at. */
function bestOf(stock: readonly JudgedListing[], wanted: Wanted): { best: Wanted; existing: number } {
  const count = (best: Wanted) => stock.filter((listing) => isRelevant(listing, best)).length
  const existing = count(wanted)
  if (existing > 0 || !wanted.years) return { best: wanted, existing }
  const { years: _, ...best } = wanted
  return { best, existing: count(best) }
}

const titleOf = ({ partyear, partmanuname, partmodel, partname, partnum }: JudgedListing) =>
  `${partyear} ${partmanuname} ${partmodel} ${partname} (${partnum})`

/** The mean over all queries; each counts the same. */
export function precisionOf(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((sum, { precision }) => sum + precision, 0) / verdicts.length
}

/** The verdicts as lines, the worst first. */
export function worstFirst(verdicts: readonly Verdict[], limit = verdicts.length): string {
  return verdicts
    .toSorted((a, b) => Number(b.isEmpty) - Number(a.isEmpty) || a.precision - b.precision)
    .slice(0, limit)
    .map(({ query, existing, precision, first }) => {
      const shown = first.length > 0 ? first.join(' | ') : 'nothing'
      return `${precision.toFixed(2)} of ${existing}  ${query}  ->  ${shown}`
    })
    .join('\n')
}
