import type { PublicSeller } from '#contract/pages/sellers.ts'

/* What buyers said and what the yard did with its orders; nothing until there is enough of it. */

/** "4.2 of 5 stars from 12 reviews" */
export const starsInWords = ({ stars, reviews }: { stars: number | null; reviews: number }) =>
  stars === null ? undefined : `${stars} of 5 stars from ${reviews.toLocaleString('en-US')} reviews`

type StandingProps = {
  seller: Pick<PublicSeller, 'stars' | 'reviews'> & { record: PublicSeller['record'] }
}

/** Items of a list: the average of the reviews, the badge, and the figures behind it. */
export function Standing({ seller }: StandingProps) {
  const { record } = seller
  const stars = starsInWords(seller)
  return (
    <>
      {stars !== undefined && (
        <li>
          <span aria-hidden="true">★ </span>
          {stars}
        </li>
      )}
      {record.badge && (
        <li>
          <strong>Dependable yard</strong>, by its last 180 days:
        </li>
      )}
      {record.lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </>
  )
}
