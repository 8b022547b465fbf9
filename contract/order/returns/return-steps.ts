import { ASK_ARRIVED_DAYS, type OrderSide } from '#contract/order/order-steps.ts'

/*
 * What can come back after a sale, and what can happen to it. Three things: a *return* of a good part, a *claim* about a bad
 * or missing one, which the buyer may keep, and the old part of a *core* charge. One table, read by server, screens and mails:
 * a step that is not in it is refused with 409 STATE.
 */

export const returnKinds = ['return', 'claim', 'core'] as const
export type ReturnKind = (typeof returnKinds)[number]

export const returnStates = [
  'asked',
  'declined',
  'deciding',
  'approved',
  'sent',
  'refunded',
  'refused',
  'withdrawn',
  'lapsed',
] as const
export type ReturnState = (typeof returnStates)[number]

export const returnStateLabels: Readonly<Record<ReturnState, string>> = {
  asked: 'Waiting for the yard',
  declined: 'Declined by the yard',
  deciding: 'Being decided',
  approved: 'To be sent back',
  sent: 'On its way back',
  refunded: 'Refunded',
  refused: 'Refused',
  withdrawn: 'Withdrawn',
  lapsed: 'Not sent back in time',
}

const ends: readonly ReturnState[] = ['refunded', 'refused', 'withdrawn', 'lapsed']
export const openReturnStates = returnStates.filter((state) => !ends.includes(state))
export const isReturnOver = (state: ReturnState): boolean => ends.includes(state)

type ReturnStep = {
  readonly kinds: readonly ReturnKind[]
  readonly from: readonly ReturnState[]
  readonly to: ReturnState
  readonly by: OrderSide
}

export const returnSteps = {
  /** The buyer sends the part back. */
  approve: { kinds: ['return'], from: ['asked'], to: 'approved', by: 'seller' },
  /** The money goes back, and the buyer may keep the part. */
  grant: { kinds: ['claim'], from: ['asked'], to: 'refunded', by: 'seller' },
  decline: { kinds: ['return', 'claim'], from: ['asked'], to: 'declined', by: 'seller' },
  appeal: { kinds: ['return', 'claim'], from: ['declined'], to: 'deciding', by: 'buyer' },
  /** The buyer left it at the yard's no. */
  close: { kinds: ['return', 'claim'], from: ['declined'], to: 'refused', by: 'clock' },
  /** The yard is silent, about the request or about a parcel. */
  unanswered: { kinds: returnKinds, from: ['asked', 'sent'], to: 'deciding', by: 'clock' },
  send: { kinds: ['return', 'core'], from: ['approved'], to: 'sent', by: 'buyer' },
  receive: { kinds: ['return', 'core'], from: ['approved', 'sent'], to: 'refunded', by: 'seller' },
  /** It came back, but not as it should. */
  contest: { kinds: ['return', 'core'], from: ['approved', 'sent'], to: 'deciding', by: 'seller' },
  lapse: { kinds: ['return', 'core'], from: ['approved'], to: 'lapsed', by: 'clock' },
  refund: { kinds: returnKinds, from: ['deciding'], to: 'refunded', by: 'admin' },
  split: { kinds: returnKinds, from: ['deciding'], to: 'refunded', by: 'admin' },
  refuse: { kinds: returnKinds, from: ['deciding'], to: 'refused', by: 'admin' },
  /** The buyer sends the part back first. */
  allow: { kinds: ['return'], from: ['deciding'], to: 'approved', by: 'admin' },
  /** Nobody decided. */
  settle: { kinds: returnKinds, from: ['deciding'], to: 'refunded', by: 'clock' },
  withdraw: {
    kinds: ['return', 'claim'],
    from: ['asked', 'declined', 'deciding', 'approved'],
    to: 'withdrawn',
    by: 'buyer',
  },
  /** The money went back another way. */
  void: {
    kinds: returnKinds,
    from: ['asked', 'declined', 'deciding', 'approved', 'sent'],
    to: 'withdrawn',
    by: 'clock',
  },
} as const satisfies Record<string, ReturnStep>

export type ReturnStepName = keyof typeof returnSteps
export const returnStepNames = Object.keys(returnSteps) as ReturnStepName[]

/** Whether the table allows a step. */
export function allowsReturnStep(
  name: ReturnStepName,
  { kind, state }: { kind: ReturnKind; state: ReturnState },
): boolean {
  const { kinds, from }: ReturnStep = returnSteps[name]
  return kinds.includes(kind) && from.includes(state)
}

/** What each side can do with it now. */
export const returnActions = [
  'send',
  'appeal',
  'withdraw',
  'approve',
  'decline',
  'received',
  'refund',
  'allow',
  'split',
  'refuse',
] as const
export type ReturnAction = (typeof returnActions)[number]

/* Reasons, as yards count them. */

type Reason = {
  readonly kind: ReturnKind
  /** As the buyer says it. */
  readonly label: string
  /** Whose it is; `fit`: the yard's if it confirmed that the part fits the buyer's VIN. */
  readonly fault: 'buyer' | 'yard' | 'fit'
}

export const returnReasons = {
  'not-needed': { kind: 'return', label: 'I don’t need it anymore', fault: 'buyer' },
  'ordered-wrong': { kind: 'return', label: 'I ordered the wrong part', fault: 'buyer' },
  'doesnt-fit': { kind: 'return', label: 'It doesn’t fit', fault: 'fit' },
  damaged: { kind: 'claim', label: 'It came damaged', fault: 'yard' },
  'wrong-part': { kind: 'claim', label: 'It is the wrong part', fault: 'yard' },
  'missing-pieces': { kind: 'claim', label: 'Pieces are missing', fault: 'yard' },
  defective: { kind: 'claim', label: 'It doesn’t work', fault: 'yard' },
  'not-arrived': { kind: 'claim', label: 'It never arrived', fault: 'yard' },
  core: { kind: 'core', label: 'Old part for the core charge', fault: 'buyer' },
} as const satisfies Record<string, Reason>
export type ReturnReason = keyof typeof returnReasons
export const returnReasonNames = Object.keys(returnReasons) as ReturnReason[]

export const faultOf = (reason: ReturnReason, { fitConfirmed }: { fitConfirmed: boolean }) => {
  const { fault }: Reason = returnReasons[reason]
  if (fault !== 'fit') return fault
  return fitConfirmed ? 'yard' : 'buyer'
}

/** How a part or core came back; anything but `good` is decided by an administrator. */
export const returnConditions = {
  good: 'As it was sold',
  damaged: 'Damaged',
  incomplete: 'Pieces are missing',
  'other-part': 'Another part',
} as const
export type ReturnCondition = keyof typeof returnConditions

/* Limits and deadlines. Reasons are in docs/decisions/0118. */

/** For listings without return terms: this many days, and no restocking fee. */
export const DEFAULT_RETURN_DAYS = 30
export const DEFAULT_CORE_DAYS = 30
/** What is wrong with a part shows by then; a longer window for returns counts for claims, too. */
export const CLAIM_DAYS = 30
/** A parcel may be late; before that there is nothing to claim. */
export const NOT_ARRIVED_FROM_DAYS = ASK_ARRIVED_DAYS[0]
/** If it only counts as delivered because nobody said anything. */
export const NOT_ARRIVED_DAYS = 14
/** The yard's time to answer. */
export const ANSWER_DAYS = 3
/** The buyer's time to disagree with the yard's no. */
export const APPEAL_DAYS = 7
/** The buyer's time to send the part back. */
export const SEND_BACK_DAYS = 14
/** The parcel's time, and the yard's to say that it is there. */
export const ON_ITS_WAY_DAYS = 14
/** A request that nobody decided is decided for the buyer. */
export const SETTLE_DAYS = 60
export const CORE_REMINDER_DAYS = 7

export const MAX_RETURN_PHOTOS = 8
/** Of an order, with those that were withdrawn or refused. */
export const MAX_RETURNS = 6
