/*
 * A worker process for tests that kill, pause and stop one: `node job-worker-program.ts <database address> <times as
 * JSON>`. Its jobs write what they did to the table `job_trace`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openDatabase } from '#server/platform/database/database.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import { defineJob, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { asksQueue, onceQueue, type Steps, stepsQueue } from './job-worker-queues.ts'

const [url = '', times = '{}'] = process.argv.slice(2)
const log = pino({ level: 'info', base: { pid: process.pid } }, pino.destination({ fd: 2, sync: true }))
const database = openDatabase(url, { max: 5, applicationName: 'test-worker', log })

/** One step a transaction, each with the checkpoint behind it. */
async function takeSteps(job: JobRun<Steps>): Promise<void> {
  const from = typeof job.checkpoint === 'number' ? job.checkpoint : 0
  for (let step = from; step < job.payload.steps; step += 1) {
    await job.withFence(async (trx) => {
      await sql`insert into job_trace values (${job.jobId}, ${step}, ${job.runNo})`.execute(trx)
      await job.saveCheckpoint(step + 1, trx)
    })
    await job.log(`step ${step}`)
    await sleep(job.payload.ms, undefined, { signal: job.signal })
  }
}

/** Waits without asking the database for anything, then writes once. */
async function waitThenWrite(job: JobRun<Steps>): Promise<void> {
  await sleep(job.payload.ms, undefined, { signal: job.signal })
  await job.withFence((trx) => sql`insert into job_trace values (${job.jobId}, 0, ${job.runNo})`.execute(trx))
}

/** One step for each answer; what was answered and written before is not repeated. */
async function askForSteps(job: JobRun<Steps>): Promise<string> {
  job.signal.addEventListener('abort', () => process.stdout.write(`${job.jobId} is over\n`))
  const answers: string[] = []
  for (let step = 0; step < job.payload.steps; step += 1) {
    answers.push(await job.ask({ key: `step ${step}`, text: 'Go on?' }))
    if (typeof job.checkpoint === 'number' && job.checkpoint > step) continue
    await job.withFence(async (trx) => {
      await sql`insert into job_trace values (${job.jobId}, ${step}, ${job.runNo})`.execute(trx)
      await job.saveCheckpoint(step + 1, trx)
    })
  }
  return answers.join(' ')
}

await prepareJobQueues(database.pool, [stepsQueue, onceQueue, asksQueue])
const engine = await startJobEngine({
  url,
  directUrl: url,
  db: database.db,
  log,
  definitions: [
    defineJob(stepsQueue, takeSteps),
    defineJob(onceQueue, waitThenWrite),
    defineJob(asksQueue, askForSteps),
  ],
  periodic: [],
  times: JSON.parse(times),
})
process.stdout.write('ready\n')
process.on('SIGTERM', () => {
  void engine
    .close()
    .then(() => database.close())
    .then(() => process.exit(0))
})
