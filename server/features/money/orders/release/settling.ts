import { sql } from 'kysely'
import { isEnded, orderStates } from '#contract/order/order-steps.ts'
import { tellMoney } from '#server/features/money/orders/letters/release-mails.ts'
import { balanceOf, debtOf, post } from '#server/features/money/orders/money/ledger.ts'
import type { RefundDeps } from '#server/features/money/orders/money/refunds.ts'
import { changeOrder, lockOrder, type Order, writeEvent } from '#server/features/money/orders/orders.ts'
import type { Db } from '#server/platform/database/database.ts'
import { insertMove, isMove, listMoves, listTransfers, transferredCents } from './moves.ts'

/*
 * What is to move between us and a yard. The ledger's `held` says it: what we owe the yard is transferred once it may be; if it
 * was overdrawn by a refund after the transfer, that much is taken back.
 */

const CLOCK = { side: 'clock' } as const

/** Orders `o` whose money may go to the yard at this moment. */
export const isReleasable = (now: Date) => sql`
  (o.release_at <= ${now} and o.held_at is null and not o.disputed and o.open_returns = 0)`

/** Until a refund has succeeded or failed, nobody knows what the yard gets, and nothing is taken back. */
const hasOpenRefund = sql`
  exists (select from order_refund r where r.order_id = o.id and r.state in ('requested', 'pending'))`

const isMoving = sql`exists (select from order_step s where s.order_id = o.id and s.state = 'wanted' and ${isMove})`

const ended = orderStates.filter(isEnded)

/**
 * Orders `o` of which something is to be decided now. They are flagged when `held` changed; ended ones are looked at to lose
 * the flag, so that few have it.
 */
const isUndecided = (now: Date) => sql`
  o.to_release and (${isReleasable(now)} or o.state = any(${ended}::text[])
                    or exists (select from order_transfer t where t.order_id = o.id))
  and not ${hasOpenRefund} and not ${isMoving}
  and case (select sign(sum(e.amount_cents)) from ledger_entry e where e.order_id = o.id and e.account = 'held')
      when -1 then ${isReleasable(now)} else true end`

export async function listUndecided(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from part_order o where ${isUndecided(now)} order by o.release_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Decides what is to move of an order, and writes it. Doing it again changes nothing. */
export async function settleUp(trx: Db, orderId: string, deps: RefundDeps): Promise<void> {
  const order = await lockOrder(trx, orderId)
  const now = deps.now()
  const { rows } = await sql<{ releasable: boolean }>`
    select ${isReleasable(now)} as releasable from part_order o where o.id = ${orderId} and ${isUndecided(now)}`.execute(
    trx,
  )
  const [undecided] = rows
  if (!undecided) return
  const owedCents = -(await balanceOf(trx, orderId, 'held'))
  if (owedCents > 0 && undecided.releasable) await release(trx, order, owedCents, deps)
  if (owedCents < 0) await takeBack(trx, order, { cents: -owedCents, why: 'The buyer was refunded.', now })
  await changeOrder(trx, orderId, { to_release: false })
}

/** What the yard owes is kept first; the rest is transferred. */
async function release(trx: Db, order: Order, owedCents: number, deps: RefundDeps): Promise<void> {
  const now = deps.now()
  const { id: orderId } = order
  const transferred = transferredCents(await listTransfers(trx, [orderId]))
  if (owedCents > order.capturedCents - order.refundedCents - transferred) {
    return changeOrder(trx, orderId, {
      attention: 'More is held for the yard than the buyer paid. Nothing is transferred until that is clear.',
    })
  }
  await lockDebt(trx, order.sellerId)
  const nettedCents = Math.min(owedCents, Math.max(0, await debtOf(trx, order.sellerId)))
  const cents = owedCents - nettedCents
  const state = cents > 0 ? 'wanted' : 'void'
  const id = await insertMove(trx, { orderId, kind: 'transfer', cents, request: {}, now, state })
  if (nettedCents === 0) return
  await post(trx, {
    orderId,
    at: now,
    why: 'netted',
    providerId: id,
    amounts: { held: nettedCents, 'seller-debt': -nettedCents },
  })
  await writeEvent(trx, order, { kind: 'netted', at: now, ...CLOCK, detail: { amountCents: nettedCents } })
  if (cents === 0) {
    await changeOrder(trx, orderId, { released_at: now })
    await tellMoney(trx, order, { kind: 'money-released', cents, nettedCents }, deps)
  }
}

/** Two orders of a yard must not pay the same debt. Taken after the order's lock, and nothing is locked after it. */
async function lockDebt(trx: Db, sellerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`debt:${sellerId}`}, 0))`.execute(trx)
}

type Taking = { cents: number /** A sentence for the yard. */; why: string; now: Date }

/**
 * Wants money of a locked order back from its yard, into `held`: by reversing its transfers, newest first, as far as they
 * go; the rest the yard owes us. Whoever needs the money for something books that against `held` themselves, such as a
 * dispute. The sweep does it within seconds.
 */
export async function takeBack(trx: Db, order: Order, { cents, why, now }: Taking): Promise<void> {
  const wanted = (await listMoves(trx, [order.id])).filter(
    ({ kind, state }) => kind === 'reverse' && state === 'wanted',
  )
  const take = (back: number, transfer?: string) => {
    const request = { why, ...(transfer !== undefined && { transfer }) }
    return insertMove(trx, { orderId: order.id, kind: 'reverse', cents: back, request, now })
  }
  let left = cents
  for (const { id, cents: sent, reversedCents } of await listTransfers(trx, [order.id])) {
    const asked = wanted.reduce((sum, move) => sum + (move.request.transfer === id ? move.cents : 0), 0)
    const back = Math.min(left, sent - reversedCents - asked)
    if (back <= 0) continue
    await take(back, id)
    left -= back
  }
  if (left > 0) await take(left)
}
