import { sql } from 'kysely'
import type { JobEvent, JobEventKind } from '#contract/automation.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { type Db, isDatabaseDown, isPoolBusy } from '#server/platform/database/database.ts'
import { formatEvent, HEARTBEAT } from '#server/platform/http/event-stream.ts'

/* Events of jobs as their streams read them: by number, in pages. */

type StreamedJob = { id: string; lastSeq: number; status: string; ended: boolean; createdAt: Date }

export async function findStreamedJob(db: Db, id: string): Promise<StreamedJob | undefined> {
  const { rows } = await sql<StreamedJob>`
    select id, last_seq as "lastSeq", status, ended_at is not null as ended, created_at as "createdAt"
    from job where id = ${id}`.execute(db)
  return rows[0]
}

/** The numbers of the last events, by job. */
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
// A line may have 64 kB: a thousand of these would be too much to hold for every reader.
const PAGE_BYTES = 256 * 1024

type EventPage = {
  events: EventRow[]
  /** There may be more already. */
  more: boolean
}

/**
 * The events after that number, oldest first, as many as make a page; at least one where there are any. The job's birth
 * lets the months before it be left out, and the rest is read by the primary key.
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

/** An event as people see it, in a list or in a stream. */
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

/** The words of the console for the last event, `COMPLETED` and `FAILED`; those of the record for all others. */
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

/** The end of a job, said again to a reader who has seen all its events: without a number, since it is no new one. */
function formatDoneAgain(status: string, now: Date): string {
  const data = {
    stream: 'system',
    message: status,
    loggedAt: now.toISOString(),
    status: status.toUpperCase(),
  }
  return formatEvent({ event: 'done', data })
}

type Note = { event: 'log' | 'error'; message: string; id?: number; data?: Record<string, unknown> }

/** A sentence of the stream itself. It has a number only where a reader that comes back goes on behind it. */
function formatNote({ event, message, id, data }: Note, now: Date): string {
  const told = { stream: 'system', message, loggedAt: now.toISOString(), ...(data && { data }) }
  return formatEvent({ ...(id !== undefined && { id }), event, data: told })
}

type Start = { after: number; problem?: string }

/** Where a stream begins: behind the event that the reader saw last, or at the first one and why. */
export function startAfter(lastEventId: string | undefined, lastSeq: number): Start {
  if (lastEventId === undefined || lastEventId === '') return { after: 0 }
  if (!/^\d{1,15}$/.test(lastEventId)) {
    return { after: 0, problem: 'Last-Event-ID is not the number of an event: shown from the first one.' }
  }
  const after = Number(lastEventId)
  if (after <= lastSeq) return { after }
  const problem = `Last-Event-ID is ${after}, and this job has ${lastSeq} events: shown from the first one.`
  return { after: 0, problem }
}

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
