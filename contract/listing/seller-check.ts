import type { Listing } from '#contract/listings.ts'
import { contradictedDamage, isGradedByMiles } from './grade-rule.ts'

/*
 * A listing score for its seller: 100 points, minus points for missing information that buyers ask about. Each item
 * says what to add.
 */

type MissingItem = { points: number; add: string }

// Shorter ones repeat the title.
const SHORT_DESCRIPTION = 40
const FEW_PICTURES = 3

export type CheckedListing = Pick<
  Listing,
  | 'partname'
  | 'partcategory'
  | 'partdescription'
  | 'partdamage'
  | 'partgrade'
  | 'partmiles'
  | 'partnum'
  | 'damagecode'
  | 'termsInWords'
  | 'shippingKind'
  | 'images'
  | 'vin'
>

const checks: readonly [points: number, add: string, isMissing: (listing: CheckedListing) => boolean][] = [
  [25, 'a picture', ({ images }) => images.length === 0],
  [10, `${FEW_PICTURES} pictures or more`, ({ images }) => images.length > 0 && images.length < FEW_PICTURES],
  [15, 'a longer description', ({ partdescription }) => partdescription.trim().length < SHORT_DESCRIPTION],
  [15, 'a grade', ({ partgrade }) => !partgrade],
  [10, 'a part number', ({ partnum }) => !partnum],
  [
    10,
    'the miles',
    (listing) =>
      listing.partmiles === null &&
      isGradedByMiles(`${listing.partname} ${listing.partcategory?.name ?? ''}`),
  ],
  [10, 'warranty or returns', ({ termsInWords }) => termsInWords.length === 0],
  [5, 'a shipping cost', ({ shippingKind }) => shippingKind === 'quote'],
  [5, 'the VIN', ({ vin }) => !vin],
  [
    20,
    'the right damage code: 000 contradicts the description',
    ({ damagecode, partdescription, partdamage }) =>
      contradictedDamage(damagecode ?? '', partdescription, partdamage ?? '') !== undefined,
  ],
]

/** Returns the score, 0 to 100, and what to add, most valuable first. */
export function checkForSeller(listing: CheckedListing): { score: number; missing: MissingItem[] } {
  const missing = checks
    .filter(([, , isMissing]) => isMissing(listing))
    .map(([points, add]) => ({ points, add }))
    .toSorted((one, other) => other.points - one.points)
  const lost = missing.reduce((sum, { points }) => sum + points, 0)
  return { score: Math.max(0, 100 - lost), missing }
}
