import { Console } from 'node:console'
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { type Readable, Writable } from 'node:stream'
import { z } from 'zod'
import type { Flags } from '#contract/admin/scripts.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { type Db, isDatabaseDown, openDatabase } from '#server/platform/database/database.ts'
import { errorInWords } from '#server/platform/database/storable-text.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { inFence, type RunKey, storeCheckpoint } from '#server/platform/jobs/claims.ts'
import { FenceLost, GiveUp, type NewQuestion } from '#server/platform/jobs/job-definition.ts'
import { ARTIFACTS, insertArtifact } from '#server/platform/jobs/job-events.ts'
import {
  type FromScript,
  readScriptWords,
  type ScriptStart,
  type ScriptWords,
  toScript,
} from './script-messages.ts'
import { type OpenAiAccess, type ScriptProgram, ScriptRefusal, type ScriptRun } from './script-program.ts'

/**
 * Asks until the answer matches the schema; each retry gives the reason and uses a new key (`price#2`). Answers are
 * stored by key, so a later run reaches the valid answer the same way.
 */
export async function askUntilItFits<T>(
  put: (question: NewQuestion) => Promise<string>,
  { key, text }: Pick<NewQuestion, 'key' | 'text'>,
  schema: z.ZodType<T>,
): Promise<T> {
  const form = formOf(schema)
  let problem: string | undefined
  for (let attempt = 1; ; attempt += 1) {
    const question = { key: attempt === 1 ? key : `${key}#${attempt}`, text, schema: form }
    const answer = await put(problem === undefined ? question : { ...question, problem })
    const read = schema.safeParse(fromJson(answer))
    if (read.success) return read.data
    problem = problemOf(read.error)
  }
}

function formOf(schema: z.ZodType): JsonObject {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' })))
}

/** Text that is not JSON matches no object schema. */
function fromJson(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    return answer
  }
}

function problemOf({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ')
}

type ArtifactContext = { readonly db: Db; readonly files: FileStore; readonly run: RunKey }

const MEGABYTE = 1024 * 1024
// The file store takes a file in one piece, so it is in memory twice while several scripts run. A report of a hundred
// thousand lines fits; anything larger is staged in segments.
const MAX_MEGABYTES = 8

/**
 * Stores a file for the job. The file is written before its row: a file without a row is swept, but a row without a
 * file would be broken.
 */
async function leaveArtifact(
  { db, files, run }: ArtifactContext,
  name: string,
  content: string | Readable,
): Promise<void> {
  const bytes = await bytesOf(name, content)
  const fileKey = `${ARTIFACTS}/${run.jobId}/${randomUUID()}`
  await files.put(fileKey, bytes)
  await insertArtifact(db, run, { name: fileName(name), fileKey, bytes: bytes.length })
}

async function bytesOf(name: string, content: string | Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of typeof content === 'string' ? [content] : content) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > MAX_MEGABYTES * MEGABYTE) {
      throw new ScriptRefusal(`${name} is too large: an artifact can have at most ${MAX_MEGABYTES} MB.`)
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

const LONGEST_NAME = 150

/** A file name that is valid on every system. */
function fileName(name: string): string {
  const plain = name.normalize('NFC').replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, '-')
  return plain.slice(-LONGEST_NAME).replace(/^[. ]+/, '') || 'file'
}

// Smooth enough; the worker stores two per second.
const PROGRESS_MS = 100

type Progress = Extract<FromScript, { type: 'progress' }>

/** The script's end of the channel to its worker. */
class ScriptLink {
  readonly started: Promise<ScriptStart>
  readonly #answers = new Map<number, (text: string) => void>()
  #asked = 0
  #progress: Progress | undefined
  #progressAt = Number.NEGATIVE_INFINITY

  constructor() {
    const started = Promise.withResolvers<ScriptStart>()
    this.started = started.promise
    process.on('message', (message) => {
      const received = toScript.parse(message)
      if (received.type === 'start') started.resolve(received)
      else this.#answer(received)
    })
    void this.#send({ type: 'ready' })
  }

  ask(question: NewQuestion): Promise<string> {
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve) => {
      this.#answers.set(id, resolve)
      void this.#send({ type: 'ask', id, ...question })
    })
  }

  progress(progress: Omit<Progress, 'type'>): void {
    this.#progress = { type: 'progress', ...progress }
    if (performance.now() - this.#progressAt >= PROGRESS_MS) this.#sendProgress()
  }

  /** Sends a final message and waits until it has left the process. */
  async end(last: Extract<FromScript, { type: 'result' | 'error' }>): Promise<void> {
    this.#sendProgress()
    await this.#send(last)
  }

  #answer({ id, text }: { id: number; text: string }): void {
    this.#answers.get(id)?.(text)
    this.#answers.delete(id)
  }

  #sendProgress(): void {
    if (!this.#progress) return
    void this.#send(this.#progress)
    this.#progress = undefined
    this.#progressAt = performance.now()
  }

  /** Also resolves if the channel is closed: the process is about to be killed then. */
  #send(message: FromScript): Promise<void> {
    return new Promise((resolve) => {
      if (!process.send) throw new Error('scripts must be started by a worker')
      process.send(message, undefined, {}, () => resolve())
    })
  }
}

type ScriptRunContext = ScriptWords & {
  readonly link: Pick<ScriptLink, 'ask' | 'progress'>
  readonly signal: AbortSignal
  readonly db: Db
  readonly files: FileStore
  readonly openai: OpenAiAccess
}

/** Builds a program's view of its run. Every call throws once the script was asked to end. */
export function openScriptRun(start: Omit<ScriptStart, 'type'>, around: ScriptRunContext): ScriptRun<Flags> {
  const { link, signal, db, files, openai, flags, source } = around
  const key = { jobId: start.jobId, runNo: start.runNo }
  const put = (question: NewQuestion) => Promise.race([link.ask(question), rejectOnAbort(signal)])
  return {
    ...key,
    flags,
    source,
    checkpoint: start.checkpoint,
    signal,
    db,
    files,
    openai,
    progress(done, total, note) {
      signal.throwIfAborted()
      link.progress({ done, ...(total !== undefined && { total }), ...(note !== undefined && { note }) })
    },
    async artifact(name, content) {
      signal.throwIfAborted()
      await leaveArtifact({ db, files, run: key }, name, content)
    },
    ask: (name, text) => put({ key: name, text }),
    askFor: (name, text, schema) => askUntilItFits(put, { key: name, text }, schema),
    onInput: (listener) => listenToInput(listener),
    async saveCheckpoint(checkpoint, trx = db) {
      signal.throwIfAborted()
      await storeCheckpoint(trx, key, checkpoint)
    },
    async withFence(work) {
      signal.throwIfAborted()
      return inFence(db, key, work)
    },
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function listenToInput(listener: (line: string) => void): void {
  let rest = ''
  process.stdin.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) listener(line)
  })
}

// The pipe is non-blocking and full: its reader needs a moment.
const AGAIN_MS = 5

/**
 * Makes `console` write synchronously. Node's own console buffers unread output in memory (300 MB for 50 MB of lines that
 * are printed faster than they are stored) and loses it when the process ends.
 */
function writeConsoleAtOnce(): void {
  globalThis.console = new Console({ stdout: writerTo(1), stderr: writerTo(2) })
}

function writerTo(descriptor: 1 | 2): Writable {
  return new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => {
      writeAll(descriptor, chunk)
      done()
    },
  })
}

function writeAll(descriptor: number, bytes: Buffer): void {
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      if (!isFull(error)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS)
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
}

export type ScriptContext = {
  readonly databaseUrl: string
  readonly files: FileStore
  readonly openai: OpenAiAccess
}

// A page being read, a page being written, and a few for `concurrent`; every running script may have this many.
const POOL_SIZE = 4
// No request waits for these statements, and a script may read a million records.
const STATEMENT_TIMEOUT_MS = 120_000

/**
 * Runs a program in this process, which a worker has started for it, and reports the result to the worker.
 * @throws whatever the program throws, after reporting it; a Refusal if that is not a bug
 */
export async function serveScript(
  program: ScriptProgram,
  words: readonly string[],
  { databaseUrl, files, openai }: ScriptContext,
): Promise<void> {
  writeConsoleAtOnce()
  const link = new ScriptLink()
  const signal = endSignal()
  const { definition } = program
  const database = openDatabase(databaseUrl, {
    max: POOL_SIZE,
    applicationName: `script ${definition.scriptId}`,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  try {
    const parsed = readScriptWords(definition, words)
    const start = await link.started
    const around = { ...parsed, link, signal, files, openai, db: database.db }
    const result = await program.work(openScriptRun(start, around))
    await link.end({ type: 'result', value: result ?? null })
  } catch (thrown) {
    // However an abort shows up (a closed stream, an aborted sleep), it is not a bug.
    const error: unknown = signal.aborted ? signal.reason : thrown
    await link.end({ type: 'error', message: errorInWords(error), kind: kindOf(error) })
    if (!isDefect(error)) throw new Refusal(errorInWords(error))
    throw error
  } finally {
    await database.close()
  }
}

/** Aborted by the signal to end. */
function endSignal(): AbortSignal {
  const controller = new AbortController()
  const end = () => controller.abort(new ScriptRefusal('The script was asked to end.'))
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return controller.signal
}

const isDefect = (error: unknown) =>
  !(
    error instanceof ScriptRefusal ||
    error instanceof GiveUp ||
    error instanceof FenceLost ||
    error instanceof Refusal
  )

function kindOf(error: unknown): Extract<FromScript, { type: 'error' }>['kind'] {
  if (error instanceof FenceLost) return 'fence-lost'
  if (error instanceof GiveUp) return 'give-up'
  return isDatabaseDown(error) ? 'database-down' : 'other'
}
