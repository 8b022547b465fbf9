import { type RawBuilder, sql } from 'kysely'
import type { Counted, WordReach } from '#contract/search/search-words.ts'
import { foldText } from '#contract/trade-language/names.ts'
import { isRowForSale } from '#server/features/market/for-sale/for-sale.ts'
import { findLexemes } from '#server/features/market/listings/search-row/lexemes.ts'
import { readTerms, toQuery, wordsOfTerms } from '#server/features/market/listings/search-row/search-terms.ts'
import type { Db } from '#server/platform/database/database.ts'
import { withoutPrefixes } from '#server/platform/database/quoted-text.ts'

/* Whom a word affects: what buyers search for, what they wait for, and what is for sale with it. */

// Enough for an administrator's decision; counting a million parts would take seconds.
const MOST_COUNTED = 1_000
// Of the parts that have the word anywhere, these many names are read: 20 ms.
const MOST_NAMES_READ = 5_000

type Reach = { word: string; emptySearches: number; savedSearches: number; parts: number; isPartial: boolean }

const counted = (found: number, isPartial = false): Counted =>
  found > MOST_COUNTED || isPartial
    ? { count: Math.min(found, MOST_COUNTED), isAtLeast: true }
    : { count: found }

/** Counts for each word, capped. */
export async function readReach(db: Db, words: readonly string[]): Promise<WordReach[]> {
  const asked = [...new Set(words)].filter((word) => plainWords(word) !== '')
  if (asked.length === 0) return []
  const queries = await partQueries(db, asked)
  const { rows } = await sql<Reach>`
    with asked as materialized (
      select word, plain, query::tsquery
      from unnest(${asked}::text[], ${asked.map(plainWords)}::text[], ${queries}::text[]) as a(word, plain, query)
    ), wanted as materialized (
      select ' ' || regexp_replace(lower(substring(query from '(?:^|&)q=([^&]*)')), '[^a-z0-9]+', ' ', 'g') || ' ' as typed
      from saved_search where query like '%q=%'
    ), missed as materialized (
      select string_to_array(regexp_replace(words, '[^a-z0-9]+', ' ', 'g'), ' ') as typed, times
      from empty_search where last_at > now() - interval '30 days'
    )
    select word,
           (select coalesce(sum(times), 0)::int from missed where typed @> string_to_array(plain, ' ')) as "emptySearches",
           (select count(*)::int from wanted where typed like '% ' || plain || ' %') as "savedSearches",
           found.parts, found.read >= ${MOST_NAMES_READ} as "isPartial"
    from asked, lateral (${partsNamed}) found
  `.execute(db)
  return rows.map(({ word, emptySearches, savedSearches, parts, isPartial }) => ({
    word,
    emptySearches: counted(emptySearches),
    savedSearches: counted(savedSearches),
    parts: counted(parts, isPartial),
  }))
}

/** Parts for sale that have the words of `query`, and those of them that have it in their name. */
const partsNamed: RawBuilder<unknown> = sql`
  select count(*)::int as read, count(*) filter (where named)::int as parts
  from (select (select to_tsvector('english', m.name) @@ query from listing m where m.id = t.listing_id) as named
        from listing_search t where t.document @@ query and ${isRowForSale} limit ${MOST_NAMES_READ}) having_word`

const plainWords = (word: string) =>
  foldText(word)
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

/** Whole words as texts of tsqueries; null for stop words alone, which no listing is found by. */
async function partQueries(db: Db, words: readonly string[]): Promise<(string | null)[]> {
  const terms = words.map((word) => readTerms(word))
  const lexemes = await findLexemes(
    db,
    terms.flatMap((one) => (one ? wordsOfTerms(one) : [])),
  )
  return terms.map((one) => withoutPrefixes(toQuery(one, lexemes, { own: false }) ?? '') || null)
}
