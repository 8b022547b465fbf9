import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonValue } from '#db/schema.gen.ts'
import { RunAborted } from '#server/platform/jobs/decide-outcome.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { readOutput } from './read-output.ts'
import { type ScriptSaid, scriptFailure } from './script-failure.ts'
import type { FromScript } from './script-messages.ts'
import { type ScriptProcess, type ScriptProgramPlace, startScript } from './script-process.ts'

// D7: what a script gets to end by itself after it was asked to.
const END_BY_ITSELF_MS = 5_000
// A question comes another way than the lines before it, which a person shall read first.
const LINES_FIRST_MS = 50

type Run = Pick<
  JobRun<unknown>,
  'jobId' | 'runNo' | 'checkpoint' | 'signal' | 'log' | 'progress' | 'ask' | 'onInput'
>

/**
 * Runs a script as a process of its own for a run of a job, and sees it to its end: its lines become the job's log, its
 * progress the job's progress, its questions are put, lines sent to the job reach its input. Returns what it answers.
 * Whatever happens to the run, the script and all it started are gone when this returns.
 */
export async function runScript(
  place: ScriptProgramPlace,
  words: readonly string[],
  run: Run,
): Promise<JsonValue | undefined> {
  run.signal.throwIfAborted()
  const said: ScriptSaid = {}
  let failure: Error | undefined
  const fail = (error: unknown) => {
    // An aborted run ends its script by the rules below.
    if (run.signal.aborted) return
    failure ??= error instanceof Error ? error : new Error(String(error))
    script.kill('SIGKILL')
  }
  const script = startScript(place, words, {
    hear: (message) => hear(message, { script, run, said, fail }),
    fail,
  })
  const say = (stream: string) => (lines: readonly string[]) => run.log(lines, stream)
  run.onInput((line) => {
    if (!script.writeLine(line))
      void say('system')(['The script does not read what it is sent: a line was dropped.']).catch(fail)
  })
  const stopWatching = endOnAbort(script, run)
  try {
    const read = (stream: 'stdout' | 'stderr') =>
      readOutput(script[stream], say(stream), script.ended).catch(fail)
    const [end] = await Promise.all([script.ended, read('stdout'), read('stderr')])
    if (failure) throw failure
    return resultOf(scriptFailure(end, said, run.jobId), said, run.signal)
  } finally {
    stopWatching()
  }
}

function resultOf(failure: Error | undefined, said: ScriptSaid, signal: AbortSignal): JsonValue | undefined {
  if (!failure) return said.result
  throw signal.aborted ? signal.reason : failure
}

type Around = { script: ScriptProcess; run: Run; said: ScriptSaid; fail: (error: unknown) => void }

function hear(message: FromScript, { script, run, said, fail }: Around): void {
  switch (message.type) {
    case 'ready':
      script.send({ type: 'start', jobId: run.jobId, runNo: run.runNo, checkpoint: run.checkpoint })
      break
    case 'progress':
      tellProgress(message, { run, fail })
      break
    case 'ask':
      void answer(message, { script, run }).catch(fail)
      break
    case 'result':
      said.result = message.value
      break
    case 'error':
      said.error = message
      break
  }
}

function tellProgress(
  { done, total, note }: Extract<FromScript, { type: 'progress' }>,
  { run, fail }: Pick<Around, 'run' | 'fail'>,
): void {
  try {
    run.progress({ done, ...(total !== undefined && { total }), ...(note && { note }) })
  } catch (error) {
    fail(error)
  }
}

async function answer(
  { id, key, text, schema, problem }: Extract<FromScript, { type: 'ask' }>,
  { script, run }: Pick<Around, 'script' | 'run'>,
): Promise<void> {
  await sleep(LINES_FIRST_MS)
  const question = { key, text, ...(schema && { schema }), ...(problem !== undefined && { problem }) }
  script.send({ type: 'answer', id, text: await run.ask(question) })
}

/** Answers how to stop watching. A job that belongs to another run by now gets nothing more out of this script. */
function endOnAbort(script: ScriptProcess, { signal, log }: Run): () => void {
  let timer: NodeJS.Timeout | undefined
  // The run is over: who cares for it is told by the job's status if a line can no longer be stored.
  const tell = (line: string) => void log(line, 'system').catch(() => undefined)
  const kill = () => {
    tell(`The script was still there after ${END_BY_ITSELF_MS / 1_000} s and was killed (SIGKILL).`)
    script.kill('SIGKILL')
  }
  const onAbort = () => {
    if (signal.reason instanceof RunAborted && signal.reason.why === 'taken-over')
      return script.kill('SIGKILL')
    tell('The script was asked to end (SIGTERM).')
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
