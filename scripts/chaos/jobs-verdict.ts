import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { PlannedJob } from './jobs-plan.ts'

export type JobFound = {
  readonly id: string
  readonly status: string
  readonly error: string | null
  readonly runs: number
  readonly lastSeq: number
  /** Steps of its effects, one entry an effect. */
  readonly effects: readonly number[]
  readonly events: number
  readonly dones: number
}

/** What is wrong with a job; all empty where nothing is. */
export type Verdict = {
  /** Why it counts as lost. */
  readonly lost: string | undefined
  readonly doubled: number
  readonly missing: number
  /** What its log lacks. */
  readonly log: string | undefined
}

export async function readJobs(db: Db): Promise<JobFound[]> {
  const { rows } = await sql<JobFound>`
    select job.id, status, error, run_no as runs, last_seq::int as "lastSeq",
           array(select step from trial_effect where job_id = job.id order by step) as effects,
           event.count as events, event.dones
    from job, lateral (
      select count(*)::int as count, count(*) filter (where kind = 'done')::int as dones
      from job_event where job_id = job.id
    ) as event
    where created_by is not null`.execute(db)
  return rows
}

export function judgeJob(planned: PlannedJob, found: JobFound | undefined): Verdict {
  if (!found) return { lost: 'there is no record', doubled: 0, missing: 0, log: undefined }
  const distinct = new Set(found.effects)
  const leaves = planned.kind === 'self-check' ? 0 : planned.steps
  // What did not complete may have stopped anywhere, but leaves no step out.
  const wanted = found.status === 'completed' ? leaves : distinct.size
  const missing = Array.from({ length: wanted }, (_, step) => step).filter((step) => !distinct.has(step))
  return {
    lost: whyLost(planned, found),
    doubled: found.effects.length - distinct.size,
    missing: missing.length,
    log: whatLogLacks(found),
  }
}

function whyLost({ kind }: PlannedJob, { status, error }: JobFound): string | undefined {
  if (status === 'completed') return undefined
  if (kind === 'cancelled' && status === 'cancelled') return undefined
  // It may not be begun again, and its record says why it ended.
  if (kind === 'once' && status === 'failed' && error) return undefined
  return `it is ${status}${error ? `: ${error}` : ''}`
}

function whatLogLacks({ status, lastSeq, events, dones }: JobFound): string | undefined {
  if (events !== lastSeq) return `${lastSeq} events were numbered and ${events} are there`
  const ended = status === 'completed' || status === 'failed' || status === 'cancelled'
  return ended && dones !== 1 ? `it was told ${dones} times that it is done` : undefined
}
