import { sql } from 'kysely'
import { readHeld } from '#server/features/market/for-sale/held-parts.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { BulkChange } from './write-queries.ts'

/*
 * Parts in orders. What a buyer ordered is ended, deleted, hidden or restocked by its order alone. Every change of listings
 * asks here first, so that people get a sentence; the trigger `listing_in_order` refuses whatever does not.
 */

/** What a part is in: an order, or an offer that was accepted and is not paid yet. */
export type PartInOrder = {
  readonly number: string | null
  /** In a cart: nothing was paid. */
  readonly isUnpaid: boolean
  /** Sold and on its way, so that it cannot be for sale again. */
  readonly isSold: boolean
}

/**
 * Lets parts go that nobody has paid for, and for administrators also those whose money was not taken: cancels their orders
 * and tells the buyers. What it cannot let go stays held. Calls the payment provider, so never inside a transaction.
 */
export type LetGo = (
  listingIds: readonly string[],
  by: { readonly side: 'seller' | 'admin'; readonly reason: string },
) => Promise<unknown>

const reasons = {
  seller: 'The yard took the part off sale.',
  admin: 'The part was taken down by our staff.',
} as const

/** Before parts are ended, deleted or hidden: lets go of those that a buyer holds. */
export async function letGoOfHeld(
  db: Db,
  listingIds: readonly string[],
  { letGo, side }: { letGo: LetGo | undefined; side: 'seller' | 'admin' },
): Promise<void> {
  const held = await readHeld(db, listingIds)
  if (held.size > 0) await letGo?.([...held.keys()], { side, reason: reasons[side] })
}

type Change = Pick<BulkChange, 'before' | 'columns'>

/**
 * Of these changes to locked listings, those that an order forbids, by listing. Reads nothing unless one of them ends, is
 * deleted, hidden or restocked, or has fewer pieces.
 */
export async function findOrdered(
  trx: Db,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, PartInOrder>> {
  const taken = changes.filter(takesPieces)
  const restocked = changes.filter(restocksSold)
  if (taken.length === 0 && restocked.length === 0) return new Map()
  const { rows } = await sql<PartInOrder & { id: string; pieces: number }>`
    select h.listing_id as id, sum(h.quantity)::int as pieces, min(o.number) as number,
           bool_and(h.kind = 'cart') as "isUnpaid", false as "isSold"
    from part_hold h left join part_order o on o.id = h.order_id
      or (o.lead_id = h.lead_id and o.state in ('pending', 'authorized', 'capturing'))
    where h.listing_id = any(${idsOf(taken)}::uuid[]) and h.ended_at is null group by 1
    union all
    select l.listing_id, 0, min(o.number), false, true
    from order_line l join part_order o on o.id = l.order_id
    where l.listing_id = any(${idsOf(restocked)}::uuid[]) and o.state in ('confirmed', 'ready', 'shipped') group by 1
  `.execute(trx)
  const found = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    [...taken, ...restocked].flatMap((change) => {
      const part = found.get(change.before.id)
      return part && (part.isSold || leavesTooFew(change, part.pieces)) ? [[change.before.id, part]] : []
    }),
  )
}

/** @throws AppError IN_ORDER if an order forbids the change to a locked listing */
export async function requireNotOrdered(trx: Db, change: Change): Promise<void> {
  const part = (await findOrdered(trx, [change])).get(change.before.id)
  if (part) throw new AppError('IN_ORDER', inOrderSentence(part))
}

export function inOrderSentence({ number, isUnpaid, isSold }: PartInOrder): string {
  if (number === null) {
    return 'You accepted a buyer’s offer for this part, and the buyer still has time to pay. Tell the buyer first.'
  }
  if (isSold) return `This part was sold in order ${number}. Refund that order to put the part back on sale.`
  if (isUnpaid) return `A buyer is paying for this part in order ${number}. Try again in half an hour.`
  return `A buyer ordered this part in order ${number}. If you don’t have it, open the order and choose “Not found”.`
}

const idsOf = (changes: readonly Change[]): string[] => changes.map(({ before }) => before.id)

const after = (change: Change, column: string): unknown => change.columns[column]?.[1]

const ends = (change: Change): boolean =>
  Boolean(after(change, 'ended_at') && !change.before.ended_at) ||
  Boolean(after(change, 'deleted_at') && !change.before.deleted_at) ||
  (change.before.status === 'ACTIVE' && after(change, 'status') === 'HIDDEN')

const piecesAfter = (change: Change): number => Number(after(change, 'quantity') ?? change.before.quantity)

const takesPieces = (change: Change): boolean => ends(change) || piecesAfter(change) < change.before.quantity

const restocksSold = ({ before, columns }: Change): boolean =>
  before.ended_reason === 'sold-here' && before.ended_at !== null && columns.ended_at?.[1] === null

const leavesTooFew = (change: Change, held: number): boolean =>
  ends(change) || (piecesAfter(change) < change.before.quantity && piecesAfter(change) < held)
