import { findProfanity } from './profanity.ts'

/**
 * A text, or why there is none. Failures of the provider, which are not a record's fault, are thrown (WritingFailure).
 */
export type Written<T> =
  | { readonly ok: true; readonly text: T }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** The words in question and a predicate such as "is not in the record". */
export type Problem = { readonly claim: string; readonly why: string }

/** The kind determines the length limits. */
export type TextKind = 'heading' | 'description' | 'title' | 'metaDescription' | 'intro' | 'anchor'

/**
 * Limits for texts of a language model; a template is as long as its record. Descriptions under 50 characters are
 * rewritten.
 */
export const lengths: Record<TextKind, readonly [least: number, most: number]> = {
  heading: [3, 120],
  description: [50, 900],
  title: [8, 65],
  metaDescription: [60, 160],
  intro: [80, 900],
  anchor: [3, 60],
}

/** What a text is checked against. */
export type CheckBasis = {
  readonly kind: TextKind
  /** Every value that the text may use, in the form people write: "$95.50", "84,213", "2012 to 2015". */
  readonly record: readonly string[]
  /**
   * Lower-case words of makes and models, to find names at the start of a sentence, where every word is capitalized.
   */
  readonly names: ReadonlySet<string>
}

/** Lower-case words without digits that still state a fact: sides, amounts, conditions, colors and promises. */
const TELLING = new Set(
  `left right front rear upper lower inner outer driver passenger both pair two three four five six seven eight nine ten
   eleven twelve twenty thirty forty fifty sixty seventy eighty ninety hundred thousand dozen new genuine original
   factory aftermarket remanufactured rebuilt refurbished tested inspected certified guaranteed guarantee warranty
   returns return refund free shipping ships delivery cheap best perfect excellent mint pristine flawless great good
   fair poor undamaged black white silver gray grey red blue green gold brown beige tan chrome aluminum steel leather
   turbo diesel hybrid electric automatic manual heated power`.split(/\s+/),
)

const FORBIDDEN: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/[<>{}[\]\\^`|*_~#]|&\w+;/, 'is markup'],
  [/https?:|www\.|@|\.(?:com|net|org|shop|store)\b/i, 'is an address'],
  [
    /[^\p{Script=Latin}\p{N}\p{P}\p{Zs}$+=°′″]|[^\P{Zs} ]|\p{Cf}/u,
    'is a character that does not belong in a text',
  ],
  [/^\s|\s$|\s\s/, 'is spacing outside one paragraph'],
  [
    /\b(?:language model|as an ai|system prompt|instructions?|the (?:record|data)|lorem ipsum|undefined)\b/i,
    'is about the writing',
  ],
]

/** Longer texts are rejected for their length alone. */
const LONGEST_READ = 3_000

/**
 * Finds problems in a language model's text: its length, its language, or a number, name, code or factual word that is
 * not in its record. Checks only words, not whether a word from the record is used correctly.
 */
export function findProblems(text: string, { kind, record, names }: CheckBasis): Problem[] {
  const [least, most] = lengths[kind]
  const problems: Problem[] = []
  if (text.length < least || text.length > most) {
    problems.push({ claim: `${text.length} characters`, why: `is not between ${least} and ${most}` })
  }
  if (text.length > LONGEST_READ) return problems
  for (const [pattern, why] of FORBIDDEN) {
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) problems.push({ claim: found, why })
  }
  const profanity = findProfanity(text)
  if (profanity !== undefined) problems.push({ claim: profanity, why: 'is inappropriate language' })
  const known = new Set(record.flatMap((value) => tokensOf(value).flatMap(keysOf)))
  const invented = new Set(
    tokensOf(text)
      .filter((token) => !isTrue(token, known, names))
      .map(({ word }) => word),
  )
  return [...problems, ...[...invented].map((claim) => ({ claim, why: 'is not in the record' }))]
}

type Token = { readonly word: string; readonly startsSentence: boolean }

/** "F-150", "1,234.50", "A/C" and "3.73" are one token each, and "2012-2015" too. */
function tokensOf(text: string): Token[] {
  return [...text.matchAll(/\$?[\p{L}\p{N}]+(?:[.,'’/&:-](?=[\p{L}\p{N}])[\p{L}\p{N}]+)*/gu)].map(
    (found) => ({
      word: found[0],
      startsSentence: /(?:^|[.!?:]\s+)$/.test(text.slice(0, found.index)),
    }),
  )
}

/** A token's spellings: whole, without punctuation, and its pieces, with numbers normalized ("84,213" is 84213). */
function keysOf({ word }: Token): string[] {
  const plain = keyOf(word)
  const pieces = word.split(/[/&:-]/).map(keyOf)
  return [plain, plain.replaceAll(/[.'’/&:-]/g, ''), ...pieces]
}

function keyOf(word: string): string {
  const small = word
    .toLowerCase()
    .replace(/^\$/, '')
    .replace(/['’]s$/, '')
  const number = small.replaceAll(',', '')
  return /^\d+(?:\.\d+)?$/.test(number) ? String(Number(number)) : small
}

function isTrue(token: Token, known: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  const isKnown = (word: string) => {
    const key = keyOf(word)
    return known.has(key) || known.has(key.replaceAll(/[.'’/&:-]/g, '')) || isOtherNumber(key, known)
  }
  if (isKnown(token.word)) return true
  const pieces = token.word.split(/[/&:-]/)
  return pieces.every((piece) => isKnown(piece) || !claims({ ...token, word: piece }, names))
}

/** Matches singular and plural ("alternators" and "alternator"), but not numbers. */
const isOtherNumber = (key: string, known: ReadonlySet<string>) =>
  !/\d/.test(key) &&
  [key.replace(/ies$/, 'y'), key.replace(/s$/, ''), key.replace(/es$/, ''), `${key}s`].some((other) =>
    known.has(other),
  )

/** Whether a word states something that the record must contain. */
function claims({ word, startsSentence }: Token, names: ReadonlySet<string>): boolean {
  if (/\p{N}/u.test(word) || TELLING.has(word.toLowerCase())) return true
  if (!/\p{Lu}/u.test(word)) return false
  return !startsSentence || /^.+\p{Lu}/u.test(word) || names.has(word.toLowerCase())
}
