import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { automationEndpoints, type JobDetail } from '#contract/automation.ts'
import { addressOf, call } from '#web/api/client.ts'
import { EventStream, type EventStreamOptions, type StreamPhase } from '#web/api/event-stream.ts'
import { ApiError, isFinal } from '#web/api/failures.ts'
import { currentSession, endSession } from '#web/api/session.ts'
import { FeedLog, type FeedLogView, readSentEvent } from './feed-log.ts'

export type JobStream = Omit<FeedView, 'state'> & {
  /** `idle` while there is no job. */
  state: FeedView['state'] | 'idle'
  /** Forgets the lines that came so far. */
  clear: () => void
  /** Lets go of the job's stream; the job goes on. */
  stop: () => void
  /** Follows again after a stop. */
  follow: () => void
}

const nothing: Omit<JobStream, 'clear' | 'stop' | 'follow'> = {
  state: 'idle',
  lines: [],
  dropped: 0,
  progress: undefined,
  status: undefined,
  hasEnded: false,
  error: undefined,
}

/** Lines, progress and status of a job as they come; the component renders at most once a frame. */
export function useJobStream(jobId: string | undefined): JobStream {
  const feed = useMemo(() => (jobId === undefined ? undefined : new JobFeed(surroundingsOf(jobId))), [jobId])
  useEffect(() => {
    feed?.open()
    return () => feed?.close()
  }, [feed])
  const view = useSyncExternalStore(feed?.subscribe ?? noSubscription, feed?.view ?? nothingYet)
  return useMemo(
    () => ({
      ...view,
      clear: () => feed?.clear(),
      stop: () => feed?.stop(),
      follow: () => feed?.open(),
    }),
    [feed, view],
  )
}

const noSubscription = () => () => undefined
const nothingYet = () => nothing

function surroundingsOf(jobId: string): FeedSurroundings {
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

export type FeedState = 'connecting' | 'streaming' | 'polling' | 'ended' | 'failed' | 'stopped'

type FeedView = FeedLogView & {
  state: FeedState
  /** Why it failed. */
  error: ApiError | undefined
}

/** What a feed needs of the page, so that it can run without one. */
export type FeedSurroundings = {
  makeStream(handlers: Pick<EventStreamOptions, 'onEvents' | 'onPhase' | 'isLast'>): {
    open(): void
    pause(): void
    close(): void
  }
  readJob(signal: AbortSignal): Promise<JobDetail>
  /** Calls back when the page is painted next. */
  onNextFrame(paint: () => void): void
  isHidden(): boolean
  onVisibility(changed: () => void): () => void
}

const POLL_MS = 3_000

/**
 * Follows one job: by its stream, and while that has not spoken or is broken by looking at the record every 3 s. A page that
 * nobody sees asks for nothing; seen again, it goes on where it was.
 */
export class JobFeed {
  readonly #around: FeedSurroundings
  readonly #stream: ReturnType<FeedSurroundings['makeStream']>
  readonly #log = new FeedLog()
  readonly #listeners = new Set<() => void>()
  #view: FeedView
  #state: FeedState = 'connecting'
  #error: ApiError | undefined
  #hasSpoken = false
  #isPainting = false
  #poll: { timer?: ReturnType<typeof setTimeout>; asking: AbortController } | undefined
  #unwatch: (() => void) | undefined

  constructor(around: FeedSurroundings) {
    this.#around = around
    this.#stream = around.makeStream({
      onEvents: (sent) => {
        this.#hasSpoken = true
        this.#log.stream(sent.flatMap((event) => readSentEvent(event) ?? []))
        this.#show('streaming')
      },
      onPhase: (phase) => this.#onPhase(phase),
      isLast: ({ event }) => event === 'done',
    })
    this.#view = this.#take()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): FeedView => this.#view

  /** Follows the job; again after a stop, too. */
  open(): void {
    if (this.#unwatch) return
    this.#unwatch = this.#around.onVisibility(() => this.#onVisibility())
    this.#error = undefined
    if (this.#log.view().hasEnded && this.#state === 'ended') return
    this.#show('connecting')
    if (!this.#around.isHidden()) this.#follow()
  }

  /** What came so far stays. */
  stop(): void {
    if (this.#state !== 'ended' && this.#state !== 'failed') this.#show('stopped')
    this.close()
  }

  clear(): void {
    this.#log.clear()
    this.#paint()
  }

  /** Without a word to whoever listens. */
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
    if (phase.name === 'failed') this.#fail(phase.error)
    else if (phase.name === 'ended') this.#show('ended')
    // One that has spoken before may have nothing new to say.
    else if (phase.name === 'open' && this.#hasSpoken) this.#show('streaming')
    else if (phase.name === 'broken') this.#onBroken()
  }

  #onBroken(): void {
    if (this.#isOver) return
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
      if (this.#state === 'polling') void this.#askNow()
    }
  }

  #pollLater(ms: number): void {
    this.#stopPolling()
    this.#poll = { asking: new AbortController(), timer: setTimeout(() => void this.#askNow(), ms) }
  }

  #stopPolling(): void {
    clearTimeout(this.#poll?.timer)
    this.#poll?.asking.abort()
    this.#poll = undefined
  }

  async #askNow(): Promise<void> {
    this.#stopPolling()
    const asking = new AbortController()
    this.#poll = { asking }
    this.#show('polling')
    const wait = await this.#look(asking.signal)
    if (!asking.signal.aborted && !this.#isOver) this.#pollLater(wait)
  }

  /** Answers after how long to look again. */
  async #look(signal: AbortSignal): Promise<number> {
    try {
      const job = await this.#around.readJob(signal)
      if (signal.aborted) return POLL_MS
      this.#log.poll({ status: job.status, events: job.events, lastId: job._count.events })
      // The stream goes on trying, for lines that are still missing; it ends with the job's last event.
      this.#show(this.#log.view().hasEnded ? 'ended' : 'polling')
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) return POLL_MS
      if (isFinal(error)) this.#fail(error)
      return Math.max(POLL_MS, (error.retryAfterSeconds ?? 0) * 1_000)
    }
    return POLL_MS
  }

  #fail(error: ApiError): void {
    // An ended job stays ended, whatever becomes of the last lines.
    if (this.#state !== 'ended') {
      this.#error = error
      this.#show('failed')
    }
    this.#stream.close()
  }

  #show(state: FeedState): void {
    const isOver = this.#log.view().hasEnded || this.#state === 'ended'
    this.#state = isOver ? 'ended' : state
    if (this.#state !== 'polling' && this.#state !== 'connecting') this.#stopPolling()
    this.#paint()
  }

  /** Thousands of lines that come together are painted together. */
  #paint(): void {
    if (this.#isPainting) return
    this.#isPainting = true
    this.#around.onNextFrame(() => {
      this.#isPainting = false
      this.#view = this.#take()
      for (const tell of this.#listeners) tell()
    })
  }

  #take(): FeedView {
    return { ...this.#log.view(), state: this.#state, error: this.#error }
  }
}
