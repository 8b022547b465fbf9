/* What a yard did with its orders, and what buyers said. Has no schemas, which would load zod on every public page. */

/** Orders of this many days count. */
export const RECORD_DAYS = 180
/** With fewer, one order would decide, and a figure could reveal a single buyer. */
const FEWEST_ORDERS = 10
/** With fewer reviews there is no average. */
export const FEWEST_REVIEWS = 5
/** A number of buyers with one model, below which nothing is said about it. */
export const FEWEST_FITS = 3

export type Share = { readonly count: number; readonly of: number }

/** Of the orders of the last 180 days. */
export type TrackRecord = {
  /** Found and confirmed before the deadline, of those that the yard had to look for. */
  readonly confirmed: Share
  /** Shipped, or ready to be picked up, by the promised day, of those that had to be. */
  readonly shipped: Share
  /** Sent back or refunded in full after delivery, of those delivered. */
  readonly cameBack: Share
}

/** What the badge asks for, in percent. */
const BADGE = { confirmed: 95, shipped: 95, cameBack: 10 } as const

const reaches = ({ count, of }: Share, percent: number) => 100 * count >= percent * of
const counts = ({ of }: Share) => of >= FEWEST_ORDERS

/** Arithmetic alone: nobody gives or takes the badge. */
export const hasBadge = ({ confirmed, shipped, cameBack }: TrackRecord): boolean =>
  [confirmed, shipped, cameBack].every(counts) &&
  reaches(confirmed, BADGE.confirmed) &&
  reaches(shipped, BADGE.shipped) &&
  100 * cameBack.count <= BADGE.cameBack * cameBack.of

/** "48 of 50 orders shipped in time": the figures with enough orders, good or bad. */
export const recordLines = ({ confirmed, shipped, cameBack }: TrackRecord): string[] =>
  (
    [
      [confirmed, 'orders confirmed in time'],
      [shipped, 'orders shipped in time'],
      [cameBack, 'orders came back'],
    ] as const
  ).flatMap(([share, words]) =>
    counts(share) ? [`${inWords(share.count)} of ${inWords(share.of)} ${words}`] : [],
  )

const inWords = (count: number) => count.toLocaleString('en-US')

/** The average to a tenth; null with fewer than five reviews. */
export const averageStars = ({ reviews, stars }: { reviews: number; stars: number }): number | null =>
  reviews < FEWEST_REVIEWS ? null : Math.round((10 * stars) / reviews) / 10

/** Parts of one number that were bought for one model. */
export type FitEvidence = {
  make: string
  model: string
  /** Model years, if the VINs say them. */
  from: number | null
  to: number | null
  bought: number
  cameBack: number
}

/** "Bought for 14 Honda Accords (2013–2017), 1 came back as not fitting" */
export function fitInWords({ make, model, from, to, bought, cameBack }: FitEvidence): string {
  const years = from === null || to === null ? '' : ` (${from === to ? from : `${from}–${to}`})`
  const back = cameBack === 0 ? 'none' : inWords(cameBack)
  return `Bought for ${inWords(bought)} ${make} ${plural(model)}${years}, ${back} came back as not fitting`
}

// "3 Series" and "CX" have no plural that anybody says.
const plural = (model: string) => (/[sxz]$/i.test(model) ? `${model} vehicles` : `${model}s`)
