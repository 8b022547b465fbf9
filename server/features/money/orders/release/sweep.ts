import { z } from 'zod'
import type { ProviderCalls } from '#server/features/money/billing/provider.ts'
import type { StepDeps } from '#server/features/money/orders/money/provider-steps.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'
import { closeOrder, listClosable } from './closing.ts'
import { listDueMoves } from './moves.ts'
import { performMove } from './moving.ts'
import { listUndecided, settleUp } from './settling.ts'

/* Money goes to yards, and comes back, by this sweep alone; a sweep that was killed leaves the rest for the next one. */

export const orderReleasesQueue: JobQueue<Record<string, never>> = {
  name: 'order-releases',
  title: 'Transfer money to yards',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 300,
  concurrency: 1,
}

const MOST_AT_ONCE = 200
// Most of the time goes by waiting for the provider.
const LANES = 4

/** Whether there is anything to decide, to move or to close: a cheap look before the job. */
export async function hasDueReleases(trx: Db, now: Date): Promise<boolean> {
  return (
    (await listUndecided(trx, now, 1)).length > 0 ||
    (await listDueMoves(trx, now, 1)).length > 0 ||
    (await listClosable(trx, now, 1)).length > 0
  )
}

type SweepDeps = StepDeps & { calls: () => ProviderCalls }

export async function sweepReleases(
  deps: SweepDeps,
  { signal }: Pick<JobRun<unknown>, 'signal'>,
): Promise<{ moved: number; closed: number }> {
  const { db } = deps
  const failures: unknown[] = []
  const each = <T>(items: readonly T[], handle: (item: T) => Promise<void>) =>
    inLanes(items, signal, (item) => handle(item).catch((error: unknown) => void failures.push(error)))
  await each(await listUndecided(db, deps.now(), MOST_AT_ONCE), (id) =>
    inTransaction(db, (trx) => settleUp(trx, id, deps)),
  )
  const moves = await listDueMoves(db, deps.now(), MOST_AT_ONCE)
  await each(moves, (move) => performMove(deps, move, deps.calls()))
  const closable = await listClosable(db, deps.now(), MOST_AT_ONCE)
  await each(closable, (id) => inTransaction(db, (trx) => closeOrder(trx, id, deps.now())))
  if (failures.length > 0) throw failures[0]
  return { moved: moves.length, closed: closable.length }
}

/** One that cannot be handled does not keep the others waiting. */
async function inLanes<T>(
  items: readonly T[],
  signal: AbortSignal,
  handle: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const lane = async () => {
    for (const item of rest) {
      if (signal.aborted) return
      await handle(item)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  signal.throwIfAborted()
}
