import { join } from 'node:path'
import { SCRIPT_QUEUES } from '#server/features/automation/automation-queues.ts'
import { automationJobs } from '#server/features/automation/jobs.ts'
import { relabellingJobs } from '#server/features/relabelling/jobs.ts'
import { JOB_QUEUES } from '#server/job-queues.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type EngineTimes, startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { openLog } from '#server/platform/log.ts'

export type ScriptWorkerPlace = {
  url: string
  dataDir: string
  settings: Record<string, string>
  times: EngineTimes
}

/** A worker of the scripts of the command line, by the worker's own wiring. */
export function startScriptWorker(
  db: Db,
  { url, dataDir, settings, times }: ScriptWorkerPlace,
): ReturnType<typeof startJobEngine> {
  const scripts = {
    program: join(import.meta.dirname, '../../server/main.ts'),
    command: ['run-script'],
    settings: { DATABASE_URL: url, DATA_DIR: dataDir, ...settings },
  }
  const wanted = new Set<string>(SCRIPT_QUEUES.map(({ name }) => name))
  const automation = automationJobs({ db, queues: JOB_QUEUES, scripts })
  return startJobEngine({
    url,
    directUrl: url,
    db,
    log: openLog({ role: 'test', level: 'silent' }),
    definitions: [...automation.filter(({ queue }) => wanted.has(queue.name)), ...relabellingJobs(db)],
    periodic: [],
    times,
  })
}
