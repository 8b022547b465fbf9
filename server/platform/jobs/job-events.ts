import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { JobEventKind } from '#contract/admin/automation.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { type Db, isDatabaseDown } from '#server/platform/database/database.ts'
import { storable, storableLines } from '#server/platform/database/storable-text.ts'
import { isInRun, type RunKey } from './claims.ts'
import { FenceLost, type JobProgress } from './job-definition.ts'

/** Notifies viewers that a job or its events changed. The payload is only the job's id; listeners re-read. */
export const JOB_CHANGED = 'job_changed'

/** Notifies the worker of a job about a request. Workers listen only to this channel, since the other is noisy. */
export const JOB_CONTROL = 'job_control'

// With the notification of a run's end that makes at most five per second and job.
const BETWEEN_MS = 300

/**
 * Sent when the transaction commits. Never use it in a transaction that writes listings, imports or a ledger: commits
 * that notify wait for each other (4,300 per second instead of 13,700).
 */
export async function notifyJobChanged(db: Db, jobId: string): Promise<void> {
  await sql`select pg_notify(${JOB_CHANGED}, ${jobId})`.execute(db)
}

/** Makes the job's worker check its row now instead of at the next heartbeat. */
export async function notifyJobControl(db: Db, jobId: string): Promise<void> {
  await sql`select pg_notify(${JOB_CONTROL}, ${jobId})`.execute(db)
}

/** Throttles the notifications of one job. A throttled one is sent a moment later, so the last change is never lost. */
class ChangeNotices {
  readonly #sendLate: () => Promise<void>
  #sentAt = Number.NEGATIVE_INFINITY
  #late: NodeJS.Timeout | undefined

  constructor(db: Db, jobId: string) {
    // Listeners re-read after reconnecting anyway, so a lost notification only costs a moment.
    this.#sendLate = () => notifyJobChanged(db, jobId).catch(() => undefined)
  }

  /** Whether the next statement should notify. */
  isDue(): boolean {
    const wait = this.#sentAt + BETWEEN_MS - performance.now()
    if (wait > 0) {
      this.#late ??= setTimeout(() => this.#send(), wait)
      return false
    }
    this.#sentAt = performance.now()
    return true
  }

  stop(): void {
    clearTimeout(this.#late)
  }

  #send(): void {
    this.#late = undefined
    this.#sentAt = performance.now()
    void this.#sendLate()
  }
}

// PostgreSQL restarts within a second or two, and work should resume soon after.
const RETRY_MS = 500

/** Repeats a statement while the database is down, or until the signal aborts. Other errors are thrown. */
export async function retryThroughOutage<T>(statement: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await statement()
    } catch (error) {
      if (!isDatabaseDown(error) || signal?.aborted) throw error
      await sleep(RETRY_MS)
    }
  }
}

export type JobEvent = {
  kind: JobEventKind
  stream?: string
  message: string
  data?: JsonValue
}

type EventBatch = {
  events: readonly JobEvent[]
  /** Also becomes the job's current progress. */
  progress: JobProgress | undefined
  /** Whether to notify listeners. */
  notify: boolean
}

/**
 * Stores events of a run under the next numbers of its job. The job's row assigns the numbers and stays locked until they
 * are visible, so a reader that has seen a number has seen all before it. (With a global sequence a later number could
 * appear first, and a reader that remembers the highest would lose lines.) @throws FenceLost
 */
export async function appendEvents(db: Db, run: RunKey, batch: EventBatch): Promise<void> {
  const count = batch.events.length
  const progress = batch.progress ? JSON.stringify(batch.progress) : null
  const { rows } = await sql`
    with numbered as (
      update job set last_seq = last_seq + ${count}, progress = coalesce(${progress}::jsonb, progress)
      where ${isInRun(run)}
      returning id, last_seq - ${count} as seq_before
    ), stored as (
      insert into job_event (job_id, seq, kind, stream, message, data)
      select id, seq_before + n, kind, stream, message, data
      from numbered, ${eventRows(sql`${JSON.stringify(batch.events)}::jsonb`)}
    )
    select case when ${batch.notify} then pg_notify(${JOB_CHANGED}, id::text) end from numbered`.execute(db)
  if (rows.length === 0) throw new FenceLost(run.jobId)
}

/** Events, a JSON array, as rows `(kind, stream, message, data, n)`, n counting from 1 in their order. */
export function eventRows(events: RawBuilder<unknown>) {
  return sql`rows from (
    jsonb_to_recordset(${events}) as (kind text, stream text, message text, data jsonb)
  ) with ordinality as event(kind, stream, message, data, n)`
}

/** How much of its log a run may store. */
export type Allowance = {
  readonly lines: number
  readonly bytes: number
  /** The last of the omitted lines are stored when the run ends, because that is where a failure shows. */
  readonly tailLines: number
  readonly tailBytes: number
}

const ALLOWANCE: Allowance = { lines: 100_000, bytes: 20_000_000, tailLines: 200, tailBytes: 1_000_000 }

/** Decides which lines of a run are stored. */
export class LogAllowance {
  readonly #allowance: Allowance
  #lines = 0
  #bytes = 0
  #omitted = 0
  #tail: { line: JobEvent; bytes: number }[] = []
  #tailBytes = 0

  constructor(allowance = ALLOWANCE) {
    this.#allowance = allowance
  }

  /** What to store for this line: usually the line itself. */
  take(line: JobEvent): JobEvent[] {
    const bytes = Buffer.byteLength(line.message)
    if (this.#omitted > 0) {
      this.#omit(line, bytes)
      return []
    }
    this.#lines += 1
    this.#bytes += bytes
    const { lines, bytes: maxBytes } = this.#allowance
    if (this.#lines <= lines && this.#bytes <= maxBytes) return [line]
    this.#omit(line, bytes)
    const stored = (this.#lines - 1).toLocaleString('en-US')
    return [
      systemLine(
        `This log is full after ${stored} lines. Further lines are counted, and only the last ones are kept.`,
      ),
    ]
  }

  /** What to store when the run ends. */
  takeRest(): JobEvent[] {
    if (this.#omitted === 0) return []
    const lost = this.#omitted - this.#tail.length
    const rest = this.#tail.map(({ line }) => line)
    this.#tail = []
    if (lost === 0) return rest
    const count = lost === 1 ? '1 line was' : `${lost.toLocaleString('en-US')} lines were`
    return [systemLine(`… ${count} omitted`), ...rest]
  }

  #omit(line: JobEvent, bytes: number): void {
    this.#omitted += 1
    this.#tail.push({ line, bytes })
    this.#tailBytes += bytes
    const { tailLines, tailBytes } = this.#allowance
    while (this.#tail.length > tailLines || this.#tailBytes > tailBytes) {
      this.#tailBytes -= this.#tail.shift()?.bytes ?? 0
    }
  }
}

const systemLine = (message: string): JobEvent => ({ kind: 'log', stream: 'system', message })

/** The folder of artifacts in the file store; files without a row are swept. */
export const ARTIFACTS = 'artifacts'

export type NewArtifact = { readonly name: string; readonly fileKey: string; readonly bytes: number }

/** Records a stored file as an artifact of the job and returns its id. @throws FenceLost */
export async function insertArtifact(
  db: Db,
  run: RunKey,
  { name, fileKey, bytes }: NewArtifact,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into job_artifact (job_id, name, file_key, bytes)
    select id, ${storable(name)}, ${fileKey}, ${bytes} from job where ${isInRun(run)} for key share
    returning id`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) throw new FenceLost(run.jobId)
  return id
}

// Lines within this time share a statement, so that even a noisy script costs only 10 writes per second.
const GATHER_MS = 100
// A progress bar that moves twice a second looks alive; more would fill the table.
const PROGRESS_MS = 500
// The largest batch. With more pending lines the handler waits, which limits the memory of a noisy one.
const FULL = { lines: 1_000, characters: 1_000_000 }

export type EventWriterOptions = {
  /** Called once with the reason when the run no longer owns the job. */
  readonly onFailure: (error: unknown) => void
  /** Aborted to stop waiting for a database that is down. */
  readonly ending: AbortSignal
}

/**
 * Batches a run's log and progress and stores them in order, waiting out a database that is down. Once the run no longer
 * owns the job, every method throws the reason.
 */
export class EventWriter {
  readonly #db: Db
  readonly #run: RunKey
  readonly #options: EventWriterOptions
  readonly #notices: ChangeNotices
  readonly #closing = new AbortController()
  readonly #allowance = new LogAllowance()
  #lines: JobEvent[] = []
  #characters = 0
  #progress: JobProgress | undefined
  #progressAt = Number.NEGATIVE_INFINITY
  #writing: Promise<void> | undefined
  #stopGathering: () => void = () => undefined
  #holds = 0
  #failure: unknown

  constructor(db: Db, run: RunKey, options: EventWriterOptions) {
    this.#db = db
    this.#run = run
    this.#options = options
    this.#notices = new ChangeNotices(db, run.jobId)
  }

  /** Resolves at once while the buffer has room. */
  async log(lines: readonly string[], stream: string): Promise<void> {
    for (const message of lines.flatMap(storableLines)) {
      this.#add(this.#allowance.take({ kind: 'log', stream, message }))
    }
    this.#startWriting()
    while (this.#isFull() && this.#writing !== undefined && this.#holds === 0) await this.#writing
    this.#throwFailure()
  }

  /** Resolves when everything logged so far is stored; at once while the handler has a transaction open. */
  async flush(): Promise<void> {
    const last = this.#lines.at(-1)
    this.#stopGathering()
    this.#startWriting()
    while (this.#holds === 0 && last && this.#lines.includes(last)) await this.#writing
    // The last batch is still being stored.
    if (this.#holds === 0) await this.#writing
    this.#throwFailure()
  }

  progress(progress: JobProgress): void {
    this.#throwFailure()
    this.#progress = progress
    this.#startWriting()
  }

  /**
   * Pauses writing until the returned function is called: a handler with an open transaction may have locked the job's row,
   * and a write would wait for that transaction while the handler waits for the write.
   */
  hold(): () => void {
    this.#holds += 1
    return () => {
      this.#holds -= 1
      this.#startWriting()
    }
  }

  /** Stores what is left; throws if the run no longer owns the job. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#stopGathering()
    this.#add(this.#allowance.takeRest())
    this.#startWriting()
    while (this.#writing !== undefined) await this.#writing
    this.#notices.stop()
    this.#throwFailure()
  }

  /** Discards what is left. */
  abandon(reason: unknown): void {
    this.#failure ??= reason
    this.#lines = []
    this.#characters = 0
    this.#progress = undefined
    this.#closing.abort()
    this.#stopGathering()
    this.#notices.stop()
  }

  #add(lines: readonly JobEvent[]): void {
    this.#lines.push(...lines)
    for (const { message } of lines) this.#characters += message.length
    if (this.#isFull()) this.#stopGathering()
  }

  #isFull(): boolean {
    return this.#lines.length > FULL.lines || this.#characters > FULL.characters
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  #startWriting(): void {
    if (this.#writing !== undefined || !this.#canWrite()) return
    this.#writing = this.#write()
      .catch((error: unknown) => {
        this.abandon(error)
        this.#options.onFailure(error)
      })
      .finally(() => {
        this.#writing = undefined
        this.#startWriting()
      })
  }

  #canWrite(): boolean {
    return this.#holds === 0 && (this.#lines.length > 0 || this.#progress !== undefined)
  }

  async #write(): Promise<void> {
    const { signal } = this.#closing
    if (!signal.aborted && !this.#isFull()) await this.#gather()
    if (!this.#canWrite()) return
    const batch = this.#takeBatch()
    if (batch.events.length === 0) return
    // At the end of a run its outcome follows at once and notifies.
    const notify = !signal.aborted && this.#notices.isDue()
    await retryThroughOutage(
      () => appendEvents(this.#db, this.#run, { ...batch, notify }),
      this.#options.ending,
    )
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS)
      this.#stopGathering = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #takeBatch(): Omit<EventBatch, 'notify'> {
    const events = this.#takeLines()
    const isProgressDue = performance.now() - this.#progressAt >= PROGRESS_MS || this.#closing.signal.aborted
    const progress = isProgressDue ? this.#progress : undefined
    if (progress) {
      this.#progress = undefined
      this.#progressAt = performance.now()
      events.push({ kind: 'progress', message: progress.note ?? '', data: { ...progress } })
    }
    return { events, progress }
  }

  #takeLines(): JobEvent[] {
    let count = 0
    let characters = 0
    for (const { message } of this.#lines) {
      if (count === FULL.lines || (count > 0 && characters + message.length > FULL.characters)) break
      count += 1
      characters += message.length
    }
    this.#characters -= characters
    return this.#lines.splice(0, count)
  }
}
