import { useEffect, useState } from 'react'
import { useLazily } from '#web/site/use-lazily.ts'
import { readZip } from '#web/site/visitor-zip.ts'
import classes from './how-far.module.css'

/**
 * How far a part or yard is from the visitor. The code for it loads at once if the device knows a ZIP code, otherwise when the
 * visitor presses the button. `of` is the path in the API, such as `/parts/its-slug`.
 */
export function HowFar({ of }: { of: `/parts/${string}` | `/sellers/${string}` }) {
  const [distance, load] = useLazily(() => import('./distance.tsx'))
  const [isAsked, setAsked] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    if (readZip() !== null) void load()
  }, [])
  if (distance) return <distance.Distance of={of} isAsked={isAsked} buttonClass={classes.button} />
  return (
    <span className={classes.scripted}>
      {' · '}
      <button
        type="button"
        className={classes.button}
        onClick={() => {
          setAsked(true)
          void load()
        }}
      >
        How far?
      </button>
    </span>
  )
}
