import { reportPrice } from '#server/features/money/billing/setup/pro-price.ts'
import { openStripeClient } from '#server/features/money/billing/stripe/stripe-client.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import type { Log } from '#server/platform/log.ts'
import type { Service } from '#server/platform/processes/run-until-stopped.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'

// Together a tenth of the embedded database's 200 connections, which leaves room for more processes, workers and operators.
// More concurrent queries would only wait for each other on the few cores of a small machine.
const POOL_SIZE = 8
const READERS = 12

/** Opens the database and the file store, then listens for requests. */
export async function startApi(config: Config, log: Log): Promise<Service> {
  if (!config.databaseUrl) throw new Error('the API process needs DATABASE_URL')
  const database = openDatabase(config.databaseUrl, { max: POOL_SIZE, applicationName: 'api', log })
  const readers = openDatabase(config.databaseUrl, { max: READERS, applicationName: 'api-readers', log })
  const files = await openFileStore(config.storage, log)
  if (config.mode === 'production' && !config.adminsNeedFactor) {
    log.warn(
      'ADMIN_MFA is off: an administrator needs only a password. Leave it out to require a second step.',
    )
  }
  let stopping = false
  const app = await buildApp({
    config,
    database,
    readers,
    files,
    log,
    now: () => new Date(),
    isStopping: () => stopping,
  })
  await app.listen({ port: config.port, host: config.host })
  const { payments, proPriceText: priceText } = config
  const reporting = new AbortController()
  if (payments.kind !== 'off') {
    const stripe = openStripeClient(payments)
    void reportPrice({ db: database.db, stripe, priceText, log }, reporting.signal)
  }
  return {
    async close() {
      stopping = true
      reporting.abort()
      await app.close()
      await Promise.all([database.close(), readers.close()])
    },
  }
}
