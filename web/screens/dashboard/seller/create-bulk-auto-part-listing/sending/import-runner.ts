import type { RunElsewhere, RunOrder, RunProgress, RunState } from './import-run.ts'
import { forgetKeptImport, type KeptImport, keepImport, readKeptImport } from './kept-import.ts'
import { hearOthers, inThisTab, isElsewhere, tellOthers, untilOthersEnd } from './only-one-tab.ts'
import { nothingSent, type RunCourse, runCourse } from './run-course.ts'
import { pauseSwitch, runImport } from './run-import.ts'

type Seen = {
  show: (state: RunState) => void
  /** An import began, ended, or was seen to end in another tab. */
  onImport: () => void
}

/**
 * The one run of the page, and of the browser: while another tab sends, this one shows how far that is, and goes on where
 * that one was closed in the middle.
 */
export class ImportRunner {
  readonly #seen: Seen
  readonly #pause = pauseSwitch()
  #abort: AbortController | undefined
  #course: RunCourse | undefined

  constructor(seen: Seen) {
    this.#seen = seen
  }

  async start(order: RunOrder): Promise<void> {
    const { signal } = this.#begin()
    const isDone = await inThisTab(() => this.#send(order, signal))
    if (!isDone && !signal.aborted) await this.#watch()
  }

  /** What an earlier visit left: it is shown, and goes on if it was on its way. Answers it, also where it is a draft. */
  async goOn(left: AbortSignal): Promise<KeptImport | undefined> {
    const other = await isElsewhere()
    const kept = await readKeptImport()
    // Somebody was faster than the database.
    if (left.aborted || this.#abort) return undefined
    if (other) void this.#watch()
    else if (kept?.phase === 'sending') void this.start(kept.order)
    else if (kept?.phase === 'stopped') {
      this.#seen.show({ step: 'stopped', order: kept.order, progress: { ...nothingSent(), isKept: true } })
    }
    return kept
  }

  setPaused(paused: boolean): void {
    this.#pause.set(paused)
    this.#course?.pause(paused)
  }

  /** Ends what is on its way; nothing of it is shown any more. */
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
    const others = tellOthers()
    const show = (state: RunState) => signal.aborted || this.#seen.show(state)
    const course = runCourse((progress) => {
      show({ step: 'sending', order, progress })
      if (!signal.aborted) others.tell(toldOf(order, progress))
    })
    this.#course = course
    this.#pause.set(false)
    course.begin(0)
    // Beside the sending: a large file takes its time.
    void keepImport({ phase: 'sending', order }).then((isKept) => isKept && course.kept())
    let importId: string | undefined
    try {
      const outcome = await runImport(order, { signal, pause: this.#pause, course })
      if (outcome.step === 'sent') importId = outcome.importId
      if (!signal.aborted) await keepOutcome(order, importId)
      show(outcome)
    } catch (error) {
      if (signal.aborted) return
      show({ step: 'failed', order, error, progress: course.end() })
      await keepImport({ phase: order.dryRun ? 'draft' : 'stopped', order })
    } finally {
      course.end()
      others.end(importId)
      // The list shows it from its first chunk on, also where it was stopped.
      if (!order.dryRun) this.#seen.onImport()
    }
  }

  async #watch(): Promise<void> {
    const { signal } = this.#begin()
    const show = (state: RunState) => signal.aborted || this.#seen.show(state)
    let importId: string | undefined
    show({ step: 'elsewhere', run: undefined })
    hearOthers(signal, {
      onRun: (run) => show({ step: 'elsewhere', run }),
      onEnd: (id) => {
        importId = id
      },
    })
    // Refused when this page is left, or something else is begun.
    await untilOthersEnd(signal).catch(() => undefined)
    const kept = await readKeptImport()
    if (signal.aborted) return
    if (kept?.phase === 'sending') return this.start(kept.order)
    this.#seen.onImport()
    show(
      importId === undefined
        ? { step: 'idle' }
        : { step: 'sent', order: undefined, importId, reply: undefined },
    )
    this.end()
  }
}

/** What was only checked is still at hand after a reload; what was sent is over. */
const keepOutcome = (order: RunOrder, importId: string | undefined): Promise<unknown> =>
  importId === undefined ? keepImport({ phase: 'draft', order }) : forgetKeptImport()

const toldOf = (order: RunOrder, { rows, paused, waitsFor }: RunProgress): RunElsewhere => ({
  fileName: order.file.file.name,
  dryRun: order.dryRun,
  rows,
  records: order.file.records,
  paused,
  waitsFor,
})
