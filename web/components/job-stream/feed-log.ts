import {
  hasEnded,
  type JobEvent,
  type JobStatus,
  jobEventKinds,
  jobStatuses,
} from '#contract/admin/automation.ts'
import type { SentEvent } from '#web/api/event-stream.ts'

/** An event from the stream or from a job's latest events; without an id it is a message of the stream itself. */
export type FeedEvent = Omit<JobEvent, 'id' | 'message'> & { id: number | undefined }

export type JobLine = {
  /** The event's id; a message of the stream has a fraction between two ids. */
  id: number
  stream: string
  level: 'log' | 'error' | 'status'
  text: string
  at: string
}

/** `atMs` is when the job reported it: delayed or repeated events arrive all at once. */
export type JobProgress = {
  stage?: string
  percentage?: number
  count?: number
  total?: number
  atMs: number
}

export type FeedLogView = {
  lines: readonly JobLine[]
  /** The number of lines before the oldest one shown. */
  dropped: number
  progress: JobProgress | undefined
  status: JobStatus | undefined
  hasEnded: boolean
}

export const MAX_LINES = 5_000
// Trimming the array at every line would copy it at every line.
const SLACK = 5_000
const BETWEEN = 0.001

/**
 * A job's log, built from its events, each counted once. The stream delivers them without gaps; polling delivers the
 * newest, which are shown after the streamed ones until the stream has caught up.
 */
export class FeedLog {
  #streamed: JobLine[] = []
  #polled: JobLine[] = []
  #cursor = 0
  #clearedTo = 0
  #dropped = 0
  #progress: JobProgress | undefined
  #progressAt = 0
  #status: JobStatus | undefined
  #statusAt = 0
  #hasEnded = false

  stream(events: readonly FeedEvent[]): void {
    for (const event of events) this.#takeStreamed(event)
    const surplus = this.#streamed.length - MAX_LINES
    if (surplus > SLACK) {
      this.#streamed.splice(0, surplus)
      this.#dropped += surplus
    }
    this.#polled = this.#polled.filter(({ id }) => id > this.#cursor)
  }

  /** Adds the newest events and the status at that time. */
  poll(job: { status: JobStatus; events: readonly FeedEvent[]; lastId: number }): void {
    const newEvents = job.events.filter(({ id }) => id !== undefined && id > this.#cursor)
    const lines = newEvents
      .flatMap((event) => lineOf(event, event.id ?? 0))
      .filter(({ id }) => id > this.#clearedTo)
    const first = lines[0]?.id ?? Number.POSITIVE_INFINITY
    this.#polled = [...this.#polled.filter(({ id }) => id < first), ...lines].slice(-MAX_LINES)
    for (const event of newEvents) this.#note(event, event.id ?? 0)
    if (job.lastId >= this.#statusAt) this.#setStatus(job.status, job.lastId)
  }

  clear(): void {
    this.#clearedTo = this.#polled.at(-1)?.id ?? this.#cursor
    this.#streamed = []
    this.#polled = []
    this.#dropped = 0
  }

  view(): FeedLogView {
    const lines = [...this.#streamed, ...this.#polled]
    const surplus = Math.max(0, lines.length - MAX_LINES)
    return {
      lines: surplus > 0 ? lines.slice(surplus) : lines,
      dropped: this.#dropped + surplus,
      progress: this.#progress,
      status: this.#status,
      hasEnded: this.#hasEnded,
    }
  }

  #takeStreamed(event: FeedEvent): void {
    if (event.id === undefined) {
      this.#takeMessage(event)
      return
    }
    if (event.id <= this.#cursor) return
    this.#cursor = event.id
    if (event.id > this.#clearedTo) this.#streamed.push(...lineOf(event, event.id))
    this.#note(event, event.id)
  }

  #takeMessage(event: FeedEvent): void {
    // The server has fewer events than were shown (it was restored): all come again from the first one.
    if (isRestart(event)) {
      this.clear()
      this.#clearedTo = 0
      this.#cursor = 0
      this.#statusAt = 0
      this.#progressAt = 0
      this.#hasEnded = false
    }
    const before = Math.max(this.#cursor, this.#streamed.at(-1)?.id ?? 0)
    this.#streamed.push(...lineOf(event, before + BETWEEN))
    this.#note(event, this.#statusAt)
  }

  #note(event: FeedEvent, id: number): void {
    if (event.kind === 'progress' && id > this.#progressAt) {
      this.#progress = progressOf(event)
      this.#progressAt = id
    }
    const status = event.status?.toLowerCase()
    const known = jobStatuses.find((one) => one === status)
    if (known && id >= this.#statusAt) this.#setStatus(known, id)
    if (event.kind === 'done') this.#hasEnded = true
  }

  #setStatus(status: JobStatus, at: number): void {
    this.#status = status
    this.#statusAt = at
    this.#hasEnded ||= hasEnded(status)
  }
}

const isRestart = ({ payload: { data } }: FeedEvent) =>
  typeof data === 'object' && data !== null && 'restart' in data

/** Progress is shown as a bar, and the end as a status. */
function lineOf({ kind, payload }: FeedEvent, id: number): JobLine[] {
  if (kind === 'progress' || kind === 'done') return []
  return [
    { id, stream: payload.stream ?? 'system', level: kind, text: payload.message, at: payload.loggedAt },
  ]
}

function progressOf({ payload: { stage, percentage, count, total, loggedAt } }: FeedEvent): JobProgress {
  return {
    atMs: Date.parse(loggedAt),
    ...(stage !== undefined && { stage }),
    ...(percentage !== undefined && { percentage }),
    ...(count !== undefined && { count }),
    ...(total !== undefined && { total }),
  }
}

/** Returns undefined for unknown events: a newer server may send others. */
export function readSentEvent({ id, hasId, event, data }: SentEvent): FeedEvent | undefined {
  const kind = jobEventKinds.find((one) => one === event)
  if (!kind) return undefined
  try {
    const { status, ...payload } = JSON.parse(data) as JobEvent['payload'] & { status?: string }
    return { id: hasId ? Number(id) : undefined, kind, status: status ?? null, payload }
  } catch {
    return undefined
  }
}
