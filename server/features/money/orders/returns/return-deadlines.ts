import {
  APPEAL_DAYS,
  CORE_REMINDER_DAYS,
  ON_ITS_WAY_DAYS,
  type ReturnState,
  SEND_BACK_DAYS,
  SETTLE_DAYS,
} from '#contract/order/returns/return-steps.ts'
import { daysAfter } from '#server/features/money/orders/deadline-times.ts'
import type { Order } from '#server/features/money/orders/orders.ts'
import type { ReturnRow } from './return-rows.ts'

/* When returns, claims and cores go on by themselves. */

const later = (a: Date, b: Date): Date => (a > b ? a : b)

/** The reminder comes first, if there is time for one. */
export function firstCoreDeadline(coreBy: Date, now: Date): Date {
  const reminder = daysAfter(coreBy, -CORE_REMINDER_DAYS)
  return reminder > now ? reminder : coreBy
}

/** Administrators have their time, also for what is contested late. */
const LEAST_DECIDING_DAYS = 14

/** When a state that begins now goes on; undefined for an end. */
export function deadlineAfter(
  to: ReturnState,
  { createdAt }: Pick<ReturnRow, 'createdAt'>,
  now: Date,
): Date | undefined {
  switch (to) {
    case 'declined':
      return daysAfter(now, APPEAL_DAYS)
    case 'deciding':
      return later(daysAfter(createdAt, SETTLE_DAYS), daysAfter(now, LEAST_DECIDING_DAYS))
    case 'approved':
      return daysAfter(now, SEND_BACK_DAYS)
    case 'sent':
      return daysAfter(now, ON_ITS_WAY_DAYS)
    default:
      return undefined
  }
}

/** What people read: of a core, the day that counts and not that of its reminder. */
export const shownDeadline = (row: ReturnRow, { coreBy }: Pick<Order, 'coreBy'>): Date | null =>
  row.kind === 'core' && row.state === 'approved' ? coreBy : row.actAt
