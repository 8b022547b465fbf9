import { sql } from 'kysely'
import { isOpen } from '#contract/order/order-steps.ts'
import { findOfferHold } from '#server/features/market/for-sale/holds.ts'
import { findLinkedLead } from '#server/features/talk/leads/message-links.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type LetGoDeps, letGoOfOrder } from './let-go.ts'
import { readOrders } from './orders.ts'

/* Paying an accepted offer. */

export type PaidOffer = { leadId: string; priceCents: number }

/**
 * The accepted offer of a conversation, while its hold lasts. A page opened before is closed first, so that of two tabs
 * only one can be paid.
 * @throws AppError LINK_EXPIRED, PART_TAKEN, CONFLICT
 */
export async function findPaidOffer(
  deps: LetGoDeps,
  { token, listingId }: { token: string; listingId: string },
): Promise<PaidOffer> {
  const lead = await findLinkedLead(deps.db, { token, now: deps.now() })
  const acceptance = lead.messages.findLast(({ kind }) => kind === 'accept' || kind === 'offer')
  const hold = await findOfferHold(deps.db, lead.id)
  if (
    lead.part?.id !== listingId ||
    acceptance?.kind !== 'accept' ||
    !hold ||
    acceptance.priceCents === null
  ) {
    throw new AppError('PART_TAKEN', 'The hold of this offer has ended. Make a new offer.')
  }
  const earlier = await readOrders(
    deps.db,
    sql`o.lead_id = ${lead.id} and o.state in ('pending', 'authorized', 'capturing', 'confirmed')`,
  )
  for (const order of earlier) {
    if (order.state === 'pending') await letGoOfOrder(deps, order, { side: 'buyer', reason: 'opened again' })
    const [after] = await readOrders(deps.db, sql`o.id = ${order.id}`)
    if (after && isOpen(after.state))
      throw new AppError('CONFLICT', `You have already paid for this part: order ${after.number}.`)
  }
  return { leadId: lead.id, priceCents: acceptance.priceCents }
}

/** The agreed price of a part by the id of the acceptance, while its hold lasts; undefined afterwards. */
export async function findAgreedCents(
  db: Db,
  { accepted, listingId }: { accepted: string; listingId: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ cents: number }>`
    select m.price_cents::float8 as cents from lead_message m
    join part_hold h on h.lead_id = m.lead_id and h.listing_id = ${listingId} and h.ended_at is null
    where m.id = ${accepted} and m.kind = 'accept'`.execute(db)
  return rows[0]?.cents
}
