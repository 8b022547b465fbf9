import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonValue } from '#db/schema.gen.ts'
import { FenceLost, GiveUp, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { RunAborted } from '#server/platform/jobs/outcomes.ts'
import { NODE_FLAGS } from '#server/platform/processes/supervised-child.ts'
import { SUPERVISED } from '#server/platform/processes/supervisor-link.ts'
import { readOutput } from './output.ts'
import { type FromScript, fromScript, type ToScript } from './script-messages.ts'

/** How to start scripts: `node <program> <words…>`, which gets these settings over its channel, not its environment. */
export type ScriptProgramPlace = {
  readonly program: string
  /** The words before the script's own arguments. */
  readonly command: readonly string[]
  readonly settings: Readonly<Record<string, string>>
}

type ScriptEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

type ScriptProcess = {
  readonly stdout: Readable
  readonly stderr: Readable
  send(message: ToScript): void
  /** Returns false if the script has not read its earlier input. */
  writeLine(line: string): boolean
  /** Signals the script and everything it started. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** Resolves when its process group is gone and all its messages are handled. Rejects if it could not be started. */
  readonly ended: Promise<ScriptEnd>
}

type ScriptListener = {
  handleMessage(message: FromScript): void
  /** Called for an invalid message: the two ends have different versions. */
  fail(error: Error): void
}

/*
 * The watcher lives in the script's process group and reads a pipe whose other end only we hold. The system closes it
 * when we end, however that happens (kill -9), and the watcher then kills the group: a script that blocks its event loop
 * or has started programs of its own never outlives its worker. The script takes the shell's place, so that we see its
 * own exit code or signal. A program that leaves the group (setsid) is out of reach.
 */
const LIFELINE = `
(trap '' TERM INT HUP; exec 3<&- >/dev/null 2>&1 </dev/null; read -r _ <&4; kill -KILL 0) &
exec "$@" 4<&-
`

// Limit for input that a script does not read, because it stays in our memory; further lines are rejected.
const MAX_UNREAD_BYTES = 256 * 1024
// The channel closes a moment after the process ends; a program that left the group could keep it open forever.
const LAST_WORDS_MS = 2_000

/** Starts a script in its own process group. The shell passes its arguments on without interpreting them. */
function startScript(
  { program, command, settings }: ScriptProgramPlace,
  words: readonly string[],
  listener: ScriptListener,
): ScriptProcess {
  const node = [process.execPath, ...process.execArgv, ...NODE_FLAGS, program]
  const child = spawn(
    '/bin/sh',
    ['-c', LIFELINE, 'script-watch', ...node, ...command, ...words, SUPERVISED],
    { detached: true, stdio: ['pipe', 'pipe', 'pipe', 'ipc', 'pipe'] },
  )
  const { stdin, stdout, stderr } = child as { stdin: Writable; stdout: Readable; stderr: Readable }
  const lifeline = child.stdio[4]
  // Input written after the script has ended.
  stdin.on('error', () => undefined)
  lifeline?.on('error', () => undefined)
  child.on('message', (message) => {
    const read = fromScript.safeParse(message)
    if (read.success) listener.handleMessage(read.data)
    else listener.fail(new Error('The script sent an invalid message.'))
  })
  const kill = (signal: NodeJS.Signals) => killGroup(child, signal)
  const ended = endOf(child).then(async (end) => {
    kill('SIGKILL')
    await disconnected(child)
    lifeline?.destroy()
    stdin.destroy()
    return end
  })
  const send = (message: object) => {
    // The child may have just died, which its exit handles.
    if (child.connected) child.send(message, () => undefined)
  }
  send(settings)
  return {
    stdout,
    stderr,
    send,
    kill,
    ended,
    writeLine: (line) => {
      if (stdin.writableLength > MAX_UNREAD_BYTES) return false
      stdin.write(`${line}\n`)
      return true
    },
  }
}

function endOf(child: ChildProcess): Promise<ScriptEnd> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => (child.pid === undefined ? reject(error) : undefined))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}

async function disconnected(child: ChildProcess): Promise<void> {
  if (!child.connected) return
  const timer = new AbortController()
  const heard = new Promise<void>((resolve) => child.once('disconnect', () => resolve()))
  await Promise.race([
    heard,
    sleep(LAST_WORDS_MS, undefined, { signal: timer.signal }).catch(() => undefined),
  ])
  timer.abort()
  if (child.connected) child.disconnect()
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // No process of the group is left.
  }
}

/** What a script reported before it ended. */
type ScriptReport = {
  result?: JsonValue
  error?: Extract<FromScript, { type: 'error' }>
}

/** SQLSTATE of a failed connection, by which the engine recognizes an outage. */
const CONNECTION_FAILURE = '08006'

const SIGNALS: Partial<Record<NodeJS.Signals, string>> = {
  SIGKILL: 'was killed (SIGKILL), as the system does where memory runs out',
  SIGABRT: 'gave up (SIGABRT), as Node does where its memory is full',
  SIGSEGV: 'crashed (SIGSEGV)',
  SIGTERM: 'was ended from outside (SIGTERM)',
}

// Node's exit code for an await that never settles.
const WAITS_FOR_NOTHING = 13

/** Why a script failed; undefined if it succeeded. */
export function scriptFailure(end: ScriptEnd, report: ScriptReport, jobId: string): Error | undefined {
  if (end.code === 0 && 'result' in report) return undefined
  if (report.error) return failureOf(report.error, jobId)
  return new Error(`The script ${endInWords(end)}.`)
}

function endInWords({ code, signal }: ScriptEnd): string {
  if (signal) return SIGNALS[signal] ?? `was ended by ${signal}`
  if (code === 0) return 'ended with status 0 before its work was done'
  if (code === WAITS_FOR_NOTHING) return 'ended with status 13: it waited for something that never happened'
  return `ended with status ${code}; its last lines may say why`
}

function failureOf({ message, kind }: Extract<FromScript, { type: 'error' }>, jobId: string): Error {
  switch (kind) {
    case 'fence-lost':
      return new FenceLost(jobId)
    case 'give-up':
      return new GiveUp(message)
    case 'database-down':
      return Object.assign(new Error(message), { code: CONNECTION_FAILURE })
    case 'other':
      return new Error(message)
  }
}

// How long a script may take to end after SIGTERM.
const END_BY_ITSELF_MS = 5_000
// Questions bypass the output stream; this lets a person read the preceding lines first.
const LINES_FIRST_MS = 50

type Run = Pick<
  JobRun<unknown>,
  'jobId' | 'runNo' | 'checkpoint' | 'signal' | 'log' | 'progress' | 'ask' | 'onInput'
>

/**
 * Runs a script as a separate process for a run of a job. Its output becomes the job's log, its progress the job's
 * progress; its questions are asked, and lines sent to the job reach its stdin. Returns the script's result. Whatever
 * happens to the run, the script and everything it started are gone when this returns.
 */
export async function runScript(
  place: ScriptProgramPlace,
  words: readonly string[],
  run: Run,
): Promise<JsonValue | undefined> {
  run.signal.throwIfAborted()
  const report: ScriptReport = {}
  let failure: Error | undefined
  const fail = (error: unknown) => {
    // An aborted run ends its script by the rules below.
    if (run.signal.aborted) return
    failure ??= error instanceof Error ? error : new Error(String(error))
    script.kill('SIGKILL')
  }
  const script = startScript(place, words, {
    handleMessage: (message) => handleMessage(message, { script, run, report, fail }),
    fail,
  })
  const say = (stream: string) => (lines: readonly string[]) => run.log(lines, stream)
  run.onInput((line) => {
    if (!script.writeLine(line))
      void say('system')(['The script is not reading its input: a line was dropped.']).catch(fail)
  })
  const stopWatching = endOnAbort(script, run)
  try {
    const read = (stream: 'stdout' | 'stderr') =>
      readOutput(script[stream], say(stream), script.ended).catch(fail)
    const [end] = await Promise.all([script.ended, read('stdout'), read('stderr')])
    if (failure) throw failure
    return resultOf(scriptFailure(end, report, run.jobId), report, run.signal)
  } finally {
    stopWatching()
  }
}

function resultOf(
  failure: Error | undefined,
  report: ScriptReport,
  signal: AbortSignal,
): JsonValue | undefined {
  if (!failure) return report.result
  throw signal.aborted ? signal.reason : failure
}

type MessageContext = {
  script: ScriptProcess
  run: Run
  report: ScriptReport
  fail: (error: unknown) => void
}

function handleMessage(message: FromScript, { script, run, report, fail }: MessageContext): void {
  switch (message.type) {
    case 'ready':
      script.send({ type: 'start', jobId: run.jobId, runNo: run.runNo, checkpoint: run.checkpoint })
      break
    case 'progress':
      reportProgress(message, { run, fail })
      break
    case 'ask':
      void answer(message, { script, run }).catch(fail)
      break
    case 'result':
      report.result = message.value
      break
    case 'error':
      report.error = message
      break
  }
}

function reportProgress(
  { done, total, note }: Extract<FromScript, { type: 'progress' }>,
  { run, fail }: Pick<MessageContext, 'run' | 'fail'>,
): void {
  try {
    run.progress({ done, ...(total !== undefined && { total }), ...(note && { note }) })
  } catch (error) {
    fail(error)
  }
}

async function answer(
  { id, key, text, schema, problem }: Extract<FromScript, { type: 'ask' }>,
  { script, run }: Pick<MessageContext, 'script' | 'run'>,
): Promise<void> {
  await sleep(LINES_FIRST_MS)
  const question = { key, text, ...(schema && { schema }), ...(problem !== undefined && { problem }) }
  script.send({ type: 'answer', id, text: await run.ask(question) })
}

/** Returns the function that stops watching. */
function endOnAbort(script: ScriptProcess, { signal, log }: Run): () => void {
  let timer: NodeJS.Timeout | undefined
  // The run is ending, so a line that can no longer be stored may be lost.
  const note = (line: string) => void log(line, 'system').catch(() => undefined)
  const kill = () => {
    note(`The script was still running after ${END_BY_ITSELF_MS / 1_000} s and was killed (SIGKILL).`)
    script.kill('SIGKILL')
  }
  const onAbort = () => {
    if (signal.reason instanceof RunAborted && signal.reason.why === 'taken-over')
      return script.kill('SIGKILL')
    note('The script was asked to end (SIGTERM).')
    script.kill('SIGTERM')
    timer = setTimeout(kill, END_BY_ITSELF_MS)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
