import { sql } from 'kysely'
import { z } from 'zod'
import { openVehicles } from '#server/features/market/vin/vehicles.ts'
import { askForReviews } from '#server/features/money/orders/letters/review-mails.ts'
import type { OrderSite } from '#server/features/money/orders/letters/telling.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'
import { noteFits } from './fit-outcomes.ts'
import { publishReviews } from './reviews.ts'

/* What comes of orders without anybody's doing: a question, a published review, figures, and evidence of what fits. */

export const orderReviewsQueue: JobQueue<Record<string, never>> = {
  name: 'order-reviews',
  title: 'Reviews and figures of yards',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 30,
  resumable: true,
  timeoutSeconds: 300,
  concurrency: 1,
}

/** Without orders there is nothing to count. */
export async function hasOrders(trx: Db): Promise<boolean> {
  const { rows } = await sql`select from part_order limit 1`.execute(trx)
  return rows.length > 0
}

type SweepDeps = { db: Db; site: OrderSite; now: () => Date }

/** Each step may be repeated: what is done is not done again. */
export async function sweepReviews(
  { db, site, now: clock }: SweepDeps,
  { signal }: Pick<JobRun<unknown>, 'signal'>,
): Promise<{ asked: number; published: number; noted: number }> {
  const now = clock()
  const { asked } = await askForReviews(db, { now, site })
  signal.throwIfAborted()
  const { published } = await publishReviews(db, now)
  signal.throwIfAborted()
  // The patterns of VINs are read only if there is one.
  const { noted } = await noteFits(db, { now, vehicles: openVehicles(clock) })
  return { asked, published, noted }
}
