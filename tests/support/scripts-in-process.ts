import { AsyncLocalStorage } from 'node:async_hooks'
import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { loadScript } from '#server/commands/run-script.ts'
import { readConfig } from '#server/config.ts'
import { SCRIPT_QUEUES } from '#server/features/running/automation/automation-queues.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { defineJob, type JobDefinition, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { OutputLines } from '#server/platform/scripts/output.ts'
import { readScriptWords, type ScriptWords, scriptWords } from '#server/platform/scripts/script-messages.ts'
import { type ScriptProgram, ScriptRefusal } from '#server/platform/scripts/script-program.ts'
import { openScriptRun } from '#server/platform/scripts/serve-script.ts'

/*
 * Scripts run inside the test's own process. Starting Node takes half a second of CPU for each script, and most tests of
 * scripts only ask what a script does. That scripts survive as processes is proven by scripts-processes, scripts-self-check
 * and scripts.test.ts, which start real ones.
 */

/** The jobs of the script queues, without a process for each script. The settings are those of a worker. */
export function scriptJobsInProcess(settings: Record<string, string>): JobDefinition[] {
  const surroundings = readConfig(settings)
  return SCRIPT_QUEUES.map((queue) =>
    defineJob(queue, async (job) => {
      const { scriptId, flags, source } = job.payload
      const program = await loadScript(scriptId)
      // The same way through words that a command line takes, so that flags are read as they are in a process.
      const words = readScriptWords(program.definition, scriptWords({ flags, source: source ?? undefined }))
      const output = new JobConsole(job)
      try {
        return await consoles.run(output.console, () => work(program, { words, job, surroundings, output }))
      } finally {
        await output.end()
      }
    }),
  )
}

type Surroundings = {
  words: ScriptWords
  job: JobRun<unknown>
  surroundings: ReturnType<typeof readConfig>
  output: JobConsole
}

async function work(
  { definition, work }: ScriptProgram,
  { words, job, surroundings: { databaseUrl = '', storage, openai }, output }: Surroundings,
) {
  const asked = new AbortController()
  const end = () => asked.abort(new ScriptRefusal('The script was asked to end.'))
  job.signal.addEventListener('abort', end, { once: true })
  if (job.signal.aborted) end()
  // The pool of a script's process.
  const database = openDatabase(databaseUrl, { max: 4, applicationName: `script ${definition.scriptId}` })
  const link = {
    progress: job.progress,
    ask: async (question: Parameters<typeof job.ask>[0]) => {
      await output.stored()
      return job.ask(question)
    },
  }
  try {
    const around = { ...words, link, signal: asked.signal, openai, db: database.db }
    const run = openScriptRun(job, { ...around, files: await openFileStore(storage) })
    return await work({ ...run, onInput: job.onInput })
  } catch (thrown) {
    const error = asked.signal.aborted ? asked.signal.reason : thrown
    console.error(error instanceof ScriptRefusal ? error.message : error)
    throw job.signal.aborted ? job.signal.reason : error
  } finally {
    job.signal.removeEventListener('abort', end)
    await database.close()
  }
}

const consoles = new AsyncLocalStorage<Console>()
const outside = globalThis.console
globalThis.console = new Proxy(outside, {
  get: (_, name) => Reflect.get(consoles.getStore() ?? outside, name),
})

/** What a script prints becomes the log of its job, in order. */
class JobConsole {
  readonly console: Console
  readonly #job: JobRun<unknown>
  readonly #ends: (() => void)[] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(job: JobRun<unknown>) {
    this.#job = job
    this.console = new Console({ stdout: this.#writer('stdout'), stderr: this.#writer('stderr') })
  }

  stored(): Promise<unknown> {
    return this.#last
  }

  async end(): Promise<void> {
    for (const end of this.#ends) end()
    // A run that lost its job stores nothing more, which the engine tells by itself.
    await this.#last.catch(() => undefined)
  }

  #writer(stream: 'stdout' | 'stderr'): Writable {
    const lines = new OutputLines()
    this.#ends.push(() => this.#say(lines.end(), stream))
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#say(lines.push(chunk), stream)
        done()
      },
    })
  }

  #say(lines: string[], stream: string): void {
    if (lines.length === 0) return
    this.#last = this.#last.then(() => this.#job.log(lines, stream))
    this.#last.catch(() => undefined)
  }
}
