import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, isDatabaseDown } from '#server/platform/database/database.ts'
import { storableError } from '#server/platform/database/storable-text.ts'
import { causesOf } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { traced } from '#server/platform/tracing/tracing.ts'
import { type Beat, type Claim, holdFence, inFence, type RunKey, storeCheckpoint } from './claims.ts'
import { FenceLost, type JobDefinition, type JobRun, type NewQuestion } from './job-definition.ts'
import { EventWriter, retryThroughOutage } from './job-events.ts'
import {
  decideOutcome,
  type Outcome,
  type OutcomeWriter,
  type Parked,
  RunAborted,
  type RunEnd,
} from './outcomes.ts'
import { openQuestion, parkRun, readAnswer, takeInput } from './questions.ts'

type DialogueOptions = {
  readonly control: Db
  readonly events: EventWriter
  readonly log: Log
  readonly signal: AbortSignal
  /** Aborted to stop waiting for a database that is down. */
  readonly ending: AbortSignal
  /** Called when the run has waited `parkMs` for an answer and gives up its slot; undefined if it cannot resume. */
  readonly park: (() => void) | undefined
  readonly parkMs: number
}

/**
 * Delivers answers and lines of input to a run. The worker's heartbeat reports that there is something new (a notification
 * triggers it at once); the tables deliver each item once.
 */
class RunDialogue {
  readonly #run: RunKey
  readonly #options: DialogueOptions
  #lastAsked: Promise<unknown> = Promise.resolve()
  #waiting: { key: string; resolve: (answer: string) => void } | undefined
  #listener: ((line: string) => void) | undefined
  #taking: Promise<void> | undefined
  #takeAgain = false

  constructor(run: RunKey, options: DialogueOptions) {
    this.#run = run
    this.#options = options
  }

  get isWaiting(): boolean {
    return this.#waiting !== undefined
  }

  /** Concurrent questions are asked one after the other. */
  ask(question: NewQuestion): Promise<string> {
    const answer = this.#lastAsked.then(() => this.#ask(question))
    this.#lastAsked = answer.catch(() => undefined)
    return answer
  }

  onInput(listener: (line: string) => void): void {
    this.#listener = listener
    this.#takeInput()
  }

  hear({ isAsking, hasInput }: Pick<Beat, 'isAsking' | 'hasInput'>): void {
    if (this.#waiting && !isAsking) void this.#readAnswer(this.#waiting)
    if (hasInput) this.#takeInput()
  }

  async #ask(question: NewQuestion): Promise<string> {
    const { control, events, signal, ending } = this.#options
    signal.throwIfAborted()
    // The log must show what led to the question.
    await events.flush()
    const known = await retryThroughOutage(() => openQuestion(control, this.#run, question), ending)
    return known ?? this.#wait(question.key)
  }

  async #wait(key: string): Promise<string> {
    const { signal, park, parkMs } = this.#options
    const answered = Promise.withResolvers<string>()
    const giveUp = () => answered.reject(signal.reason)
    signal.addEventListener('abort', giveUp)
    const timer = park && setTimeout(park, parkMs)
    this.#waiting = { key, resolve: answered.resolve }
    if (signal.aborted) giveUp()
    try {
      return await answered.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      this.#waiting = undefined
    }
  }

  /** Reads the stored answer, since a beat that began before the question was asked is outdated. */
  async #readAnswer({ key, resolve }: { key: string; resolve: (answer: string) => void }): Promise<void> {
    try {
      const answer = await readAnswer(this.#options.control, this.#run, key)
      if (answer !== undefined) resolve(answer)
    } catch (error) {
      this.#logFailure(error)
    }
  }

  #takeInput(): void {
    const listener = this.#listener
    this.#takeAgain = this.#taking !== undefined
    if (!listener || this.#taking || this.#options.signal.aborted) return
    this.#taking = this.#handInputTo(listener)
      .catch((error: unknown) => this.#logFailure(error))
      .finally(() => {
        this.#taking = undefined
        if (this.#takeAgain) this.#takeInput()
      })
  }

  async #handInputTo(listener: (line: string) => void): Promise<void> {
    for (;;) {
      const lines = await takeInput(this.#options.control, this.#run)
      if (lines.length === 0) return
      for (const line of lines) listener(line)
    }
  }

  /** The next heartbeat tries again. */
  #logFailure(error: unknown): void {
    if (!isDatabaseDown(error))
      this.#options.log.error({ err: error }, 'input could not be delivered to a run')
  }
}

/** Builds the handler's view of its run. */
export function openJobRun(
  claim: Claim,
  around: {
    db: Db
    events: EventWriter
    dialogue: Pick<RunDialogue, 'ask' | 'onInput'>
    signal: AbortSignal
  },
): JobRun<unknown> {
  const { db, events, dialogue, signal } = around
  const withFence = async <T>(work: (trx: Db) => Promise<T>): Promise<T> => {
    const release = events.hold()
    try {
      return await inFence(db, claim, work)
    } finally {
      release()
    }
  }
  return {
    jobId: claim.jobId,
    runNo: claim.runNo,
    payload: claim.payload,
    checkpoint: claim.checkpoint,
    lastAttempt: claim.attempts + 1 >= claim.maxAttempts,
    signal,
    log: (lines, stream = 'stdout') => events.log(typeof lines === 'string' ? [lines] : lines, stream),
    progress: (progress) => events.progress(progress),
    ask: (question) => dialogue.ask(question),
    onInput: (listener) => dialogue.onInput(listener),
    saveCheckpoint: (checkpoint, trx = db) => storeCheckpoint(trx, claim, checkpoint),
    fence: (trx) => holdFence(trx, claim),
    withFence,
  }
}

// A handler that ignores its signal for this long is abandoned: its job ends, and the fence keeps it from writing later.
const ABORT_GRACE_SECONDS = 3
// Must be shorter than LAST_MS in job-worker.ts.
export const LONGEST_GRACE_SECONDS = 8

export type RunContext = {
  /** For the handler's own transactions. */
  readonly db: Db
  /** For the engine's small statements, so that they never wait for a handler's connection. */
  readonly control: Db
  readonly outcomes: OutcomeWriter
  readonly log: Log
  /** Whether the database was down at any time since then. */
  readonly wasAwaySince: (time: number) => boolean
  /** Aborted when the worker must end now and stop waiting for the database. */
  readonly ending: AbortSignal
  /** How long a resumable run keeps its slot while it waits for an answer. */
  readonly parkMs: number
}

export type ActiveRun = RunKey & {
  readonly queue: string
  readonly resumable: boolean
  abort(reason: RunAborted): void
  /** Handles the result of a heartbeat. */
  hear(beat: Beat): void
  /** Resolves when the outcome is stored, or was not ours to store. */
  readonly settled: Promise<void>
  /** Resolves when the handler has returned as well, which frees its slot. */
  readonly over: Promise<void>
}

/** Starts the handler of a claimed job and stores its outcome. Its promises never reject. */
export function startRun(definition: JobDefinition, claim: Claim, around: RunContext): ActiveRun {
  const log = around.log.child({ jobId: claim.jobId, runNo: claim.runNo, queue: claim.queue })
  const controller = new AbortController()
  const { signal } = controller
  // A resumable run that waits for a person loses nothing by being parked.
  const abort = (reason: RunAborted) =>
    controller.abort(dialogue.isWaiting && claim.resumable && isPausable(reason) ? parked() : reason)
  const onFailure = (error: unknown) => {
    if (!(error instanceof FenceLost)) log.error({ err: error }, 'events could not be stored')
    abort(new RunAborted('taken-over', 'the job no longer belongs to this run'))
  }
  const events = new EventWriter(around.control, claim, { onFailure, ending: around.ending })
  const park = claim.resumable ? () => abort(parked()) : undefined
  const dialogue = new RunDialogue(claim, { ...around, events, log, signal, park })
  const timer = abortAfter(definition.queue.timeoutSeconds, abort)
  const startedAt = Date.now()
  const job = openJobRun(claim, { db: around.db, events, dialogue, signal })
  const handling = handle(definition, job, claim)
  const conclude = async () => {
    const end = await Promise.race([handling, abandonedAfter(signal, definition.queue.abortGraceSeconds)])
    clearTimeout(timer)
    if (!(await areStored(events))) return
    const outcome = decideOutcome({
      ...claim,
      end,
      aborted: signal.aborted ? (signal.reason as RunAborted) : undefined,
      duringOutage: await isOutage(end, () => around.wasAwaySince(startedAt)),
      retryDelaySeconds: definition.queue.retryDelaySeconds,
    })
    if (!outcome) return
    logOutcome(log, outcome, { end, ms: Date.now() - startedAt })
    await store(around, claim, outcome)
  }
  const settled = conclude().catch((error: unknown) =>
    log.error({ err: error }, 'outcome of a job not stored'),
  )
  const over = Promise.all([handling, settled]).then(() => undefined)
  return {
    jobId: claim.jobId,
    runNo: claim.runNo,
    queue: claim.queue,
    resumable: claim.resumable,
    abort,
    hear: (beat) => dialogue.hear(beat),
    settled,
    over,
  }
}

const parked = () => new RunAborted('parked', 'the job is waiting for an answer without a worker')

const isPausable = ({ why }: RunAborted) => why === 'timeout' || why === 'stopping'

async function handle(definition: JobDefinition, job: JobRun<unknown>, claim: Claim): Promise<RunEnd> {
  const facts = { 'job.id': claim.jobId, 'job.queue': claim.queue, 'job.run': claim.runNo }
  try {
    const span = { name: `job ${claim.queue}`, kind: 'consumer', facts } as const
    return { result: await traced(span, () => definition.run(job)) }
  } catch (error) {
    return { error }
  }
}

// setTimeout fires at once for delays over 2^31 ms.
const LONGEST_TIMEOUT_SECONDS = 2_000_000

function abortAfter(seconds: number, abort: ActiveRun['abort']): NodeJS.Timeout {
  const ms = Math.min(seconds, LONGEST_TIMEOUT_SECONDS) * 1_000
  return setTimeout(() => abort(new RunAborted('timeout', `took longer than ${seconds} s`)), ms)
}

/** Resolves a while after the abort, for a handler that does not return. */
function abandonedAfter(signal: AbortSignal, seconds = ABORT_GRACE_SECONDS): Promise<RunEnd> {
  const ms = Math.min(seconds, LONGEST_GRACE_SECONDS) * 1_000
  return new Promise((resolve) => {
    const wait = () => sleep(ms, { error: signal.reason }, { ref: false }).then(resolve)
    signal.addEventListener('abort', () => void wait(), { once: true })
  })
}

// The connection that detects outages may notice one a moment after a handler does.
const OUTAGE_NOTICED_MS = 1_000

/** An error that looks like an outage may come from another server, so compare it with our own connection. */
async function isOutage(end: RunEnd, wasAway: () => boolean): Promise<boolean> {
  if (!('error' in end) || !isDatabaseDown(end.error)) return false
  if (!wasAway()) await sleep(OUTAGE_NOTICED_MS)
  return wasAway()
}

async function areStored(events: EventWriter): Promise<boolean> {
  try {
    await events.close()
    return true
  } catch {
    // The writer has already aborted the run and logged why.
    return false
  }
}

async function store(around: RunContext, claim: Claim, outcome: Outcome | Parked): Promise<void> {
  const attempt = async (what: Outcome | Parked) => {
    const change = () =>
      what.to === 'waiting-manual' ? parkRun(around.control, claim) : around.outcomes.settle(claim, what)
    await retryThroughOutage<unknown>(change, around.ending)
  }
  try {
    await attempt(outcome)
  } catch (error) {
    if (outcome.to !== 'completed' || isDatabaseDown(error)) throw error
    // The result is not valid JSON for PostgreSQL. Without this the job would run again and again.
    await attempt({
      to: 'failed',
      error: `the result could not be stored: ${storableError(error)}`,
      counts: 'attempt',
    })
  }
}

function logOutcome(log: Log, outcome: Outcome | Parked, { end, ms }: { end: RunEnd; ms: number }): void {
  const { to } = outcome
  const err = 'error' in end ? end.error : undefined
  const failure = { ms, err, causes: causesOf(err) }
  if (to === 'completed') log.debug({ ms }, 'job completed')
  else if (to === 'failed') log.error(failure, 'job failed')
  else if (to === 'retrying') log.warn(failure, 'job retrying')
  // Canceled, waiting for a person, or returned by a stopping worker: intended, not a failure.
  else log.info({ ms }, `job ${to}`)
}
