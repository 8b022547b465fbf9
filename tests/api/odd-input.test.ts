import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findLexemes } from '#server/features/market/listings/search-row/lexemes.ts'
import { readTerms, toQuery, wordsOfTerms } from '#server/features/market/listings/search-row/search-terms.ts'
import { likePart, literalPattern, quotedLexeme } from '#server/platform/database/quoted-text.ts'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { falselyPacked, type OddBody, oddBodies } from '#tests/support/odd-bodies.ts'
import { oddWords } from '#tests/support/odd-words.ts'
import { startTestApp } from '#tests/support/test-app.ts'
import { everyCall, pathOf } from '#workshop/attack/calls.ts'

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

type Sent = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; url: string; token: string | undefined }

/** After one of these the caller is nobody. */
const LAST = ['logout', 'endAllSessions', 'endSession', 'closeAccount']

test('no call and no form fails by what is sent to it, whatever its type', async () => {
  const [seller, admin] = [await app.signUp({ tier: 'PAID' }), await app.signUp({ role: 'admin' })]
  const part = await makeQuickListing(seller.api)
  const random = seededRandom('bodies')
  const calls = (await everyCall()).filter(([name, { method }]) => method !== 'GET' && !LAST.includes(name))
  const failed: string[] = []
  const send = async (name: string, { method, url, token }: Sent, { type, body, encoding }: OddBody) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(type && { 'content-type': type }),
      ...(encoding && { 'content-encoding': encoding }),
    }
    const { statusCode } = await app.http.inject({ method, url, headers, payload: body })
    if (statusCode >= 500 && statusCode !== 503) failed.push(`${name} ${type} ${body}: ${statusCode}`)
  }
  for (const [name, { method, path, access, body: schema }] of calls) {
    const { token } = access === 'admin' ? admin.api : seller.api
    const url = pathOf(path, path.startsWith('/parts/') ? { slug: part.partslug } : {})
    const bodies = oddBodies(schema)
    for (const body of [random.pick(bodies), random.pick(falselyPacked)])
      await send(name, { method, url, token }, body)
  }
  const forms = [`/parts/${part.partslug}`, '/support', '/saved-searches/new', '/api/verify/unsubscribe/x']
  for (const url of forms) {
    for (const body of oddBodies(undefined))
      await send('form', { method: 'POST', url, token: undefined }, body)
  }
  expect(failed).toEqual([])
})
