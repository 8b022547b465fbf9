import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/platform/database/database.ts'
import {
  defineJob,
  type JobDefinition,
  type JobQueue,
  type JobRun,
} from '#server/platform/jobs/job-definition.ts'
import { runScript, type ScriptProgramPlace } from '#server/platform/scripts/run-script.ts'
import { scriptWords } from '#server/platform/scripts/script-messages.ts'

/* The queues of the trial. Its jobs only leave effects, each in one transaction with its checkpoint. */

type Trial = {
  /** Its number in the plan. */
  readonly no: number
  readonly steps: number
  /** Milliseconds after each step. */
  readonly ms: number
}

function trialQueue(name: string, settings: Partial<JobQueue<Trial>> = {}): JobQueue<Trial> {
  return {
    name: `trial-${name}`,
    title: `Trial: ${name}`,
    payload: z.object({ no: z.int(), steps: z.int(), ms: z.int() }),
    maxAttempts: 3,
    retryDelaySeconds: 1,
    resumable: true,
    timeoutSeconds: 300,
    concurrency: 4,
    ...settings,
  }
}

export const trialQueues = {
  /** A single effect. */
  quick: trialQueue('quick'),
  /** Some seconds with several effects. */
  steps: trialQueue('steps', { concurrency: 6 }),
  /** The same, but what is lost with its worker must not be started again. */
  once: trialQueue('once', { resumable: false }),
  /** Its first run throws after its first effect. */
  throws: trialQueue('throws'),
  /** An administrator cancels it, sooner or later. */
  cancelled: trialQueue('cancelled'),
  /** Asks before each effect. */
  asks: trialQueue('asks'),
  /** A process of its own. */
  script: trialQueue('script', { concurrency: 2, abortGraceSeconds: 8 }),
} as const

/** The handlers of the trial's queues; scripts get the settings to open database and files with. */
export function trialJobs(settings: ScriptProgramPlace['settings']): JobDefinition[] {
  const place = { program: join(import.meta.dirname, 'jobs-script.ts'), command: [], settings }
  const steps = (job: JobRun<Trial>) => takeSteps({ ...job, say: (line) => job.log(line) }, job.payload)
  return [
    defineJob(trialQueues.quick, steps),
    defineJob(trialQueues.steps, steps),
    // It ignores what an earlier run did: there must have been none.
    defineJob(trialQueues.once, (job) => steps({ ...job, checkpoint: null })),
    defineJob(trialQueues.throws, (job) =>
      takeSteps({ ...job, say: (line) => job.log(line) }, job.payload, {
        after: (step) => {
          if (step === 0) throw new Error('thrown once, as planned')
        },
      }),
    ),
    defineJob(trialQueues.cancelled, steps),
    defineJob(trialQueues.asks, (job) =>
      takeSteps({ ...job, say: (line) => job.log(line) }, job.payload, {
        before: (step) => job.ask({ key: `step ${step}`, text: `Take step ${step + 1}?` }),
      }),
    ),
    defineJob(trialQueues.script, (job) =>
      runScript(place, scriptWords({ flags: job.payload, source: undefined }), job),
    ),
  ]
}

/** It has no unique key, so that an effect that happens twice is there twice. */
export async function makeEffectsTable(db: Db): Promise<void> {
  await sql`create table trial_effect (job_id uuid not null, step integer not null, run_no integer not null)`.execute(
    db,
  )
  await sql`create index trial_effect_by_job on trial_effect (job_id)`.execute(db)
}

/** What a handler and a script have in common. */
type Run = Pick<
  JobRun<unknown>,
  'jobId' | 'runNo' | 'checkpoint' | 'signal' | 'saveCheckpoint' | 'withFence'
> & { say(line: string): Promise<void> }
type Around = { before?(step: number): Promise<unknown>; after?(step: number): void }

/** Leaves one effect for each step, from where the last run ended. */
export async function takeSteps(run: Run, { steps, ms }: Trial, around: Around = {}): Promise<void> {
  const from = typeof run.checkpoint === 'number' ? run.checkpoint : 0
  for (let step = from; step < steps; step += 1) {
    await around.before?.(step)
    await run.withFence(async (trx) => {
      await sql`insert into trial_effect values (${run.jobId}, ${step}, ${run.runNo})`.execute(trx)
      await run.saveCheckpoint(step + 1, trx)
    })
    await run.say(`step ${step + 1} of ${steps}`)
    around.after?.(step)
    if (ms > 0) await sleep(ms, undefined, { signal: run.signal })
  }
}
