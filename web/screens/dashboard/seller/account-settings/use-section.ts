import { useState } from 'react'

/** What one card of the settings holds: the saved values until something is typed. */
export function useSection<Values extends object>(saved: Values) {
  const [typed, setTyped] = useState<Partial<Values>>({})
  const values = { ...saved, ...typed }
  const changed = (Object.keys(typed) as (keyof Values)[]).some((name) => typed[name] !== saved[name])
  return {
    values,
    changed,
    set: (change: Partial<Values>) => setTyped((before) => ({ ...before, ...change })),
    /** After saving: what was sent is what is saved now. */
    settle: (sent: Partial<Values>) => setTyped((now) => typedSince(now, sent)),
  }
}

/** What was typed while `sent` was on its way; that is not saved yet. */
export function typedSince<Values extends object>(
  typed: Partial<Values>,
  sent: Partial<Values>,
): Partial<Values> {
  const since = { ...typed }
  for (const name of Object.keys(typed) as (keyof Values)[]) {
    if (typed[name] === sent[name]) delete since[name]
  }
  return since
}

export type Section<Values extends object> = ReturnType<typeof useSection<Values>>
