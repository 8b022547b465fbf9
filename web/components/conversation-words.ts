import type { OfferState, ThreadMessage } from '#contract/pages/conversations.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'

/* Labels above a message, for both sides of a conversation. The buyer's page is public, so this file has no components. */

type Side = ThreadMessage['from']

const end = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
/** "Wednesday, Nov 25, 4:06 AM", in the reader's time zone. */
const endWords = (iso: string): string => end.format(new Date(iso))

const priceOf = ({ price, currency }: Pick<ThreadMessage, 'price' | 'currency'>): string =>
  price === null ? '' : formatPrice(price, currency ?? 'USD')

/** "Ruth Amador offered $90.00". The seller's people are named, since there may be several. */
export function headlineOf(message: ThreadMessage, viewer: Side): string {
  const { kind, from, by } = message
  const who = viewer === 'buyer' && from === 'buyer' ? 'You' : by
  switch (kind) {
    case 'offer':
      return `${who} offered ${priceOf(message)}`
    case 'accept':
      return `${who} accepted ${priceOf(message)}`
    case 'decline':
      return `${who} declined ${priceOf(message) || 'the offer'}`
    default:
      return from === 'seller' ? `${who} answered` : `${who} wrote`
  }
}

const stateWords: Record<Exclude<OfferState, 'open'>, string> = {
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  replaced: 'Replaced by a newer offer',
  lapsed: 'Accepted, but the hold is over',
  gone: 'The part was sold first',
  bought: 'Accepted and sold',
}

/** An offer's outcome, or until when it is good; undefined for other messages. */
export function offerInWords({ offerState, expiresAt }: ThreadMessage): string | undefined {
  if (offerState === null) return undefined
  if (offerState !== 'open') return stateWords[offerState]
  return expiresAt === null ? undefined : `Good until ${endWords(expiresAt)}`
}

/** The newest offer, the only one that can be answered. */
export const offerOnTable = (messages: readonly ThreadMessage[]): ThreadMessage | undefined =>
  messages.findLast(({ kind }) => kind === 'offer')

type Deal = { price: string; heldUntil: string; isSold: boolean }

/** Of an accepted offer: the price, and until when the part is held or that it is sold. Undefined if nothing is agreed. */
export function dealIn(messages: readonly ThreadMessage[]): Deal | undefined {
  const state = offerOnTable(messages)?.offerState
  if (state !== 'accepted' && state !== 'bought') return undefined
  const acceptance = messages.findLast(({ kind }) => kind === 'accept')
  if (!acceptance) return undefined
  return {
    price: priceOf(acceptance),
    heldUntil: endWords(acceptance.expiresAt ?? acceptance.createdAt),
    isSold: state === 'bought',
  }
}
