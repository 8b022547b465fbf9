import type { Db } from '#server/platform/database.ts'
import { findLexemes } from './lexeme-queries.ts'
import { eachWord, foldText } from './search-words.ts'

type Lexemes = readonly string[]

// Names, and the words that a yard's descriptions are written with, come again in every row; numbers come once. In two
// halves, as in `lexeme-queries.ts`.
const KEPT = 5_000
const LONGEST_KEPT = 200
let newer = new Map<string, Lexemes>()
let older = new Map<string, Lexemes>()

function recall(said: string): Lexemes | undefined {
  const known = newer.get(said)
  if (known !== undefined) return known
  const before = older.get(said)
  if (before !== undefined) keep(said, before)
  return before
}

function keep(said: string, lexemes: Lexemes): void {
  if (said.length > LONGEST_KEPT) return
  if (newer.size >= KEPT) {
    older = newer
    newer = new Map()
  }
  // A copy lets go of the long text that it was cut from.
  newer.set(Buffer.from(said).toString(), lexemes)
}

/**
 * The lexemes of words and names as they were typed. Folding and taking apart each of each listing anew took half of the
 * time of making its search document.
 */
export async function findWordLexemes(
  db: Db,
  texts: Iterable<readonly string[]>,
): Promise<ReadonlyMap<string, Lexemes>> {
  const found = new Map<string, Lexemes>()
  const unknown = new Map<string, string[]>()
  for (const text of texts) {
    for (const said of text) {
      if (found.has(said) || unknown.has(said)) continue
      const known = recall(said)
      if (known) found.set(said, known)
      else unknown.set(said, wordsOf(said))
    }
  }
  const lexemes = await findLexemes(db, new Set([...unknown.values()].flat()))
  for (const [said, words] of unknown) {
    const own = words.map((word) => lexemes.get(word) ?? '').filter((lexeme) => lexeme !== '')
    found.set(said, own)
    keep(said, own)
  }
  return found
}

function wordsOf(said: string): string[] {
  const words: string[] = []
  eachWord(foldText(said), (word) => words.push(word))
  return words
}
