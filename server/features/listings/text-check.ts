import { createRequire } from 'node:module'
import { cleanFields, type ListingField, type ListingKind } from '#contract/listing/listing-fields.ts'
import { checkListing, type ListingText, pictureMissing } from '#contract/listing/listing-rules.ts'
import { AppError } from '#server/platform/errors.ts'

// What a word of the list may be: a phrase of its own, or the first or second word of one.
const [ALONE, FIRST, SECOND] = [1, 2, 4]
// So many more slots than words that few innocent words share one, and few enough to stay in the processor's cache.
const SLOTS = 16_384

/** Code of the small letter or digit that an ASCII character is; 0 for every other. */
const letters = new Uint8Array(128)
for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789') {
  letters[letter.charCodeAt(0)] = letter.charCodeAt(0)
  letters[letter.toUpperCase().charCodeAt(0)] = letter.charCodeAt(0)
}

/** Whether a word of some role makes a phrase, alone or with the word before it. */
const isPhrase = (role: number, before: number) =>
  (role & ALONE) !== 0 || ((role & SECOND) !== 0 && (before & FIRST) !== 0)

const nextHash = (hash: number, letter: number) => (Math.imul(hash, 31) + letter) | 0
const slotOf = (hash: number) => hash & (SLOTS - 1)

/**
 * Makes a quick look at a text that says whether any of the phrases (small letters) may stand in it. It never misses one;
 * where it says yes, and of every text that is not ASCII it does, look closely. A loop over character codes takes a tenth
 * of the time of taking the words out.
 */
export function wordScreen(phrases: Iterable<string>): (text: string) => boolean {
  const roles = new Map<string, number>()
  const slots = new Uint8Array(SLOTS)
  const note = (word: string, role: number) => {
    let hash = 0
    for (const letter of word) hash = nextHash(hash, letter.charCodeAt(0))
    slots[slotOf(hash)] = 1
    roles.set(word, (roles.get(word) ?? 0) | role)
  }
  for (const phrase of phrases) {
    const [first, second] = phrase.match(/[a-z0-9]+/g) ?? []
    if (first === undefined) continue
    note(first, second === undefined ? ALONE : FIRST)
    if (second !== undefined) note(second, SECOND)
  }

  const roleOf = (word: string) => roles.get(word.toLowerCase()) ?? 0

  let slot = 0
  /** Where the word ends that begins there, and whose slot is noted. */
  function passWord(text: string, begin: number): number {
    let hash = 0
    let at = begin
    for (; at < text.length; at++) {
      const letter = letters[text.charCodeAt(at)]
      if (!letter) break
      hash = nextHash(hash, letter)
    }
    slot = slotOf(hash)
    return at
  }

  return (text) => {
    let before = 0
    for (let at = 0; at < text.length; at++) {
      const end = passWord(text, at)
      if (text.charCodeAt(end) >= letters.length) return true
      if (end === at) continue
      const role = slots[slot] === 0 ? 0 : roleOf(text.slice(at, end))
      if (isPhrase(role, before)) return true
      before = role
      at = end
    }
    return false
  }
}

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
const MOST_WORDS = 6

const mayHold = wordScreen(listed)

/**
 * The first word or phrase of the list that stands in the text as whole words, in any case; undefined when clean.
 * A set look-up a word: pattern matchers flag "shaft" and "Cockpit", and are twenty times slower.
 */
export function findProfanity(text: string): string | undefined {
  if (!mayHold(text)) return undefined
  const plain = plainLetters(text)
  // Dashes, degrees and accents alone are no reason to look closely; of the list one entry is no ASCII.
  if (!plain.includes('🖕') && !mayHold(plain.replaceAll(/[^\0-\x7f]/g, ' '))) return undefined
  const words = wordsOf(plain)
  for (let start = 0; start < words.length; start++) {
    let phrase = ''
    for (const word of words.slice(start, start + MOST_WORDS)) {
      phrase = phrase ? `${phrase} ${word}` : word
      if (listed.has(phrase)) return phrase
    }
  }
  return undefined
}

/** Look-alike letters as plain ones, invisible characters gone, small. */
const plainLetters = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()

/**
 * The words as they are read, quotes and hyphens at the ends cut off. A hyphenated word also counts as its parts.
 */
function wordsOf(plain: string): string[] {
  const found = plain.replaceAll(tradeNames, ' ').match(/[\p{L}\p{N}&'’-]+|🖕/gu) ?? []
  return found.flatMap((word) => {
    const bare = word.replaceAll(/^[&'’-]+|[&'’-]+$/g, '')
    const parts = bare.split(/[&'’-]+/)
    return parts.length > 1 ? [bare, ...parts] : [bare]
  })
}

type Check = { mode: 'create' | 'edit'; now: Date; pictureMissing?: boolean }

export type TextProblem = { error: string; fields: Record<string, string> }

/**
 * Every rule of a listing's text, on every way in (form, API, import).
 * @throws AppError VALIDATION_FAILED with the spec's sentence and one for each field
 */
export function checkText(kind: ListingKind, text: ListingText, check: Check): void {
  const problem = findTextProblem(kind, text, check)
  if (problem) throw new AppError('VALIDATION_FAILED', problem.error, { fields: problem.fields })
}

/** The same for many listings at once, where what is wrong with one is no reason to stop. */
export function findTextProblem(kind: ListingKind, text: ListingText, check: Check): TextProblem | undefined {
  const problem = checkListing(kind, text, { mode: check.mode, year: check.now.getUTCFullYear() })
  const fields: Record<string, string> = { ...problem?.fields }
  let error = problem?.error
  // A text that is too long is refused for that; nobody's time is spent on its words.
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
