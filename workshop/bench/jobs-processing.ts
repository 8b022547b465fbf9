import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import pino from 'pino'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { pauseQueue, resumeQueue } from '#server/platform/jobs/deliveries.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob, type JobQueue, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'

/* Jobs through our engine, record and events included, and through the queue library alone. */

export type Processing = {
  /** Jobs a second: sent by several senders at once, and processed by one worker. */
  readonly enqueued: number
  readonly processed: number
  /** Processor time of this process for one job. */
  readonly cpuMs: number
}

export type Course = {
  readonly url: string
  readonly jobs: number
  /** Jobs that run at the same time, and jobs that the library takes at once. */
  readonly concurrency: number
  /** The work of each, as one of our jobs and as one of the library. */
  work(job: JobRun<unknown>): Promise<void>
  workAlone(): Promise<void>
}

// As many as the engine's own pool and the senders' have.
const CONNECTIONS = 16
const LOOK_MS = 5
const LIBRARY_SCHEMA = 'library_alone'

/** The path of all real jobs: `enqueueJob`, a worker's engine, a handler from `defineJob`. */
export async function throughEngine(course: Course, queue: JobQueue<unknown>): Promise<Processing> {
  const database = openDatabase(course.url, { max: CONNECTIONS, applicationName: 'bench' })
  const { db } = database
  const begun = new Begun(course.jobs)
  const definition = defineJob({ ...queue, concurrency: course.concurrency }, async (job) => {
    begun.note()
    await course.work(job)
  })
  try {
    await pauseQueue(db, queue.name, await anyUser(database))
    const enqueued = await rateOf(course, () => enqueueJob(db, { queue, payload: {} }))
    const engine = await startJobEngine({
      url: course.url,
      directUrl: course.url,
      db,
      log: pino({ level: 'warn' }),
      definitions: [definition],
      periodic: [],
    })
    await resumeQueue(db, queue.name)
    const measured = await measure(course, begun, () => countLeft(database, queue.name))
    await engine.close()
    return { enqueued, ...measured }
  } finally {
    await database.close()
  }
}

async function anyUser({ db }: Database): Promise<string> {
  const { id } = await db.selectFrom('app_user').select('id').limit(1).executeTakeFirstOrThrow()
  return id
}

async function countLeft({ db }: Database, queue: string): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from job where queue = ${queue} and status in ('queued', 'retrying', 'running')`.execute(
    db,
  )
  return rows[0]?.left ?? 0
}

/** The library as its handbook shows it, in its fastest mode: a full batch is followed by the next at once. */
export async function throughLibrary(course: Course, queue: string): Promise<Processing> {
  const database = openDatabase(course.url, { max: 2, applicationName: 'bench' })
  const boss = new PgBoss({
    connectionString: course.url,
    // A schema of its own: our reconciler removes what belongs to none of our jobs.
    schema: LIBRARY_SCHEMA,
    max: CONNECTIONS,
    supervise: false,
    schedule: false,
  })
  boss.on('error', (error) => console.error(error))
  try {
    await boss.start()
    await boss.createQueue(queue)
    const enqueued = await rateOf(course, () => boss.send(queue, {}))
    const begun = new Begun(course.jobs)
    const { concurrency: batchSize } = course
    await boss.work(
      queue,
      { batchSize, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 },
      async (jobs) => {
        await Promise.all(
          jobs.map(() => {
            begun.note()
            return course.workAlone()
          }),
        )
      },
    )
    const measured = await measure(course, begun, async () => {
      const { rows } = await sql<{ left: number }>`
        select count(*)::int as left from ${sql.ref(`${LIBRARY_SCHEMA}.job`)} where name = ${queue} and state < 'completed'`.execute(
        database.db,
      )
      return rows[0]?.left ?? 0
    })
    return { enqueued, ...measured }
  } finally {
    await boss.stop({ graceful: false })
    await database.close()
  }
}

/** Sends all of them with as many senders as jobs run at the same time; returns how many a second. */
async function rateOf({ jobs, concurrency }: Course, send: () => Promise<unknown>): Promise<number> {
  let sent = 0
  const begin = performance.now()
  const sender = async () => {
    while (sent < jobs) {
      sent += 1
      await send()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sender))
  return (1_000 * jobs) / (performance.now() - begin)
}

/** Knows when the first job was started, and when the last. */
class Begun {
  readonly first = Promise.withResolvers<void>()
  readonly last = Promise.withResolvers<void>()
  #left: number

  constructor(jobs: number) {
    this.#left = jobs
  }

  note(): void {
    this.first.resolve()
    this.#left -= 1
    if (this.#left === 0) this.last.resolve()
  }
}

/** From the first that was started until none is left. The database is asked only at the end, since it has other work. */
async function measure(
  { jobs }: Course,
  begun: Begun,
  countLeft: () => Promise<number>,
): Promise<Omit<Processing, 'enqueued'>> {
  await begun.first.promise
  const begin = performance.now()
  const cpu = process.cpuUsage()
  await begun.last.promise
  while ((await countLeft()) > 0) await sleep(LOOK_MS)
  const ms = performance.now() - begin
  const { user, system } = process.cpuUsage(cpu)
  return { processed: (1_000 * jobs) / ms, cpuMs: (user + system) / 1_000 / jobs }
}
