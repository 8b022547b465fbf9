import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { importSentence } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-failures.ts'
import {
  endRun,
  findRun,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-memory.ts'
import { forgetKeptImport, type KeptImport, keepImport, readKeptImport } from './kept-import.ts'
import {
  broadcastRun,
  followOtherTab,
  runInThisTab,
  runsInOtherTab,
  whenOtherTabsEnd,
} from './only-one-tab.ts'
import { orderContent, type RunOrder } from './run-order.ts'
import {
  nothingSent,
  type RunElsewhere,
  type RunProgress,
  type RunTracker,
  runTracker,
} from './run-progress.ts'
import { pauseSwitch, type RunOutcome, sendOrder } from './send-order.ts'

export type RunState =
  | { step: 'idle' }
  | { step: 'sending'; order: RunOrder; progress: RunProgress }
  /** Stopped by the user, who can resume it. */
  | { step: 'stopped'; order: RunOrder; progress: RunProgress }
  | { step: 'elsewhere'; run: RunElsewhere | undefined }
  | RunOutcome
  | { step: 'failed'; order: RunOrder; error: unknown; progress: RunProgress }

type RunObserver = {
  show: (state: RunState) => void
  /** An import started or ended, here or in another tab. */
  onImport: () => void
}

/**
 * The only run in this browser. While another tab uploads, this one shows its progress, and takes over if that tab is
 * closed.
 */
class BrowserRun {
  readonly #observer: RunObserver
  readonly #pause = pauseSwitch()
  #abort: AbortController | undefined
  #tracker: RunTracker | undefined
  /** Resolves once this tab's last run has given the lock back, which takes a moment after it was aborted. */
  #ended: Promise<unknown> = Promise.resolve()

  constructor(observer: RunObserver) {
    this.#observer = observer
  }

  async start(order: RunOrder): Promise<void> {
    const { signal } = this.#begin()
    // Otherwise this tab would take its own earlier run for one of another tab, and go on with that.
    await this.#ended
    if (signal.aborted) return
    const running = runInThisTab(() => this.#send(order, signal))
    this.#ended = running.catch(() => undefined)
    if (!(await running) && !signal.aborted) await this.#watch()
  }

  /** Resumes or shows what an earlier visit left, and returns it. A draft is only returned. */
  async resume(left: AbortSignal): Promise<KeptImport | undefined> {
    const other = await runsInOtherTab()
    const kept = await readKeptImport()
    // The user started a run before the database responded.
    if (left.aborted || this.#abort) return undefined
    if (other) void this.#watch()
    else if (kept?.phase === 'sending') void this.start(kept.order)
    else if (kept?.phase === 'stopped') {
      this.#observer.show({
        step: 'stopped',
        order: kept.order,
        progress: { ...nothingSent(), isKept: true },
      })
    }
    return kept
  }

  setPaused(paused: boolean): void {
    this.#pause.set(paused)
    this.#tracker?.pause(paused)
  }

  /** Ends the current run without showing anything more of it. */
  end(): void {
    this.#abort?.abort()
    this.#abort = undefined
  }

  #begin(): AbortController {
    this.end()
    this.#abort = new AbortController()
    return this.#abort
  }

  async #send(order: RunOrder, signal: AbortSignal): Promise<void> {
    const others = broadcastRun()
    const show = (state: RunState) => signal.aborted || this.#observer.show(state)
    const tracker = runTracker((progress) => {
      show({ step: 'sending', order, progress })
      if (!signal.aborted) others.show(runSummary(order, progress))
    })
    this.#tracker = tracker
    this.#pause.set(false)
    tracker.begin(0)
    // In parallel with the upload, because storing a large file takes time.
    void keepImport({ phase: 'sending', order }).then((isKept) => isKept && tracker.kept())
    let importId: string | undefined
    try {
      const outcome = await sendOrder(order, { signal, pause: this.#pause, tracker })
      if (outcome.step === 'sent') importId = outcome.importId
      // A checked file is restored after a reload; an imported one is not.
      if (!signal.aborted) {
        await (importId === undefined ? keepImport({ phase: 'draft', order }) : forgetKeptImport())
      }
      show(outcome)
    } catch (error) {
      if (signal.aborted) return
      show({ step: 'failed', order, error, progress: tracker.end() })
      await keepImport({ phase: order.dryRun ? 'draft' : 'stopped', order })
    } finally {
      tracker.end()
      others.end(importId)
      // The list shows an import from its first chunk on, even if it was stopped.
      if (!order.dryRun) this.#observer.onImport()
    }
  }

  async #watch(): Promise<void> {
    const { signal } = this.#begin()
    const show = (state: RunState) => signal.aborted || this.#observer.show(state)
    let importId: string | undefined
    show({ step: 'elsewhere', run: undefined })
    followOtherTab(signal, {
      onRun: (run) => show({ step: 'elsewhere', run }),
      onEnd: (id) => {
        importId = id
      },
    })
    // Rejects when the user leaves this page or starts something else.
    await whenOtherTabsEnd(signal).catch(() => undefined)
    const kept = await readKeptImport()
    if (signal.aborted) return
    if (kept?.phase === 'sending') return this.start(kept.order)
    this.#observer.onImport()
    show(
      importId === undefined
        ? { step: 'idle' }
        : { step: 'sent', order: undefined, importId, reply: undefined },
    )
    this.end()
  }
}

const runSummary = (order: RunOrder, { rows, paused, waitsFor }: RunProgress): RunElsewhere => ({
  fileName: order.file.file.name,
  dryRun: order.dryRun,
  rows,
  records: order.file.records,
  paused,
  waitsFor,
})

export type ImportRun = ReturnType<typeof useImportRun>

const importsChanged = (client: QueryClient) => void client.invalidateQueries({ queryKey: ['imports'] })

/**
 * The page's run and its actions. Leaving the page ends the run; coming back resumes it and restores what was left,
 * drafts too.
 */
export function useImportRun(onRestored: (kept: KeptImport) => void) {
  const client = useQueryClient()
  const [state, setState] = useState<RunState>({ step: 'idle' })
  const restore = useEffectEvent(onRestored)
  const [runner] = useState(() => new BrowserRun({ show: setState, onImport: () => importsChanged(client) }))
  useEffect(() => {
    const left = new AbortController()
    void runner.resume(left.signal).then((kept) => {
      if (kept && !left.signal.aborted) restore(kept)
    })
    return () => {
      left.abort()
      runner.end()
    }
  }, [runner])
  const withdrawal = useWithdrawal(() => setState({ step: 'idle' }))

  return {
    state,
    start: (order: RunOrder): Promise<void> => runner.start(order),
    setPaused: (paused: boolean): void => runner.setPaused(paused),
    /** Ends a dry run. An import can be resumed or withdrawn afterwards. */
    stop(): void {
      if (state.step !== 'sending') return
      const { order, progress } = state
      runner.end()
      void keepImport({ phase: order.dryRun ? 'draft' : 'stopped', order })
      setState(order.dryRun ? { step: 'idle' } : { step: 'stopped', order, progress })
    },
    /** Withdraws the uploaded rows of a stopped or failed import. */
    withdraw(): void {
      if (state.step === 'stopped' || state.step === 'failed') withdrawal.mutate(state.order)
    },
    isWithdrawing: withdrawal.isPending,
    /** Ends the run and drops a dry run's result, because its input changed. */
    reset(): void {
      runner.end()
      // Keep the file, but don't resume automatically.
      if (state.step === 'sending' || state.step === 'stopped' || state.step === 'failed') {
        void keepImport({ phase: 'draft', order: state.order })
      }
      setState({ step: 'idle' })
    },
  }
}

function useWithdrawal(onWithdrawn: () => void) {
  const client = useQueryClient()
  return useMutation({
    async mutationFn(order: RunOrder) {
      const run = findRun(orderContent(order))
      if (run?.importId !== undefined)
        await call(importEndpoints.undoImport, { params: { id: run.importId } })
      if (run) endRun(run)
      await keepImport({ phase: 'draft', order })
    },
    onSuccess: onWithdrawn,
    onError: (error) => notifyProblem(importSentence(error, 'The uploaded rows could not be deleted')),
    onSettled: () => importsChanged(client),
  })
}
