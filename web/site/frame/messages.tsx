import { useEffect, useSyncExternalStore } from 'react'
import classes from './frame.module.css'

/** Given by the spec. */
const shownForMs = 5000

let message: { text: string } | undefined
const listeners = new Set<() => void>()

/** Shows a short message above every page, such as "Signed out"; the next one replaces it. */
export function showMessage(text: string): void {
  change({ text })
}

function change(next: typeof message): void {
  message = next
  for (const notify of listeners) notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Messages() {
  const shown = useSyncExternalStore(
    subscribe,
    () => message,
    () => undefined,
  )
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(change, shownForMs, undefined)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <div role="status" className={classes.messages}>
      {shown && <p>{shown.text}</p>}
    </div>
  )
}
