import { type RawBuilder, sql } from 'kysely'
import { AppError } from '#server/platform/errors.ts'

/*
 * Whether a part is for sale. The only place that decides it: a listing's own state, and whether its seller is gone
 * (`gone-sellers.ts`). A gone seller's listings keep their state, so disabling a yard of a million parts writes one
 * row, and enabling it restores the same parts under the same URLs.
 */

type ListingAlias = 'l' | 'f' | 'p'

const column = (alias: ListingAlias, name: string) => sql.ref(`${alias}.${name}`)

/** A listing's own state, for what is about to be joined with one that is for sale. The partial indexes have these conditions. */
export const isOffered = (alias: ListingAlias): RawBuilder<unknown> => sql`
  ${column(alias, 'status')} = 'ACTIVE' and ${column(alias, 'ended_at')} is null
  and ${column(alias, 'deleted_at')} is null`

/**
 * Whether the seller in a column is not gone: one lookup in a hash that is made once for each statement. `not
 * in` alone would be equivalent, but the planner then assumes that half of all rows pass.
 */
const isOpen = (sellerId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (case when ${sellerId} in (select seller_id from gone_seller) then null else true end) is not null`

/** Whether a listing is for sale: in lists, counts, feeds and sitemaps. */
export const isForSaleAs = (alias: ListingAlias): RawBuilder<unknown> =>
  sql`${isOffered(alias)} and ${isOpen(column(alias, 'seller_id'))}`

/** Whether listing `l` is for sale. */
export const isForSale: RawBuilder<unknown> = isForSaleAs('l')

/** The same of a search row `t`. */
export const isRowForSale: RawBuilder<unknown> = sql`t.live and ${isOpen(sql`t.seller_id`)}`

/** Whether listing `l` has a public page, for sale or sold. */
export const isPublic: RawBuilder<unknown> = sql`
  l.status = 'ACTIVE' and l.deleted_at is null and ${isOpen(sql`l.seller_id`)}`

/** Contract, second edition: a sold part is shown for 90 days. */
export const SOLD_SHOWN_MS = 90 * 86_400_000

/** Whether listing `l` is that of a seller who is not new, so that what it states counts beyond its own page. */
export const isOfEstablished = sql`exists (select from seller e where e.id = l.seller_id and e.established_at is not null)`

/** A disabled seller may come back; a closed one was taken down by its people. */
export type WhyGone = 'disabled' | 'closed'

/** Why the seller in a column is gone; null for active sellers. */
export const whyGone = (sellerId: RawBuilder<unknown>): RawBuilder<WhyGone | null> =>
  sql<WhyGone | null>`(select g.state from gone_seller g where g.seller_id = ${sellerId})`

/** Of a listing, its pictures, or a seller's page. */
export const sellerClosed = () =>
  new AppError('SELLER_CLOSED', 'This seller no longer sells here. Search all parts instead.')
