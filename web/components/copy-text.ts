import { notifyDone, notifyProblem } from './toasts.tsx'

/** Copies, and says so or what to do `instead`: browsers refuse it without https, and where a person has forbidden it. */
export async function copyText(text: string, said: { done: string; instead: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notifyDone(said.done)
  } catch {
    notifyProblem(`The browser did not let us copy. ${said.instead}`)
  }
}
