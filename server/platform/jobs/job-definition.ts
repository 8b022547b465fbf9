import type { z } from 'zod'
import type { Json, JsonObject, JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * What the code that enqueues a job needs to know. Separate from the handler, which only the worker imports.
 */
export type JobQueue<Payload> = {
  /** Kebab-case; part of stored rows, so it is never renamed. */
  readonly name: string
  /** Shown to people. */
  readonly title: string
  /** Ids and flags, never file contents. Parsed when a job is enqueued and again when it runs. */
  readonly payload: z.ZodType<Payload>
  /** How often the handler may throw: 1 means that its first error ends the job as failed. */
  readonly maxAttempts: number
  /** Pause before the second attempt; it doubles with each further one, up to an hour. */
  readonly retryDelaySeconds: number
  /**
   * Whether the handler can safely be started again after its worker was lost (from its checkpoint, or from the start
   * because that repeats nothing). Such a job returns to the queue; any other fails with "worker lost".
   */
  readonly resumable: boolean
  /** A run that takes longer is aborted, which counts as an error. */
  readonly timeoutSeconds: number
  /** Concurrent runs of this queue per worker process. */
  readonly concurrency: number
  /** Limits the starts of all workers together. */
  readonly rateLimit?: RateLimit
  /** How long a handler may take to end after its signal was aborted before it is abandoned: default 3, maximum 8. */
  readonly abortGraceSeconds?: number
  /** The default concurrency key of a job. */
  keyOf?(payload: Payload): string | undefined
}

export type RateLimit = { readonly starts: number; readonly perSeconds: number }

/** One run of a job, as its handler sees it. Every write throws `FenceLost` once the job belongs to another run. */
export type JobRun<Payload> = {
  readonly jobId: string
  readonly payload: Payload
  /** Increases with every start of the job; a run with an older number cannot write. */
  readonly runNo: number
  /** The last checkpoint saved by an earlier run, or null. */
  readonly checkpoint: Json | null
  /** If this run throws, the job fails. */
  readonly lastAttempt: boolean
  /**
   * Aborted when the job is canceled, takes too long or is taken over, or when the worker stops. Handlers pass it to
   * whatever they wait for and call `throwIfAborted()` between steps.
   */
  readonly signal: AbortSignal
  /** Adds lines to the job's log. Await it: it resolves at once unless lines come faster than they can be stored. */
  log(lines: string | readonly string[], stream?: string): Promise<void>
  /** Stored at most twice a second; the latest wins. */
  progress(progress: JobProgress): void
  /**
   * Asks a person; the job is `waiting-manual` until the answer arrives. A key that was already answered, even in an
   * earlier run, returns that answer at once. After some minutes a resumable job gives up its slot: this throws RunAborted
   * (`parked`) and aborts the signal. The answer starts the job again, which then asks again and gets it at once.
   * Never call it inside a transaction.
   */
  ask(question: NewQuestion): Promise<string>
  /** Calls the listener for each line of input from now on, once and in order. */
  onInput(listener: (line: string) => void): void
  /** Saves where to resume after a lost worker. Pass `trx` to save it together with the work it describes. */
  saveCheckpoint(checkpoint: JsonValue, trx?: Db): Promise<void>
  /**
   * Makes one of the handler's transactions part of this run: until it ends, no other run can take over the job.
   * @throws FenceLost if another run already has
   */
  fence(trx: Db): Promise<void>
  /** A transaction that is fenced from its first statement. Keep it under a few seconds: events wait for it. */
  withFence<T>(work: (trx: Db) => Promise<T>): Promise<T>
}

export type NewQuestion = {
  /** Identifies the question within its job, so that its answer can be found again. */
  readonly key: string
  readonly text: string
  /** JSON Schema of the answer if it is a form; the answer is then JSON. */
  readonly schema?: JsonObject
  /** Why the last answer was rejected. */
  readonly problem?: string
}

export type JobProgress = { readonly done: number; readonly total?: number; readonly note?: string }

/** What the worker runs. Created by `defineJob`, which parses the payload before the handler sees it. */
export type JobDefinition = {
  readonly queue: JobQueue<unknown>
  run(job: JobRun<unknown>): Promise<JsonValue | undefined>
}

/** Connects a queue with its handler. The handler's return value is stored as the job's result. */
export function defineJob<Payload>(
  queue: JobQueue<Payload>,
  handler: (job: JobRun<Payload>) => Promise<JsonValue | undefined> | Promise<void>,
): JobDefinition {
  return {
    queue,
    run: async (job) => (await handler({ ...job, payload: queue.payload.parse(job.payload) })) ?? undefined,
  }
}

/** The job was taken over, canceled or ended meanwhile: stop and write nothing more. */
export class FenceLost extends Error {
  override name = 'FenceLost'

  constructor(jobId: string) {
    super(`Job ${jobId} no longer belongs to this run`)
  }
}

/** Thrown by a handler for a failure that no further attempt can fix. */
export class GiveUp extends Error {
  override name = 'GiveUp'
}
