/*
 * The accounts of the marketplace's money. Entries are cents with a sign: what we have or are owed is positive, what we owe
 * negative, so that the entries of one step add up to zero.
 */

type Account = {
  /** 1: grows with positive entries; -1: with negative ones. */
  readonly sign: 1 | -1
  readonly meaning: string
}

export const ledgerAccounts = {
  provider: { sign: 1, meaning: 'Money at the payment provider' },
  held: { sign: -1, meaning: 'Held for the yard until it is released' },
  core: { sign: -1, meaning: 'Core charges, until the core is back or lapsed' },
  tax: { sign: -1, meaning: 'Sales tax to pay' },
  royalty: { sign: -1, meaning: 'Our share' },
  fees: { sign: 1, meaning: 'Fees of the payment provider' },
  'refunds-due': { sign: -1, meaning: 'Refunds that are not through yet' },
  dispute: { sign: -1, meaning: 'Money in a dispute' },
  'seller-debt': { sign: 1, meaning: 'What a yard owes us' },
} as const satisfies Record<string, Account>

export type LedgerAccount = keyof typeof ledgerAccounts
export const ledgerAccountNames = Object.keys(ledgerAccounts) as LedgerAccount[]

/** Of each plan's sales: a guess until the operator decides (docs/decisions/0110). */
export const royalties = {
  FREE: { percent: 10 },
  PAID: { percent: 6 },
} as const

/** The provider's fee makes small sales a loss without a floor. */
export const ROYALTY_FLOOR_CENTS = 100

/** Our share of an order, never more than the price of its parts. */
export function royaltyOf(partsCents: number, percent: number, floorCents: number): number {
  return Math.min(partsCents, Math.max(floorCents, Math.round((partsCents * percent) / 100)))
}

/** What goes back of our share when part of the price is refunded: in proportion, and all of it with the last cent. */
export function royaltyBack(
  order: { partsCents: number; royaltyCents: number },
  refunded: { beforeCents: number; nowCents: number },
): number {
  const until = (cents: number) =>
    order.partsCents === 0 ? 0 : Math.round((order.royaltyCents * cents) / order.partsCents)
  return until(refunded.beforeCents + refunded.nowCents) - until(refunded.beforeCents)
}
