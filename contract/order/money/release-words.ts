/* What the yard's way to its money says, in an order's timeline. */

type Told = {
  /** " $20", or nothing. */
  amount: string
  /** ": too damaged", or nothing. */
  reason: string
  /** "your", or "the yard’s" for administrators. */
  yours: string
  /** "You", or the yard. */
  Yard: string
}

/** Events of a yard's money: no business of the buyer. */
export const releaseTimeline: Readonly<Record<string, (told: Told) => string>> = {
  transferred: ({ amount, yours }) => `We transferred${amount} to ${yours} Stripe account.`,
  netted: ({ amount }) => `We kept${amount} of this sale for what was owed from earlier refunds.`,
  'transfer-waits': ({ amount, reason }) => `The transfer of${amount} waits${reason}.`,
  'taken-back': ({ amount, yours }) => `${amount.trim()} was taken back from ${yours} Stripe account.`,
  owed: ({ amount, Yard, yours }) =>
    `${yours === 'your' ? 'Your' : 'The'} Stripe account did not cover${amount} of a refund: ${Yard === 'You' ? 'you owe' : `${Yard} owes`} it.`,
}

/** Whether an event is shown to the buyer. */
export const isForBuyer = (kind: string): boolean => !Object.hasOwn(releaseTimeline, kind)
