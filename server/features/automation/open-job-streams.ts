import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { findAdminSessions } from '#server/features/accounts/sessions.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, isDatabaseDown, isPoolBusy } from '#server/platform/database/database.ts'
import { openSharedReads } from '#server/platform/database/reads.ts'
import { AppError } from '#server/platform/errors.ts'
import { EVENT_STREAM_HEADERS, eventStream } from '#server/platform/http/event-stream.ts'
import type { BinaryReply } from '#server/platform/http/handler.ts'
import { DirectConnection } from '#server/platform/jobs/direct-connection.ts'
import { JOB_CHANGED } from '#server/platform/jobs/job-changed.ts'
import type { Log } from '#server/platform/log.ts'
import {
  findLastNumbers,
  findStreamedJob,
  JobStream,
  readEventsAfter,
  type StreamSource,
  type StreamTimes,
  startAfter,
} from './job-stream.ts'

export type JobStreams = {
  /** @throws AppError NOT_FOUND, TOO_MANY */
  open(asked: AskedStream): Promise<BinaryReply>
  /** Ends every stream; their readers come back to another process and go on where they were. */
  close(): Promise<void>
}

export type AskedStream = {
  jobId: string
  actor: Actor
  /** As the header came. */
  lastEventId: string | string[] | undefined
}

export type JobStreamOptions = {
  /** Past a pooler, for notices. */
  readonly directUrl: string
  readonly log: Log
  readonly now: () => Date
  /** Tests that wait for something shorten these. */
  readonly times?: Partial<HubTimes>
}

type HubTimes = StreamTimes & {
  /** How often the database is asked for news while there are no notices. */
  readonly pollMs: number
  /** And how often in any case: a notice can be lost with the worker that meant to send it. */
  readonly sweepMs: number
  /** Whoever is no administrator any more is out within 5 s (C2). */
  readonly sessionsMs: number
}

const TIMES: HubTimes = {
  heartbeatMs: 15_000,
  againMs: 1_000,
  slowMs: 10_000,
  pollMs: 2_000,
  sweepMs: 10_000,
  sessionsMs: 3_000,
}

const STREAMS_A_PERSON = 20
const FULL_RETRY_SECONDS = 10
// For a reader to take the last words; one that does not read is cut off.
const FAREWELL_MS = 1_000

const CLOSED_SENTENCE =
  'This stream was closed: you are signed out, or not an administrator any more. Sign in again to go on.'

/**
 * All streams of a process. They share one connection for notices, opened with the first of them; while it is away one
 * query every 2 s asks for all.
 */
export function openJobStreams(db: Db, options: JobStreamOptions): JobStreams {
  return new StreamHub(db, options)
}

type OpenStream = { stream: JobStream; readable: Readable; actor: Actor }

class StreamHub implements JobStreams {
  readonly #db: Db
  readonly #options: JobStreamOptions
  readonly #times: HubTimes
  readonly #source: StreamSource
  readonly #open = new Set<OpenStream>()
  readonly #rounds: readonly NodeJS.Timeout[]
  readonly #running = new Set<string>()
  #direct: DirectConnection | undefined
  #sweptAt = 0
  #closing = false

  constructor(db: Db, options: JobStreamOptions) {
    this.#db = db
    this.#options = options
    this.#times = { ...TIMES, ...options.times }
    // Readers of the same job mostly ask for the same page.
    const share = openSharedReads()
    this.#source = {
      readPage: (job, after) => share(`${job.id} ${after}`, () => readEventsAfter(db, job, after)),
      findLastNumber: async (jobId) => (await findLastNumbers(db, [jobId])).get(jobId),
      now: options.now,
      times: this.#times,
    }
    this.#rounds = [
      this.#repeat('sweep', this.#times.pollMs, () => this.#sweepIfDue()),
      this.#repeat('sessions', this.#times.sessionsMs, () => this.#endRevoked()),
    ]
  }

  async open({ jobId, actor, lastEventId }: AskedStream): Promise<BinaryReply> {
    const job = await findStreamedJob(this.#db, jobId)
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.')
    if (this.#closing) throw new AppError('BUSY', 'The service is stopping. Please try again in a moment.')
    this.#refuseTooMany(actor)
    this.#direct ??= this.#listen()
    const seen = typeof lastEventId === 'string' ? lastEventId : undefined
    const stream = new JobStream(job, startAfter(seen, job.lastSeq), this.#source)
    const readable = eventStream(stream.chunks(), () => {
      stream.end()
      this.#open.delete(entry)
    })
    const entry = { stream, readable, actor }
    this.#open.add(entry)
    return { stream: readable, headers: EVENT_STREAM_HEADERS }
  }

  async close(): Promise<void> {
    this.#closing = true
    for (const timer of this.#rounds) clearInterval(timer)
    await Promise.all([...this.#open].map((entry) => this.#end(entry)))
    await this.#direct?.close()
  }

  #refuseTooMany({ userId }: Actor): void {
    const own = [...this.#open].filter(({ actor }) => actor.userId === userId)
    if (own.length < STREAMS_A_PERSON) return
    const sentence = `You have ${STREAMS_A_PERSON} streams of jobs open, and more are not possible. Close one and try again.`
    throw new AppError('TOO_MANY', sentence, { retryAfterSeconds: FULL_RETRY_SECONDS })
  }

  #listen(): DirectConnection {
    return DirectConnection.start({
      url: this.#options.directUrl,
      applicationName: 'api-notices',
      channel: JOB_CHANGED,
      onNotice: (jobId) => {
        for (const { stream } of this.#open) if (stream.job.id === jobId) stream.wake()
      },
      onConnect: () => this.#run('sweep', () => this.#sweep()),
      log: this.#options.log,
    })
  }

  /** One round after the other, none while nobody reads. */
  #repeat(name: string, everyMs: number, round: () => Promise<void>): NodeJS.Timeout {
    return setInterval(() => this.#run(name, round), everyMs).unref()
  }

  #run(name: string, round: () => Promise<void>): void {
    if (this.#open.size === 0 || this.#running.has(name)) return
    this.#running.add(name)
    round()
      .catch((error: unknown) => {
        // The next round asks again.
        if (isDatabaseDown(error) || isPoolBusy(error)) return
        this.#options.log.error({ err: error, round: name }, 'looking after the streams of jobs failed')
      })
      .finally(() => this.#running.delete(name))
  }

  async #sweepIfDue(): Promise<void> {
    const isAway = this.#direct?.wasAwaySince(this.#sweptAt) ?? true
    if (isAway || Date.now() - this.#sweptAt >= this.#times.sweepMs) await this.#sweep()
  }

  /** Wakes the readers of jobs that have more events than were handed out, whoever failed to tell. */
  async #sweep(): Promise<void> {
    const startedAt = Date.now()
    const open = [...this.#open]
    const last = await findLastNumbers(this.#db, [...new Set(open.map(({ stream }) => stream.job.id))])
    this.#sweptAt = startedAt
    for (const entry of open) {
      const lastSeq = last.get(entry.stream.job.id)
      // Old jobs are removed; whoever asks for this one again is told so.
      if (lastSeq === undefined) void this.#end(entry)
      else if (lastSeq > entry.stream.cursor) entry.stream.wake()
    }
  }

  async #endRevoked(): Promise<void> {
    const asked = new Map(
      [...this.#open].map(({ actor }) => [actor.sessionHash.toString('hex'), actor.sessionHash]),
    )
    const found = await findAdminSessions(this.#db, [...asked.values()], this.#options.now())
    const good = new Set(found.map((hash) => hash.toString('hex')))
    for (const entry of this.#open) {
      const hash = entry.actor.sessionHash.toString('hex')
      if (asked.has(hash) && !good.has(hash)) void this.#end(entry, CLOSED_SENTENCE)
    }
  }

  async #end({ stream, readable }: OpenStream, sentence?: string): Promise<void> {
    stream.end(sentence)
    const closed = new Promise<void>((resolve) => readable.once('close', resolve))
    if (readable.closed) return
    await Promise.race([closed, sleep(FAREWELL_MS, undefined, { ref: false })])
    readable.destroy()
  }
}
