/*
 * An api or a worker process of the trial: the program as it is, which knows the trial's queues besides its own.
 * `node jobs-program.ts api|worker --supervised <times of the engine as JSON>`.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// As server/main.ts does: before the rest is imported.
enableCompileCache(join(import.meta.dirname, '../../.cache/compiled'))
const { startApi } = await import('#server/app.ts')
const { readSentConfig, settingsOf } = await import('#server/config.ts')
const { JOB_QUEUES } = await import('#server/job-queues.ts')
const { openDatabase } = await import('#server/platform/database/database.ts')
const { startJobEngine } = await import('#server/platform/jobs/job-engine.ts')
const { openLog } = await import('#server/platform/log.ts')
const { runUntilStopped } = await import('#server/platform/processes/run-until-stopped.ts')
const { joinSupervisor } = await import('#server/platform/processes/supervisor-link.ts')
const { startWorker } = await import('#server/worker.ts')
const { trialJobs } = await import('./jobs-handlers.ts')
const { trialQueues } = await import('./jobs-queues.ts')

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
