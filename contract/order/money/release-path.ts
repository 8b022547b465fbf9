import type { OrderState } from '#contract/order/order-steps.ts'
import { isEnded } from '#contract/order/order-steps.ts'
import { dayInWords } from '#contract/order/order-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { OrderPayout, PayoutState, PayoutStep } from './release-views.ts'

/* The way of an order's money to the yard's bank, in words: "We release $92.40 on Wed, Dec 9." */

export type ReleaseFacts = {
  state: OrderState
  capturedCents: number
  /** Our share, less what went back of it. */
  royaltyCents: number
  /** Null until the provider has told it. */
  feeCents: number | null
  taxCents: number
  /** Core charges that are neither back nor lapsed. */
  coreCents: number
  refundedCents: number
  /** Refunds that are not through yet. */
  refundDueCents: number
  /** Owed to the yard and not transferred yet. Negative: the yard was paid too much, and we reverse it. */
  heldCents: number
  /** Kept for what the yard owed. */
  nettedCents: number
  /** What the yard owes us from this order, because its account could not cover a reversal. */
  owedCents: number
  /** Whether the yard owes anything at all: later sales pay the debts of earlier ones. */
  hasDebt: boolean
  /** After reversals; newest first. */
  transfers: readonly {
    cents: number
    madeAt: string
    payout: { state: PayoutState; arrivesAt: string } | null
  }[]
  releaseAt: string | null
  /** Days after delivery, if it was delivered now. */
  rule: { days: number; because: string }
  stopped: 'hold' | 'dispute' | 'return' | null
  /** Why a transfer waits. */
  problem: string | null
  timeZone: string
}

const STOPPED: Record<NonNullable<ReleaseFacts['stopped']>, string> = {
  hold: 'while we check this order',
  dispute: 'until the buyer’s bank has decided the dispute',
  return: 'until the return or claim is settled',
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** What the yard gets of it, or got. */
const shareCents = ({ heldCents, nettedCents, transfers }: ReleaseFacts): number =>
  Math.max(0, heldCents) + nettedCents + transfers.reduce((sum, { cents }) => sum + cents, 0)

/** Where the money is, and what happens next. */
function sentenceOf(facts: ReleaseFacts, now: Date): string {
  const { heldCents, owedCents, capturedCents, nettedCents } = facts
  if (capturedCents === 0)
    return isEnded(facts.state)
      ? 'Nothing was paid.'
      : 'The money comes to us first, once the buyer has paid.'
  if (owedCents > 0)
    return facts.hasDebt
      ? `You owe ${moneyInWords(owedCents)} of this order. We keep it of your next sales.`
      : `You owed ${moneyInWords(owedCents)} of this order, and your later sales paid it.`
  if (heldCents > 0) return heldSentence(facts, now)
  const last = facts.transfers.find(({ cents }) => cents > 0)
  if (last) return transferredSentence(facts, last, now)
  if (facts.stopped === 'dispute')
    return 'The buyer’s bank has this money until it decides. If it decides for you, the money is yours again.'
  return nettedCents > 0
    ? `We kept ${moneyInWords(nettedCents)} of this sale for what you owed from earlier refunds.`
    : 'Nothing of this order is left for you.'
}

function heldSentence(
  { heldCents, releaseAt, rule, stopped, problem, timeZone }: ReleaseFacts,
  now: Date,
): string {
  const amount = moneyInWords(heldCents)
  if (stopped) return `We hold ${amount} ${STOPPED[stopped]}.`
  if (problem)
    return `${amount} waits for your Stripe account: open your payout settings and finish what Stripe asks for.`
  if (releaseAt === null)
    return `We release ${amount} ${days(rule.days)} after delivery, because ${rule.because}.`
  return Date.parse(releaseAt) > now.getTime()
    ? `We release ${amount} on ${dayInWords(releaseAt, timeZone, now)}.`
    : `We release ${amount} now.`
}

function transferredSentence(
  facts: ReleaseFacts,
  { madeAt, payout }: ReleaseFacts['transfers'][number],
  now: Date,
): string {
  const amount = moneyInWords(facts.transfers.reduce((sum, { cents }) => sum + cents, 0))
  const day = (at: string) => dayInWords(at, facts.timeZone, now)
  switch (payout?.state) {
    case 'paid':
      return `${amount} was paid to your bank on ${day(payout.arrivesAt)}.`
    case 'pending':
    case 'in_transit':
      return `${amount} is on its way to your bank and arrives by ${day(payout.arrivesAt)}.`
    case 'failed':
    case 'canceled':
      return `Your bank refused the payout with ${amount}. Check the bank account in your payout settings; Stripe pays it again.`
    default:
      return `We transferred ${amount} on ${day(madeAt)}. Stripe sends it to your bank with your next payout.`
  }
}

type PathStep = OrderPayout['path'][number]

/** Every stop of the money, those that do not concern this order left out. */
function pathOf(facts: ReleaseFacts, now: Date): PathStep[] {
  const { capturedCents, transfers, heldCents, releaseAt, timeZone, rule } = facts
  if (capturedCents === 0) return []
  const taken = (step: PayoutStep, label: string, cents: number, text = ''): PathStep[] =>
    cents === 0 ? [] : [{ step, label, amount: -cents / 100, state: 'done', text }]
  const fee = facts.feeCents === null ? 'not known yet' : moneyInWords(facts.feeCents)
  return [
    { step: 'paid', label: 'Paid by the buyer', amount: capturedCents / 100, state: 'done', text: '' },
    ...taken('royalty', 'Our royalty', facts.royaltyCents),
    { step: 'fee', label: 'Card fee', amount: 0, state: 'done', text: `${fee}, paid by us` },
    ...taken('tax', 'Sales tax', facts.taxCents),
    ...taken('core', 'Core charge', facts.coreCents, 'until the core is back or its time is over'),
    ...taken('refunded', 'Back to the buyer', facts.refundedCents + facts.refundDueCents),
    ...taken('kept', 'Kept for what you owed', facts.nettedCents),
    releasedStep({ heldCents, releaseAt, timeZone, rule, transfers, now, facts }),
    ...bankSteps(transfers, timeZone, now),
  ]
}

type Releasing = Pick<ReleaseFacts, 'heldCents' | 'releaseAt' | 'timeZone' | 'rule' | 'transfers'> & {
  now: Date
  facts: ReleaseFacts
}

function releasedStep({ heldCents, releaseAt, timeZone, rule, now, facts }: Releasing): PathStep {
  const isNext = heldCents > 0
  // What the bank took may come back, so that nothing has ended yet.
  if (facts.stopped === 'dispute' && shareCents(facts) === 0) {
    return {
      step: 'released',
      label: 'Released',
      amount: null,
      state: 'later',
      text: `held ${STOPPED.dispute}`,
    }
  }
  const amount = (shareCents(facts) - facts.nettedCents) / 100
  const on = releaseAt === null ? `${days(rule.days)} after delivery` : dayInWords(releaseAt, timeZone, now)
  const text = facts.stopped && isNext ? `held ${STOPPED[facts.stopped]}` : on
  return { step: 'released', label: 'Released', amount, state: isNext ? 'next' : 'done', text }
}

function bankSteps(transfers: ReleaseFacts['transfers'], timeZone: string, now: Date): PathStep[] {
  const made = transfers.filter(({ cents }) => cents > 0)
  if (made.length === 0) {
    const later = { amount: null, state: 'later', text: '' } as const
    return [
      { step: 'transferred', label: 'Transferred to your Stripe account', ...later },
      { step: 'bank', label: 'Paid to your bank', ...later },
    ]
  }
  return made.flatMap(({ cents, madeAt, payout }): PathStep[] => {
    const isFailed = payout?.state === 'failed' || payout?.state === 'canceled'
    const reached = payout?.state === 'paid' ? 'done' : 'next'
    const arrives = payout && dayInWords(payout.arrivesAt, timeZone, now)
    const text = isFailed ? 'refused by your bank' : (arrives ?? 'with your next payout')
    return [
      {
        step: 'transferred',
        label: 'Transferred to your Stripe account',
        amount: cents / 100,
        state: 'done',
        text: dayInWords(madeAt, timeZone, now),
      },
      {
        step: 'bank',
        label: 'Paid to your bank',
        amount: cents / 100,
        state: isFailed ? 'failed' : reached,
        text,
      },
    ]
  })
}

/** The yard's money of an order: how much, where it is, and every stop of it. */
export function orderPayoutOf(facts: ReleaseFacts, now: Date): OrderPayout {
  return {
    share: shareCents(facts) / 100,
    releaseAt: facts.releaseAt,
    sentence: sentenceOf(facts, now),
    path: pathOf(facts, now),
  }
}
