import type { Readable } from 'node:stream'
import type { z } from 'zod'
import {
  type Flags,
  type FlagsOf,
  findScript,
  type ScriptDefinition,
  type ScriptId,
} from '#contract/admin/scripts.ts'
import type { StagingRoot } from '#contract/admin/staging.ts'
import type { Json, JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'

/** The flags by which scripts select records. */
export type RangeFlags = {
  readonly test?: boolean | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly limit?: number | undefined
}

/** Records `from` to before `to`, counted from 0 in the script's own order. */
export type RecordRange = { readonly from: number; readonly to: number; readonly count: number }

const TEST_RECORDS = 3

/**
 * The records that a script works on: from `start` (the first is 0) to before `end`, at most `limit` of them, and only
 * the first 3 of those in a test. Clamped to the existing records.
 */
export function recordRange({ test, start, end, limit }: RangeFlags, total: number): RecordRange {
  const from = Math.min(start ?? 0, total)
  const most = Math.min(limit ?? total, test ? TEST_RECORDS : total)
  const to = Math.max(from, Math.min(end ?? total, from + most, total))
  return { from, to, count: to - from }
}

// Finished results per concurrent item that may wait for a slower one before them.
const WAITING_FOR_EACH = 4

/**
 * Processes up to `concurrent` items at once and yields their results in order. A slow item does not block those behind it
 * until a few results are waiting, so an endless source is read no further than that. The first failure is thrown in its
 * turn, after running items have ended; no new ones are started.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrent: number,
  work: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result> {
  const window = new Window<Result>(concurrent)
  let index = 0
  try {
    for await (const item of items) {
      window.add(work(item, index))
      index += 1
      yield* window.ready()
    }
    yield* window.rest()
  } finally {
    await window.idle()
  }
}

/** Results in progress or waiting for their turn. */
class Window<Result> {
  readonly #concurrent: number
  readonly #running = new Set<Promise<void>>()
  #results: { readonly outcome: Promise<Result>; isOver: boolean }[] = []

  constructor(concurrent: number) {
    this.#concurrent = concurrent
  }

  add(outcome: Promise<Result>): void {
    const result = { outcome, isOver: false }
    const end = () => {
      result.isOver = true
      this.#running.delete(over)
    }
    const over: Promise<void> = outcome.then(end, end)
    this.#running.add(over)
    this.#results.push(result)
  }

  /** Finished results at the front; waits while there is no room for another. */
  async *ready(): AsyncGenerator<Result> {
    for (;;) {
      const [first] = this.#results
      if (first?.isOver) {
        this.#results.shift()
        yield await first.outcome
      } else if (this.#isFull()) await Promise.race(this.#running)
      else return
    }
  }

  async *rest(): AsyncGenerator<Result> {
    for (const { outcome } of this.#results) yield await outcome
  }

  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }

  #isFull(): boolean {
    return (
      this.#running.size >= this.#concurrent || this.#results.length >= this.#concurrent * WAITING_FOR_EACH
    )
  }
}

/** The staged file of a script run. */
export type StagedSource = { readonly root: StagingRoot; readonly path: string }

export type OpenAiAccess = {
  readonly apiKey: string | undefined
  readonly baseUrl: string | undefined
  /** Used unless a script's flag names another one. */
  readonly model: string
}

/**
 * One run of a script, as its program sees it. Lines are printed with `console`: each becomes a line of the job's log,
 * `console.error` on stderr. Once the script is asked to end, every call below throws.
 */
export type ScriptRun<F> = {
  readonly jobId: string
  /** Increases with every start of the job; a run with an older number cannot write. */
  readonly runNo: number
  /** Missing flags are false or undefined. */
  readonly flags: F
  /** The staged file to work on, if any. */
  readonly source: StagedSource | undefined
  /** The last checkpoint of an earlier run, or null. Parse it: an older version may have written it. */
  readonly checkpoint: Json | null
  /** Aborted when the script is asked to end; 5 s later it is killed. Pass it to everything that waits. */
  readonly signal: AbortSignal
  readonly db: Db
  readonly files: FileStore
  /** The language model's settings; without a key the built-in template is used. */
  readonly openai: OpenAiAccess
  /** Reports progress; call it as often as you like. */
  progress(done: number, total?: number, note?: string): void
  /** Attaches a file to the job, at most 8 MB. Files of earlier runs stay, so attach it at the end. */
  artifact(name: string, content: string | Readable): Promise<void>
  /**
   * Waits for a line of a person. A later run that asks under the same key gets the answer at once; the script may be
   * ended while it waits and started again when the answer comes, so keep a checkpoint.
   */
  ask(key: string, text: string): Promise<string>
  /** The same with a form, from a schema of an object of plain values; asks again if the answer is invalid. */
  askFor<T>(key: string, text: string, schema: z.ZodType<T>): Promise<T>
  /** Listens for lines of input. */
  onInput(listener: (line: string) => void): void
  /**
   * Saves where to continue after a lost worker. With `trx`, as the last statement of the transaction that does the work:
   * lines printed after it cannot be stored before the transaction ends.
   */
  saveCheckpoint(checkpoint: JsonValue, trx?: Db): Promise<void>
  /** A transaction that commits only while the job belongs to this run. Keep it under a few seconds. */
  withFence<T>(work: (trx: Db) => Promise<T>): Promise<T>
}

export type ScriptProgram = {
  readonly definition: ScriptDefinition
  work(run: ScriptRun<Flags>): Promise<JsonValue | undefined>
}

/** Defines the program of a script in contract/admin/scripts.ts. Its return value becomes the job's result. */
export function defineScript<Id extends ScriptId>(
  scriptId: Id,
  work: (run: ScriptRun<FlagsOf<Id>>) => Promise<JsonValue | undefined>,
): ScriptProgram {
  const definition = findScript(scriptId)
  if (!definition) throw new Error(`contract/admin/scripts.ts has no script "${scriptId}"`)
  // Flags parsed by a definition have that definition's types.
  return { definition, work: (run) => work(run as ScriptRun<FlagsOf<Id>>) }
}

/** Thrown by a program for what a person can fix (a missing file, an unknown name); reported without a stack. */
export class ScriptRefusal extends Error {
  override name = 'ScriptRefusal'
}
