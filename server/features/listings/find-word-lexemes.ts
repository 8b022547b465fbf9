import type { Db } from '#server/platform/database/database.ts'
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
 * The lexemes of words and names as they were typed, in the order of the words of each text. Folding and taking apart each
 * of each listing anew took half of the time of making its search document.
 */
export async function findWordLexemes(db: Db, texts: readonly (readonly string[])[]): Promise<Lexemes[][]> {
  const unknown = new Map<string, Lexemes | undefined>()
  const found = texts.map((text) => text.map((said) => recall(said) ?? noted(unknown, said)))
  if (unknown.size === 0) return found as Lexemes[][]
  const words = new Map(Array.from(unknown.keys(), (said) => [said, wordsOf(said)]))
  const lexemes = await findLexemes(db, new Set([...words.values()].flat()))
  for (const [said, parts] of words) {
    const own = parts.map((word) => lexemes.get(word) ?? '').filter((lexeme) => lexeme !== '')
    unknown.set(said, own)
    keep(said, own)
  }
  return found.map((text, of) => text.map((known, at) => known ?? unknown.get(texts[of]?.[at] ?? '') ?? []))
}

function noted(unknown: Map<string, Lexemes | undefined>, said: string): undefined {
  unknown.set(said, undefined)
}

function wordsOf(said: string): string[] {
  const words: string[] = []
  eachWord(foldText(said), (word) => words.push(word))
  return words
}
