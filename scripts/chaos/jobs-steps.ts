import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import type { Trial } from './jobs-queues.ts'

/** Of the effects. It has no unique key: what is done twice stands there twice. */
export async function makeEffectsTable(db: Db): Promise<void> {
  await sql`create table trial_effect (job_id uuid not null, step integer not null, run_no integer not null)`.execute(
    db,
  )
  await sql`create index trial_effect_by_job on trial_effect (job_id)`.execute(db)
}

/** What is the same in a handler and in a script. */
type Run = Pick<
  JobRun<unknown>,
  'jobId' | 'runNo' | 'checkpoint' | 'signal' | 'saveCheckpoint' | 'withFence'
> & { say(line: string): Promise<void> }

type Around = {
  before?(step: number): Promise<unknown>
  after?(step: number): void
}

/** Leaves one effect a step, from where the last run ended. */
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
