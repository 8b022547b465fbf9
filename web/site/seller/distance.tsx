import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { keepZip, readZip } from '#web/site/visitor-zip.ts'
import classes from './distance.module.css'

type Answer = { zip: string; miles: number | null }

type DistanceProps = {
  /** The API path of the part or yard. */
  of: string
  /** The visitor pressed the button, so the field gets the focus. */
  isAsked: boolean
  /** Styles a button within text. */
  buttonClass: string | undefined
}

/** The miles from the visitor's ZIP code, which is kept on the device, and a form to enter or change it. */
export function Distance({ of, isAsked, buttonClass }: DistanceProps) {
  const [zip, setZip] = useState(() => readZip() ?? '')
  const [editing, setEditing] = useState(zip === '')
  const [answer, setAnswer] = useState<Answer>()
  const [problem, setProblem] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const hasEdited = useRef(false)

  useEffect(() => {
    if (zip === '') return
    const controller = new AbortController()
    askDistance(of, zip, controller.signal).then(
      (miles) => {
        keepZip(zip)
        setAnswer({ zip, miles })
        setEditing(false)
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        setProblem(error instanceof Error ? error.message : 'Please try again.')
        setEditing(true)
      },
    )
    return () => controller.abort()
  }, [of, zip])

  useEffect(() => {
    if (!editing && hasEdited.current) button.current?.focus()
  }, [editing])

  if (editing) {
    return (
      <ZipForm
        zip={zip}
        problem={problem}
        isFocused={isAsked || hasEdited.current}
        onEnter={(next) => {
          hasEdited.current = true
          setProblem(undefined)
          if (next === answer?.zip) setEditing(false)
          setZip(next)
        }}
      />
    )
  }
  return (
    <>
      <span aria-live="polite">{answer ? ` · ${milesInWords(answer)}` : ''}</span>{' '}
      {answer && (
        <button
          ref={button}
          type="button"
          className={buttonClass}
          aria-label="Change ZIP code"
          onClick={() => {
            hasEdited.current = true
            setEditing(true)
          }}
        >
          Change
        </button>
      )}
    </>
  )
}

/** "14 mi from 74103" */
export const milesInWords = ({ zip, miles }: Answer): string =>
  miles === null ? 'distance unknown' : `${Math.round(miles).toLocaleString('en-US')} mi from ${zip}`

/** @throws Error with a sentence for the visitor */
async function askDistance(of: string, zip: string, signal: AbortSignal): Promise<number | null> {
  const response = await fetch(`/api${of}/distance?${new URLSearchParams({ zip })}`, { signal })
  const body: { miles?: number | null; error?: string } = await response.json()
  if (response.ok) return body.miles ?? null
  throw new Error(body.error ?? 'Please try again.')
}

type ZipFormProps = {
  zip: string
  problem: string | undefined
  isFocused: boolean
  onEnter: (zip: string) => void
}

function ZipForm({ zip, problem, isFocused, onEnter }: ZipFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const [id, problemId] = [useId(), useId()]
  useEffect(() => {
    if (isFocused || problem !== undefined) field.current?.select()
    // The sentence may be below the bar at the bottom of a phone.
    if (problem !== undefined) field.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [isFocused, problem])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onEnter(field.current?.value.trim() ?? '')
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <label htmlFor={id}>Your ZIP code</label>
      <input
        ref={field}
        id={id}
        inputMode="numeric"
        autoComplete="postal-code"
        pattern="\d{5}"
        maxLength={5}
        required
        title="A ZIP code has 5 digits"
        defaultValue={zip}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? undefined : problemId}
      />
      <button type="submit">Show distance</button>
      {problem !== undefined && (
        <p id={problemId} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
