import type { LineKind } from '#contract/order/order-quote.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'

/*
 * Sales tax of an order. The provider computes it on the payment page and we owe it: it is never a yard's, and nothing of it is
 * in our share. A refund gives it back in proportion to what it was paid for.
 */

type Cents = Readonly<Record<LineKind, number>>

/**
 * States in which the tax on a core charge comes back when the old part does, though the sale stands: Washington lowers the
 * taxed price. Colorado and Ohio give none back, Virginia only with the part itself; so does everybody else. To be checked by
 * the operator (docs/going-live.md).
 */
const CORE_TAX_COMES_BACK: readonly string[] = ['WA']

const givesCoreTax = (state: string | null): boolean => CORE_TAX_COMES_BACK.includes(state ?? '')

type Refunding = {
  /** What was paid. */
  paid: Cents
  /** What of it is neither refunded nor disputed. */
  left: Cents
  now: Omit<Cents, 'tax'>
  /** That the order was shipped to. */
  state: string | null
}

/** The tax that goes back with a refund: its share, and all that is left with the last cent of the rest. */
export function taxBack({ paid, left, now, state }: Refunding): number {
  const kinds = ['part', 'shipping', 'core'] as const
  const sum = (of: (kind: (typeof kinds)[number]) => number) =>
    kinds.reduce((cents, kind) => cents + of(kind), 0)
  if (sum((kind) => left[kind] - now[kind]) <= 0) return left.tax
  // Without the part, the core charge goes back because the old part came.
  const core = now.part > 0 || givesCoreTax(state) ? now.core : 0
  const share = (paid.tax * (now.part + now.shipping + core)) / sum((kind) => paid[kind])
  return Math.min(left.tax, Math.round(share))
}

/** What a receipt says of a core charge on which tax was paid, or may have been. */
export function coreTaxSentence(taxCents: number, state: string | null): string {
  if (taxCents === 0) return 'Sales tax on it may not come back.'
  return givesCoreTax(state) ? 'Sales tax on it comes back, too.' : 'Sales tax on it does not come back.'
}

/** "$115 plus sales tax". */
export const beforeTax = (cents: number, isAdded: boolean): string =>
  isAdded ? `${moneyInWords(cents)} plus sales tax` : moneyInWords(cents)

/** A part that is not found cannot be left out of a tax that is computed already. */
export const ALL_OR_NOTHING = 'With sales tax, an order is sent whole or not at all. Choose cancel'
