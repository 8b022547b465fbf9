import type { Grade } from '#contract/listing/listing-rules.ts'
import type { Listing } from '#contract/listings.ts'

/* Public pages import this file, so it imports only types from the contract. */

type TitleFields = Pick<Listing, 'partyear' | 'partmanuname' | 'partmodel' | 'partname'> &
  Partial<Pick<Listing, 'partyearto'>>

/** A listing's years as pages show them: 2012–2015. */
export const yearsOf = ({ partyear, partyearto }: Pick<TitleFields, 'partyear' | 'partyearto'>): string =>
  partyearto ? `${partyear}–${partyearto}` : partyear

export const fitYears = ({ from, to }: { from: number; to: number }): string =>
  from === to ? `${from}` : `${from}–${to}`

export const fitmentOf = ({ partmanuname, partmodel, ...years }: Omit<TitleFields, 'partname'>): string =>
  [yearsOf(years), partmanuname, partmodel].filter(Boolean).join(' ')

/** "2014 Toyota Camry Alternator 130A", "2014–2017 Toyota Camry Alternator 130A" */
export const titleOf = (listing: TitleFields): string =>
  [fitmentOf(listing), listing.partname].filter(Boolean).join(' ')

// As `moneyInWords` of the contract, whose files would bring another request to every page. Creating a formatter takes longer
// than rendering the rest of a card.
const formatters = new Map<string, Intl.NumberFormat>()

export function formatPrice(amount: number, currency: string): string {
  let formatter = formatters.get(currency)
  if (!formatter) {
    formatter = new Intl.NumberFormat('en-US', { style: 'currency', currency })
    formatters.set(currency, formatter)
  }
  return formatter.format(amount)
}

export const placeOf = ({ partcity, partstate }: Pick<Listing, 'partcity' | 'partstate'>): string =>
  [partcity, partstate].filter(Boolean).join(', ')

export const sellerName = ({ dealername }: Pick<Listing, 'dealername'>): string =>
  dealername.trim() || 'the seller'

export const gradeWords: Record<Grade, string> = { A: 'excellent', B: 'good', C: 'fair', D: 'poor' }

const isGrade = (letter: string): letter is Grade => Object.hasOwn(gradeWords, letter)

/** "Grade A, excellent". Unknown grades have no description. */
export const gradeInWords = (letter: string): string =>
  isGrade(letter) ? `Grade ${letter}, ${gradeWords[letter]}` : `Grade ${letter}`

export function shippingInWords({
  shippingKind,
  partshipping,
  currency,
}: Pick<Listing, 'shippingKind' | 'partshipping' | 'currency'>): string {
  if (shippingKind === 'free') return 'Free shipping'
  if (shippingKind === 'pickup') return 'Pickup only'
  return partshipping === null ? 'Shipping by quote' : `${formatPrice(partshipping, currency)} shipping`
}

type Cost = Parameters<typeof shippingInWords>[0] & Pick<Listing, 'partprice'>

/** The price with a flat rate; nothing for others, which add nothing or are not known. */
export const shippedPrice = ({ shippingKind, partprice, partshipping, currency }: Cost): string | false =>
  shippingKind === 'flat' && formatPrice(partprice + (partshipping ?? 0), currency)

/** What a buyer pays in addition to the price: "+ $20.00 shipping = $135.00", "+ shipping quote", "Free shipping". */
export function shippingAdded(part: Cost): string {
  const words = part.shippingKind === 'quote' ? '+ shipping quote' : shippingInWords(part)
  const total = shippedPrice(part)
  return total ? `+ ${words} = ${total}` : words
}

const endedWords = {
  'sold-here': 'Sold',
  'sold-elsewhere': 'Sold',
  scrapped: 'Scrapped',
  withdrawn: 'Withdrawn',
} satisfies Record<NonNullable<Listing['endedReason']>, string>

/** Why the listing ended, such as "Sold", or undefined while it is for sale. */
/** What a buyer is doing with the last piece; undefined if nobody has it. */
export const holdInWords = ({ availability }: Partial<Pick<Listing, 'availability'>>) =>
  availability &&
  { now: undefined, sold: undefined, 'in-cart': 'In a cart', pending: 'Sale pending' }[availability]

export const endInWords = ({ endedAt, endedReason }: Partial<Pick<Listing, 'endedAt' | 'endedReason'>>) =>
  !endedAt ? undefined : endedWords[endedReason ?? 'withdrawn']
