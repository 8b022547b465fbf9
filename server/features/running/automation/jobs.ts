import type { Db } from '#server/platform/database/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { runScript, type ScriptProgramPlace } from '#server/platform/scripts/run-script.ts'
import { scriptWords } from '#server/platform/scripts/script-messages.ts'
import { bulkJobsQueue, SCRIPT_QUEUES } from './automation-queues.ts'
import { runBulkJobs } from './bulk-jobs.ts'
import type { Queues } from './new-job.ts'

type Deps = {
  db: Db
  /** All queues, because a bulk action may retry jobs of any of them. */
  queues: Queues
  scripts: ScriptProgramPlace
}

export function automationJobs({ db, queues, scripts }: Deps): JobDefinition[] {
  return [
    defineJob(bulkJobsQueue, (job) => runBulkJobs({ db, queues }, job)),
    ...SCRIPT_QUEUES.map((queue) =>
      defineJob(queue, (job) => {
        const { scriptId, flags, source } = job.payload
        return runScript(scripts, [scriptId, ...scriptWords({ flags, source: source ?? undefined })], job)
      }),
    ),
  ]
}
