import { z } from 'zod'
import { adminErrors, count, endpoints } from '#contract/endpoint.ts'
import { money, time } from '#contract/order/order-quote.ts'

/* A yard's money, as the yard sees it, and the books, as administrators see them. Amounts are dollars. */

/** How far the money of an order is on its way to the yard's bank. */
const payoutSteps = [
  'paid',
  'royalty',
  'fee',
  'tax',
  'core',
  'refunded',
  'kept',
  'released',
  'transferred',
  'bank',
] as const
export type PayoutStep = (typeof payoutSteps)[number]

export const orderPayout = z.object({
  /** What the yard gets of this order, or got. */
  share: money,
  /** From when on it may be transferred; null before delivery. */
  releaseAt: time.nullable(),
  /** Where it is, and what happens next, in words. */
  sentence: z.string(),
  path: z.array(
    z.object({
      step: z.enum(payoutSteps),
      label: z.string(),
      /** Negative: what is taken off. Null for what has no amount. */
      amount: money.nullable(),
      state: z.enum(['done', 'next', 'later', 'failed']),
      text: z.string(),
    }),
  ),
})
export type OrderPayout = z.infer<typeof orderPayout>

const payoutStates = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const
export type PayoutState = (typeof payoutStates)[number]

const ownPayouts = z.object({
  /** In days, and why: "these are your first 5 sales here". */
  standing: z.object({ days: count, because: z.string(), delivered: count, troubled: count }),
  /** Whether the yard's payout account can receive money. */
  canTransfer: z.boolean(),
  /** What is kept of the next sales. */
  debt: money,
  /** Delivered or on its way, and not transferred yet: the next ones first. */
  waiting: z.array(
    z.object({ id: z.uuid(), number: z.string(), title: z.string(), amount: money, sentence: z.string() }),
  ),
  waitingTotal: money,
  /** Transferred, and in no payout that we know of yet. */
  transferred: money,
  /** Newest first. */
  payouts: z.array(
    z.object({
      id: z.string(),
      amount: money,
      state: z.enum(payoutStates),
      madeAt: time,
      arrivesAt: time,
      problem: z.string().nullable(),
      orders: z.array(z.object({ id: z.uuid(), number: z.string(), amount: money })),
    }),
  ),
  timeZone: z.string(),
})
export type OwnPayouts = z.infer<typeof ownPayouts>

const books = z.object({
  /** When they were compared last; null before the first time. */
  checkedAt: time.nullable(),
  compared: count,
  differences: z.array(
    z.object({
      id: z.uuid(),
      orderId: z.uuid().nullable(),
      order: z.string().nullable(),
      text: z.string(),
      foundAt: time,
      /** When it was no longer found. */
      goneAt: time.nullable(),
    }),
  ),
  /** Transfers and reversals that wait, and why. */
  waiting: z.array(
    z.object({
      orderId: z.uuid(),
      order: z.string(),
      kind: z.enum(['transfer', 'reverse']),
      amount: money,
      since: time,
      tries: count,
      problem: z.string().nullable(),
    }),
  ),
})
export type Books = z.infer<typeof books>

export const releaseEndpoints = endpoints({
  readPayouts: {
    summary: 'The yard’s money: what waits, what was transferred, what the bank got, what is owed',
    reply: ownPayouts,
    errors: ['SIGNED_OUT'],
  },
  readBooks: {
    summary: 'Where our books and the payment provider’s differ, and money that waits',
    reply: books,
    errors: [...adminErrors],
  },
})
