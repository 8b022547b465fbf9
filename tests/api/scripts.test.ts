import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestCancel } from '#server/platform/jobs/cancel-job.ts'
import { controlJob } from '#server/platform/jobs/control-job.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { eventsOf, type JobBench, jobRow, openJobBench, told, untilStatus } from '#tests/support/job-bench.ts'
import { type BadScript, badScriptJob, badScriptQueue } from '#tests/support/script-definitions.ts'

let bench: JobBench
let files: string
beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'partharbor-scripts-'))
  bench = await openJobBench()
  await sql`create table script_trace (job_id uuid, step int, run_no int)`.execute(bench.database.db)
  await bench.start([badScriptJob(bench.url, files)])
})
afterAll(async () => {
  await bench.close()
  await rm(files, { recursive: true, force: true })
})

const start = (scriptId: BadScript, flags: Record<string, boolean | number | string> = {}) =>
  enqueueJob(bench.database.db, { queue: badScriptQueue, payload: { scriptId, flags } })

const ended = async (scriptId: BadScript, status: string, flags = {}) => {
  const id = await start(scriptId, flags)
  const row = await untilStatus(bench.database, id, status, 20_000)
  return { row, events: await eventsOf(bench.database, id) }
}

describe('how a script ends', () => {
  test('a result', async () => {
    const { row } = await ended('tells-all', 'completed', { count: 3 })
    expect(row.result).toEqual({ flags: { on: false, count: 3 }, source: null, checkpoint: null })
  })
})
void [requestCancel, controlJob, jobRow, told]
