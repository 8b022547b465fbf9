import { contradictedDamage } from './grade-rule.ts'
import { isInForm, type ListingKind } from './listing-fields.ts'

/*
 * A listing score for its seller: 100 points, minus points for missing information that buyers ask about. Each item
 * names what to add.
 */

type MissingItem = { points: number; add: string }

// Shorter ones repeat the title.
export const SHORT_DESCRIPTION = 40
export const FEW_PICTURES = 3

/** The fields of a reply's listing that the check reads. */
export type CheckedListing = {
  kind: ListingKind
  partdescription: string
  partdamage: string | null
  partgrade: string | null
  partmiles: number | null
  partnum: string | null
  damagecode: string | null
  termsInWords: readonly string[]
  shippingKind: string
  images: readonly unknown[]
  vin: string | null
}

type Check = {
  points: number
  /** What to add. */
  add: string
  isMissing: (listing: CheckedListing, yardHasTerms: boolean) => boolean
}

/**
 * What can be missing, with its label in the filter of My Listings. The server has the same rules as SQL conditions
 * (`server/features/finding/search/matches/gaps.ts`); a test compares them.
 */
export const listingGaps = {
  picture: 'No picture',
  pictures: 'Only 1 or 2 pictures',
  description: 'Short description',
  grade: 'No grade',
  number: 'No part number',
  miles: 'No miles',
  terms: 'No warranty or returns',
  shipping: 'No shipping cost',
  vin: 'No VIN',
} as const
export type ListingGap = keyof typeof listingGaps
export const gapNames = Object.keys(listingGaps) as ListingGap[]

const checks: Record<ListingGap | 'damage', Check> = {
  picture: { points: 25, add: 'a picture', isMissing: ({ images }) => images.length === 0 },
  pictures: {
    points: 10,
    add: `${FEW_PICTURES} pictures or more`,
    isMissing: ({ images }) => images.length > 0 && images.length < FEW_PICTURES,
  },
  description: {
    points: 15,
    add: 'a longer description',
    isMissing: ({ partdescription }) => partdescription.trim().length < SHORT_DESCRIPTION,
  },
  grade: { points: 15, add: 'a grade', isMissing: ({ partgrade }) => !partgrade },
  number: { points: 10, add: 'a part number', isMissing: ({ partnum }) => !partnum },
  miles: {
    points: 10,
    add: 'the miles',
    // Fields that the seller's form does not have are not required.
    isMissing: ({ kind, partmiles }) => partmiles === null && isInForm('partmiles', kind),
  },
  terms: {
    points: 10,
    add: 'warranty or returns',
    // Its page shows the yard's terms.
    isMissing: ({ termsInWords }, yardHasTerms) => termsInWords.length === 0 && !yardHasTerms,
  },
  shipping: {
    points: 5,
    add: 'a shipping cost',
    isMissing: ({ kind, shippingKind }) => shippingKind === 'quote' && isInForm('partshipping', kind),
  },
  vin: { points: 5, add: 'the VIN', isMissing: ({ vin }) => !vin },
  damage: {
    points: 20,
    add: 'the right damage code: 000 contradicts the description',
    isMissing: ({ damagecode, partdescription, partdamage }) =>
      contradictedDamage(damagecode ?? '', partdescription, partdamage ?? '') !== undefined,
  },
}

/**
 * Whether a listing has this gap, which My Listings can filter by. `yardHasTerms`: the yard states a warranty or returns for
 * all its parts.
 */
export const hasGap = (gap: ListingGap, listing: CheckedListing, yardHasTerms: boolean): boolean =>
  checks[gap].isMissing(listing, yardHasTerms)

/** From 0 to 100, and what to add, the most valuable first. */
export function checkForSeller(
  listing: CheckedListing,
  yardHasTerms: boolean,
): { score: number; missing: MissingItem[] } {
  const missing = Object.values(checks)
    .filter(({ isMissing }) => isMissing(listing, yardHasTerms))
    .map(({ points, add }) => ({ points, add }))
    .toSorted((one, other) => other.points - one.points)
  const lost = missing.reduce((sum, { points }) => sum + points, 0)
  return { score: Math.max(0, 100 - lost), missing }
}
