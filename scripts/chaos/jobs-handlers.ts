import { join } from 'node:path'
import { defineJob, type JobDefinition, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { runScript, type ScriptProgramPlace } from '#server/platform/scripts/run-script.ts'
import { scriptWords } from '#server/platform/scripts/script-messages.ts'
import { type Trial, trialQueues } from './jobs-queues.ts'
import { takeSteps } from './jobs-steps.ts'

/** The handlers of the trial's queues; scripts get the settings to open database and files with. */
export function trialJobs(settings: ScriptProgramPlace['settings']): JobDefinition[] {
  const place = { program: join(import.meta.dirname, 'jobs-script.ts'), command: [], settings }
  return [
    defineJob(trialQueues.quick, (job) => takeSteps(sayingIn(job), job.payload)),
    defineJob(trialQueues.steps, (job) => takeSteps(sayingIn(job), job.payload)),
    // From its beginning, whatever a run before it did: there must have been none.
    defineJob(trialQueues.once, (job) => takeSteps({ ...sayingIn(job), checkpoint: null }, job.payload)),
    defineJob(trialQueues.throws, throwOnce),
    defineJob(trialQueues.cancelled, (job) => takeSteps(sayingIn(job), job.payload)),
    defineJob(trialQueues.asks, (job) =>
      takeSteps(sayingIn(job), job.payload, {
        before: (step) => job.ask({ key: `step ${step}`, text: `Take step ${step + 1}?` }),
      }),
    ),
    defineJob(trialQueues.script, (job) =>
      runScript(place, scriptWords({ flags: job.payload, source: undefined }), job),
    ),
  ]
}

const sayingIn = (job: JobRun<Trial>) => ({ ...job, say: (line: string) => job.log(line) })

function throwOnce(job: JobRun<Trial>): Promise<void> {
  return takeSteps(sayingIn(job), job.payload, {
    after: (step) => {
      if (step === 0) throw new Error('thrown once, as planned')
    },
  })
}
