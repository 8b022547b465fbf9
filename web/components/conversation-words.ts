import type { OfferState, ThreadMessage } from '#contract/pages/conversations.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'

/* Labels above a message, for both sides of a conversation. The buyer's page is public, so this file has no components. */

const end = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})
/** "Wednesday, Nov 25, 4:06 AM CST", in the reader's time zone. */
const endWords = (iso: string): string => end.format(new Date(iso))

const priceOf = ({ price, currency }: Pick<ThreadMessage, 'price' | 'currency'>): string =>
  price === null ? '' : formatPrice(price, currency ?? 'USD')

/** As a buyer sees the writer: "You", "Curtis at Green Country Salvage". */
const writerFor = ({ from, by }: ThreadMessage, sellerName: string): string => {
  if (from === 'buyer') return 'You'
  return by === sellerName ? by : `${by.split(' ')[0]} at ${sellerName}`
}

/** "Ruth Amador offered $90.00"; `sellerName` is given for the buyer, who knows the seller by it and not their people. */
export function headlineOf(message: ThreadMessage, sellerName?: string): string {
  const { kind, from, by } = message
  const who = sellerName === undefined ? by : writerFor(message, sellerName)
  switch (kind) {
    case 'offer':
      return `${who} offered ${priceOf(message)}`
    case 'accept':
      return `${who} accepted ${priceOf(message)}`
    case 'decline':
      return `${who} declined ${priceOf(message) || 'the offer'}`
    default:
      return from === 'seller' ? `${who} replied` : `${who} wrote`
  }
}

const stateWords: Record<Exclude<OfferState, 'open'>, string> = {
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  replaced: 'Countered',
  lapsed: 'Accepted, but the hold has ended',
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
export const openOffer = (messages: readonly ThreadMessage[]): ThreadMessage | undefined =>
  messages.findLast(({ kind }) => kind === 'offer')

type Deal = { price: string; heldUntil: string; isSold: boolean }

/** Of an accepted offer: the price, and until when the part is held or that it is sold. Undefined if nothing is agreed. */
export function agreedDeal(messages: readonly ThreadMessage[]): Deal | undefined {
  const state = openOffer(messages)?.offerState
  if (state !== 'accepted' && state !== 'bought') return undefined
  const acceptance = messages.findLast(({ kind }) => kind === 'accept')
  if (!acceptance) return undefined
  return {
    price: priceOf(acceptance),
    heldUntil: endWords(acceptance.expiresAt ?? acceptance.createdAt),
    isSold: state === 'bought',
  }
}
