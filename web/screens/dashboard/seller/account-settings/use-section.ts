import { useState } from 'react'

/** What one card of the settings holds: the saved values until something is typed. */
export function useSection<Values extends object>(saved: Values) {
  const [typed, setTyped] = useState<Partial<Values>>({})
  const values = { ...saved, ...typed }
  const changed = (Object.keys(typed) as (keyof Values)[]).some((name) => typed[name] !== saved[name])
  return {
    values,
    changed,
    set: (change: Partial<Values>) => setTyped({ ...typed, ...change }),
    /** Back to what is saved; after saving that is what was typed. */
    reset: () => setTyped({}),
  }
}

export type Section<Values extends object> = ReturnType<typeof useSection<Values>>
