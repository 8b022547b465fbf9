import { sql } from 'kysely'
import { numberKey } from '#contract/listing/interchange.ts'
import { foldText } from '#contract/trade-language/names.ts'
import type { Wanted } from '#contract/trade-language/query/query.ts'
import type { DroppedConditions } from '#server/features/finding/search/query/conditions.ts'
import { endOf, sideOf } from '#server/features/finding/vocabulary/built-in.ts'
import type { Interchange } from '#server/features/market/interchange/number-claims.ts'
import { wordKey } from '#server/features/market/listings/search-row/search-terms.ts'
import type { Shape } from '#server/features/market/listings/shown/shapes.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { CountedListing } from './facets.ts'
import type { Placeable } from './featured.ts'

/* Ranks search results: by how well they match the words, then by what helps a buyer. */

/** The data of a listing that ranking and facets read. */
export type ReadRanked = CountedListing & {
  id: string
  sellerId: string
  partNumber: string | null
  /** Trim and body. */
  beside: string
  isPro: boolean
  /** How many of the five facts that buyers ask about are present. */
  facts: number
}

// Not "exists" for pictures: that may be hashed, which reads every picture.
export const rankedShape: Shape<ReadRanked> = {
  columns: sql<ReadRanked>`
    l.id, l.seller_id as "sellerId", l.part_number as "partNumber", l.category_id as "categoryId", l.manufacturer_id as "manufacturerId",
    l.car_model_id as "carModelId", l.name, l.grade, l.price_cents as "priceCents", l.shipping_kind as "shippingKind",
    concat_ws(' ', l.trim_name, l.body_style) as beside, l.year_from as "yearFrom", l.year_to as "yearTo",
    s.tier = 'PAID' as "isPro",
    coalesce((select true from listing_image i where i.listing_id = l.id and i.state = 'ready' limit 1), false) as "hasPicture",
    (l.part_number is not null)::int + (l.grade is not null)::int + (l.miles is not null)::int
      + (l.price_cents > 0)::int + (l.description <> '')::int as facts`,
  joins: sql`join seller s on s.id = l.seller_id`,
}

/** One sort criterion: its value (lower is better) and the text that explains it. */
type Reason = readonly [place: number, why: string]

type Ranked = Placeable & { readonly why: readonly string[] }

type RankedBy = {
  wanted: Wanted
  without: DroppedConditions
  answers: AnswerRates
  /** Miles from the buyer by listing, if they gave a ZIP code; without those whose place is unknown. */
  away?: ReadonlyMap<string, number> | undefined
  /** Interchange of the requested part number. */
  interchange?: Interchange | undefined
}

/** Sorts best first. `found` is newest first, which decides ties. */
export function rank(found: readonly ReadRanked[], by: RankedBy): Ranked[] {
  const words = [
    ...by.wanted.words.flat(),
    ...(by.wanted.piece?.words ?? []),
    ...(by.wanted.part ? [] : by.wanted.numbers),
  ].map(wordKey)
  const exact = new Set(by.wanted.vehicle?.models.flatMap(({ exactIds }) => exactIds))
  const known = new Set(by.wanted.vehicle?.models.flatMap(({ ids }) => ids))
  return found
    .map((listing) => {
      const matches = matchReasons(listing, { ...by, words, exact, known })
      return { listing, matches, reasons: [...matches, ...otherReasons(listing, by)] }
    })
    .sort((a, b) => compare(a.reasons, b.reasons))
    .map(({ listing: { id, sellerId, isPro }, matches, reasons }) => ({
      id,
      sellerId,
      isPro,
      match: matches.map(([place]) => place).join(' '),
      why: reasons.map(([, why]) => why),
    }))
}

function compare(a: readonly Reason[], b: readonly Reason[]): number {
  for (const [at, [place]] of a.entries()) {
    const difference = place - (b[at]?.[0] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

type Terms = RankedBy & {
  words: readonly string[]
  exact: ReadonlySet<string>
  known: ReadonlySet<string>
}

/** How well a part matches: the criteria that a paid place never outweighs. */
function matchReasons(listing: ReadRanked, terms: Terms): Reason[] {
  const { wanted, interchange } = terms
  return [
    ...(interchange ? [numberReason(listing, interchange)] : []),
    nameReason(listing, terms.words),
    ...(wanted.side || wanted.end ? [placeReason(listing, wanted)] : []),
    ...(wanted.vehicle ? [modelReason(listing, terms)] : []),
    ...(wanted.years && terms.without.dropped.includes('year') ? [yearReason(listing, wanted.years)] : []),
    ...(wanted.wishes.length > 0 ? [wishReason(listing, wanted.wishes)] : []),
  ]
}

/** Tie-breakers for parts that match equally well. */
const otherReasons = (listing: ReadRanked, { away, answers }: RankedBy): Reason[] => [
  ...(away ? [distanceReason(away.get(listing.id))] : []),
  listing.hasPicture ? [0, 'has a picture'] : [1, 'no picture'],
  [-listing.facts, `${listing.facts} of 5 facts given`],
  answers.reason(listing.sellerId),
]

// A shorter drive than this makes no difference to a buyer, but a picture does.
const MILES_A_STEP = 25

function distanceReason(miles: number | undefined): Reason {
  if (miles === undefined) return [Number.MAX_SAFE_INTEGER, 'distance unknown']
  const step = Math.floor(miles / MILES_A_STEP)
  return [step, `${step * MILES_A_STEP} to ${(step + 1) * MILES_A_STEP} miles away`]
}

function numberReason({ partNumber }: ReadRanked, { asked, why }: Interchange): Reason {
  if (numberKey(partNumber ?? '').startsWith(asked)) return [0, 'has the number']
  return [1, why(partNumber ?? '') ?? 'its seller states the number']
}

function nameReason({ name }: ReadRanked, words: readonly string[]): Reason {
  if (words.length === 0) return [0, 'the part type that was named']
  const text = ` ${foldText(name).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`
  const joined = wordKey(foldText(name))
  const missing = words.filter((word) => !text.includes(` ${word}`) && !joined.includes(word)).length
  return missing === 0 ? [0, 'its name has the words'] : [missing, 'only mentions the words']
}

/** Correct side and end first, wrong ones last. */
function placeReason({ name }: ReadRanked, { side, end }: Wanted): Reason {
  const misses = (wanted: string | undefined, said: string | undefined) => {
    if (wanted === undefined) return 0
    if (said === undefined) return 1
    return said === wanted ? 0 : 2
  }
  const missed = misses(side, sideOf(name)) + misses(end, endOf(name))
  return [missed, missed === 0 ? 'the side that was asked for' : 'does not say that side']
}

function modelReason({ carModelId, manufacturerId }: ReadRanked, { exact, known, wanted }: Terms): Reason {
  if (exact.size === 0) {
    return manufacturerId !== null && wanted.vehicle?.makeIds.includes(manufacturerId)
      ? [0, 'of the make that was named']
      : [1, 'fits the make that was named']
  }
  if (carModelId !== null && exact.has(carModelId)) return [0, 'the model that was named']
  if (carModelId !== null && known.has(carModelId)) return [1, 'a model of the same family']
  return [2, 'another model of the make']
}

function yearReason({ yearFrom, yearTo }: ReadRanked, { from, to }: NonNullable<Wanted['years']>): Reason {
  if (yearFrom === null || yearTo === null) return [Number.MAX_SAFE_INTEGER, 'names no model year']
  const distance = Math.max(0, from - yearTo, yearFrom - to)
  return [distance, `${distance} model years away`]
}

function wishReason({ name, beside }: ReadRanked, wishes: readonly string[]): Reason {
  const text = wordKey(foldText(`${name} ${beside}`))
  const met = wishes.filter((wish) => text.includes(wordKey(wish))).length
  return [-met, `${met} of ${wishes.length} further words`]
}

/* Answer rates */

export type AnswerRates = { reason(sellerId: string): Reason }

// A rate from fewer messages means nothing.
const FEWEST_MESSAGES = 3
const DAYS_COUNTED = 90

// Rates change slowly and only decide ties.
const READ_AGAIN_MS = 10 * 60_000

/** Caches the answer rates. */
export function openAnswerRates(now: () => Date): (db: Db) => Promise<AnswerRates> {
  let known: { at: number; rates: Promise<AnswerRates> } | undefined
  return (db) => {
    const at = now().getTime()
    if (known && at - known.at < READ_AGAIN_MS) return known.rates
    const read = { at, rates: readAnswerRates(db) }
    read.rates.catch(() => {
      if (known === read) known = undefined
    })
    known = read
    return read.rates
  }
}

/** Reads the share of messages each seller answered in the last 90 days, in fifths. */
async function readAnswerRates(db: Db): Promise<AnswerRates> {
  const { rows } = await sql<{ sellerId: string; fifths: number }>`
    select seller_id as "sellerId", round(5.0 * count(*) filter (where state <> 'new') / count(*))::int as fifths
    from lead where created_at > now() - make_interval(days => ${DAYS_COUNTED})
    group by 1 having count(*) >= ${FEWEST_MESSAGES}
  `.execute(db)
  const fifths = new Map(rows.map((row) => [row.sellerId, row.fifths]))
  return {
    reason(sellerId) {
      const rate = fifths.get(sellerId)
      // Unknown ranks between good and bad.
      return rate === undefined ? [-3, 'answer rate unknown'] : [-rate, `answers ${rate * 20}% of messages`]
    },
  }
}
