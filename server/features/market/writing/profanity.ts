import { createRequire } from 'node:module'

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

/** Lengths above this are alike. */
const MOST_LENGTH = 31
const shapeOf = (length: number, first: number, last: number) =>
  (Math.min(length, MOST_LENGTH) << 14) | (first << 7) | last
/** Marks the lengths, first and last letters that a word of the list or the first of a phrase may have: few others do. */
const shapes = new Uint8Array((MOST_LENGTH + 1) << 14)
for (const word of [...lone, ...pairStarts]) {
  shapes[shapeOf(word.length, word.charCodeAt(0), word.charCodeAt(word.length - 1))] = 1
}

const FIRST_SURROGATE = 0xd800
/** A character that may be a letter in disguise, or part of one. */
const OTHER = 0xff
const APART = 0xfe
/** What the characters that were met are: a letter or digit in lower case, or one of the above; most others stand between words. */
const kinds = new Uint8Array(FIRST_SURROGATE)

/** A letter or digit in lower case, 0 for what stands between words, as “–” and “é” do, or OTHER. */
function kindOf(code: number): number {
  if (code >= FIRST_SURROGATE) return OTHER
  if (kinds[code] === 0) kinds[code] = kindOfSign(String.fromCharCode(code))
  const kind = kinds[code] ?? OTHER
  return kind === APART ? 0 : kind
}

function kindOfSign(sign: string): number {
  if (/[a-z\d]/i.test(sign)) return sign.toLowerCase().charCodeAt(0)
  return sign.normalize('NFKC') === sign && !/[\p{M}\p{Cf}]/u.test(sign) ? APART : OTHER
}

function endOfWord(text: string, start: number): number {
  let end = start + 1
  while (end < text.length) {
    const kind = kindOf(text.charCodeAt(end))
    if (kind === 0 || kind === OTHER) return end
    end += 1
  }
  return end
}

/**
 * A quick check before the exact one, which takes many times as long: it looks at each character once and makes no texts. Undefined
 * for texts with characters that may be letters in disguise.
 */
export function mayContainPlain(text: string): boolean | undefined {
  let before = ''
  for (let at = 0; at < text.length; ) {
    const first = kindOf(text.charCodeAt(at))
    if (first === OTHER) return undefined
    if (first === 0) {
      at += 1
      continue
    }
    const end = endOfWord(text, at)
    const last = kindOf(text.charCodeAt(end - 1))
    if (before !== '' || shapes[shapeOf(end - at, first, last)] === 1) {
      const word = text.slice(at, end).toLowerCase()
      if (lone.has(word) || pairs.has(`${before} ${word}`)) return true
      before = pairStarts.has(word) ? word : ''
    }
    at = end
  }
  return false
}

/** The same for any text in plain letters. One entry of the list has no letters. */
export function mayContainProfanity(plain: string): boolean {
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
  const isLikely = mayContainPlain(text)
  if (isLikely === false) return undefined
  const plain = plainLetters(text)
  if (isLikely === undefined && !mayContainProfanity(plain)) return undefined
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
