import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findLexemes } from '#server/features/listings/search-row/search-rows.ts'
import { readTerms, toQuery, wordsOfTerms } from '#server/features/listings/search-row/search-terms.ts'
import { likePart, literalPattern, quotedLexeme } from '#server/platform/database/quoted-text.ts'
import { oddWords } from '#tests/support/odd-words.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()

test('5,000 words with quotes, escapes, operators and controls mean themselves in every query language', async () => {
  const words = oddWords('doors', 5_000)
  const { rows } = await sql<{ word: string }>`
    select word
    from unnest(${words}::text[], ${words.map(quotedLexeme)}::text[], ${words.map(likePart)}::text[],
                ${words.map(literalPattern)}::text[]) as w(word, query, part, pattern)
    where not (array_to_tsvector(array[word]) @@ query::tsquery and numnode(query::tsquery) = 1
               and word ilike part and 'x' || word || 'x' ~* pattern and not 'other' ~* pattern)
  `.execute(app.db)
  expect(rows).toEqual([])
  const typed = words.flatMap((word, at) => [word, words.slice(at, at + 3).join(' ')])
  const terms = typed.map(readTerms)
  const lexemes = await findLexemes(app.db, new Set(terms.flatMap((one) => (one ? wordsOfTerms(one) : []))))
  const queries = terms.map((one) => toQuery(one, lexemes, { own: true }) ?? '')
  const read = await sql<{ count: number }>`
    select count(query::tsquery)::int as count from unnest(${queries}::text[]) query
  `.execute(app.db)
  expect(read.rows).toEqual([{ count: typed.length }])
})
