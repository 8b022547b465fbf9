import { join } from 'node:path'
import { relabelingJobs } from '#server/features/market/relabeling/jobs.ts'
import { SCRIPT_QUEUES } from '#server/features/running/automation/automation-queues.ts'
import { automationJobs } from '#server/features/running/automation/jobs.ts'
import { JOB_QUEUES } from '#server/job-queues.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { type EngineTimes, startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { openLog } from '#server/platform/log.ts'
import { scriptJobsInProcess } from './scripts-in-process.ts'

export type ScriptWorkerPlace = {
  url: string
  dataDir: string
  settings: Record<string, string>
  times: EngineTimes
}

/** A worker of the scripts that runs them beside the test, in its process. */
export function startScriptWorker(db: Db, place: ScriptWorkerPlace): ReturnType<typeof startJobEngine> {
  return startEngine(db, place, scriptJobsInProcess(settingsOf(place)))
}

/** A worker of the scripts of the command line, by the worker's own wiring: each script is a process. */
export function startProcessWorker(db: Db, place: ScriptWorkerPlace): ReturnType<typeof startJobEngine> {
  const scripts = {
    program: join(import.meta.dirname, '../../server/main.ts'),
    command: ['run-script'],
    settings: settingsOf(place),
  }
  const wanted = new Set<string>(SCRIPT_QUEUES.map(({ name }) => name))
  const automation = automationJobs({ db, queues: JOB_QUEUES, scripts })
  return startEngine(
    db,
    place,
    automation.filter(({ queue }) => wanted.has(queue.name)),
  )
}

const settingsOf = ({ url, dataDir, settings }: ScriptWorkerPlace) => ({
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  EMAIL_CONFIRM: 'off',
  ...settings,
})

function startEngine(db: Db, { url, times }: ScriptWorkerPlace, scripts: JobDefinition[]) {
  return startJobEngine({
    url,
    directUrl: url,
    db,
    log: openLog({ role: 'test', level: 'silent' }),
    definitions: [...scripts, ...relabelingJobs(db)],
    periodic: [],
    times,
  })
}
