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
