import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, vi } from 'vitest'
import { type Database, type Db, openDatabase } from '#server/platform/database/database.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-definition.ts'
import { type EngineTimes, type JobEngineOptions, startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { plainQueue } from './plain-queue.ts'
import { createTestDatabase } from './test-database.ts'

/** Everything waits a tenth of what it waits in production. */
export const QUICK: EngineTimes = {
  pollMs: 50,
  heartbeatMs: 200,
  reconcileMs: 300,
  staleMs: 1_000,
  finishMs: 2_000,
  parkMs: 700,
}

/** For a run whose handler is called by a test itself. */
export const nobodyToAsk = {
  ask: () => Promise.reject(new Error('there is nobody to ask')),
  onInput: () => undefined,
}

export type JobBench = {
  readonly database: Database
  readonly db: Db
  readonly url: string
  /** Declares the queues and starts a worker; it is closed with the bench at the latest. */
  start(
    definitions: JobDefinition[],
    options?: Partial<JobEngineOptions>,
  ): Promise<{ close(): Promise<void> }>
  declare(...queues: Pick<JobQueue<never>, 'name'>[]): Promise<void>
  close(): Promise<void>
}

/** A bench for all tests of a file, with these queues declared. Call it at the top of the file: it closes the bench. */
export async function startJobBench(...queues: Parameters<JobBench['declare']>): Promise<JobBench> {
  const bench = await openJobBench()
  afterAll(() => bench.close())
  await bench.declare(...queues)
  return bench
}

/** A database of its own with job engines on it. Who opens it closes it. */
export async function openJobBench(): Promise<JobBench> {
  const own = await createTestDatabase()
  const database = openDatabase(own.url, { max: 20, applicationName: 'test' })
  const log = pino({ level: 'silent' })
  const engines = new Set<{ close(): Promise<void> }>()
  const declare: JobBench['declare'] = (...queues) => prepareJobQueues(database.pool, queues)
  return {
    database,
    db: database.db,
    url: own.url,
    declare,
    start: async (definitions, options) => {
      await declare(...definitions.map(({ queue }) => queue))
      const { url } = own
      const base = { url, directUrl: url, db: database.db, log, definitions, periodic: [] }
      const engine = await startJobEngine({ ...base, times: QUICK, ...options })
      engines.add(engine)
      return {
        close: async () => {
          if (engines.delete(engine)) await engine.close()
        },
      }
    },
    close: async () => {
      await Promise.all([...engines].map((engine) => engine.close()))
      await database.close()
      await own.drop()
    },
  }
}

/** An administrator, who may answer jobs and pause queues; answers the id. */
export async function insertAdmin({ db }: Pick<Database, 'db'>): Promise<string> {
  const { id } = await db
    .insertInto('app_user')
    .values({ email: 'ann@yard.example', name: 'Ann', role: 1, password_hash: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function jobRow({ db }: Pick<Database, 'db'>, id: string) {
  return db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

// A question costs the test and its database a millisecond each, so long waits ask less often.
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 250

/** Waits until the job has that status, and answers its record. */
export async function untilStatus(
  database: Pick<Database, 'db'>,
  id: string,
  status: string,
  timeout = 10_000,
) {
  const begin = Date.now()
  for (;;) {
    const row = await jobRow(database, id)
    if (row.status === status) return row
    const waited = Date.now() - begin
    if (waited > timeout) throw new Error(`The job is ${row.status}, not ${status}. ${row.error ?? ''}`)
    await sleep(Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, waited / 10)))
  }
}

export async function eventsOf({ db }: Pick<Database, 'db'>, id: string) {
  return db.selectFrom('job_event').selectAll().where('job_id', '=', id).orderBy('seq').execute()
}

/** "log: hello", "status: completed": the story of a job in one list. */
export function told(events: readonly { kind: string; message: string }[]): string[] {
  return events.map(({ kind, message }) => `${kind}: ${message}`)
}

/**
 * Waits until workers have made so many rounds of reconciling: each sends a job again whose delivery is gone. All
 * but the last of them are over then.
 */
export async function roundsOfReconciling(bench: JobBench, count: number): Promise<void> {
  const { db } = bench
  const queue = plainQueue('shows-rounds')
  await bench.declare(queue)
  for (let round = 0; round < count; round += 1) {
    const jobId = await db.transaction().execute(async (trx) => {
      const made = await enqueueJob(trx, { queue, payload: {} })
      await sql`delete from pgboss.job where id = ${made}`.execute(trx)
      return made
    })
    await vi.waitFor(async () => expect(await deliveriesOf(bench, jobId)).toEqual(['created']), {
      timeout: 10_000,
      interval: 20,
    })
    await requestCancel(db, jobId)
  }
}

/** States of the queue library's rows for the job: none once it has ended. */
export async function deliveriesOf({ db }: Pick<Database, 'db'>, id: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`select state::text from pgboss.job where id = ${id}`.execute(
    db,
  )
  return rows.map(({ state }) => state)
}
