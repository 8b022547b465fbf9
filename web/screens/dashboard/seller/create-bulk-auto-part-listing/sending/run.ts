import type { RunElsewhere, RunOrder, RunProgress, RunState } from './run-order.ts'
import { forgetKeptImport, type KeptImport, keepImport, readKeptImport } from './kept-import.ts'
import {
  broadcastRun,
  followOtherTab,
  runInThisTab,
  runsInOtherTab,
  whenOtherTabsEnd,
} from './only-one-tab.ts'
import { pauseSwitch, sendOrder } from './send-order.ts'
import { nothingSent, type RunTracker, runTracker } from './run-progress.ts'

type RunObserver = {
  show: (state: RunState) => void
  /** An import started or ended, here or in another tab. */
  onImport: () => void
}

/**
 * The only run in this browser. While another tab uploads, this one shows its progress, and takes over if that tab is
 * closed.
 */
export class BrowserRun {
  readonly #observer: RunObserver
  readonly #pause = pauseSwitch()
  #abort: AbortController | undefined
  #tracker: RunTracker | undefined

  constructor(observer: RunObserver) {
    this.#observer = observer
  }

  async start(order: RunOrder): Promise<void> {
    const { signal } = this.#begin()
    const isDone = await runInThisTab(() => this.#send(order, signal))
    if (!isDone && !signal.aborted) await this.#watch()
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
