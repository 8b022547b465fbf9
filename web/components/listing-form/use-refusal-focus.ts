import { type RefObject, useEffect, useRef } from 'react'
import { focusFirstProblem } from '#web/components/first-problem.ts'

/**
 * Puts the focus where the person can go on after the server's no. Disabled fields cannot take it, so it waits until
 * the form is no longer being sent; where no field is marked, it goes back to where it was.
 */
export function useRefusalFocus(sending: boolean, form: RefObject<HTMLFormElement | null>) {
  const refused = useRef(false)
  const before = useRef<Element>(null)
  useEffect(() => {
    if (sending || !refused.current) return
    refused.current = false
    const former = before.current instanceof HTMLElement ? before.current : null
    if (form.current) focusFirstProblem(form.current, former)
  }, [sending, form])
  return {
    remember: () => {
      before.current = document.activeElement
    },
    refuse: () => {
      refused.current = true
    },
  }
}
