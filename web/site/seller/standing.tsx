import type { PublicSeller } from '#contract/pages/sellers.ts'

/* Apart from the other facts of a seller, which the pages of orders load too. */

/** "4.2 of 5 stars from 12 reviews" */
export const starsInWords = ({ stars, reviews }: { stars: number | null; reviews: number }) =>
  stars === null ? undefined : `${stars} of 5 stars from ${reviews.toLocaleString('en-US')} reviews`

/** Items of a list: the average of the reviews, the badge, and the figures behind it. */
export function Standing({ seller }: { seller: Pick<PublicSeller, 'stars' | 'reviews' | 'record'> }) {
  const { badge, lines } = seller.record
  const said = [starsInWords(seller), badge && 'Dependable yard, by its last 180 days:', ...lines]
  return said.map((line) => line && <li key={line}>{line}</li>)
}
