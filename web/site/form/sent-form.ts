import { type RefObject, useEffect, useRef, useState } from 'react'
import { useActionData, useFetcher } from 'react-router'

/** The result of a form: what was typed, and its problems. Without an error it was sent. */
export type FormOutcome = {
  /** Which form of the page it was. */
  intent: string
  form: Record<string, string>
  error?: string
  fields?: Record<string, string>
  notice?: string
}

/** The field that carries the form's name. */
export const INTENT = 'intent'

/**
 * A form handled by its page's action: with script by a call, without script by loading the page. The server returns problems
 * by field, and the first one gets the focus.
 */
export function useSentForm(intent: string) {
  const fetcher = useFetcher<FormOutcome>()
  const reloaded = useActionData<FormOutcome>()
  const outcome = [fetcher.data, reloaded].find((each) => each?.intent === intent)
  const [done, setDone] = useState<FormOutcome>()
  const form = useRef<HTMLFormElement>(null)
  const problems = useProblems(form, outcome)
  const isSent = outcome !== undefined && outcome.error === undefined && outcome !== done
  return {
    Form: fetcher.Form,
    form,
    busy: fetcher.state !== 'idle',
    /** What was sent, until the visitor starts another one. */
    sent: isSent ? outcome.form : undefined,
    /** An error after the form was sent. */
    notice: outcome?.notice,
    writeAnother: () => setDone(outcome),
    typed: outcome?.error === undefined ? {} : outcome.form,
    problems,
    /** Of the whole form; errors of fields are shown there. */
    error: outcome?.fields && Object.keys(outcome.fields).length > 0 ? undefined : outcome?.error,
  }
}

/** The problems by field, each until its field has a valid value. The first one gets the focus. */
function useProblems(
  form: RefObject<HTMLFormElement | null>,
  outcome: FormOutcome | undefined,
): Record<string, string> {
  const [mended, setMended] = useState<Record<string, FormOutcome>>({})
  useEffect(() => {
    const { current: element } = form
    if (!outcome?.fields || !element) return
    element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    element.oninput = ({ target }) => {
      const { name, validity } = target as HTMLInputElement
      if (validity.valid) setMended((before) => ({ ...before, [name]: outcome }))
    }
  }, [form, outcome])
  const problems = { ...outcome?.fields }
  for (const name in mended) if (mended[name] === outcome) delete problems[name]
  return problems
}
