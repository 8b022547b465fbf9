import { sql } from 'kysely'
import { foldText } from '#contract/trade-language/names.ts'
import { matchingIds } from '#server/features/finding/search/matches/match-queries.ts'
import { orderBy, pricedListings } from '#server/features/finding/search/matches/ordered-lists.ts'
import {
  isForSale,
  isOfEstablished,
  isPublic,
  SOLD_SHOWN_MS,
} from '#server/features/market/for-sale/for-sale.ts'
import { wordKey } from '#server/features/market/listings/search-row/search-terms.ts'
import type { Db } from '#server/platform/database/database.ts'
import { quotedLexeme } from '#server/platform/database/quoted-text.ts'
import { conditionsOf, modelsWithYears, type ReadWords, toSearch } from './conditions.ts'
import type { Search } from './search.ts'

/*
 * Evidence from our own stock: a part number that was pulled from the searched vehicle and is for sale from another
 * year or model. It suggests that the parts are identical; it does not claim that they fit.
 */

// A number that only one seller has may be a typo or a shelf label that nobody has noticed yet.
const TRUSTED_AFTER_DAYS = 90
// A number on more than this is not a part number.
const MAX_NUMBERS = 50
const MOST_PARTS = 100

export type SameNumbers = {
  /** Finds no less than these parts, for counts of filters. */
  readonly search: Search
  /** In the search’s order. */
  readonly ids: readonly string[]
  /** For each part, from which vehicle its number was pulled: "Same part number as a 2018 F-150’s". */
  readonly why: ReadonlyMap<string, string>
}

/** Undefined unless the search names a part, model and year, and its number is for sale elsewhere. */
export async function findSameNumbers(
  db: Db,
  base: Search,
  { read, now }: { read: ReadWords; now: Date },
): Promise<SameNumbers | undefined> {
  const numbers = await pulledNumbers(db, { read, now })
  if (numbers.length === 0) return undefined
  const keys = [...new Set(numbers.map(({ key }) => key))]
  const dropped = conditionsOf(read.wanted).filter((kind) => kind === 'year' || kind === 'model')
  const others = toSearch(base, read, { dropped })
  const anyNumber = `(${keys.map((key) => quotedLexeme(wordKey(foldText(key)))).join(' | ')})`
  const search = { ...others, words: [others.words, anyNumber].filter((one) => one !== '').join(' & ') }
  const { rows } = await sql<{ id: string; years: string; model: string }>`
    select n.id, n.years, n.model
    from (
      select distinct on (l.id) l.id, n.years, n.model
      from jsonb_to_recordset(${JSON.stringify(numbers)}::jsonb)
             as n(key text, "categoryId" uuid, "makeId" uuid, years text, model text)
      join listing l on l.part_number_key = n.key and l.category_id = n."categoryId" and l.manufacturer_id = n."makeId"
      where ${isForSale} and l.id in (${matchingIds(search)})
      order by l.id desc limit ${MOST_PARTS}
    ) n join ${pricedListings} on l.id = n.id
    order by ${orderBy(search, search.sort === 'nearest' ? 'newest' : search.sort)}
  `.execute(db)
  if (rows.length === 0) return undefined
  return {
    search,
    ids: rows.map(({ id }) => id),
    why: new Map(rows.map(({ id, years, model }) => [id, `Same part number as a ${years} ${model}’s`])),
  }
}

/** `years` are those of the part that was pulled, which may be a range: nobody said which of them its car was. */
type PulledNumber = { key: string; categoryId: string; makeId: string; years: string; model: string }

/**
 * Numbers of parts from the asked vehicle, for sale or lately sold, that two sellers have in the same part type and make, or
 * one has had for a while; those of new sellers are evidence of nothing. Placeholders are none: short ones, one character again and again, digits in order.
 */
async function pulledNumbers(
  db: Db,
  { read: { wanted }, now }: { read: ReadWords; now: Date },
): Promise<PulledNumber[]> {
  const { part } = wanted
  const models = modelsWithYears(wanted)
  if (!part || models.length === 0) return []
  const trustedBefore = new Date(now.getTime() - TRUSTED_AFTER_DAYS * 86_400_000)
  const { rows } = await sql<PulledNumber>`
    with pulled as materialized (
      select l.part_number_key as key, l.category_id, l.manufacturer_id, l.seller_id, l.model_name, l.created_at,
             concat_ws('–', l.year_from, nullif(l.year_to, l.year_from)) as year
      from unnest(${models.map(({ id }) => id)}::uuid[], ${models.map(({ years }) => years.from)}::int[],
                  ${models.map(({ years }) => years.to)}::int[]) as m(id, year_from, year_to)
      join listing l on l.car_model_id = m.id and l.year_from <= m.year_to and l.year_to >= m.year_from
      where l.category_id = any(${[...part.ids]}::uuid[]) and l.manufacturer_id is not null
        and ${isPublic} and ${isOfEstablished}
        and (l.ended_at is null or l.ended_reason in ('sold-here', 'sold-elsewhere')
             and l.ended_at >= ${new Date(now.getTime() - SOLD_SHOWN_MS)})
        and links_parts(l.part_number)
        and l.part_number_key !~ '^(.)\\1*$' and strpos('01234567890123456789', l.part_number_key) = 0
        and strpos('98765432109876543210', l.part_number_key) = 0
    )
    select distinct on (key, category_id, manufacturer_id) key, category_id as "categoryId",
           manufacturer_id as "makeId", year as years, model_name as model
    from pulled p
    where p.created_at < ${trustedBefore}
       or exists (select from pulled o where o.key = p.key and o.category_id = p.category_id
                  and o.manufacturer_id = p.manufacturer_id and o.seller_id <> p.seller_id)
       or exists (select from listing l where l.part_number_key = p.key and l.category_id = p.category_id
                  and l.manufacturer_id = p.manufacturer_id and l.seller_id <> p.seller_id and ${isForSale}
                  and ${isOfEstablished})
    order by key, category_id, manufacturer_id, year limit ${MAX_NUMBERS}
  `.execute(db)
  return rows
}
