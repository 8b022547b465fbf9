import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { RunKey } from './job-claims.ts'
import { isInRun } from './run-fence.ts'
import { storable } from './storable-text.ts'

export async function addInput(
  trx: Db,
  { jobId, line, userId }: { jobId: string; line: string; userId: string },
): Promise<void> {
  await sql`
    insert into job_input (job_id, line, sent_by) values (${jobId}, ${storable(line)}, ${userId})`.execute(
    trx,
  )
}

// A person types slower; a program that sends many is served in pieces.
const AT_ONCE = 100

/** Takes lines that were sent to the job out of the hands of any other run, in the order they came. */
export async function takeInput(db: Db, run: RunKey): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with taken as (
      update job_input set taken_at = now()
      where id in (
        select job_input.id from job_input join job on job.id = job_input.job_id
        where ${isInRun(run)} and taken_at is null
        order by job_input.id limit ${AT_ONCE}
        for update of job_input skip locked
      )
      returning id, line
    )
    select line from taken order by id`.execute(db)
  return rows.map(({ line }) => line)
}
