import { useRef, useState } from 'react'

/** Runs one piece of work at a time: a second click while the first is under way does nothing. */
export function useSingleRun(): [running: boolean, run: (work: () => Promise<void>) => Promise<void>] {
  const [running, setRunning] = useState(false)
  // The state is a render late; two clicks within one frame are one.
  const busy = useRef(false)
  const run = async (work: () => Promise<void>) => {
    if (busy.current) return
    busy.current = true
    setRunning(true)
    try {
      await work()
    } finally {
      busy.current = false
      setRunning(false)
    }
  }
  return [running, run]
}
