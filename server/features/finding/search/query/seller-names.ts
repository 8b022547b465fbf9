import { sql } from 'kysely'
import { foldText, wordsOf } from '#contract/trade-language/names.ts'
import type { NamedSellers } from '#contract/trade-language/query/split-words.ts'
import { MAX_TOGETHER } from '#contract/trade-language/vocabulary.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'
import { liveListingsOf } from '#server/features/market/for-sale/tally.ts'
import { shownName } from '#server/features/people/yard-names/shown-name.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Finds sellers whose full names are in a search: "ozark ridge salvage alternator". */

const LEGAL_FORMS = new Set(['llc', 'inc', 'co', 'corp', 'ltd'])

/** As `seller_key` in the database: "Smith & Sons, LLC" is smithsons. */
export function sellerKey(words: readonly string[]): string {
  const named = words.flatMap(wordsOf).filter((word) => word !== 'and')
  while (LEGAL_FORMS.has(named.at(-1) ?? '')) named.pop()
  return named.join('')
}

// Shorter words are rarely meant as a name.
const SHORTEST_NAME = 4

type Span = { readonly words: readonly string[]; readonly key: string; readonly from: number }

function spansOf(words: readonly string[]): Span[] {
  return words.flatMap((_, from) =>
    Array.from({ length: Math.min(MAX_TOGETHER, words.length - from) }, (_each, more) => {
      const span = words.slice(from, from + more + 1)
      return { words: span, key: sellerKey(span.map(foldText)), from }
    }),
  )
}

/** Whether it follows "not from": several words, which are then not a car or part. */
function isExcluded({ words, from }: Span, all: readonly string[], roles: WordRoles): boolean {
  const before = all.slice(0, from).map(foldText)
  const last = before.findLastIndex((word) => !roles.set('article').has(word))
  const said = [before[last], before.slice(last - 1, last + 1).join(' ')]
  return words.length > 1 && said.some((word) => word !== undefined && roles.set('exclusion').has(word))
}

/**
 * Finds sellers with public listings. The name must contain an otherwise unknown word, or be excluded: a yard called "Ford
 * Parts" must not capture searches for Ford parts. A name shared by several sellers matches the established
 * one, or none: a new seller can't take another's name away.
 */
export async function findNamedSellers(
  db: Db,
  words: readonly string[],
  { unknown, roles }: { unknown: readonly string[]; roles: WordRoles },
): Promise<NamedSellers> {
  const keys = spansOf(words)
    .filter(
      (span) =>
        span.key.length >= SHORTEST_NAME &&
        (span.words.some((word) => unknown.includes(word)) || isExcluded(span, words, roles)),
    )
    .map(({ key }) => key)
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: string; label: string; id: string }>`
    select seller_key(s.name) as key, min(s.name) as label,
           coalesce(min(s.id::text) filter (where s.established_at is not null), min(s.id::text)) as id
    from seller s
    where seller_key(s.name) = any(${[...new Set(keys)]}::text[]) and ${liveListingsOf(sql`s.id`)} > 0
      and ${shownName(sql`s.id`, sql`s.name`)} = s.name
    group by 1 having count(*) = 1 or count(*) filter (where s.established_at is not null) = 1
  `.execute(db)
  return new Map(rows.map(({ key, label, id }) => [key, { label, id }]))
}

/** Whether one of the words is in a seller's name. */
export const isOfSeller = (word: string, words: readonly string[], sellers: NamedSellers): boolean =>
  sellers.size > 0 && spansOf(words).some((span) => sellers.has(span.key) && span.words.includes(word))
