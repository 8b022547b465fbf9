import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type ScriptId, scripts } from '#contract/admin/scripts.ts'
import { SCRIPT_QUEUES } from '#server/features/running/automation/automation-queues.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { eventsOf, QUICK, untilStatus } from './job-bench.ts'
import { startScriptWorker } from './live-script-worker.ts'
import type { TestApp } from './test-app.ts'

type Flags = Record<string, string | number | boolean>

type On = { path?: string; createdBy?: string }

/** How a script went. */
type ScriptStory = {
  readonly id: string
  readonly result: unknown
  readonly error: string | null
  readonly stdout: string[]
  readonly stderr: string[]
}

export type LiveScripts = {
  /** Enqueues a script and answers its job; with the path of a staged file where it works on one. */
  start(scriptId: ScriptId, flags?: Flags, on?: On): Promise<string>
  /** Runs it to its end. */
  run(scriptId: ScriptId, flags?: Flags, status?: 'completed' | 'failed', on?: On): Promise<ScriptStory>
  ended(id: string, status?: string): Promise<ScriptStory>
  /** Stops the worker as a deployment does, and starts another. */
  changeWorker(): Promise<void>
  /** Has `work` done by a worker process, kills that (`kill -9`) when it is done, and goes on with another worker. */
  killWorkerAfter(work: () => Promise<void>): Promise<void>
}

// A process is started for each, on a machine that does other things as well.
const SLOW_MS = 90_000

/** The scripts of the command line on the app's database, by the worker's own wiring. Call it at the top of a test file. */
export async function openLiveScripts(
  app: TestApp,
  settings: Record<string, string> = {},
): Promise<LiveScripts> {
  const { db, database } = app
  const on = { url: app.config.databaseUrl ?? '', dataDir: app.config.dataDir, settings, times: QUICK }
  let worker = await startScriptWorker(db, on)
  afterAll(() => worker.close())
  const start: LiveScripts['start'] = (scriptId, flags = {}, { path, createdBy } = {}) => {
    const script = scripts.find((each) => each.scriptId === scriptId)
    const queue = SCRIPT_QUEUES.find(({ name }) => name === script?.queue)
    if (!queue) throw new Error(`there is no script ${scriptId}`)
    const source = path === undefined ? undefined : { root: 'ecomm', path }
    const payload = queue.payload.parse({ scriptId, flags, source })
    return enqueueJob(db, { queue, payload, resumable: true, ...(createdBy && { createdBy }) })
  }
  const ended: LiveScripts['ended'] = async (id, status = 'completed') => {
    const row = await untilStatus(database, id, status, SLOW_MS)
    const events = (await eventsOf(database, id)).filter(({ kind }) => kind === 'log')
    const said = (stream: string) =>
      events.filter((event) => event.stream === stream).map(({ message }) => message)
    return { id, result: row.result, error: row.error, stdout: said('stdout'), stderr: said('stderr') }
  }
  return {
    start,
    ended,
    run: async (scriptId, flags, status, on) => ended(await start(scriptId, flags, on), status),
    changeWorker: async () => {
      await worker.close()
      worker = await startScriptWorker(db, on)
    },
    killWorkerAfter: async (work) => {
      await worker.close()
      const program = join(import.meta.dirname, 'live-script-worker-program.ts')
      const child = spawn(process.execPath, [program, JSON.stringify(on)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      try {
        await once(child.stdout, 'data')
        await work()
      } finally {
        child.kill('SIGKILL')
        await ended
        worker = await startScriptWorker(db, on)
      }
    },
  }
}
