import { sql } from 'kysely'
import { DAY_MS, isEnded } from '#contract/order/order-steps.ts'
import { newToken, tokenHash } from '#server/features/people/accounts/sessions.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findOrder, type Order, orderNotFound } from './orders.ts'

/*
 * Links to an order: whoever has one may read it and act for the buyer. Stored as hashes. They work until 90 days after the
 * last open core charge, return or window for one; without these, after the order was last changed.
 */

const ALIVE_DAYS = 90

/** Returns the token of a new link; earlier links keep working. */
export async function openOrderLink(trx: Db, orderId: string, now: Date): Promise<string> {
  const token = newToken()
  await sql`
    insert into order_link (token_hash, order_id, created_at) values (${tokenHash(token)}, ${orderId}, ${now})`.execute(
    trx,
  )
  return token
}

const isAlive = sql`(o.core_state = 'open' or o.open_returns > 0 or o.return_until > now())`

/** Its buyer's street, phone and email are for administrators only, who leave a trace: nobody else needs them any more. */
export const isPutAway = (
  { state, updatedAt, coreState, openReturns, returnUntil }: Order,
  now: Date,
): boolean =>
  (state === 'closed' || isEnded(state)) &&
  updatedAt.getTime() < now.getTime() - ALIVE_DAYS * DAY_MS &&
  coreState !== 'open' &&
  openReturns === 0 &&
  (returnUntil === null || returnUntil < now)

const linkExpired = () =>
  new AppError(
    'LINK_EXPIRED',
    'This link is incomplete or has expired. Ask for your links again with your email address.',
  )

export type OrderKey = { token?: string | undefined; id?: string | undefined }

/**
 * The order of a link, or a signed-in buyer's own.
 * @throws AppError LINK_EXPIRED, NOT_FOUND
 */
export async function getBuyerOrder(
  db: Db,
  { token, id }: OrderKey,
  { actor, now }: { actor: Actor | undefined; now: Date },
): Promise<Order> {
  if (token !== undefined) {
    const since = new Date(now.getTime() - ALIVE_DAYS * DAY_MS)
    const found = await findOrder(
      db,
      sql`o.id = (select order_id from order_link where token_hash = ${tokenHash(token)}) and (${isAlive} or o.updated_at > ${since})`,
    )
    if (!found) throw linkExpired()
    return found
  }
  const found =
    actor && id !== undefined ? await findOrder(db, sql`o.id = ${id} and ${isOwnedBy(actor)}`) : undefined
  if (!found) throw orderNotFound()
  return found
}

/** Orders bought signed in, and those of the person's confirmed address. */
export const isOwnedBy = ({ userId, email, emailConfirmed }: Actor) => sql`(
  o.buyer_user_id = ${userId}
  or (o.buyer_user_id is null and ${emailConfirmed} and lower(o.email) = ${email.toLowerCase()}))`

/** Ends all links of an order: its address is somebody else's, or an administrator says so. */
export async function revokeLinks(trx: Db, orderId: string): Promise<void> {
  await sql`delete from order_link where order_id = ${orderId}`.execute(trx)
}
