import { type Grade, grades, gradeWords } from '#contract/listing/listing-rules.ts'
import { listingYearsInWords } from '#contract/listing/year-span.ts'
import type { Listing } from '#contract/listings.ts'

type Titled = Pick<Listing, 'partyear' | 'partmanuname' | 'partmodel' | 'partname'> &
  Partial<Pick<Listing, 'partyearto'>>

export const fitmentOf = ({ partmanuname, partmodel, ...years }: Omit<Titled, 'partname'>): string =>
  [listingYearsInWords(years), partmanuname, partmodel].filter(Boolean).join(' ')

/** "2014 Toyota Camry Alternator 130A", "2014–2017 Toyota Camry Alternator 130A" */
export const titleOf = (listing: Titled): string =>
  [fitmentOf(listing), listing.partname].filter(Boolean).join(' ')

export const formatPrice = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount)

export const placeOf = ({ partcity, partstate }: Pick<Listing, 'partcity' | 'partstate'>): string =>
  [partcity, partstate].filter(Boolean).join(', ')

const isGrade = (letter: string): letter is Grade => (grades as readonly string[]).includes(letter)

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
  return partshipping === null ? 'Shipping on request' : `${formatPrice(partshipping, currency)} shipping`
}

const endedWords = {
  'sold-here': 'Sold',
  'sold-elsewhere': 'Sold',
  scrapped: 'Scrapped',
  withdrawn: 'Withdrawn',
} satisfies Record<NonNullable<Listing['endedReason']>, string>

/** Why the listing ended, such as "Sold", or undefined while it is for sale. */
export const endInWords = ({ endedAt, endedReason }: Partial<Pick<Listing, 'endedAt' | 'endedReason'>>) =>
  !endedAt ? undefined : endedWords[endedReason ?? 'withdrawn']
