import { lazy, Suspense, useState } from 'react'
import type { PublicReview, PublicYard } from '#contract/pages/sellers.ts'
import { Standing } from '#web/site/seller/standing.tsx'
import classes from './seller.module.css'

// Few report one: the form comes when it is opened.
const ReportForm = lazy(async () => ({ default: (await import('./report-review.tsx')).ReportForm }))

/** More are behind “Show more”. */
const SHOWN = 3

/** What the yard did with its orders, and what buyers wrote. Nothing for a yard without either. */
export function YardReviews({ yard }: { yard: PublicYard }) {
  const { newestReviews, record, reviews } = yard
  if (newestReviews.length === 0 && record.lines.length === 0) return null
  return (
    <section aria-labelledby="reviews" className={`${classes.card} ${classes.reviews}`}>
      <h2 id="reviews">{newestReviews.length === 0 ? 'Orders here' : 'Reviews'}</h2>
      <ul className={classes.lines}>
        <Standing seller={yard} />
      </ul>
      {newestReviews.length > 0 && (
        <>
          <p className="second">
            By buyers of parts from this yard, after delivery.
            {reviews > newestReviews.length && ` The newest ${newestReviews.length} are shown.`}
          </p>
          <Reviews reviews={newestReviews.slice(0, SHOWN)} />
        </>
      )}
      {newestReviews.length > SHOWN && (
        <details>
          <summary>Show {newestReviews.length - SHOWN} more reviews</summary>
          <Reviews reviews={newestReviews.slice(SHOWN)} />
        </details>
      )}
    </section>
  )
}

const Reviews = ({ reviews }: { reviews: readonly PublicReview[] }) => (
  <ul className={classes.said}>
    {reviews.map((review) => (
      <li key={review.id}>
        <Review review={review} />
      </li>
    ))}
  </ul>
)

const month = (at: string) =>
  new Date(at).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

function Review({ review: { id, stars, text, part, at, answer } }: { review: PublicReview }) {
  return (
    <>
      <p>
        <strong>{stars} of 5 stars</strong>{' '}
        <span className="second">
          {part} · {month(at)}
        </span>
      </p>
      {text !== '' && <p className={classes.words}>{text}</p>}
      {answer !== null && (
        <p className={classes.words}>
          <strong>The yard’s answer:</strong> {answer}
        </p>
      )}
      <ReportReview id={id} />
    </>
  )
}

function ReportReview({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={classes.report} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Report this review</summary>
      {isOpen && (
        <Suspense>
          <ReportForm id={id} />
        </Suspense>
      )}
    </details>
  )
}
