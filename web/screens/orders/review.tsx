import type { FormEvent } from 'react'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import { isReturnOver } from '#contract/order/returns/return-steps.ts'
import { zonedMomentWords } from '#web/components/time-words.ts'
import { Button } from '#web/site/button.tsx'
import { TextArea } from '#web/site/form/field.tsx'
import classes from './order.module.css'

const words = ['Bad', 'Poor', 'All right', 'Good', 'Great'] as const

type ReviewFormProps = {
  order: BuyerOrder
  busy: boolean
  onSend: (review: { stars: number; text: string }) => void
}

/** Says what the yard is like, or changes it while nobody else reads it. */
export function ReviewForm({ order: { review, yard, returns }, busy, onSend }: ReviewFormProps) {
  const isAtPeace = !returns.some(({ kind, state }) => kind !== 'core' && !isReturnOver(state))
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onSend({ stars: Number(form.get('stars') ?? 0), text: String(form.get('text')).trim() })
  }
  return (
    <details className={classes.more} open={review === null && isAtPeace}>
      <summary>{review === null ? `Review ${yard.name}` : 'Change your review'}</summary>
      <form className={classes.card} onSubmit={send} noValidate>
        <fieldset className={classes.stars}>
          <legend>How was {yard.name}?</legend>
          {words.map((word, index) => (
            <label key={word}>
              <input
                type="radio"
                name="stars"
                value={index + 1}
                defaultChecked={review?.stars === index + 1}
                aria-label={`${index + 1} of 5 stars, ${word}`}
              />
              <span aria-hidden="true">
                {index + 1} {word}
              </span>
            </label>
          ))}
        </fieldset>
        <TextArea
          label="In your words (optional)"
          description="Was the part as described, well packed, and in time? Published after 14 days, without your name."
          name="text"
          rows={3}
          maxLength={2000}
          defaultValue={review?.text}
        />
        <div>
          <Button type="submit" busy={busy}>
            {review === null ? 'Send review' : 'Save review'}
          </Button>
        </div>
      </form>
    </details>
  )
}

/** The buyer's review, and the yard's answer once it is published. */
export function Review({ order: { review, yard } }: { order: BuyerOrder }) {
  if (review === null) return null
  const { stars, text, state, publishAt, hiddenNote, answer } = review
  return (
    <section aria-labelledby="review" className={classes.card}>
      <h2 id="review">Your review</h2>
      <p>
        <strong>{stars} of 5 stars</strong> · {words[stars - 1]}
      </p>
      {text !== '' && <p className={classes.words}>{text}</p>}
      <p className="second">
        {state === 'waiting' && `Published on ${zonedMomentWords(publishAt)}, without your name.`}
        {state === 'published' && 'Published, without your name.'}
        {state === 'hidden' && `An administrator hid it.${hiddenNote ? ` ${hiddenNote}` : ''}`}
      </p>
      {answer !== null && (
        <p className={classes.words}>
          <strong>{yard.name} answered:</strong> {answer}
        </p>
      )}
    </section>
  )
}
