import { isId } from '#contract/endpoint.ts'
import { goneOrdersQueue } from '#server/features/market/for-sale/gone-sellers.ts'
import { isAccount } from '#server/features/money/billing/events.ts'
import type { ProviderCalls, StripeClient } from '#server/features/money/billing/provider.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { isAlarm, readAlarms } from './alarms.ts'
import {
  lateNewsQueue,
  orderDeadlinesQueue,
  orderReadsQueue,
  readLateNews,
  readOpenOrders,
  sweepDeadlines,
} from './deadlines.ts'
import { settleOrdersOfGoneSeller } from './let-go.ts'
import { type PerformDeps, performSteps, readOrderAtProvider, type StepDeps } from './money/provider-steps.ts'
import { orderStepsQueue } from './money/wanted-steps.ts'
import { findOrderById, findOrderByPayment } from './orders.ts'
import { checkBooks, orderBooksQueue, readPayouts } from './release/payouts.ts'
import { orderReleasesQueue, sweepReleases } from './release/sweep.ts'
import { orderReturnsQueue, sweepReturns } from './returns/return-sweep.ts'
import { orderReviewsQueue, sweepReviews } from './reviews/review-sweep.ts'

type Deps = StepDeps & { stripe: StripeClient | undefined }

// Nobody waits, so that a slow provider gets its time; the job's own limit is a minute.
const JOB_MS = 40_000

// A hundred balance transactions a call.
const BOOKS_MS = 20 * 60_000

function callsOf(stripe: StripeClient | undefined, ms = JOB_MS): ProviderCalls {
  if (stripe) return stripe.within(ms)
  throw new Error('payments are off, but there are orders')
}

export function orderJobs({ stripe, ...deps }: Deps & PerformDeps): JobDefinition[] {
  const sweep = { ...deps, calls: () => callsOf(stripe) }
  return [
    defineJob(orderStepsQueue, ({ payload: { orderId } }) => performSteps(deps, orderId, callsOf(stripe))),
    defineJob(goneOrdersQueue, ({ payload: { sellerId } }) => settleOrdersOfGoneSeller(sweep, sellerId)),
    defineJob(orderDeadlinesQueue, (run) => sweepDeadlines(sweep, run)),
    defineJob(orderReadsQueue, (run) => readOpenOrders(sweep, run)),
    defineJob(orderBooksQueue, (run) => checkBooks({ ...deps, calls: () => callsOf(stripe, BOOKS_MS) }, run)),
    defineJob(orderReleasesQueue, (run) => sweepReleases(sweep, run)),
    // Without payments there is nobody to read from.
    defineJob(lateNewsQueue, async (run) => (stripe ? readLateNews(sweep, run) : undefined)),
    defineJob(orderReviewsQueue, (run) => sweepReviews(deps, run)),
    defineJob(orderReturnsQueue, (run) => sweepReturns(deps, run)),
  ]
}

/** Reads an order, or an account's payouts, at the provider after an event about it. An event that comes before its order's row is read with the order. */
export function orderReader({ stripe, ...deps }: Deps): (subject: string, eventId?: string) => Promise<void> {
  return async (subject, eventId) => {
    const { db } = deps
    if (isAccount(subject)) {
      if (stripe) await readPayouts(deps, subject, stripe.within(JOB_MS))
      return
    }
    const found = await (isId(subject) ? findOrderById(db, subject) : findOrderByPayment(db, subject))
    if (!found || !stripe) return
    const calls = stripe.within(JOB_MS)
    await readOrderAtProvider(deps, found.id, calls)
    if (await isAlarm(db, eventId)) await readAlarms(deps, found.id, calls)
  }
}
