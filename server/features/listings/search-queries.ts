import { type RawBuilder, sql } from 'kysely'

// More words than anybody types; each costs a look-up in the index.
const MOST_WORDS = 10

/**
 * The condition on listings `l` for what a person typed: every word must be found as the beginning of a word (stemmed
 * as English), or all of it together is the beginning of a part number in any spelling. Undefined where nothing was
 * typed; signs alone find nothing. Of a seller's listings (`sellerId`) or of the public ones.
 */
export function matches(typed: string | undefined, sellerId?: string): RawBuilder<unknown> | undefined {
  if (!typed?.trim()) return undefined
  const words = typed
    .trim()
    .split(/\s+/)
    .map(toLexemes)
    .filter((word) => word.key !== '')
  if (words.length === 0) return sql`false`
  const everyWord = sql.join(words.slice(0, MOST_WORDS).map(wordQuery), sql` && `)
  const whole = words.map((word) => word.key).join('')
  // A part number may be typed with spaces inside; without a digit it is none.
  const asNumber = /\d/.test(whole) ? sql` || ${numberQuery(whole)}` : sql``
  const asOwnNumber = sellerId === undefined ? sql`` : sql` || ${ownNumberQuery(whole)}`
  // Both conditions repeat what is asked of the listing itself; here they narrow the search before it is joined.
  const among = sellerId === undefined ? sql`t.live` : sql`t.seller_id = ${sellerId}`
  return sql`exists (
    select from listing_search t
    where t.listing_id = l.id and ${among} and t.document @@ ((${everyWord})${asNumber}${asOwnNumber})
  )`
}

type Word = { parts: string[]; key: string }

function toLexemes(word: string): Word {
  const parts =
    withoutAccents(word)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const key = parts.join('')
  // "A/C" and "F-150": single letters are part of the word, not words that begin with them.
  return { parts: parts.some((part) => part.length > 1) ? parts : [key], key }
}

/**
 * The database's unaccent() would do, but it is not immutable: the planner would not know the words while it plans, guess
 * wrongly how many rows they match, and choose a plan that reads them all.
 */
const withoutAccents = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '')

/** Only letters and digits reach the query language, so nothing of it can be injected. A stop word asks for nothing. */
function wordQuery({ parts, key }: Word): RawBuilder<unknown> {
  const english = sql`to_tsquery('english', ${parts.map((part) => `${part}:*`).join(' & ')})`
  return sql`(case when numnode(${english}) = 0 then ${english} else ${english} || ${numberQuery(key)} end)`
}

function numberQuery(key: string): RawBuilder<unknown> {
  return sql`to_tsquery('simple', ${`${key}:*`})`
}

/** A stock number or VIN, as `writeSearchRows` marks them. */
function ownNumberQuery(key: string): RawBuilder<unknown> {
  return sql`${`'#${key}':*`}::tsquery`
}
