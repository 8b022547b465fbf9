import { join } from 'node:path'
import { type Config, settingsOf } from '#server/config.ts'
import { feedJobs } from '#server/features/finding/feeds/jobs.ts'
import { landingJobs } from '#server/features/finding/landing/jobs.ts'
import { savedSearchJobs } from '#server/features/finding/saved-searches/jobs.ts'
import { openReading } from '#server/features/finding/search/query/reading.ts'
import { analyticsJobs } from '#server/features/market/analytics/jobs.ts'
import { bannedPartJobs } from '#server/features/market/banned-parts/jobs.ts'
import { pictureJobs } from '#server/features/market/pictures/jobs.ts'
import { relabelingJobs } from '#server/features/market/relabeling/jobs.ts'
import { billingJobs } from '#server/features/money/billing/jobs.ts'
import { orderJobs, orderReader } from '#server/features/money/orders/jobs.ts'
import { accountJobs } from '#server/features/people/accounts/jobs.ts'
import { closingJobs } from '#server/features/people/closing/jobs.ts'
import { yardNameJobs } from '#server/features/people/yard-names/jobs.ts'
import { enqueueScheduled } from '#server/features/running/automation/job-schedules.ts'
import { automationJobs } from '#server/features/running/automation/jobs.ts'
import { backupJobs } from '#server/features/running/backups/jobs.ts'
import { nightlyBackup } from '#server/features/running/backups/nightly-backup.ts'
import { demoJobs } from '#server/features/running/demo/jobs.ts'
import { upkeepJobs } from '#server/features/running/upkeep/jobs.ts'
import { importJobs, promotionJobs, taxonomyJobs } from '#server/features/stock-files/jobs.ts'
import { leadJobs } from '#server/features/talk/leads/jobs.ts'
import { mailJobs } from '#server/features/talk/mail/jobs.ts'
import { type Db, openDatabase } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import type { PeriodicJob } from '#server/platform/jobs/schedules.ts'
import type { Log } from '#server/platform/log.ts'
import { type GuardedFetch, openGuardedFetch } from '#server/platform/net/guarded-fetch.ts'
import type { Service } from '#server/platform/processes/run-until-stopped.ts'
import type { ScriptProgramPlace } from '#server/platform/scripts/run-script.ts'
import { openStripeClient } from './features/money/billing/stripe/stripe-client.ts'
import { INDEX_NOW, JOB_QUEUES, PERIODIC_JOBS } from './job-queues.ts'

// About one connection for every job that may run at once; applying an import uses three.
const POOL_SIZE = 14
// Planning an import of a million rows takes a few statements of many seconds each.
const PLAN_STATEMENT_MS = 15 * 60_000
// One connection for the plan queue and one for every apply job that may have to plan first.
const PLAN_POOL_SIZE = 4

/** Starts the worker with its connections and jobs. */
export async function startWorker(config: Config, log: Log): Promise<Service> {
  const url = config.databaseUrl
  if (!url) throw new Error('the worker process needs DATABASE_URL')
  const database = openDatabase(url, { max: POOL_SIZE, applicationName: 'worker', log })
  const directUrl = config.databaseDirectUrl ?? url
  const plans = openDatabase(directUrl, {
    max: PLAN_POOL_SIZE,
    applicationName: 'worker-plans',
    statementTimeoutMs: PLAN_STATEMENT_MS,
    log,
  })
  const web = openGuardedFetch()
  const closeOpened = () => Promise.all([plans.close(), database.close(), web.close()])
  try {
    // Not through a pooler: its session lock would stay with another client's connection.
    await prepareJobQueues(plans.pool, JOB_QUEUES)
    const { db } = database
    const files = await openFileStore(config.storage, log)
    const definitions = jobsOf({ config, db, plans: plans.db, files, web, directUrl })
    if (!config.smtpUrl) log.info('SMTP_URL is not set: mail stays in the outbox')
    const engine = await startJobEngine({
      url,
      directUrl,
      db,
      log,
      definitions,
      periodic: periodicJobsOf(config),
      enqueueScheduled: enqueueScheduled(JOB_QUEUES),
      times: { pollMs: config.jobPollMs },
    })
    return {
      async close() {
        await engine.close()
        await closeOpened()
      },
    }
  } catch (error) {
    await closeOpened()
    throw error
  }
}

type JobDeps = {
  config: Config
  db: Db
  /** With room for statements of minutes. */
  plans: Db
  files: FileStore
  web: GuardedFetch
  directUrl: string
}

/** Every job handler, each one click away from here. */
function jobsOf({ config, db, plans, files, web, directUrl }: JobDeps): JobDefinition[] {
  const now = () => new Date()
  const stripe = config.payments.kind === 'off' ? undefined : openStripeClient(config.payments)
  const orders = { db, stripe, site: config, files, now }
  const sender = { name: config.productName, address: config.supportEmail, publicUrl: config.publicUrl }
  return [
    ...accountJobs({ now, letterhead: config }),
    ...importJobs({ db, files, now }),
    ...pictureJobs({ db, files, web, now }),
    ...mailJobs({ db, smtpUrl: config.smtpUrl, sender }),
    ...promotionJobs({ db, plans, files, now, ...importPolicyOf(config), letterhead: config }),
    ...taxonomyJobs({ db, files }),
    ...relabelingJobs(db),
    ...yardNameJobs({ db, letterhead: config }),
    ...leadJobs({ now, site: config }),
    ...analyticsJobs({ db, now, site: config }),
    ...automationJobs({ db, queues: JOB_QUEUES, scripts: scriptsOf(config) }),
    ...billingJobs({
      db,
      stripe,
      letterhead: config,
      priceText: config.proPriceText,
      readOrder: orderReader(orders),
      now,
    }),
    ...orderJobs(orders),
    ...closingJobs({ db, stripe, letterhead: config, now }),
    ...demoJobs({ db, simulator: config.payments.kind === 'simulator' ? stripe : undefined }),
    ...landingJobs(db),
    ...savedSearchJobs({ db, now, ask: openReading(now), site: config }),
    ...feedJobs({ db, web, now, indexNow: config.indexNow, publicUrl: config.publicUrl }),
    ...bannedPartJobs({ site: config }),
    ...upkeepJobs({ db, files, now }),
    ...backupJobs({ db, files, now, directUrl, ...backupPlaceOf(config) }),
  ]
}

const periodicJobsOf = ({ indexNow, backup: { at } }: Config): PeriodicJob[] => [
  ...PERIODIC_JOBS,
  ...(indexNow ? [INDEX_NOW] : []),
  ...(at ? [nightlyBackup(at)] : []),
]

const backupPlaceOf = ({ backup, storage }: Config) => ({
  filesAreInBucket: storage.kind === 's3',
  place: backup,
})

const importPolicyOf = ({ importReview, firstImport }: Config) => ({
  reviewsNothing: importReview === 'auto',
  firstImport,
})

/** Scripts run as processes of this program, with the settings of this process. */
function scriptsOf(config: Config): ScriptProgramPlace {
  return {
    program: join(import.meta.dirname, 'main.ts'),
    command: ['run-script'],
    settings: settingsOf(config),
  }
}
