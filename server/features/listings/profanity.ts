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
const MOST_WORDS = 6

/**
 * The first word or phrase of the list that stands in the text as whole words, in any case; undefined when clean.
 * A set look-up a word: pattern matchers flag "shaft" and "Cockpit", and are twenty times slower.
 */
export function findProfanity(text: string): string | undefined {
  const words = wordsOf(text)
  for (let start = 0; start < words.length; start++) {
    let phrase = ''
    for (const word of words.slice(start, start + MOST_WORDS)) {
      phrase = phrase ? `${phrase} ${word}` : word
      if (listed.has(phrase)) return phrase
    }
  }
  return undefined
}

/**
 * The words as they are read: look-alike letters as plain ones, invisible characters gone, quotes and hyphens at the ends
 * cut off. A hyphenated word also counts as its parts.
 */
function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
    .replaceAll(tradeNames, ' ')
  const found = plain.match(/[\p{L}\p{N}&'’-]+|🖕/gu) ?? []
  return found.flatMap((word) => {
    const bare = word.replaceAll(/^[&'’-]+|[&'’-]+$/g, '')
    const parts = bare.split(/[&'’-]+/)
    return parts.length > 1 ? [bare, ...parts] : [bare]
  })
}
