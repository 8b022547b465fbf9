import type { Readable } from 'node:stream'
import type { z } from 'zod'
import {
  type Flags,
  type FlagsOf,
  findScript,
  type ScriptDefinition,
  type ScriptId,
} from '#contract/scripts.ts'
import type { StagingRoot } from '#contract/staging.ts'
import type { Json, JsonValue } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'

/** The flags by which every script that works on records says which of them. */
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
 * the first 3 of those in a test. What lies behind the last record is left out.
 */
export function recordRange({ test, start, end, limit }: RangeFlags, total: number): RecordRange {
  const from = Math.min(start ?? 0, total)
  const most = Math.min(limit ?? total, test ? TEST_RECORDS : total)
  const to = Math.max(from, Math.min(end ?? total, from + most, total))
  return { from, to, count: to - from }
}

// Results that wait for a slower one before them, for each that may run.
const WAITING_FOR_EACH = 4

/**
 * Works on items, `concurrent` at one time, and hands out the results in the items' order. A slow item does not hold up
 * those behind it until a few of their results wait; an endless source is read no further than that. The first failure is
 * thrown when its turn comes, after whatever still runs has ended; nothing new is started then.
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
      yield* window.whatIsReady()
    }
    yield* window.rest()
  } finally {
    await window.idle()
  }
}

/** The results that are being made or wait for their turn. */
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

  /** Those at the front that are over; waits while there is no room for another. */
  async *whatIsReady(): AsyncGenerator<Result> {
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

/** A staged file that a script was started with. */
export type StagedSource = { readonly root: StagingRoot; readonly path: string }

export type OpenAiAccess = { readonly apiKey: string | undefined; readonly baseUrl: string | undefined }

/**
 * One run of a script, as its program sees it. Lines are printed with `console`: each becomes a line of the job's log,
 * `console.error` on stderr. Once the script is asked to end, every call below throws.
 */
export type ScriptRun<F> = {
  readonly jobId: string
  /** Grows with every start of the job; whoever holds an older number writes nothing. */
  readonly runNo: number
  /** What was not given is false or undefined. */
  readonly flags: F
  /** The staged file to work on, where the script was started with one. */
  readonly source: StagedSource | undefined
  /** What the last `saveCheckpoint` of an earlier run left, or null. Parse it: an older version may have written it. */
  readonly checkpoint: Json | null
  /** Aborted when the script is asked to end; 5 s later it is killed. Hand it on to whatever waits. */
  readonly signal: AbortSignal
  readonly db: Db
  readonly files: FileStore
  /** Where the language model is; without a key the built-in template is used. */
  readonly openai: OpenAiAccess
  /** How far it is; call it as often as you like. */
  progress(done: number, total?: number, note?: string): void
  /** Leaves a file with the job, at most 8 MB; files of an earlier run stay, so leave it at the end. */
  artifact(name: string, content: string | Readable): Promise<void>
  /**
   * Waits for a line of a person. A later run that asks under the same key gets the answer at once; the script may be
   * ended while it waits and started again when the answer comes, so keep a checkpoint.
   */
  ask(key: string, text: string): Promise<string>
  /** The same with a form, by a schema of an object of plain values; asks again where the answer does not fit. */
  askFor<T>(key: string, text: string, schema: z.ZodType<T>): Promise<T>
  /** Lines that a person sends meanwhile. */
  onInput(listener: (line: string) => void): void
  /**
   * Where to go on after a lost worker. With `trx`, in the transaction of the work it stands for, and as its last
   * statement: lines that are printed after it cannot be stored before the transaction ends.
   */
  saveCheckpoint(checkpoint: JsonValue, trx?: Db): Promise<void>
  /** A transaction that commits only while the job belongs to this run. Keep it under a few seconds. */
  withFence<T>(work: (trx: Db) => Promise<T>): Promise<T>
}

export type ScriptProgram = {
  readonly definition: ScriptDefinition
  work(run: ScriptRun<Flags>): Promise<JsonValue | undefined>
}

/** A program for a script of the table (contract/scripts.ts). What it answers becomes the job's result. */
export function defineScript<Id extends ScriptId>(
  scriptId: Id,
  work: (run: ScriptRun<FlagsOf<Id>>) => Promise<JsonValue | undefined>,
): ScriptProgram {
  const definition = findScript(scriptId)
  if (!definition) throw new Error(`contract/scripts.ts has no script "${scriptId}"`)
  // What was read by a definition has the types of that definition.
  return { definition, work: (run) => work(run as ScriptRun<FlagsOf<Id>>) }
}

/** Thrown by a program for what a person can mend (a file that is missing, a name that nobody has): told without a stack. */
export class ScriptRefusal extends Error {
  override name = 'ScriptRefusal'
}
