import { type RefObject, useEffect, useRef, useState } from 'react'
import { useActionData, useFetcher } from 'react-router'

/** What came of a form: as typed, and what was wrong with it. Without an error it was sent. */
export type FormOutcome = {
  /** Which form of the page it was. */
  intent: string
  form: Record<string, string>
  error?: string
  fields?: Record<string, string>
}

/** The field that carries the form's name. */
export const INTENT = 'intent'

/**
 * A form that its page's action handles: by a call with script, by a whole page without. Problems come back from the server,
 * by field, and the first one gets the focus.
 */
export function useSentForm(intent: string) {
  const fetcher = useFetcher<FormOutcome>()
  const whole = useActionData<FormOutcome>()
  const outcome = [fetcher.data, whole].find((each) => each?.intent === intent)
  const [done, setDone] = useState<FormOutcome>()
  const form = useRef<HTMLFormElement>(null)
  useFocusOnProblem(form, outcome)
  const isSent = outcome !== undefined && outcome.error === undefined && outcome !== done
  return {
    Form: fetcher.Form,
    form,
    busy: fetcher.state !== 'idle',
    /** What was sent, until the visitor wants to send more. */
    sent: isSent ? outcome.form : undefined,
    writeAnother: () => setDone(outcome),
    typed: outcome?.error === undefined ? {} : outcome.form,
    problems: outcome?.fields ?? {},
    /** Of the form as a whole; what belongs to a field is shown there. */
    error: outcome?.fields && Object.keys(outcome.fields).length > 0 ? undefined : outcome?.error,
  }
}

function useFocusOnProblem(form: RefObject<HTMLFormElement | null>, outcome: FormOutcome | undefined): void {
  useEffect(() => {
    if (outcome?.fields) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, outcome])
}
