import { sql } from 'kysely'
import { z } from 'zod'
import { ARRIVED_DAYS, ASK_ARRIVED_DAYS, type OrderState, PICKUP_DAYS } from '#contract/order/order-steps.ts'
import { endOfferHolds } from '#server/features/market/for-sale/holds.ts'
import { type ProviderCalls, ProviderFailure } from '#server/features/money/billing/provider.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'
import { hasStoppedYards, noteBounces, refundUndecided, tellStoppedYards } from './alarms.ts'
import { letPartGo } from './buyer-deeds.ts'
import { daysAfter } from './deadline-times.ts'
import { isReminderDue, remindOfDisputes } from './disputes/disputes.ts'
import { freePart, tellWatchers } from './letters/held-watch.ts'
import { tell } from './letters/telling.ts'
import { readOrderAtProvider, type StepDeps } from './money/provider-steps.ts'
import { listRefunds } from './money/refund-rows.ts'
import { isAllGoingBack, requestFullRefund } from './money/refunds.ts'
import { isOfPayment, orderStepsQueue } from './money/wanted-steps.ts'
import {
  changeOrder,
  findOrderByPayment,
  lockOrder,
  moveOrder,
  type Order,
  wasTaken,
  writeEvent,
} from './orders.ts'
import { deliverOrder } from './returns/delivery.ts'

/*
 * Deadlines act by themselves: an order says when there is something to do (`act_at`), and the sweep does what its state
 * asks for then. A sweep that was killed leaves the rest for the next one.
 */

export const orderDeadlinesQueue: JobQueue<Record<string, never>> = {
  name: 'order-deadlines',
  title: 'Deadlines of orders',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 120,
  concurrency: 1,
}

/** Steps whose job was lost, or gave up, are asked for again. */
const STALE_MS = 2 * 60_000
/** The provider's fee, and a pending refund, are read again until they are known. */
const READ_AGAIN_MS = 5 * 60_000
const MOST_AT_ONCE = 200

export async function hasDueOrders(trx: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from part_order where act_at <= ${now} and held_at is null and not disputed)
        or exists (select from part_order where decide_by <= ${now} and not disputed)
        or ${isReminderDue(now)}
        or ${hasStoppedYards}
        or exists (select from part_hold where lead_id is not null and ended_at is null and expires_at <= ${now}) as due
  `.execute(trx)
  return rows[0]?.due === true
}

type SweepDeps = StepDeps & { calls: () => ProviderCalls }

export async function sweepDeadlines(
  deps: SweepDeps,
  { signal }: Pick<JobRun<unknown>, 'signal'>,
): Promise<{ acted: number }> {
  const now = deps.now()
  await inTransaction(deps.db, async (trx) => {
    for (const listingId of await endOfferHolds(trx, now)) await tellWatchers(trx, listingId, deps.site)
    await tellStoppedYards(trx, { now, site: deps.site })
  })
  await remindOfDisputes(deps)
  await refundUndecided(deps)
  const { rows } = await sql<{ id: string; state: OrderState; sessionId: string | null }>`
    select id, state, session_id as "sessionId" from part_order
    where act_at <= ${now} and held_at is null and not disputed order by act_at limit ${MOST_AT_ONCE}`.execute(
    deps.db,
  )
  await forEach(rows, signal, async ({ id, state }) => {
    if (state === 'pending' && !(await closePage(deps, id))) return
    await inTransaction(deps.db, (trx) => actOn(trx, id, deps))
  })
  return { acted: rows.length }
}

// Most of the time goes by waiting for the provider.
const LANES = 4

/** One order that cannot be handled does not keep the others waiting. Throws the first failure afterwards. */
export async function forEach<T>(
  items: readonly T[],
  signal: AbortSignal,
  handle: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  const rest = items.values()
  const lane = async () => {
    for (const item of rest) {
      if (signal.aborted) return
      await handle(item).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
}

/** The hold ends when the page is closed and read: it may have been paid. Without the provider the hold stays. */
async function closePage(deps: SweepDeps, orderId: string): Promise<boolean> {
  const { rows } = await sql<{ sessionId: string | null }>`
    select session_id as "sessionId" from part_order where id = ${orderId}`.execute(deps.db)
  const sessionId = rows[0]?.sessionId
  try {
    const calls = deps.calls()
    if (sessionId) await calls.closeSession(sessionId)
    await readOrderAtProvider(deps, orderId, calls)
    return true
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const later = new Date(deps.now().getTime() + 30_000)
    await changeOrder(deps.db, orderId, { act_at: later })
    return false
  }
}

async function actOn(trx: Db, orderId: string, deps: SweepDeps): Promise<void> {
  const order = await lockOrder(trx, orderId)
  const now = deps.now()
  if (order.heldAt !== null || order.disputed || order.actAt === null || order.actAt > now) return
  await (ACTS[order.state] ?? forget)(trx, order, now, deps)
}

type Act = (trx: Db, order: Order, now: Date, deps: SweepDeps) => Promise<void>

const CLOCK = { side: 'clock' } as const

const forget: Act = (trx, { id }) => changeOrder(trx, id, { act_at: null })

const expire: Act = async (trx, order, now, deps) => {
  const moved = await moveOrder(trx, order, 'expire', { ...CLOCK, now, set: { act_at: null } })
  await freePart(trx, order, 'lapsed', deps)
  // Whoever left a cart unpaid is not mailed about it: the address may be anybody's.
  if (order.state === 'quoting' || (await wasTaken(trx, order.id, 'quote')))
    await tell(trx, moved, 'expired', deps)
}

/** The buyer's answer to a notice of delay; without one the money goes back. */
const DELAY_ANSWER_DAYS = 7

const promiseMissed: Act = async (trx, order, now, deps) => {
  if (isAllGoingBack(order, await listRefunds(trx, [order.id]))) return forget(trx, order, now, deps)
  if (order.delayToldAt === null) {
    await changeOrder(trx, order.id, { delay_told_at: now, act_at: daysAfter(now, DELAY_ANSWER_DAYS) })
    await writeEvent(trx, order, { kind: 'delay-told', at: now, ...CLOCK })
    return tell(trx, await lockOrder(trx, order.id), 'delay', deps)
  }
  await changeOrder(trx, order.id, { act_at: null })
  await requestFullRefund(trx, order, { ...CLOCK, reason: 'The part was not shipped in time.' }, deps)
}

const notFetched: Act = async (trx, order, now, deps) => {
  const until = daysAfter(order.readyAt ?? now, PICKUP_DAYS)
  if (now < until) {
    await changeOrder(trx, order.id, { act_at: until })
    await writeEvent(trx, order, { kind: 'reminded', at: now, ...CLOCK })
    return tell(trx, await lockOrder(trx, order.id), 'pickup-reminder', deps)
  }
  await changeOrder(trx, order.id, { act_at: null })
  await requestFullRefund(trx, order, { ...CLOCK, reason: 'The part was not picked up.' }, deps)
}

const arrived: Act = async (trx, order, now, deps) => {
  const shippedAt = order.shippedAt ?? now
  const asked = order.askedArrived
  if (asked < ASK_ARRIVED_DAYS.length) {
    const next = ASK_ARRIVED_DAYS[asked + 1] ?? ARRIVED_DAYS
    await changeOrder(trx, order.id, { asked_arrived: asked + 1, act_at: daysAfter(shippedAt, next) })
    await writeEvent(trx, order, { kind: 'asked-arrived', at: now, ...CLOCK })
    return tell(trx, order, 'arrived', deps)
  }
  await deliverOrder(trx, order, { ...CLOCK, step: 'arrive' }, deps)
}

const ACTS: Partial<Record<OrderState, Act>> = {
  quoting: expire,
  pending: expire,
  authorized: async (trx, order, now, deps) => {
    const moved = await moveOrder(trx, order, 'miss', { ...CLOCK, now, set: { act_at: null } })
    await letPartGo(trx, order, deps)
    await tell(trx, moved, 'missed', deps)
  },
  confirmed: promiseMissed,
  ready: notFetched,
  shipped: arrived,
}

/* What the provider owes us an answer to. */

export const orderReadsQueue: JobQueue<Record<string, never>> = {
  name: 'order-reads',
  title: 'Read orders at the payment provider',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 30,
  resumable: true,
  timeoutSeconds: 600,
  concurrency: 1,
}

/** Whether anything is open at the provider: a cheap look before the job. */
export async function hasOpenReads(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from order_step s where state = 'wanted' and ${isOfPayment})
        or exists (select from order_refund where state = 'pending')
        or exists (select from mail where order_id is not null and state = 'failed')
        or exists (select from part_order where captured_cents > 0 and fee_cents is null)
        or exists (select from part_order where state in ('authorized', 'capturing')) as open`.execute(trx)
  return rows[0]?.open === true
}

/** Reads orders whose fee or refund is not known yet, and repeats steps that nobody performed. */
export async function readOpenOrders(
  deps: SweepDeps,
  { signal }: Pick<JobRun<unknown>, 'signal'>,
): Promise<{ read: number }> {
  await noteBounces(deps.db, deps.now())
  const stale = new Date(deps.now().getTime() - STALE_MS)
  const again = await sql<{ id: string }>`
    select distinct order_id as id from order_step s
    where state = 'wanted' and created_at < ${stale} and ${isOfPayment} limit ${MOST_AT_ONCE}`.execute(
    deps.db,
  )
  for (const { id } of again.rows)
    await enqueueJob(deps.db, { queue: orderStepsQueue, payload: { orderId: id } })
  const since = new Date(deps.now().getTime() - READ_AGAIN_MS)
  const { rows } = await sql<{ id: string }>`
    select o.id from part_order o
    where (o.captured_cents > 0 and o.fee_cents is null and o.updated_at < ${since})
       or exists (select from order_refund r where r.order_id = o.id and r.state = 'pending')
       or (o.state in ('authorized', 'capturing') and o.updated_at < ${since})
    order by o.updated_at limit ${MOST_AT_ONCE}`.execute(deps.db)
  await forEach(rows, signal, ({ id }) => readOrderAtProvider(deps, id, deps.calls()))
  return { read: rows.length }
}

/* What the provider told us once, if that was lost. */

export const lateNewsQueue: JobQueue<Record<string, never>> = {
  name: 'order-late-news',
  title: 'Read settled refunds and disputes again',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 60,
  resumable: true,
  // 3,000 orders at half a second each, four at once, take seven minutes.
  timeoutSeconds: 1_800,
  concurrency: 1,
}

// A bank may return a refund for weeks; disputes are looked for a little longer than the job may fail.
const REFUND_DAYS = 30
const DISPUTE_DAYS = 7

/** Reads again, once a day, what may change without an order that waits for it: settled refunds, and disputes. */
export async function readLateNews(
  deps: SweepDeps,
  { signal }: Pick<JobRun<unknown>, 'signal'>,
): Promise<{ read: number }> {
  const now = deps.now()
  const { rows } = await sql<{ id: string }>`
    select order_id as id from order_refund where state = 'succeeded' and settled_at > ${daysAfter(now, -REFUND_DAYS)}
    union select order_id from order_dispute where state in ('needs-response', 'under-review')`.execute(
    deps.db,
  )
  const ids = new Set(rows.map(({ id }) => id))
  for await (const paymentId of deps.calls().listDisputedPayments(daysAfter(now, -DISPUTE_DAYS))) {
    const order = await findOrderByPayment(deps.db, paymentId)
    if (order) ids.add(order.id)
  }
  await forEach([...ids], signal, (id) => readOrderAtProvider(deps, id, deps.calls()))
  return { read: ids.size }
}
