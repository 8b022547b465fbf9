import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { runScript } from '#server/platform/scripts/run-script.ts'
import type { ScriptProgramPlace } from '#server/platform/scripts/script-process.ts'
import { scriptWords } from '#server/platform/scripts/script-words.ts'
import { SCRIPT_QUEUES } from './script-queues.ts'

/** How the worker starts a script. */
type Deps = { scripts: ScriptProgramPlace }

export function automationJobs({ scripts }: Deps): JobDefinition[] {
  return SCRIPT_QUEUES.map((queue) =>
    defineJob(queue, (job) => {
      const { scriptId, flags, source } = job.payload
      return runScript(scripts, [scriptId, ...scriptWords({ flags, source: source ?? undefined })], job)
    }),
  )
}
