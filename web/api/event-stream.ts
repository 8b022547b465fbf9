import { createParser } from 'eventsource-parser'
import { type ApiError, isFinal, readRefusal } from './failures.ts'

export type StreamPhase =
  | { readonly name: 'connecting' | 'open' | 'paused' | 'ended' }
  /** Retries on its own. */
  | { readonly name: 'broken' }
  /** Final: signed out, not allowed, or not found. */
  | { readonly name: 'failed'; readonly error: ApiError }

export type EventStreamOptions = {
  readonly address: string
  /** Called for every connection. */
  readonly headers: () => Record<string, string>
  /** Called once for events that arrived together. */
  readonly onEvents: (events: readonly SentEvent[]) => void
  readonly onPhase: (phase: StreamPhase) => void
  /** Whether the stream ends with this event. */
  readonly isLast: (event: SentEvent) => boolean
  readonly pauseMs?: (failures: number) => number
}

// The server sends a heartbeat every 15 s; after two missed ones the connection is dead.
const SILENCE_MS = 40_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 20_000

/** Exponential with jitter, so that tabs do not all reconnect to a restarted server at once. */
const backoffMs = (failures: number) =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random() / 2)

/**
 * Server-sent events over fetch, since the browser's EventSource cannot send the token in a header. Reconnects after a
 * lost connection and resumes after the last complete event, so that no event is repeated or skipped.
 */
export class EventStream {
  readonly #options: EventStreamOptions
  #run: AbortController | undefined
  #lastEventId = ''
  #failures = 0

  constructor(options: EventStreamOptions) {
    this.#options = options
  }

  /** Connects, or reconnects after a pause. */
  open(): void {
    if (this.#run) return
    const run = new AbortController()
    this.#run = run
    this.#failures = 0
    void this.#keepConnected(run.signal)
  }

  /** Closes the connection until `open` is called again. */
  pause(): void {
    if (!this.#run || this.#run.signal.aborted) return
    this.close()
    this.#options.onPhase({ name: 'paused' })
  }

  /** Closes without reporting a phase. */
  close(): void {
    this.#run?.abort()
    this.#run = undefined
  }

  async #keepConnected(run: AbortSignal): Promise<void> {
    const report = (phase: StreamPhase) => {
      if (!run.aborted) this.#options.onPhase(phase)
    }
    while (!run.aborted) {
      report({ name: 'connecting' })
      const { end, waitMs } = await this.#connect(run, report).catch(() => broken)
      if (end) return report(end)
      report({ name: 'broken' })
      const pauseMs = (this.#options.pauseMs ?? backoffMs)(this.#failures)
      this.#failures += 1
      await untilAborted(run, Math.max(pauseMs, waitMs))
    }
  }

  async #connect(run: AbortSignal, report: (phase: StreamPhase) => void): Promise<ConnectionEnd> {
    const connection = new AbortController()
    const watch = watchSilence(() => connection.abort())
    try {
      const response = await fetch(this.#options.address, {
        headers: {
          Accept: 'text/event-stream',
          ...this.#options.headers(),
          ...(this.#lastEventId !== '' && { 'Last-Event-ID': this.#lastEventId }),
        },
        cache: 'no-store',
        signal: AbortSignal.any([run, connection.signal]),
      })
      if (!response.ok) return await refused(response)
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      if (!isStream || !response.body) return broken
      report({ name: 'open' })
      return (await this.#readAll(response.body, run, watch.onData))
        ? { end: { name: 'ended' }, waitMs: 0 }
        : broken
    } finally {
      watch.stop()
      connection.abort()
    }
  }

  /** Returns true after the last event, false if only the connection ended. */
  async #readAll(body: ReadableStream<Uint8Array>, run: AbortSignal, onData: () => void): Promise<boolean> {
    const parser = new EventParser(this.#lastEventId)
    const decoder = new TextDecoder()
    const reader = body.getReader()
    for (;;) {
      const { value, done } = await reader.read()
      if (done || run.aborted) return false
      onData()
      const events = parser.push(decoder.decode(value, { stream: true }))
      const last = events.at(-1)
      if (!last) continue
      this.#failures = 0
      this.#lastEventId = last.id
      this.#options.onEvents(events)
      if (events.some(this.#options.isLast)) return true
    }
  }
}

type ConnectionEnd = { end?: StreamPhase; waitMs: number }
const broken: ConnectionEnd = { waitMs: 0 }

async function refused(response: Response): Promise<ConnectionEnd> {
  const error = await readRefusal(response)
  if (isFinal(error)) return { end: { name: 'failed', error }, waitMs: 0 }
  return { waitMs: (error.retryAfterSeconds ?? 0) * 1_000 }
}

function watchSilence(onSilence: () => void): { onData: () => void; stop: () => void } {
  let timer = setTimeout(onSilence, SILENCE_MS)
  const stop = () => clearTimeout(timer)
  const onData = () => {
    stop()
    timer = setTimeout(onSilence, SILENCE_MS)
  }
  return { onData, stop }
}

function untilAborted(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      // A long outage has many pauses with this same signal: do not collect listeners on it.
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

/** One server-sent event; `id` is that of the last event that had one, as the standard requires. */
export type SentEvent = { id: string; event: string; data: string; hasId: boolean }

/**
 * Parses server-sent events from text in pieces of any size. An incomplete event is dropped with the parser when the
 * connection breaks.
 */
export class EventParser {
  readonly #parser = createParser({
    // Also of an event without data, which is none.
    onId: (id) => {
      this.#id = id
    },
    onEvent: ({ id, event = 'message', data }) =>
      this.#done.push({ id: this.#id, event, data, hasId: id !== undefined }),
  })
  #id: string
  #done: SentEvent[] = []

  /** @param lastEventId where an earlier connection ended */
  constructor(lastEventId = '') {
    this.#id = lastEventId
  }

  /** The events that this piece completes. */
  push(piece: string): SentEvent[] {
    this.#parser.feed(piece)
    const done = this.#done
    this.#done = []
    return done
  }
}
