import { createRequire } from 'node:module'
import { cleanFields, type ListingField, type ListingKind } from '#contract/listing/listing-fields.ts'
import { checkListing, type ListingText, pictureMissing } from '#contract/listing/listing-rules.ts'
import { AppError } from '#server/platform/errors.ts'

const require = createRequire(import.meta.url)

/**
 * Words of the list that are everyday words of this trade or of a car's name (Ford Escort, Dodge Scat Pack and
 * Swinger, Hooker headers, grease nipples, butt connectors, a transmission called tranny, a white power mirror).
 */
const tradeWords = new Set(
  `bareback;big black;butt;domination;escort;girl on;hard core;hardcore;hooker;jack off;negro;nipple;nipples;
   playboy;scat;skeet;snatch;strap on;suck;sucks;swinger;tied up;tight white;topless;tranny;white power;xx;xxx`
    .split(';')
    .map((word) => word.trim()),
)
/** Names in which a word of the list is no bad word. */
const tradeNames = /\b(dick cepek|drain cock|pet cock|stop cock)s?\b/g

/** English words of the list "naughty-words" (CC BY 4.0), lower case; the longest entry has six words. */
const listed = new Set<string>(
  (require('naughty-words/en.json') as string[]).filter((word) => !tradeWords.has(word)),
)
const MAX_WORDS = 6

/** Entries of one word, and the first two words of all others; letters and digits only. */
const lone = new Set<string>()
const pairs = new Set<string>()
const pairStarts = new Set<string>()
for (const phrase of listed) {
  const [first, second] = phrase.match(/[a-z0-9]+/g) ?? []
  if (first === undefined) continue
  if (second === undefined) lone.add(first)
  else {
    pairStarts.add(first)
    pairs.add(`${first} ${second}`)
  }
}

/** A quick check before the exact one, which takes ten times as long. One entry of the list has no letters. */
function mayContainProfanity(plain: string): boolean {
  let before = ''
  for (const word of plain.match(/[a-z0-9]+/g) ?? []) {
    if (lone.has(word) || (pairStarts.has(before) && pairs.has(`${before} ${word}`))) return true
    before = word
  }
  return plain.includes('🖕')
}

/**
 * Returns the first word or phrase of the list that the text contains as whole words, in any case; undefined when it is
 * clean. Patterns instead of whole words would match "shaft" and "Cockpit".
 */
export function findProfanity(text: string): string | undefined {
  const plain = plainLetters(text)
  if (!mayContainProfanity(plain)) return undefined
  const words = wordsOf(plain)
  for (let start = 0; start < words.length; start++) {
    let phrase = ''
    for (const word of words.slice(start, start + MAX_WORDS)) {
      phrase = phrase ? `${phrase} ${word}` : word
      if (listed.has(phrase)) return phrase
    }
  }
  return undefined
}

const ASCII = /^[\0-\x7f]*$/

/** Lower case, with look-alike letters as plain ones and invisible characters removed. */
const plainLetters = (text: string) =>
  (ASCII.test(text) ? text : text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')).toLowerCase()

/** Splits text into words without quotes and hyphens at the ends. A hyphenated word also counts as its parts. */
function wordsOf(plain: string): string[] {
  const found = plain.replaceAll(tradeNames, ' ').match(/[\p{L}\p{N}&'’-]+|🖕/gu) ?? []
  return found.flatMap((word) => {
    const bare = word.replaceAll(/^[&'’-]+|[&'’-]+$/g, '')
    const parts = bare.split(/[&'’-]+/)
    return parts.length > 1 ? [bare, ...parts] : [bare]
  })
}

type Check = {
  mode: 'create' | 'edit'
  now: Date
  pictureMissing?: boolean
  /** The listing's current terms (`storedTerms`). */
  stored?: ListingText
  /** Whether its category needs no vehicle. */
  universal?: boolean | undefined
}

export type TextProblem = { error: string; fields: Record<string, string> }

/**
 * Applies every rule for a listing's text, for the form, the API and imports.
 * @throws AppError VALIDATION_FAILED with the spec's sentence and one for each field
 */
export function checkText(kind: ListingKind, text: ListingText, check: Check): void {
  const problem = findTextProblem(kind, text, check)
  if (problem) throw new AppError('VALIDATION_FAILED', problem.error, { fields: problem.fields })
}

/** The same for bulk work: returns the problem instead of throwing. */
export function findTextProblem(kind: ListingKind, text: ListingText, check: Check): TextProblem | undefined {
  const { mode, stored, universal } = check
  const problem = checkListing(kind, text, { mode, year: check.now.getUTCFullYear(), stored, universal })
  const fields: Record<string, string> = { ...problem?.fields }
  let error = problem?.error
  // Text that is too long is rejected for that alone, without the cost of the word check.
  const profane = fields.partname || fields.partdescription ? undefined : findProfaneField(text)
  if (profane) {
    const sentence = `Please remove inappropriate language (${profane.word}).`
    fields[profane.field] = sentence
    error ??= sentence
  }
  if (check.pictureMissing) {
    fields.image = pictureMissing
    error = error === undefined ? fields.image : error
  }
  return error === undefined ? undefined : { error, fields }
}

function findProfaneField(text: ListingText): { field: ListingField; word: string } | undefined {
  for (const field of cleanFields) {
    const word = findProfanity(text[field] ?? '')
    if (word !== undefined) return { field, word }
  }
  return undefined
}
