import { sql } from 'kysely'
import { z } from 'zod'
import { DAY_MS, isEnded } from '#contract/order/order-steps.ts'
import { openReturnStates } from '#contract/order/returns/return-steps.ts'
import { returnEvents } from '#contract/order/returns/return-words.ts'
import { forEach } from '#server/features/money/orders/deadlines.ts'
import { lockOrder, writeEvent } from '#server/features/money/orders/orders.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'
import { tellReturn } from './return-letters.ts'
import { forgetWaitingPhotos, isUnsent } from './return-photos.ts'
import { changeReturn, getReturn, isOnItsWay, isOpenReturn, type ReturnRow } from './return-rows.ts'
import { type ReturnDeps, type Step, type Subject, takeReturnStep } from './settlement.ts'

/* What the clock does with returns, claims and cores. A hold or a dispute of the order stops it. */

export const orderReturnsQueue: JobQueue<Record<string, never>> = {
  name: 'order-returns',
  title: 'Deadlines of returns',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 120,
  concurrency: 1,
}

const MOST_AT_ONCE = 200

/** Also what is open although the money went back another way. */
const isDue = (now: Date) => sql`
  r.state = any(${openReturnStates}::text[]) and ((r.act_at <= ${now} and o.held_at is null and not o.disputed)
    or o.state in ('refunded', 'canceled', 'not-found'))`

export async function hasDueReturns(trx: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from order_return r join part_order o on o.id = r.order_id where ${isDue(now)})
        or exists (select from order_photo where ${isUnsent}
                   and created_at < ${new Date(now.getTime() - DAY_MS)}) as due`.execute(trx)
  return rows[0]?.due === true
}

export async function sweepReturns(
  { db, ...deps }: ReturnDeps & { db: Db },
  { signal }: Pick<JobRun<unknown>, 'signal'>,
): Promise<{ acted: number }> {
  const now = deps.now()
  await forgetWaitingPhotos(db, now)
  const { rows } = await sql<{ id: string; orderId: string }>`
    select r.id, r.order_id as "orderId" from order_return r join part_order o on o.id = r.order_id
    where ${isDue(now)} order by r.act_at limit ${MOST_AT_ONCE}`.execute(db)
  await forEach(rows, signal, ({ id, orderId }) =>
    inTransaction(db, async (trx) => {
      const order = await lockOrder(trx, orderId)
      await actOn(trx, { order, row: await getReturn(trx, orderId, id) }, deps)
    }),
  )
  return { acted: rows.length }
}

async function actOn(trx: Db, subject: Subject, deps: ReturnDeps): Promise<void> {
  const { order, row } = subject
  if (!isOpenReturn(row)) return
  if (isEnded(order.state)) return takeReturnStep(trx, subject, { ...CLOCK, step: 'void' }, deps)
  if (order.heldAt !== null || order.disputed || row.actAt === null || row.actAt > deps.now()) return
  const isEarly = order.coreBy !== null && order.coreBy > deps.now()
  if (row.kind === 'core' && row.state === 'approved' && isEarly) return remind(trx, subject, deps)
  await takeReturnStep(trx, subject, stepOf(row), deps)
}

const CLOCK = { side: 'clock' } as const

/** What a deadline means. A return that nobody decided is allowed, and paid if the part was sent back already. */
function stepOf(row: ReturnRow): Step {
  switch (row.state) {
    case 'declined':
      return { ...CLOCK, step: 'close' }
    case 'deciding':
      return { ...CLOCK, step: row.kind === 'return' && !isOnItsWay(row) ? 'allow' : 'settle' }
    case 'approved':
      return { ...CLOCK, step: 'lapse' }
    default:
      return { ...CLOCK, step: 'unanswered' }
  }
}

async function remind(trx: Db, { order, row }: Subject, deps: ReturnDeps): Promise<void> {
  await changeReturn(trx, row.id, { reminded: true, act_at: order.coreBy })
  if (row.reminded) return
  const now = deps.now()
  const detail = { returnId: row.id, of: 'core' }
  await writeEvent(trx, order, { kind: returnEvents.reminded, at: now, ...CLOCK, detail })
  await tellReturn(trx, { order, row }, 'reminder', deps)
}
