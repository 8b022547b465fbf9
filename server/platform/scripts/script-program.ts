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
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'

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
  /** Where the language model is; without a key the rules of our own write. */
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
