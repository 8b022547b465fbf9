import type { Listing } from '#contract/listings.ts'
import { titleOf } from '#web/components/listing-card/listing-words.ts'

type Way = 'own' | 'none' | 'call-first' | 'write-first'
type Reachable = Pick<Listing, 'mine' | 'endedAt' | 'status' | 'preferredContact' | 'dealerphone'>

/** How a reader reaches the seller: by what the seller prefers, as far as the phone number is public. */
export function wayToSeller({ mine, endedAt, status, preferredContact, dealerphone }: Reachable): Way {
  if (mine) return 'own'
  if (endedAt !== null || status !== 'ACTIVE') return 'none'
  return preferredContact === 'phone' && dealerphone ? 'call-first' : 'write-first'
}

type Asked = Parameters<typeof titleOf>[0] & Pick<Listing, 'partnum'>

/** What most buyers ask first; the part number tells two alike apart. */
export function openingQuestion(listing: Asked): string {
  const number = listing.partnum ? ` (part # ${listing.partnum})` : ''
  return `Hello, is the ${titleOf(listing)}${number} still available?`
}

/** "Green Country Salvage", or who else it is. */
export const sellerName = ({ dealername }: Pick<Listing, 'dealername'>): string =>
  dealername.trim() || 'the seller'

/** Where the seller's answer will come to. */
export function answerWords({ email, phone }: { email: string; phone: string }): string {
  if (email === '') return `They will call you at ${phone}.`
  return phone === '' ? `The answer goes to ${email}.` : `They will answer at ${email}, or call ${phone}.`
}
