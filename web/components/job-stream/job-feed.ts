import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { automationEndpoints, type JobDetail } from '#contract/admin/automation.ts'
import { addressOf, call } from '#web/api/client.ts'
import { EventStream, type EventStreamOptions, type StreamPhase } from '#web/api/event-stream.ts'
import { ApiError, isFinal } from '#web/api/failures.ts'
import { currentSession, endSession } from '#web/api/session.ts'
import { FeedLog, type FeedLogView, readSentEvent } from './feed-log.ts'

export type JobStream = Omit<FeedView, 'state'> & {
  /** `idle` without a job. */
  state: FeedView['state'] | 'idle'
  /** Clears the lines shown so far. */
  clear: () => void
}

const idle: Omit<JobStream, 'clear'> = {
  state: 'idle',
  lines: [],
  dropped: 0,
  progress: undefined,
  status: undefined,
  hasEnded: false,
  error: undefined,
  notOpened: false,
}

/** A job's lines, progress, and status as they arrive; rerenders at most once per frame. */
export function useJobStream(jobId: string | undefined): JobStream {
  const feed = useMemo(
    () => (jobId === undefined ? undefined : new JobFeed(browserEnvironment(jobId))),
    [jobId],
  )
  useEffect(() => {
    feed?.open()
    return () => feed?.close()
  }, [feed])
  const view = useSyncExternalStore(feed?.subscribe ?? noSubscription, feed?.view ?? idleView)
  return useMemo(() => ({ ...view, clear: () => feed?.clear() }), [feed, view])
}

const noSubscription = () => () => undefined
const idleView = () => idle

function browserEnvironment(jobId: string): FeedEnvironment {
  return {
    makeStream: (handlers) => {
      let token: string | undefined
      return new EventStream({
        ...handlers,
        address: addressOf(automationEndpoints.streamJob, { params: { id: jobId } }),
        headers: () => {
          token = currentSession().token
          return token === undefined ? {} : { Authorization: `Bearer ${token}` }
        },
        onPhase: (phase) => {
          handlers.onPhase(phase)
          if (phase.name === 'failed' && phase.error.status === 401 && token !== undefined) endSession(token)
        },
      })
    },
    readJob: (signal) => call(automationEndpoints.readJob, { params: { id: jobId }, signal }),
    onNextFrame: (paint) => requestAnimationFrame(paint),
    isHidden: () => document.hidden,
    onVisibility: (changed) => {
      document.addEventListener('visibilitychange', changed)
      return () => document.removeEventListener('visibilitychange', changed)
    },
  }
}

/** `offline`: neither the stream nor a poll reaches the server. */
export type FeedState = 'connecting' | 'streaming' | 'polling' | 'offline' | 'ended' | 'failed'

type FeedView = FeedLogView & {
  state: FeedState
  error: ApiError | undefined
  /** Whether the first attempt to open the stream failed. It is tried again, and the job is polled meanwhile. */
  notOpened: boolean
}

/** What a feed needs from the page; tests replace it. */
export type FeedEnvironment = {
  makeStream(handlers: Pick<EventStreamOptions, 'onEvents' | 'onPhase' | 'isLast'>): {
    open(): void
    pause(): void
    close(): void
  }
  readJob(signal: AbortSignal): Promise<JobDetail>
  /** Calls `paint` before the next repaint. */
  onNextFrame(paint: () => void): void
  isHidden(): boolean
  onVisibility(changed: () => void): () => void
}

const POLL_MS = 3_000

/** Set while polling. */
const waiting: readonly FeedState[] = ['connecting', 'polling', 'offline']

/**
 * Follows one job by its stream, or by polling every 3 s while the stream has not delivered anything or is broken. A
 * hidden page requests nothing and resumes when it is visible again.
 */
export class JobFeed {
  readonly #around: FeedEnvironment
  readonly #stream: ReturnType<FeedEnvironment['makeStream']>
  readonly #log = new FeedLog()
  readonly #listeners = new Set<() => void>()
  #view: FeedView
  #state: FeedState = 'connecting'
  #error: ApiError | undefined
  #hasStreamed = false
  #hasOpened = false
  #notOpened = false
  #isPainting = false
  #poll: { timer?: ReturnType<typeof setTimeout>; controller: AbortController } | undefined
  #unwatch: (() => void) | undefined

  constructor(around: FeedEnvironment) {
    this.#around = around
    this.#stream = around.makeStream({
      onEvents: (sent) => {
        this.#hasStreamed = true
        this.#log.stream(sent.flatMap((event) => readSentEvent(event) ?? []))
        this.#show('streaming')
      },
      onPhase: (phase) => this.#onPhase(phase),
      isLast: ({ event }) => event === 'done',
    })
    this.#view = this.#snapshot()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): FeedView => this.#view

  /** Follows the job, also again after `close`. */
  open(): void {
    if (this.#unwatch) return
    this.#unwatch = this.#around.onVisibility(() => this.#onVisibility())
    this.#error = undefined
    if (this.#log.view().hasEnded && this.#state === 'ended') return
    this.#show('connecting')
    if (!this.#around.isHidden()) this.#follow()
  }

  clear(): void {
    this.#log.clear()
    this.#paint()
  }

  /** Stops without notifying the listeners. */
  close(): void {
    this.#unwatch?.()
    this.#unwatch = undefined
    this.#stopPolling()
    this.#stream.close()
  }

  #follow(): void {
    this.#stream.open()
    this.#pollLater(POLL_MS)
  }

  get #isOver(): boolean {
    return this.#state === 'ended' || this.#state === 'failed' || this.#unwatch === undefined
  }

  #onPhase(phase: StreamPhase): void {
    if (phase.name === 'open') this.#hasOpened = true
    if (phase.name === 'failed') this.#fail(phase.error)
    else if (phase.name === 'ended') this.#show('ended')
    // A stream that has delivered before may have nothing new to send.
    else if (phase.name === 'open' && this.#hasStreamed) this.#show('streaming')
    else if (phase.name === 'broken') this.#onBroken()
  }

  #onBroken(): void {
    if (this.#isOver) return
    if (!this.#hasOpened) {
      this.#notOpened = true
      this.#paint()
    }
    if (this.#state === 'streaming') this.#show('connecting')
    if (!this.#poll) this.#pollLater(POLL_MS)
  }

  #onVisibility(): void {
    if (this.#isOver) return
    if (this.#around.isHidden()) {
      this.#stopPolling()
      this.#stream.pause()
    } else {
      this.#follow()
      if (this.#state === 'polling') void this.#pollNow()
    }
  }

  #pollLater(ms: number): void {
    this.#stopPolling()
    this.#poll = { controller: new AbortController(), timer: setTimeout(() => void this.#pollNow(), ms) }
  }

  #stopPolling(): void {
    clearTimeout(this.#poll?.timer)
    this.#poll?.controller.abort()
    this.#poll = undefined
  }

  async #pollNow(): Promise<void> {
    this.#stopPolling()
    const controller = new AbortController()
    this.#poll = { controller }
    // Until a poll succeeds, the connection is still down.
    if (this.#state !== 'offline') this.#show('polling')
    const wait = await this.#readJob(controller.signal)
    if (!controller.signal.aborted && !this.#isOver) this.#pollLater(wait)
  }

  /** Returns the time until the next poll, in ms. */
  async #readJob(signal: AbortSignal): Promise<number> {
    try {
      const job = await this.#around.readJob(signal)
      if (signal.aborted) return POLL_MS
      this.#log.poll({ status: job.status, events: job.events, lastId: job._count.events })
      // The stream keeps trying to deliver missing lines; it ends with the job's last event.
      this.#show(this.#log.view().hasEnded ? 'ended' : 'polling')
    } catch (error) {
      if (signal.aborted) return POLL_MS
      if (!(error instanceof ApiError)) {
        this.#show('offline')
        return POLL_MS
      }
      if (isFinal(error)) this.#fail(error)
      return Math.max(POLL_MS, (error.retryAfterSeconds ?? 0) * 1_000)
    }
    return POLL_MS
  }

  #fail(error: ApiError): void {
    // An ended job stays ended, even if its last lines cannot be loaded.
    if (this.#state !== 'ended') {
      this.#error = error
      this.#show('failed')
    }
    this.#stream.close()
  }

  #show(state: FeedState): void {
    const isOver = this.#log.view().hasEnded || this.#state === 'ended'
    this.#state = isOver ? 'ended' : state
    if (!waiting.includes(this.#state)) this.#stopPolling()
    this.#paint()
  }

  /** Batches thousands of lines into one update per frame. */
  #paint(): void {
    if (this.#isPainting) return
    this.#isPainting = true
    this.#around.onNextFrame(() => {
      this.#isPainting = false
      this.#view = this.#snapshot()
      for (const notify of this.#listeners) notify()
    })
  }

  #snapshot(): FeedView {
    return { ...this.#log.view(), state: this.#state, error: this.#error, notOpened: this.#notOpened }
  }
}
