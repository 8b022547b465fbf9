import { type RawBuilder, sql } from 'kysely'

// More words than anybody types; each costs a look-up in the index.
const MOST_WORDS = 10

/**
 * The search for what a person typed: every word must be found as the beginning of a word (stemmed as English), or all
 * of it together is the beginning of a part number in any spelling. Undefined where nothing was typed.
 */
export function searchFor(typed: string | undefined): RawBuilder<unknown> | undefined {
  const words = (typed ?? '')
    .trim()
    .split(/\s+/)
    .map(toLexemes)
    .filter((word) => word.letters.length > 0)
  if (words.length === 0) return undefined
  const everyWord = words.slice(0, MOST_WORDS).map(wordQuery)
  const whole = words.map((word) => word.key).join('')
  // A part number may be typed with spaces inside; without a digit it is none.
  const asNumber = /\d/.test(whole) ? sql` || ${numberQuery(whole)}` : sql``
  return sql`((${sql.join(everyWord, sql` && `)})${asNumber})`
}

type Word = { letters: string[]; key: string }

function toLexemes(word: string): Word {
  const letters = word.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return { letters, key: letters.join('') }
}

function wordQuery({ letters, key }: Word): RawBuilder<unknown> {
  // Only letters and digits reach the query language, so nothing of it can be injected.
  const english = letters.map((part) => `${part}:*`).join(' & ')
  return sql`(to_tsquery('english', unaccent(${english})) || ${numberQuery(key)})`
}

function numberQuery(key: string): RawBuilder<unknown> {
  return sql`to_tsquery('simple', ${`${key}:*`})`
}
