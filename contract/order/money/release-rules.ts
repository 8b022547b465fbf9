import { DAY_MS } from '#contract/order/order-steps.ts'

/* When a yard gets its money: some days after delivery, by what became of its own sales so far. */

/** Orders of the last 12 months that were delivered, and how many of them came back or were disputed. */
export type SalesRecord = { readonly delivered: number; readonly troubled: number }

type ReleaseRule = {
  readonly days: number
  /** Ends the sentence "We release the money … days after delivery, because …". */
  readonly because: string
  readonly applies: (record: SalesRecord) => boolean
}

const share = ({ delivered, troubled }: SalesRecord): number => (delivered === 0 ? 0 : troubled / delivered)

/**
 * The first rule that applies counts. About one in five parts of this trade comes back (ORDERS), so twice that is a yard to
 * watch, and up to that is nothing to hold against it.
 */
const releaseRules: readonly [...ReleaseRule[], ReleaseRule] = [
  {
    days: 14,
    because: 'these are your first 5 sales here',
    applies: ({ delivered }) => delivered < 5,
  },
  {
    days: 14,
    because: 'more than 40% of your sales came back or were disputed',
    applies: (record) => share(record) > 0.4,
  },
  {
    days: 7,
    because: 'more than 20% of your sales came back or were disputed',
    applies: (record) => share(record) > 0.2,
  },
  {
    days: 7,
    because: 'you have fewer than 25 delivered sales here',
    applies: ({ delivered }) => delivered < 25,
  },
  {
    days: 2,
    because: 'you have a good record here',
    applies: () => true,
  },
]

export const SALES_COUNTED_DAYS = 365

export function releaseRule(record: SalesRecord): ReleaseRule {
  const fallback = releaseRules[releaseRules.length - 1] as ReleaseRule
  return releaseRules.find(({ applies }) => applies(record)) ?? fallback
}

/** From when on the yard's share of an order that is delivered now may be transferred. */
export const releaseTime = (deliveredAt: Date, record: SalesRecord): Date =>
  new Date(deliveredAt.getTime() + releaseRule(record).days * DAY_MS)

/** Without a return policy of its own, an order can come back for this long. */
export const RETURN_DAYS = 30
