import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/*
 * Parts that a buyer holds: in a cart, paid for but not confirmed, or promised by an offer. A hold hides nothing: lists and
 * pages show it, and whether a piece is left for others.
 */

/** The open holds of one listing together. */
export type Held = {
  readonly pieces: number
  /** Some of it is paid for or promised, not only in carts. */
  readonly isPending: boolean
  /** When the first of them ends by itself; null if none does. */
  readonly until: string | null
}

/**
 * The open holds of the listing in a column, null if there are none. A value of the page's own statement, so that pages
 * without holds cost no other one: a probe of `part_hold_open` for each listing.
 */
export const heldOf = (listingId: RawBuilder<unknown>): RawBuilder<Held | null> => sql<Held | null>`(
  select json_build_object('pieces', sum(h.quantity), 'isPending', bool_or(h.kind = 'pending'), 'until', min(h.expires_at))
  from part_hold h where h.listing_id = ${listingId} and h.ended_at is null having count(*) > 0)`

/** The pieces of the listing in a column that are paid for or promised; those in carts may still be sold to others. */
export const soldPiecesOf = (listingId: RawBuilder<unknown>): RawBuilder<number> => sql<number>`
  coalesce((select sum(h.quantity)::int from part_hold h
            where h.listing_id = ${listingId} and h.ended_at is null and h.kind = 'pending'), 0)`

/** Changes whenever `soldPiecesOf` one of the seller's listings does. */
export const soldVersionOf = (sellerId: string): RawBuilder<string> => sql<string>`(
  select coalesce(sum(hashtextextended(h.listing_id::text, h.quantity)), 0) from part_hold h
  where h.seller_id = ${sellerId} and h.ended_at is null and h.kind = 'pending')`

/** By listing, the open holds of those that have any. */
export async function readHeld(db: Db, listingIds: readonly string[]): Promise<ReadonlyMap<string, Held>> {
  if (listingIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; held: Held }>`/* prepared */
    select h.listing_id as id,
           json_build_object('pieces', sum(h.quantity), 'isPending', bool_or(h.kind = 'pending'),
                             'until', min(h.expires_at)) as held
    from part_hold h where h.listing_id = any(${[...listingIds]}::uuid[]) and h.ended_at is null group by 1
  `.execute(db)
  return new Map(rows.map(({ id, held }) => [id, held]))
}

/** Whether the seller `s` sells online. */
export const sellsOnline: RawBuilder<boolean> = sql<boolean>`(
  s.sells_online and s.can_transfer and s.connect_status = 'VERIFIED')`

type HeldPart = { readonly quantity: number; readonly endedAt: Date | null; readonly held: Held | null }

/** The pieces that nobody holds. */
const piecesLeft = ({ quantity, held }: Pick<HeldPart, 'quantity' | 'held'>): number =>
  Math.max(0, quantity - (held?.pieces ?? 0))

/** `now` while a piece is left. */
export function availabilityOf(part: HeldPart): 'now' | 'in-cart' | 'pending' | 'sold' {
  if (part.endedAt) return 'sold'
  if (!part.held || piecesLeft(part) > 0) return 'now'
  return part.held.isPending ? 'pending' : 'in-cart'
}
