import type { z } from 'zod'
import type { Json, JsonObject, JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * What whoever enqueues a job has to know of it. It stands in a pure file of its feature (`<noun>-queue.ts`), so that
 * use-cases can enqueue without touching the handler, which only the worker's wiring imports.
 */
export type JobQueue<Payload> = {
  /** Kebab-case; part of stored rows, so it is never renamed. */
  readonly name: string
  /** What people call it. */
  readonly title: string
  /** Ids and flags, never contents of files. Parsed when a job is enqueued and again when it runs. */
  readonly payload: z.ZodType<Payload>
  /** How often the handler may throw: 1 means that its first error ends the job as failed. */
  readonly maxAttempts: number
  /** Pause before the second attempt; it doubles with each further one, up to an hour. */
  readonly retryDelaySeconds: number
  /**
   * True where the handler may simply be started again after its worker was lost (from the last checkpoint, or from the
   * beginning because that repeats nothing). Such a job goes back to the queue; any other ends failed, "worker lost".
   */
  readonly resumable: boolean
  /** A run that takes longer is aborted, which counts as an error. */
  readonly timeoutSeconds: number
  /** Runs of this queue at one time in one worker process. */
  readonly concurrency: number
  /** At most so many starts within so long, of all workers together. */
  readonly rateLimit?: RateLimit
  /** What a handler gets to end after its signal was aborted, before it is left behind: 3, at most 8. */
  readonly abortGraceSeconds?: number
  /** The concurrency key of a job whose enqueuer names none. */
  keyOf?(payload: Payload): string | undefined
}

export type RateLimit = { readonly starts: number; readonly perSeconds: number }

/** One run of a job, as its handler sees it. Every write is refused with `FenceLost` once the run is not ours any more. */
export type JobRun<Payload> = {
  readonly jobId: string
  readonly payload: Payload
  /** Grows with every start of the job; whoever holds an older number writes nothing. */
  readonly runNo: number
  /** What the last `saveCheckpoint` of any earlier run left, or null. */
  readonly checkpoint: Json | null
  /** If this run throws, the job ends failed. */
  readonly lastAttempt: boolean
  /**
   * Aborted when the job is cancelled, takes too long, is taken over, or when the worker stops. Handlers hand it on to
   * whatever they wait for and call `throwIfAborted()` between steps.
   */
  readonly signal: AbortSignal
  /** Adds lines to the job's log. Await it: it resolves at once unless lines come faster than they can be stored. */
  log(lines: string | readonly string[], stream?: string): Promise<void>
  /** Stored at most twice a second; the latest wins. */
  progress(progress: JobProgress): void
  /**
   * Asks a person; the job is `waiting-manual` until the answer comes. What was answered under this key before, also to an
   * earlier run, is answered at once. After some minutes a resumable job gives its place back: this throws RunAborted
   * (`parked`) and the signal is aborted with it; the answer starts the job again, which then asks again and knows it.
   * Never call it inside a transaction of the handler.
   */
  ask(question: NewQuestion): Promise<string>
  /** Hands over each line that a person sends to the job, once and in order, from now on. */
  onInput(listener: (line: string) => void): void
  /** Where to go on after a lost worker. With `trx`, in the same transaction as the work it stands for. */
  saveCheckpoint(checkpoint: JsonValue, trx?: Db): Promise<void>
  /**
   * Makes a transaction of the handler's own part of this run: until it ends nobody can take the job over, and it
   * throws FenceLost where somebody already has.
   */
  fence(trx: Db): Promise<void>
  /** A transaction that is fenced from its first statement. Keep it under a few seconds: events wait for its end. */
  withFence<T>(work: (trx: Db) => Promise<T>): Promise<T>
}

export type NewQuestion = {
  /** Names the question within its job, so that its answer is found again. */
  readonly key: string
  readonly text: string
  /** JSON Schema of the answer, where that is a form; it then comes as JSON. */
  readonly schema?: JsonObject
  /** Why the last answer was not taken. */
  readonly problem?: string
}

export type JobProgress = { readonly done: number; readonly total?: number; readonly note?: string }

/** What the worker runs. Made by `defineJob`, which checks the payload before the handler sees it. */
export type JobDefinition = {
  readonly queue: JobQueue<unknown>
  run(job: JobRun<unknown>): Promise<JsonValue | undefined>
}

/** Joins a queue with its handler. What the handler returns is stored as the job's result. */
export function defineJob<Payload>(
  queue: JobQueue<Payload>,
  handler: (job: JobRun<Payload>) => Promise<JsonValue | undefined> | Promise<void>,
): JobDefinition {
  return {
    queue,
    run: async (job) => (await handler({ ...job, payload: queue.payload.parse(job.payload) })) ?? undefined,
  }
}

/** The job was taken over, cancelled or ended meanwhile: stop, and write nothing more. */
export class FenceLost extends Error {
  override name = 'FenceLost'

  constructor(jobId: string) {
    super(`Job ${jobId} does not belong to this run any more`)
  }
}

/** Thrown by a handler for a failure that no further attempt can mend. */
export class GiveUp extends Error {
  override name = 'GiveUp'
}
