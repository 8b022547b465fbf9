import type { Config } from '#server/config.ts'
import { importJobs } from '#server/features/imports/jobs.ts'
import { mailJobs } from '#server/features/mail/jobs.ts'
import { pictureJobs } from '#server/features/pictures/jobs.ts'
import { upkeepJobs } from '#server/features/upkeep/jobs.ts'
import { openDatabase } from '#server/platform/database.ts'
import { openFileStore } from '#server/platform/file-store/open-file-store.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import type { Log } from '#server/platform/log.ts'
import type { Service } from '#server/platform/processes/run-until-stopped.ts'
import { JOB_QUEUES, PERIODIC_JOBS } from './job-queues.ts'

// A slot of the handlers' pool for every job that may run at one time, about.
const POOL_SIZE = 8

/** Opens what jobs need and runs them. Every job of the program is one click away from here. */
export async function startWorker(config: Config, log: Log): Promise<Service> {
  const url = config.databaseUrl
  if (!url) throw new Error('the worker process needs a database address')
  const database = openDatabase(url, { max: POOL_SIZE, applicationName: 'worker', log })
  try {
    await prepareJobQueues(database.pool, JOB_QUEUES)
    const { db } = database
    const files = await openFileStore(config.storage)
    const now = () => new Date()
    const sender = { name: config.productName, address: config.supportEmail }
    const definitions: JobDefinition[] = [
      ...importJobs({ db, files, now }),
      ...pictureJobs({ db, files, now }),
      ...mailJobs({ db, smtpUrl: config.smtpUrl, sender }),
      ...upkeepJobs({ db, now }),
    ]
    if (!config.smtpUrl) log.info('SMTP_URL is not set: mail is kept in the outbox')
    const directUrl = config.databaseDirectUrl ?? url
    const engine = await startJobEngine({ url, directUrl, db, log, definitions, periodic: PERIODIC_JOBS })
    return {
      async close() {
        await engine.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
