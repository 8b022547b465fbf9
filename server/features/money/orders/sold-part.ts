import { passGuard } from '#server/features/market/for-sale/holds.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { changeListing, lockListing } from '#server/features/market/listings/write-queries.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Order, OrderLine } from './orders.ts'

/* What an order does to the listings of its parts, or of some of them. The guard of ordered parts lets these transactions pass. */

type ListingEnd = 'sold-here' | 'withdrawn' | 'scrapped'
type Parts = Pick<Order, 'number' | 'sellerId'> & { readonly lines: readonly OrderLine[] }

/** Those that are there: a part that was not found has left the order. */
export const foundLines = ({ lines }: Pick<Order, 'lines'>): OrderLine[] =>
  lines.filter(({ state }) => state !== 'not-found')

const byListing = (a: OrderLine, b: OrderLine) => (a.listingId < b.listingId ? -1 : 1)

async function changeParts(
  trx: Db,
  order: Parts,
  reason: string,
  decide: (
    listing: { quantity: number; ended_at: Date | null },
    quantity: number,
  ) => Parameters<typeof changeListing>[2]['columns'] | undefined,
): Promise<void> {
  await passGuard(trx)
  await withChangeSet(
    trx,
    { actorKind: 'system', onBehalfOf: order.sellerId, reason },
    async (changing, changeSetId) => {
      // In one order, so that two orders of the same parts do not wait for each other.
      for (const { listingId, quantity } of order.lines.toSorted(byListing)) {
        const before = await lockListing(changing, listingId)
        const columns = before && !before.deleted_at ? decide(before, quantity) : undefined
        if (before && columns) await changeListing(changing, before, { changeSetId, columns })
      }
    },
  )
}

/** Takes the pieces off the listing; the last one ends it. */
export const takeOff = (trx: Db, order: Parts, end: ListingEnd, now: Date): Promise<void> =>
  changeParts(
    trx,
    order,
    end === 'sold-here' ? `sold in order ${order.number}` : `end listing of order ${order.number}`,
    (listing, quantity) => {
      if (listing.ended_at) return undefined
      return listing.quantity > quantity
        ? { quantity: listing.quantity - quantity }
        : { ended_at: now, ended_reason: end }
    },
  )

/** The part of an ended order is back on the shelf: it is for sale again, with the pieces it had. */
export const putBack = (trx: Db, order: Parts): Promise<void> =>
  changeParts(trx, order, `put back after order ${order.number}`, (listing, quantity) =>
    listing.ended_at ? { ended_at: null, ended_reason: null } : { quantity: listing.quantity + quantity },
  )

/** Why a listing that the order ended is gone for good. */
export const endAs = (trx: Db, order: Parts, end: ListingEnd): Promise<void> =>
  changeParts(trx, order, `end listing of order ${order.number}`, (listing) =>
    listing.ended_at ? { ended_reason: end } : undefined,
  )
