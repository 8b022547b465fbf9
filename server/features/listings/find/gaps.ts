import { type RawBuilder, sql } from 'kysely'
import { milesRule } from '#contract/listing/grade-rule.ts'
import { FEW_PICTURES, type ListingGap, SHORT_DESCRIPTION } from '#contract/listing/seller-check.ts'

/* What listings lack, as conditions on listings `l`: the rules of `contract/listing/seller-check.ts` where a list needs them. */

// JavaScript's word boundary is called y in PostgreSQL.
const rule = (source: string) => source.replaceAll(String.raw`\b`, String.raw`\y`)

const partWords = sql`l.name || ' ' || coalesce((select c.name from category c where c.id = l.category_id), '')`

/** The listing's pictures that buyers see, by the index of positions. */
export const picturesOf = sql`
  (select count(*) from listing_image i where i.listing_id = l.id and i.state = 'ready')`

/** `pictures` is their number. */
export const gapConditions = (
  pictures: RawBuilder<unknown> = picturesOf,
): Record<ListingGap, RawBuilder<unknown>> => ({
  picture: sql`${pictures} = 0`,
  pictures: sql`${pictures} between 1 and ${FEW_PICTURES - 1}`,
  description: sql`length(btrim(l.description, E' \\t\\r\\n')) < ${SHORT_DESCRIPTION}`,
  grade: sql`l.grade is null`,
  number: sql`coalesce(l.part_number, '') = ''`,
  // A case, since only few rows need the costly half.
  miles: sql`
    case when l.miles is null
      then ${partWords} ~* ${rule(milesRule.mechanical)} and ${partWords} !~* ${rule(milesRule.around)}
      else false end`,
  terms: sql`
    (l.as_is is not true and l.warranty_days is null and l.return_days is null and coalesce(l.core_cents, 0) = 0
     and l.never_deployed is not true)`,
  shipping: sql`l.shipping_kind = 'quote'`,
  vin: sql`coalesce(l.vin, '') = ''`,
})
