import { isDatabaseDown, isPoolBusy } from '#server/platform/database/database.ts'
import { HEARTBEAT } from '#server/platform/http/event-stream.ts'
import { formatDoneAgain, formatJobEvent, formatNote, type Start } from './job-stream-events.ts'
import type { EventPage, EventRow, StreamedJob } from './job-stream-queries.ts'

export type StreamTimes = {
  readonly heartbeatMs: number
  /** How soon a database that is away is asked again. */
  readonly againMs: number
  /** A reader that takes longer over what it was given is slow. */
  readonly slowMs: number
}

/** Where a stream reads; all streams of a process share it. */
export type StreamSource = {
  readonly readPage: (job: StreamedJob, after: number) => Promise<EventPage>
  readonly findLastNumber: (jobId: string) => Promise<number | undefined>
  readonly now: () => Date
  readonly times: StreamTimes
}

// A reader so far behind would see what it asks for minutes late; it is moved on to the newest lines.
const FAR_BEHIND = 5_000
const NEWEST = 1_000

/**
 * One reader's way through the events of one job. It knows nothing but the number of the last event it handed out, and
 * reads a page only when the one before has been taken: a slow reader costs no memory and holds up nobody else.
 */
export class JobStream {
  readonly job: StreamedJob
  readonly #source: StreamSource
  readonly #problem: string | undefined
  #cursor: number
  #ending: { sentence: string | undefined } | undefined
  #woken = false
  #resume: (() => void) | undefined
  #sentAt = performance.now()

  constructor(job: StreamedJob, start: Start, source: StreamSource) {
    this.job = job
    this.#source = source
    this.#problem = start.problem
    this.#cursor = start.after
  }

  /** The last event that was handed out. */
  get cursor(): number {
    return this.#cursor
  }

  /** There may be something new. */
  wake(): void {
    this.#woken = true
    this.#resume?.()
  }

  /** Hands out nothing any more but the sentence; the reader may come back. */
  end(sentence?: string): void {
    this.#ending ??= { sentence }
    this.wake()
  }

  async *chunks(): AsyncGenerator<string, void> {
    // The headers go out with the first chunk.
    yield HEARTBEAT
    if (this.#problem) yield this.#note({ event: 'log', message: this.#problem, data: { restart: true } })
    yield* this.#follow()
    const sentence = this.#ending?.sentence
    if (sentence) yield this.#note({ event: 'error', message: sentence })
  }

  async *#follow(): AsyncGenerator<string, void> {
    while (!this.#ending) {
      // Before it reads: what is written meanwhile wakes it again.
      this.#woken = false
      const page = await this.#read()
      if (this.#ending) return
      if (page?.events.length === 0 && this.job.ended) {
        return yield formatDoneAgain(this.job.status, this.#source.now())
      }
      if (page) yield* this.#handOut(page.events)
      if (page?.events.at(-1)?.kind === 'done') return
      if (!page?.more) yield* this.#rest(page ? Number.POSITIVE_INFINITY : this.#source.times.againMs)
    }
  }

  /** Undefined while the database is away. */
  async #read(): Promise<EventPage | undefined> {
    try {
      return await this.#source.readPage(this.job, this.#cursor)
    } catch (error) {
      if (isDatabaseDown(error) || isPoolBusy(error)) return undefined
      throw error
    }
  }

  async *#handOut(events: readonly EventRow[]): AsyncGenerator<string, void> {
    const first = events[0]
    if (!first) return
    const missing = first.seq - this.#cursor - 1
    const gap =
      missing > 0 ? this.#note({ event: 'log', message: `… ${missing} lines are not kept any more` }) : ''
    this.#cursor = events.at(-1)?.seq ?? this.#cursor
    this.#sentAt = performance.now()
    yield gap + events.map(formatJobEvent).join('')
    if (performance.now() - this.#sentAt > this.#source.times.slowMs) yield* this.#moveOn()
  }

  async *#moveOn(): AsyncGenerator<string, void> {
    const last = await this.#source.findLastNumber(this.job.id).catch(() => undefined)
    if (last === undefined || last - this.#cursor <= FAR_BEHIND) return
    const to = last - NEWEST
    const message = `… ${to - this.#cursor} lines skipped`
    this.#cursor = to
    yield this.#note({ event: 'log', message, id: to })
  }

  /** Sleeps until it is woken, or for so long; says now and then that it is still there. */
  async *#rest(atMostMs: number): AsyncGenerator<string, void> {
    const until = performance.now() + atMostMs
    while (!this.#woken) {
      const beatAt = this.#sentAt + this.#source.times.heartbeatMs
      await this.#sleep(Math.min(until, beatAt) - performance.now())
      if (performance.now() >= until) return
      if (this.#woken || performance.now() < beatAt) continue
      this.#sentAt = performance.now()
      yield HEARTBEAT
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#woken || ms <= 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.ceil(ms))
      this.#resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#resume = undefined
  }

  #note(note: Parameters<typeof formatNote>[0]): string {
    return formatNote(note, this.#source.now())
  }
}
