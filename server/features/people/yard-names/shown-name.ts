import { type RawBuilder, sql } from 'kysely'

/** A seller's name, or the dealer's name of a listing, as buyers see it: while a new seller's name is reviewed, a neutral one. */
export const shownName = (sellerId: RawBuilder<unknown>, name: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`
    coalesce((
      select r.shown_as from name_review r
      where r.seller_id = ${sellerId} and r.name = ${name} and r.decision is distinct from 'published'
    ), ${name})`
