import { useEffect, useEffectEvent } from 'react'

/** Runs `then` once `waiting` has lasted `afterMs`; not when it ends before, nor when the component goes away. */
export function useDelayed(waiting: boolean, afterMs: number, then: () => void): void {
  const end = useEffectEvent(then)
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => end(), afterMs)
    return () => clearTimeout(timer)
  }, [waiting, afterMs])
}
