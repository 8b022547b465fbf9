import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { hasStem } from './search-words.ts'

// Half of what is kept: a catalogue has some 20,000 words, descriptions bring typing errors without end.
const WORDS_KEPT = 50_000

// A stem depends on the word alone, so all databases of the process share them. Two halves: the older is given up as a
// whole when the newer is full, and what is asked of it meanwhile moves over.
let newer = new Map<string, string>()
let older = new Map<string, string>()

function recall(word: string): string | undefined {
  const known = newer.get(word)
  if (known !== undefined) return known
  const before = older.get(word)
  if (before !== undefined) keep(word, before)
  return before
}

function keep(word: string, lexeme: string): void {
  if (newer.size >= WORDS_KEPT) {
    older = newer
    newer = new Map()
  }
  // A copy of the word lets go of the long text that it was cut from.
  newer.set(Buffer.from(word).toString(), lexeme)
}

/**
 * The lexemes of folded words, as PostgreSQL's English dictionary stems them; '' for a stop word, which is not searched
 * for. Words that this process has not met yet are asked for in one statement.
 */
export async function findLexemes(db: Db, words: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const lexemes = new Map<string, string>()
  const unknown: string[] = []
  for (const word of words) {
    const lexeme = hasStem(word) ? recall(word) : word
    if (lexeme === undefined) unknown.push(word)
    else lexemes.set(word, lexeme)
  }
  for (const { word, lexeme } of await stem(db, unknown)) {
    keep(word, lexeme)
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
