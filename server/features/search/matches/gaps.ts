import { type RawBuilder, sql } from 'kysely'
import { isInForm, type ListingField, listingKinds } from '#contract/listing/listing-fields.ts'
import { FEW_PICTURES, type ListingGap, SHORT_DESCRIPTION } from '#contract/listing/seller-check.ts'
import type { Db } from '#server/platform/database/database.ts'

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
  miles: sql`(l.miles is null and ${hasInForm('partmiles')})`,
  terms: sql`
    (l.as_is is not true and l.warranty_days is null and l.return_days is null and coalesce(l.core_cents, 0) = 0
     and l.never_deployed is not true
     and not exists (select from seller s where s.id = l.seller_id and ${hasTerms}))`,
  shipping: sql`(l.shipping_kind = 'quote' and ${hasInForm('partshipping')})`,
  vin: sql`coalesce(l.vin, '') = ''`,
})
