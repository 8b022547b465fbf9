import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Quote } from '#contract/order/order-quote.ts'
import { Button } from '#web/site/button.tsx'
import { TextField } from '#web/site/form/field.tsx'
import { keepZip, readZip } from '#web/site/visitor-zip.ts'
import classes from './buy-box.module.css'
import { PriceLines, readQuote } from './quote.tsx'

type TotalToZipProps = {
  slug: string
  isPickup: boolean
  /** The visitor pressed the button, so the field gets the focus. */
  isAsked: boolean
}

/** What the part costs with shipping and core charge, before anything is typed but a ZIP code. */
export function TotalToZip({ slug, isPickup, isAsked }: TotalToZipProps) {
  const [zip, setZip] = useState(() => readZip() ?? '')
  const [answer, setAnswer] = useState<{ quote?: Quote; problem?: string }>({})
  const [isChanging, setChanging] = useState(!isPickup && zip === '')
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!isPickup && zip === '') return
    const controller = new AbortController()
    const asked = { zip: isPickup ? '' : zip, delivery: isPickup ? 'pickup' : 'ship', quantity: 1 } as const
    void readQuote(slug, asked, controller.signal).then((outcome) => {
      if (controller.signal.aborted) return
      if ('done' in outcome) {
        if (!isPickup) keepZip(zip)
        setAnswer({ quote: outcome.done })
        setChanging(false)
      } else {
        setAnswer({ problem: outcome.refusal.fields?.zip ?? outcome.refusal.error })
        setChanging(!isPickup)
      }
    })
    return () => controller.abort()
  }, [slug, zip, isPickup])
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the field appears
  useEffect(() => {
    if (isChanging && (isAsked || answer.quote)) place.current?.querySelector('input')?.focus()
  }, [isChanging])

  const { quote, problem } = answer
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('zip')).trim()
    if (!/^\d{5}$/.test(typed)) return setAnswer({ problem: 'A ZIP code has 5 digits, such as 74101' })
    if (typed === zip && quote) setChanging(false)
    setZip(typed)
  }
  return (
    <div ref={place}>
      {isChanging && (
        <form className={classes.zip} noValidate onSubmit={submit}>
          <TextField
            label="Your ZIP code"
            name="zip"
            inputMode="numeric"
            autoComplete="postal-code"
            maxLength={5}
            defaultValue={zip}
            error={problem}
          />
          <Button type="submit">Show total</Button>
        </form>
      )}
      <div aria-live="polite">
        {!isChanging && quote && <Answer quote={quote} />}
        {!isChanging && !quote && <p className="second">{problem ?? 'Adding it up…'}</p>}
      </div>
      {!isChanging && !isPickup && (
        <button type="button" className={classes.link} onClick={() => setChanging(true)}>
          To {zip}. Change ZIP code
        </button>
      )}
    </div>
  )
}

function Answer({ quote: { lines, total, needsQuote, restricted, taxAdded } }: { quote: Quote }) {
  if (restricted !== undefined) return <p className={classes.held}>{restricted}</p>
  if (needsQuote || total === null) return <p>The yard names a shipping price first.</p>
  return <PriceLines lines={lines} total={total} taxAdded={taxAdded} />
}
