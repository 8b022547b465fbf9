import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import { plainName } from '#server/features/lookups/lookup-names.ts'
import { squash } from '#server/features/taxonomy/name-form.ts'
import { MANUFACTURER_SPELLINGS, MODEL_SPELLINGS, PART_LETTERS } from './own-spellings.ts'

const SMALL_WORDS = /^(?:a|an|and|at|for|in|of|on|or|the|to|w|with)$/
const spellings = { manufacturer: MANUFACTURER_SPELLINGS, car_model: MODEL_SPELLINGS, category: {} }

/** A name as it should be written: one space between words, a maker's own spelling, case where it was all of one. */
export function properName(kind: LookupKind, name: string): string {
  const plain = plainName(name)
  const own: Readonly<Record<string, string>> = spellings[kind]
  const key = squash(plain)
  if (Object.hasOwn(own, key)) return own[key] ?? plain
  if (!hasOneCase(plain)) return plain
  return plain.replaceAll(/[\p{L}\p{N}]+/gu, (word, at: number) => cased(kind, word, at === 0))
}

/** All capitals or none: typed without care. A name of few capitals is letters (BMW, MDX), unless it names a part. */
const hasOneCase = (name: string) =>
  /\p{L}/u.test(name) && (name === name.toLowerCase() || name === name.toUpperCase())

const FEW_LETTERS = 3

function cased(kind: LookupKind, word: string, isFirst: boolean): string {
  const small = word.toLowerCase()
  if (/\d/.test(word)) return word.toUpperCase()
  if (!isFirst && SMALL_WORDS.test(small)) return small
  if (kind === 'category') return PART_LETTERS.has(small) ? word.toUpperCase() : capital(small)
  const isLetters = word.length <= FEW_LETTERS && (word === word.toUpperCase() || !/[aeiouy]/.test(small))
  return isLetters ? word.toUpperCase() : capital(small)
}

const capital = (small: string) => small.charAt(0).toUpperCase() + small.slice(1)
