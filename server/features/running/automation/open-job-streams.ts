import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { findAdminSessions } from '#server/features/people/accounts/sessions.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, isDatabaseDown, isPoolBusy } from '#server/platform/database/database.ts'
import { openSharedReads } from '#server/platform/database/reads.ts'
import { AppError } from '#server/platform/errors.ts'
import { EVENT_STREAM_HEADERS, eventStream } from '#server/platform/http/event-stream.ts'
import type { BinaryReply } from '#server/platform/http/handler.ts'
import { DirectConnection } from '#server/platform/jobs/direct-connection.ts'
import { JOB_CHANGED } from '#server/platform/jobs/job-events.ts'
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

type StreamRequest = {
  jobId: string
  actor: Actor
  /** The raw header. */
  lastEventId: string | string[] | undefined
}

export type JobStreamOptions = {
  /** Bypasses a pooler, for LISTEN. */
  readonly directUrl: string
  readonly log: Log
  readonly now: () => Date
  /** Tests shorten these. */
  readonly times?: Partial<HubTimes>
}

type HubTimes = StreamTimes & {
  /** How often to poll for new events while notifications are unavailable. */
  readonly pollMs: number
  /** How often to poll regardless, because a worker can die before it notifies. */
  readonly sweepMs: number
  /** Revoked administrators lose their streams within 5 s. */
  readonly sessionsMs: number
}

const TIMES: HubTimes = {
  heartbeatMs: 15_000,
  retryMs: 1_000,
  slowMs: 10_000,
  pollMs: 2_000,
  sweepMs: 10_000,
  sessionsMs: 3_000,
}

const STREAMS_PER_USER = 20
const FULL_RETRY_SECONDS = 10
// Time for a reader to take the last message; a stalled reader is then cut off.
const CLOSE_GRACE_MS = 1_000

const REVOKED_MESSAGE =
  'This stream was closed because you were signed out or are no longer an administrator. Sign in again to continue.'

type OpenStream = { stream: JobStream; readable: Readable; actor: Actor }

/**
 * All job streams of a process. They share one LISTEN connection, opened with the first stream; while it is down, one
 * query every 2 s polls for all of them.
 */
export class JobStreams {
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
    // Readers of the same job usually need the same page.
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

  /** @throws AppError NOT_FOUND, TOO_MANY */
  async open({ jobId, actor, lastEventId }: StreamRequest): Promise<BinaryReply> {
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

  /** Ends every stream; readers reconnect to another process and continue where they were. */
  async close(): Promise<void> {
    this.#closing = true
    for (const timer of this.#rounds) clearInterval(timer)
    await Promise.all([...this.#open].map((entry) => this.#end(entry)))
    await this.#direct?.close()
  }

  #refuseTooMany({ userId }: Actor): void {
    const own = [...this.#open].filter(({ actor }) => actor.userId === userId)
    if (own.length < STREAMS_PER_USER) return
    const sentence = `You already have ${STREAMS_PER_USER} job streams open, the maximum. Close one and try again.`
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

  /** Rounds never overlap and are skipped while no stream is open. */
  #repeat(name: string, everyMs: number, round: () => Promise<void>): NodeJS.Timeout {
    return setInterval(() => this.#run(name, round), everyMs).unref()
  }

  #run(name: string, round: () => Promise<void>): void {
    if (this.#open.size === 0 || this.#running.has(name)) return
    this.#running.add(name)
    round()
      .catch((error: unknown) => {
        // The next round tries again.
        if (isDatabaseDown(error) || isPoolBusy(error)) return
        this.#options.log.error({ err: error, round: name }, 'job stream round failed')
      })
      .finally(() => this.#running.delete(name))
  }

  async #sweepIfDue(): Promise<void> {
    const isAway = this.#direct?.wasAwaySince(this.#sweptAt) ?? true
    if (isAway || Date.now() - this.#sweptAt >= this.#times.sweepMs) await this.#sweep()
  }

  /** Wakes streams whose job has events they have not sent, in case a notification was lost. */
  async #sweep(): Promise<void> {
    const startedAt = Date.now()
    const open = [...this.#open]
    const last = await findLastNumbers(this.#db, [...new Set(open.map(({ stream }) => stream.job.id))])
    this.#sweptAt = startedAt
    for (const entry of open) {
      const lastSeq = last.get(entry.stream.job.id)
      // The job was deleted; a reconnecting reader gets NOT_FOUND.
      if (lastSeq === undefined) void this.#end(entry)
      else if (lastSeq > entry.stream.cursor) entry.stream.wake()
    }
  }

  async #endRevoked(): Promise<void> {
    const checked = new Map(
      [...this.#open].map(({ actor }) => [actor.sessionHash.toString('hex'), actor.sessionHash]),
    )
    const found = await findAdminSessions(this.#db, [...checked.values()], this.#options.now())
    const valid = new Set(found.map((hash) => hash.toString('hex')))
    for (const entry of this.#open) {
      const hash = entry.actor.sessionHash.toString('hex')
      if (checked.has(hash) && !valid.has(hash)) void this.#end(entry, REVOKED_MESSAGE)
    }
  }

  async #end({ stream, readable }: OpenStream, sentence?: string): Promise<void> {
    stream.end(sentence)
    const closed = new Promise<void>((resolve) => readable.once('close', resolve))
    if (readable.closed) return
    await Promise.race([closed, sleep(CLOSE_GRACE_MS, undefined, { ref: false })])
    readable.destroy()
  }
}
