import { type ApiError, isFinal, readRefusal } from './failures.ts'

export type StreamPhase =
  | { readonly name: 'connecting' | 'open' | 'paused' | 'ended' }
  /** It tries again by itself. */
  | { readonly name: 'broken' }
  /** For good: signed out, not allowed, or nothing there. */
  | { readonly name: 'failed'; readonly error: ApiError }

export type EventStreamOptions = {
  readonly address: string
  /** Asked for every connection. */
  readonly headers: () => Record<string, string>
  /** What came together is told together. */
  readonly onEvents: (events: readonly SentEvent[]) => void
  readonly onPhase: (phase: StreamPhase) => void
  /** The stream has ended behind this event. */
  readonly isLast: (event: SentEvent) => boolean
  readonly pauseMs?: (failures: number) => number
}

// The server shows every 15 s that it is there; twice missed, the connection is dead and nobody told us.
const SILENCE_MS = 40_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 20_000

/** Grows, and differs from tab to tab: a server that comes back is not asked by all of them at once. */
const growingPause = (failures: number) =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random() / 2)

/**
 * Server-sent events over fetch, since the browser's own EventSource cannot send the token in a header. A connection that
 * breaks is opened again, and goes on behind the last whole event that was handed out: nothing twice, nothing left out.
 */
export class EventStream {
  readonly #options: EventStreamOptions
  #run: AbortController | undefined
  #lastEventId = ''
  #failures = 0

  constructor(options: EventStreamOptions) {
    this.#options = options
  }

  /** Connects; also after a pause. */
  open(): void {
    if (this.#run) return
    const run = new AbortController()
    this.#run = run
    this.#failures = 0
    void this.#keepConnected(run.signal)
  }

  /** Lets go of the connection until it is opened again. */
  pause(): void {
    if (!this.#run || this.#run.signal.aborted) return
    this.close()
    this.#options.onPhase({ name: 'paused' })
  }

  /** Without another word. */
  close(): void {
    this.#run?.abort()
    this.#run = undefined
  }

  async #keepConnected(run: AbortSignal): Promise<void> {
    const tell = (phase: StreamPhase) => {
      if (!run.aborted) this.#options.onPhase(phase)
    }
    while (!run.aborted) {
      tell({ name: 'connecting' })
      const { end, waitMs } = await this.#connect(run, tell).catch(() => broken)
      if (end) return tell(end)
      tell({ name: 'broken' })
      const pauseMs = (this.#options.pauseMs ?? growingPause)(this.#failures)
      this.#failures += 1
      await untilAborted(run, Math.max(pauseMs, waitMs))
    }
  }

  async #connect(run: AbortSignal, tell: (phase: StreamPhase) => void): Promise<Outcome> {
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
      tell({ name: 'open' })
      return (await this.#readAll(response.body, run, watch.heard))
        ? { end: { name: 'ended' }, waitMs: 0 }
        : broken
    } finally {
      watch.stop()
      connection.abort()
    }
  }

  /** True where the last event came, and not just the end of the connection. */
  async #readAll(body: ReadableStream<Uint8Array>, run: AbortSignal, heard: () => void): Promise<boolean> {
    const parser = new EventParser(this.#lastEventId)
    const decoder = new TextDecoder()
    const reader = body.getReader()
    for (;;) {
      const { value, done } = await reader.read()
      if (done || run.aborted) return false
      heard()
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

type Outcome = { end?: StreamPhase; waitMs: number }
const broken: Outcome = { waitMs: 0 }

async function refused(response: Response): Promise<Outcome> {
  const error = await readRefusal(response)
  if (isFinal(error)) return { end: { name: 'failed', error }, waitMs: 0 }
  return { waitMs: (error.retryAfterSeconds ?? 0) * 1_000 }
}

function watchSilence(onSilence: () => void): { heard: () => void; stop: () => void } {
  let timer = setTimeout(onSilence, SILENCE_MS)
  const stop = () => clearTimeout(timer)
  const heard = () => {
    stop()
    timer = setTimeout(onSilence, SILENCE_MS)
  }
  return { heard, stop }
}

function untilAborted(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      // One signal lives through every pause of a long outage.
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

/** One server-sent event; `id` is that of the last event that had one, as the standard says. */
export type SentEvent = { id: string; event: string; data: string; hasId: boolean }

/**
 * Reads server-sent events from text that comes in pieces of any size. An event counts once the empty line behind it has
 * arrived; what a broken connection leaves half said is dropped with its parser.
 */
export class EventParser {
  #rest = ''
  #afterReturn = false
  #id = ''
  #hasId = false
  #event = ''
  #data: string[] = []
  #done: SentEvent[] = []

  /** @param lastEventId where an earlier connection ended */
  constructor(lastEventId = '') {
    this.#id = lastEventId
  }

  /** The events that this piece completes. */
  push(piece: string): SentEvent[] {
    // The second half of a line's end that was cut in two.
    const text = this.#afterReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    if (piece !== '') this.#afterReturn = piece.endsWith('\r')
    const lines = text.split(/\r\n|\n|\r/)
    lines[0] = this.#rest + lines[0]
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#take(line)
    const done = this.#done
    this.#done = []
    return done
  }

  #take(line: string): void {
    if (line === '') {
      this.#dispatch()
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#event = value
    else if (field === 'id' && !value.includes('\0')) {
      this.#id = value
      this.#hasId = true
    }
  }

  #dispatch(): void {
    if (this.#data.length > 0) {
      const event = this.#event || 'message'
      this.#done.push({ id: this.#id, event, data: this.#data.join('\n'), hasId: this.#hasId })
    }
    this.#event = ''
    this.#data = []
    this.#hasId = false
  }
}
