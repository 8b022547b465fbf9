import { type FormEvent, useState } from 'react'
import { reviewReportReasons } from '#contract/pages/report-reasons.ts'
import type { PublicReview, PublicYard } from '#contract/pages/sellers.ts'
import { currentSession } from '#web/api/session.ts'
import { Button } from '#web/site/button.tsx'
import { SelectField, TextArea } from '#web/site/form/field.tsx'
import { Notice } from '#web/site/page.tsx'
import { Standing } from '#web/site/seller/standing.tsx'
import classes from './seller.module.css'

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

type Reply = { error?: string; fields?: Record<string, string> }

/** Sends the report as the signed-in user if there is one, so that a yard can report what is said about it. */
async function sendReport(id: string, form: FormData): Promise<string | undefined> {
  const { token } = currentSession()
  const response = await fetch(`/api/public/reviews/${id}/reports`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(Object.fromEntries(form)),
  }).catch(() => undefined)
  if (response?.ok) return undefined
  const reply: Reply | undefined = await response?.json().catch(() => undefined)
  return (reply?.fields?.reason && 'Choose a reason') || reply?.error || 'It could not be sent. Try again.'
}

function ReportReview({ id }: { id: string }) {
  const [state, setState] = useState<{ busy?: boolean; sent?: boolean; problem?: string | undefined }>({})
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (state.busy) return
    const form = new FormData(event.currentTarget)
    setState({ busy: true })
    const problem = await sendReport(id, form)
    setState(problem === undefined ? { sent: true } : { problem })
  }
  if (state.sent) return <p role="status">Thanks for reporting. We’ll look at this review.</p>
  return (
    <details className={classes.report}>
      <summary>Report this review</summary>
      <form className={classes.lines} noValidate onSubmit={(event) => void send(event)}>
        <SelectField label="What’s wrong with this review?" name="reason" defaultValue="">
          <option value="">Choose a reason</option>
          {Object.entries(reviewReportReasons).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextArea label="Details (optional)" name="text" rows={2} maxLength={2000} />
        {state.problem !== undefined && (
          <Notice tone="bad" role="alert">
            {state.problem}
          </Notice>
        )}
        <div>
          <Button type="submit" size="small" busy={state.busy === true}>
            Send report
          </Button>
        </div>
      </form>
    </details>
  )
}
