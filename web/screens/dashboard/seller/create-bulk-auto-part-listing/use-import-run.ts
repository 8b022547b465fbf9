import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RunOrder, RunProgress, RunState } from './import-run.ts'
import { pauseSwitch } from './pause-switch.ts'
import { runImport } from './run-import.ts'

const nothingSent: RunProgress = { rows: 0, bytes: 0, paused: false, waiting: false }

export type ImportRun = ReturnType<typeof useImportRun>

/** The one run of the page: begun, paused, cancelled, and what came of it. Leaving the page cancels it. */
export function useImportRun() {
  const [state, setState] = useState<RunState>({ step: 'idle' })
  const [pause] = useState(pauseSwitch)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const client = useQueryClient()

  async function start(order: RunOrder): Promise<void> {
    running.current?.abort()
    const run = new AbortController()
    running.current = run
    pause.set(false)
    let progress = nothingSent
    const show = (change: Partial<RunProgress>) => {
      if (run.signal.aborted) return
      progress = { ...progress, ...change }
      setState({ step: 'sending', order, progress })
    }
    show({})
    try {
      const outcome = await runImport(order, { signal: run.signal, pause, show })
      if (!run.signal.aborted) setState(outcome)
    } catch (error) {
      if (!run.signal.aborted) setState({ step: 'failed', order, error, progress })
    } finally {
      // The list shows it from its first chunk on, also where it was stopped.
      if (!order.dryRun) void client.invalidateQueries({ queryKey: ['imports'] })
    }
  }

  return {
    state,
    start,
    setPaused(paused: boolean): void {
      pause.set(paused)
      setState((now) => (now.step === 'sending' ? { ...now, progress: { ...now.progress, paused } } : now))
    },
    /** Ends what is on its way, and forgets what a dry run found: something it depends on was changed. */
    reset(): void {
      running.current?.abort()
      setState({ step: 'idle' })
    },
  }
}
