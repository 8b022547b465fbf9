/*
 * An api or a worker process of the trial: the program itself, which also knows the trial's queues.
 * `node jobs-program.ts api|worker --supervised <times of the engine as JSON>`.
 */
import { startApi } from '#server/api.ts'
import { readSentConfig, settingsOf } from '#server/config.ts'
import { JOB_QUEUES } from '#server/job-queues.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { openLog } from '#server/platform/log.ts'
import { runUntilStopped } from '#server/platform/processes/run-until-stopped.ts'
import { joinSupervisor } from '#server/platform/processes/supervisor-link.ts'
import { startWorker } from '#server/worker.ts'
import { trialJobs, trialQueues } from './jobs-trial.ts'

const [role = '', , times = '{}'] = process.argv.slice(2)
const config = readSentConfig(await joinSupervisor())
const log = openLog({ role, level: config.logLevel ?? 'warn' })
const queues: unknown[] = JOB_QUEUES
queues.push(...Object.values(trialQueues))

async function startTrialWorker() {
  const url = config.databaseUrl ?? ''
  const database = openDatabase(url, { max: 20, applicationName: 'trial worker', log })
  // It declares the queues of both.
  const own = await startWorker(config, log)
  const trial = await startJobEngine({
    url,
    directUrl: url,
    db: database.db,
    log,
    definitions: trialJobs(settingsOf(config)),
    periodic: [],
    times: JSON.parse(times),
  })
  return {
    async close() {
      await Promise.all([own.close(), trial.close()])
      await database.close()
    },
  }
}

await runUntilStopped(() => (role === 'api' ? startApi(config, log) : startTrialWorker()), log)
