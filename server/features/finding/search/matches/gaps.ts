import { type RawBuilder, sql } from 'kysely'
import { isInForm, type ListingField, listingKinds } from '#contract/listing/listing-fields.ts'
import { FEW_PICTURES, gapNames, type ListingGap, SHORT_DESCRIPTION } from '#contract/listing/seller-check.ts'
import type { Search } from '#server/features/finding/search/query/search.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { matchingIds } from './match-queries.ts'
import type { OrderedList } from './ordered-lists.ts'

/*
 * Missing data, as conditions on listings `l`: the rules of `contract/listing/seller-check.ts` where a list needs
 * them.
 */

// Fields that the seller's form does not have are not required.
const hasInForm = (field: ListingField) =>
  sql`l.kind = any(${listingKinds.filter((kind) => isInForm(field, kind))})`

/** Whether seller `s` states a warranty or returns for all parts, which each part's page shows. */
const hasTerms = sql`(coalesce(s.policy ->> 'warranty', '') <> '' or coalesce(s.policy ->> 'returns', '') <> '')`

export async function readYardHasTerms(db: Db, sellerId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select ${hasTerms} as has from seller s where s.id = ${sellerId}
  `.execute(db)
  return rows[0]?.has ?? false
}

/** The listing's pictures that buyers see, by the index of positions. */
const picturesOf = sql`
  (select count(*) from listing_image i where i.listing_id = l.id and i.state = 'ready')`

/** `pictures` is their number. */
const gapConditions = (
  pictures: RawBuilder<unknown> = picturesOf,
): Record<ListingGap, RawBuilder<unknown>> => ({
  picture: sql`${pictures} = 0`,
  pictures: sql`${pictures} between 1 and ${FEW_PICTURES - 1}`,
  description: sql`length(btrim(l.description, E' \\t\\r\\n')) < ${SHORT_DESCRIPTION}`,
  grade: sql`l.grade is null`,
  number: sql`coalesce(l.part_number, '') = ''`,
  miles: sql`(l.miles is null and ${hasInForm('partmiles')})`,
  terms: sql`
    (l.as_is is not true and l.warranty_days is null and l.return_days is null and coalesce(l.core_cents, 0) = 0
     and l.never_deployed is not true
     and not exists (select from seller s where s.id = l.seller_id and ${hasTerms}))`,
  shipping: sql`(l.shipping_kind = 'quote' and ${hasInForm('partshipping')})`,
  vin: sql`coalesce(l.vin, '') = ''`,
})

/** The gap of this name as a search looks for it. */
export const gapNamed = (name: ListingGap): NonNullable<Search['gap']> => ({
  name,
  lacks: gapConditions()[name],
})

// 300,000 listings took 9 s on a busy machine, most of it for their pictures.
const COUNTED_LISTINGS = 50_000

type GapCounts = { counts: Record<ListingGap, number>; isPartial: boolean }

/** For each missing field, how many of a seller's newest listings in a search lack it. Reads each of them once. */
export async function countGaps(
  db: Db,
  { where }: OrderedList,
  search: Search | 'everything' | 'nothing',
): Promise<GapCounts> {
  const found = {
    everything: sql`true`,
    nothing: sql`false`,
  }
  const isFound = typeof search === 'string' ? found[search] : sql`l.id in (${matchingIds(search)})`
  const conditions = Object.values(gapConditions(sql`pictures`))
  const { rows } = await sql<{ counts: number[]; looked: number }>`
    select array[${sql.join(conditions.map((lacks) => sql`count(*) filter (where ${lacks})`))}]::int[] as counts,
           count(*)::int as looked
    from (
      select l.*, ${picturesOf} as pictures from listing l
      where ${where} and ${isFound} order by l.id desc limit ${COUNTED_LISTINGS}
    ) l
  `.execute(db)
  const { counts, looked } = onlyRow(rows)
  const byGap = gapNames.map((gap, at) => [gap, counts[at] ?? 0])
  return { counts: Object.fromEntries(byGap), isPartial: looked === COUNTED_LISTINGS }
}
