import { useRef, useState } from 'react'
import { notifyError } from '#web/components/toasts.tsx'

/** One question to the server at a time: a newer one ends the one before. */
export function useNewestQuestion() {
  const [loading, setLoading] = useState(false)
  const [failed, setFailed] = useState(false)
  const running = useRef<AbortController>(undefined)

  const ask = async (work: (signal: AbortSignal) => Promise<void>) => {
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    setLoading(true)
    setFailed(false)
    try {
      await work(control.signal)
    } catch (error) {
      if (control.signal.aborted) return
      setFailed(true)
      notifyError(error, 'Could not load products')
    } finally {
      if (running.current === control) setLoading(false)
    }
  }
  return { loading, failed, ask }
}
