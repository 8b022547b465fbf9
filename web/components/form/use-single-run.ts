import { useRef, useState } from 'react'

/** Runs one task at a time: a second click while the first is running does nothing. */
export function useSingleRun(): [running: boolean, run: (work: () => Promise<void>) => Promise<void>] {
  const [running, setRunning] = useState(false)
  // The state is one render late, and two clicks can arrive within one frame.
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
