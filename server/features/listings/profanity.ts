import { createRequire } from 'node:module'
import { wordScreen } from './word-screen.ts'

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
