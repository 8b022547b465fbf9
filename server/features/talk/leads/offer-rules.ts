import type { MessageKind, OfferState, OfferStep } from '#contract/pages/conversations.ts'

/*
 * Rules for offers. An offer is a message with a price and an expiry time. Only the newest is open. No timer runs:
 * expiry is computed on every read.
 */

export const HOUR_MS = 3_600_000

/** How long a buyer's offer is valid. */
export const BUYER_OFFER_HOURS = 48
/** How long the seller holds the part at the agreed price. After that, either side may make another offer. */
export const HOLD_HOURS = 48

export type Side = 'buyer' | 'seller'

/** The data of a message that the rules use. */
export type OfferMessage = { kind: MessageKind; sender: Side; createdAt: Date; expiresAt: Date | null }

/** Other data that the rules need. */
export type OfferContext = { now: Date; forSale: boolean; takesOffers: boolean }

const isPast = (end: Date | null, now: Date): boolean => end !== null && end <= now

/** Returns the state of an offer after the next message; `until` is when the offer or hold ends. */
function stateAfter(state: OfferState, { kind, createdAt }: OfferMessage, until: Date | null): OfferState {
  if (state === 'accepted') {
    if (kind === 'sold') return isPast(until, createdAt) ? 'lapsed' : 'bought'
    return kind === 'offer' ? 'lapsed' : state
  }
  if (state !== 'open') return state
  switch (kind) {
    case 'accept':
      return 'accepted'
    case 'decline':
      return 'declined'
    case 'offer':
      return isPast(until, createdAt) ? 'expired' : 'replaced'
    case 'sold':
      return isPast(until, createdAt) ? 'expired' : 'gone'
    default:
      return state
  }
}

function stateNow(
  state: OfferState,
  until: Date | null,
  { now, forSale }: Pick<OfferContext, 'now' | 'forSale'>,
): OfferState {
  if (state === 'accepted') return isPast(until, now) ? 'lapsed' : state
  if (state !== 'open') return state
  if (isPast(until, now)) return 'expired'
  return forSale ? state : 'gone'
}

/** Returns the state of each offer by its position among the messages; undefined for other messages. */
export function offerStates(
  messages: readonly OfferMessage[],
  context: Pick<OfferContext, 'now' | 'forSale'>,
): (OfferState | undefined)[] {
  const states: (OfferState | undefined)[] = messages.map(() => undefined)
  let table: { at: number; until: Date | null; state: OfferState } | undefined
  for (const [at, message] of messages.entries()) {
    if (table) {
      table.state = stateAfter(table.state, message, table.until)
      if (message.kind === 'accept') table.until = message.expiresAt
      states[table.at] = table.state
    }
    if (message.kind === 'offer') table = { at, until: message.expiresAt, state: 'open' }
  }
  if (table) states[table.at] = stateNow(table.state, table.until, context)
  return states
}

/**
 * Returns what one side may do now. Only the other side's open offer can be accepted or declined. A buyer may make an
 * offer while no price is agreed, and a seller once the buyer has made one.
 */
export function stepsOf(side: Side, messages: readonly OfferMessage[], context: OfferContext): OfferStep[] {
  const states = offerStates(messages, context)
  const at = states.findLastIndex((state) => state !== undefined)
  const isTheirs = messages[at] !== undefined && messages[at].sender !== side
  const steps: OfferStep[] = isTheirs && states[at] === 'open' ? ['accept', 'decline'] : []
  const mayName = side === 'buyer' ? context.takesOffers : at !== -1
  if (mayName && context.forSale && states[at] !== 'accepted' && states[at] !== 'bought') steps.push('offer')
  return steps
}
