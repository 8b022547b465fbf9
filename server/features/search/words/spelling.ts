import { sql } from 'kysely'
import { isForSale } from '#server/features/for-sale/for-sale.ts'
import { editsBetween } from '#server/features/stock-files/match/name-form.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * Corrects typos by comparing with all known words. A bit set of letters rules out nearly all of them, so 20,000 words
 * take 0.1 ms and 2 MB.
 */

export type Spelling = {
  /** The known word that was probably meant, or undefined. */
  correct(typed: string): string | undefined
}

type Entry = { readonly word: string; readonly letters: number; readonly weight: number }

/** `weights`: the known words, likelier ones with a higher number. */
export function openSpelling(weights: ReadonlyMap<string, number>): Spelling {
  const byLength = new Map<number, Entry[]>()
  for (const [word, weight] of weights) {
    // Numbers are never typos of each other.
    if (word.length < SHORTEST || /\d/.test(word)) continue
    const entry = { word, letters: lettersOf(word), weight }
    const same = byLength.get(word.length)
    if (same) same.push(entry)
    else byLength.set(word.length, [entry])
  }
  return {
    correct(typed) {
      if (typed.length < SHORTEST || !/^[a-z]+$/.test(typed)) return undefined
      return nearest(typed, byLength)
    },
  }
}

// Short words with one letter changed are usually different words: fit and kit.
const SHORTEST = 4
// Words of this length may have two wrong letters.
const LONG = 7

function nearest(typed: string, byLength: ReadonlyMap<number, readonly Entry[]>): string | undefined {
  const most = typed.length >= LONG ? 2 : 1
  const lengths = Array.from({ length: 2 * most + 1 }, (_, at) => typed.length - most + at)
  const letters = lettersOf(typed)
  let best: { word: string; score: number } | undefined
  for (const entry of lengths.flatMap((length) => byLength.get(length) ?? [])) {
    // A wrong letter removes one bit and adds one.
    if (bits(letters ^ entry.letters) > 2 * most) continue
    const edits = editsBetween(typed, entry.word, most)
    if (edits === 0 || edits > most || !isLikely(typed, entry.word, edits)) continue
    const score = scoreOf(typed, entry, edits)
    if (!best || score < best.score) best = { word: entry.word, score }
  }
  return best?.word
}

/** People rarely mistype the first letter, and of four letters they only swap two. */
function isLikely(typed: string, known: string, edits: number): boolean {
  const isSwap = typed.length === known.length && lettersInOrder(typed) === lettersInOrder(known)
  if (known.length === SHORTEST) return isSwap
  // A four-letter word may miss a letter ("weel") or have two swapped.
  if (typed.length === SHORTEST) return isSwap || (known.length > SHORTEST && typed[0] === known[0])
  if (typed[0] === known[0]) return true
  return edits === 1 && (isSwap || (typed.length >= LONG && known.length >= LONG))
}

/** Fewer wrong letters first, then swapped or doubled ones, then the likelier word. */
function scoreOf(typed: string, { word, weight }: Entry, edits: number): number {
  const isSlip = lettersInOrder(typed) === lettersInOrder(word) || lettersOf(typed) === lettersOf(word)
  return edits * 10 - (isSlip ? 3 : 0) - weight
}

const lettersInOrder = (word: string) => [...word].sort().join('')

const A = 97

function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << ((word.charCodeAt(at) - A) & 31)
  return letters
}

function bits(letters: number): number {
  let count = 0
  for (let rest = letters; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/* Part numbers in stock that differ from a typed one in one character. */

// Longer numbers have too many variants and are rarely typed.
const LONGEST_NUMBER = 18
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Lists every key that differs in one character: wrong, missing, added, or swapped with the next. */
function numbersNear(key: string): string[] {
  if (key.length > LONGEST_NUMBER) return []
  const near = new Set<string>()
  for (let at = 0; at <= key.length; at += 1) {
    const [before, after] = [key.slice(0, at), key.slice(at + 1)]
    for (const character of CHARACTERS) {
      near.add(before + character + key.slice(at))
      if (at < key.length) near.add(before + character + after)
    }
    if (at === key.length) continue
    near.add(before + after)
    if (after !== '') near.add(before + after[0] + key[at] + after.slice(1))
  }
  near.delete(key)
  return [...near]
}

// More matches are usually other generations of the part.
const MOST_FOUND = 20

/** Finds similar keys of live listings; 700 index lookups take 3 ms. `key` is letters and digits only. */
export async function findNumbersNear(db: Db, key: string): Promise<string[]> {
  const near = numbersNear(key.toUpperCase())
  if (near.length === 0) return []
  const { rows } = await sql<{ key: string }>`
    select distinct l.part_number_key as key from listing l
    where ${isForSale} and l.part_number_key = any(${near}::text[]) limit ${MOST_FOUND}
  `.execute(db)
  return rows.map((row) => row.key)
}
