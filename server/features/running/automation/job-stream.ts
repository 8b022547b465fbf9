import { sql } from 'kysely'
import type { JobEvent, JobEventKind } from '#contract/admin/automation.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { type Db, isDatabaseDown, isPoolBusy } from '#server/platform/database/database.ts'
import { formatEvent, HEARTBEAT } from '#server/platform/http/event-stream.ts'

type StreamedJob = { id: string; lastSeq: number; status: string; ended: boolean; createdAt: Date }

export async function findStreamedJob(db: Db, id: string): Promise<StreamedJob | undefined> {
  const { rows } = await sql<StreamedJob>`
    select id, last_seq as "lastSeq", status, ended_at is not null as ended, created_at as "createdAt"
    from job where id = ${id}`.execute(db)
  return rows[0]
}

/** The sequence number of each job's last event, by job id. */
export async function findLastNumbers(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; lastSeq: number }>`
    select id, last_seq as "lastSeq" from job where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, lastSeq }) => [id, lastSeq]))
}

export type EventRow = {
  seq: number
  at: Date
  kind: JobEventKind
  stream: string | null
  message: string
  data: JsonValue | null
}

const PAGE_EVENTS = 1_000
// A line may be 64 kB: a page of 1,000 such lines would take too much memory per reader.
const PAGE_BYTES = 256 * 1024

type EventPage = {
  events: EventRow[]
  /** Whether the page was full, so that more events may already exist. */
  more: boolean
}

/**
 * Reads a page of the events after a sequence number, oldest first; at least one if there are any. The condition on `at`
 * skips the partitions older than the job, and the rest is read through the primary key.
 */
export async function readEventsAfter(
  db: Db,
  job: { id: string; createdAt: Date },
  after: number,
): Promise<EventPage> {
  const { rows } = await sql<EventRow & { bytes: number }>`/* prepared */
    select seq, at, kind, stream, message, data, bytes
    from (
      select page.*, sum(octet_length(message)) over (order by seq rows unbounded preceding) as bytes
      from (
        select seq, at, kind, stream, message, data from job_event
        where job_id = ${job.id} and seq > ${after} and at >= ${job.createdAt}::timestamptz - interval '1 hour'
        order by seq limit ${PAGE_EVENTS}
      ) page
    ) measured
    where bytes - octet_length(message) < ${PAGE_BYTES}
    order by seq`.execute(db)
  return { events: rows, more: rows.length === PAGE_EVENTS || (rows.at(-1)?.bytes ?? 0) >= PAGE_BYTES }
}

/** Presents an event for the API, both in a list and in a stream. */
export function presentEvent(row: EventRow): JobEvent {
  const { seq, at, kind, stream, message } = row
  const data = isRecord(row.data) ? row.data : {}
  return {
    id: seq,
    kind,
    status: statusOf(kind, data),
    message,
    payload: {
      stream: stream ?? 'system',
      message,
      loggedAt: at.toISOString(),
      ...(kind === 'progress' && presentProgress(data)),
      ...(row.data !== null && { data: row.data }),
    },
  }
}

/** The last event uses the console's upper-case statuses (`COMPLETED`, `FAILED`), all others those of the job. */
function statusOf(kind: EventRow['kind'], { status }: Record<string, unknown>): string | null {
  if (typeof status !== 'string') return null
  return kind === 'done' ? status.toUpperCase() : status
}

function presentProgress({ done, total, note }: Record<string, unknown>) {
  return {
    ...(typeof note === 'string' && { stage: note }),
    ...(typeof done === 'number' && { count: done }),
    ...(typeof total === 'number' && { total }),
    ...(typeof done === 'number' &&
      typeof total === 'number' &&
      total > 0 && { percentage: share(done, total) }),
  }
}

const share = (done: number, total: number) => Math.min(100, Math.round((done / total) * 1_000) / 10)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function formatJobEvent(row: EventRow): string {
  const { id, kind, status, payload } = presentEvent(row)
  return formatEvent({ id, event: kind, data: { ...payload, ...(status !== null && { status }) } })
}

/** Repeats the end of a job for a reader who has seen all its events. It has no id because it is not a new event. */
function formatRepeatedDone(status: string, now: Date): string {
  const data = {
    stream: 'system',
    message: status,
    loggedAt: now.toISOString(),
    status: status.toUpperCase(),
  }
  return formatEvent({ event: 'done', data })
}

type Note = { event: 'log' | 'error'; message: string; id?: number; data?: Record<string, unknown> }

type Start = { after: number; problem?: string }

/** Where a stream starts: after the last event the reader saw, or at the first event with the reason. */
export function startAfter(lastEventId: string | undefined, lastSeq: number): Start {
  if (lastEventId === undefined || lastEventId === '') return { after: 0 }
  if (!/^\d{1,15}$/.test(lastEventId)) {
    return { after: 0, problem: 'Last-Event-ID is not an event number. Starting from the first event.' }
  }
  const after = Number(lastEventId)
  if (after <= lastSeq) return { after }
  const problem = `Last-Event-ID is ${after}, but this job has ${lastSeq} events. Starting from the first event.`
  return { after: 0, problem }
}

export type StreamTimes = {
  readonly heartbeatMs: number
  /** How soon to retry when the database is unavailable. */
  readonly retryMs: number
  /** A reader that takes longer to consume a page is slow. */
  readonly slowMs: number
}

/** The data source shared by all streams of a process. */
export type StreamSource = {
  readonly readPage: (job: StreamedJob, after: number) => Promise<EventPage>
  readonly findLastNumber: (jobId: string) => Promise<number | undefined>
  readonly now: () => Date
  readonly times: StreamTimes
}

// A reader this far behind would see events minutes late, so it skips to the newest ones.
const FAR_BEHIND = 5_000
const NEWEST = 1_000

/**
 * Streams the events of one job to one reader. Its only state is the number of the last event it sent, and it reads a page
 * only after the reader consumed the one before: a slow reader takes no memory and delays no one else.
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

  /** The sequence number of the last event sent. */
  get cursor(): number {
    return this.#cursor
  }

  /** Call when the job may have new events. */
  wake(): void {
    this.#woken = true
    this.#resume?.()
  }

  /** Ends the stream after an optional last message; the reader may reconnect. */
  end(sentence?: string): void {
    this.#ending ??= { sentence }
    this.wake()
  }

  async *chunks(): AsyncGenerator<string, void> {
    // Node sends the headers together with the first chunk.
    yield HEARTBEAT
    if (this.#problem) yield this.#note({ event: 'log', message: this.#problem, data: { restart: true } })
    yield* this.#follow()
    const sentence = this.#ending?.sentence
    if (sentence) yield this.#note({ event: 'error', message: sentence })
  }

  async *#follow(): AsyncGenerator<string, void> {
    while (!this.#ending) {
      // Reset before reading, so that events written during the read wake the stream again.
      this.#woken = false
      const page = await this.#read()
      if (this.#ending) return
      if (page?.events.length === 0 && this.job.ended) {
        return yield formatRepeatedDone(this.job.status, this.#source.now())
      }
      if (page) yield* this.#send(page.events)
      if (page?.events.at(-1)?.kind === 'done') return
      if (!page?.more) yield* this.#rest(page ? Number.POSITIVE_INFINITY : this.#source.times.retryMs)
    }
  }

  /** Returns undefined while the database is unavailable. */
  async #read(): Promise<EventPage | undefined> {
    try {
      return await this.#source.readPage(this.job, this.#cursor)
    } catch (error) {
      if (isDatabaseDown(error) || isPoolBusy(error)) return undefined
      throw error
    }
  }

  async *#send(events: readonly EventRow[]): AsyncGenerator<string, void> {
    const first = events[0]
    if (!first) return
    const missing = first.seq - this.#cursor - 1
    const lines = missing === 1 ? '1 older line was' : `${missing} older lines were`
    const gap = missing > 0 ? this.#note({ event: 'log', message: `… ${lines} deleted` }) : ''
    this.#cursor = events.at(-1)?.seq ?? this.#cursor
    this.#sentAt = performance.now()
    yield gap + events.map(formatJobEvent).join('')
    if (performance.now() - this.#sentAt > this.#source.times.slowMs) yield* this.#skipToNewest()
  }

  async *#skipToNewest(): AsyncGenerator<string, void> {
    const last = await this.#source.findLastNumber(this.job.id).catch(() => undefined)
    if (last === undefined || last - this.#cursor <= FAR_BEHIND) return
    const to = last - NEWEST
    const message = `… ${to - this.#cursor} lines skipped`
    this.#cursor = to
    yield this.#note({ event: 'log', message, id: to })
  }

  /** Sleeps until woken or until the time is up, and sends heartbeats meanwhile. */
  async *#rest(maxMs: number): AsyncGenerator<string, void> {
    const until = performance.now() + maxMs
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

  /** A message from the stream itself. It has an id only if a reconnecting reader should continue after it. */
  #note({ event, message, id, data }: Note): string {
    const loggedAt = this.#source.now().toISOString()
    const payload = { stream: 'system', message, loggedAt, ...(data && { data }) }
    return formatEvent({ ...(id !== undefined && { id }), event, data: payload })
  }
}
