import type { OrderState } from '#contract/order/order-steps.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'

/* What orders say while the buyer's bank disputes the payment, and after it has decided. */

/** Why a bank disputes a payment, in words for people. Banks have more reasons. */
const reasons: Readonly<Record<string, string>> = {
  credit_not_processed: 'a refund was promised and did not come',
  duplicate: 'the card was charged twice',
  fraudulent: 'the cardholder says they did not pay this',
  product_not_received: 'the part did not arrive',
  product_unacceptable: 'the part is not as described, or damaged',
  subscription_canceled: 'the order was canceled',
  unrecognized: 'the cardholder does not recognize the payment',
}
export const disputeReason = (reason: string): string => reasons[reason] ?? 'another reason'

export const disputeStateLabels = {
  'needs-response': 'Waiting for our answer',
  'under-review': 'The bank is deciding',
  won: 'Won',
  lost: 'Lost',
} as const
export type DisputeState = keyof typeof disputeStateLabels

export const isOpenDispute = (state: DisputeState): boolean =>
  state === 'needs-response' || state === 'under-review'

/** Shown instead of the order's state once the bank has decided for the buyer. */
export const LOST_DISPUTE = 'Lost dispute'

/** The facts that the sentence depends on. */
type DisputeWords = {
  disputed: boolean
  /** What the bank took and has not given back. */
  takenCents: number
  state: OrderState
  yard: string
  buyer: string
}

/** The sentence of an order that is disputed, or whose dispute was lost; otherwise undefined. */
export function disputeSentence(words: DisputeWords, reader: 'buyer' | 'seller'): string | undefined {
  const { disputed, takenCents, state, yard, buyer } = words
  const taken = moneyInWords(takenCents)
  if (disputed) {
    if (reader === 'buyer')
      return `Your bank is checking this payment with us. Until it decides, nothing is refunded here and ${yard} is not paid. You have nothing to do.`
    const stop = state === 'confirmed' || state === 'ready' ? ' Do not ship or hand over the part.' : ''
    const why =
      takenCents > 0
        ? `${buyer}’s bank disputes the payment and took back ${taken}.`
        : `${buyer}’s bank has questions about the payment.`
    return `${why}${stop} Nothing is paid out or refunded until it decides. We answer the bank.`
  }
  if (takenCents <= 0) return undefined
  return reader === 'buyer'
    ? `Your bank decided for you: ${taken} of this payment is yours again. Ask the bank when your account shows it.`
    : `Lost dispute: the bank gave ${taken} back to ${buyer}. You are not paid for it.`
}

/* The timeline */

const disputeKinds = [
  'disputed',
  'dispute-answered',
  'evidence-submitted',
  'dispute-won',
  'dispute-lost',
] as const
export type DisputeKind = (typeof disputeKinds)[number]

/** "Your bank" or "The buyer’s bank". */
type Told = { reader: 'buyer' | 'seller' | 'admin'; Yard: string; buyer: string; amount: string }

const bankOf = ({ reader }: Told): string => (reader === 'buyer' ? 'Your bank' : 'The buyer’s bank')

export const disputeTimeline: Readonly<Record<DisputeKind, (told: Told) => string>> = {
  disputed: (told) => `${bankOf(told)} disputes the payment${told.amount && ` of${told.amount}`}.`,
  'dispute-answered': ({ Yard }) => `${Yard} told us what happened.`,
  'evidence-submitted': ({ reader }) =>
    reader === 'buyer' ? 'We answered your bank.' : 'We sent the evidence to the bank.',
  'dispute-won': (told) => `${bankOf(told)} closed the dispute, and the payment stands.`,
  'dispute-lost': (told) =>
    `${bankOf(told)} decided: ${told.amount.trim() || 'the money'} went back to ${told.buyer}.`,
}
