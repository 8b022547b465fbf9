import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { RecentValues } from '#server/platform/recent-values.ts'
import { hasStem } from './search-terms.ts'

// A catalog has some 20,000 words, but descriptions bring endless typos. A stem depends on the word alone, so all databases
// of the process share them.
const stems = new RecentValues<string>(50_000)

/**
 * The lexemes of folded words, as PostgreSQL's English dictionary stems them; '' for a stop word, which is not searched
 * for. One statement finds those that this process does not know yet.
 */
export async function findLexemes(db: Db, words: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const lexemes = new Map<string, string>()
  const unknown: string[] = []
  for (const word of words) {
    const lexeme = hasStem(word) ? stems.get(word) : word
    if (lexeme === undefined) unknown.push(word)
    else lexemes.set(word, lexeme)
  }
  for (const { word, lexeme } of await stem(db, unknown)) {
    stems.set(word, lexeme)
    lexemes.set(word, lexeme)
  }
  return lexemes
}

async function stem(db: Db, words: string[]): Promise<{ word: string; lexeme: string }[]> {
  if (words.length === 0) return []
  const { rows } = await sql<{ word: string; lexeme: string }>`
    select word, coalesce((ts_lexize('english_stem', word))[1], '') as lexeme from unnest(${words}::text[]) as word
  `.execute(db)
  return rows
}
