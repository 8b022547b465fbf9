import type { Pool } from 'pg'
import type { Config } from '#server/config.ts'
import { reachDatabase } from '#server/platform/database/reach-database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { hostIn, httpOrigin } from '#server/platform/net/addresses.ts'
import { runUntilStopped } from '#server/platform/processes/run-until-stopped.ts'
import { isLoopback } from '#server/platform/setting.ts'
import { startSimulator } from '#server/simulator/start-simulator.ts'
import { createTables } from '#server/simulator/store.ts'

const MONTHLY_CENTS = 14_900
// A simulator on this machine replies within milliseconds.
const PROBE_TIMEOUT_MS = 2_000

/** Simulates the payment provider until stopped. Never runs in production. */
export async function simulator(config: Config, log: Log): Promise<never> {
  const { payments, mode, databaseUrl } = config
  if (mode === 'production' || payments.kind !== 'simulator') {
    throw new Refusal(
      'The simulator takes no real payments: it runs only in demo mode with PAYMENTS=simulator.',
    )
  }
  if (!databaseUrl) throw new Refusal('DATABASE_URL must be set: the simulator stores test payments there.')
  const url = new URL(payments.url)
  const { port } = url
  const host = url.hostname === 'localhost' ? '127.0.0.1' : hostIn(url)
  if (!isLoopback(host)) {
    throw new Refusal(
      'SIMULATOR_URL must be an address of this machine: the key for test payments is public.',
    )
  }
  const begin = async () => {
    await reachDatabase(databaseUrl)
    const place = { databaseUrl, host, port: Number(port), webhookUrl: webhookUrlOf(config) }
    return startSimulator({ ...commonOf(config, payments), ...place, log }).catch((error: unknown) => {
      throw isPortTaken(error)
        ? new Refusal(`Port ${port} of SIMULATOR_URL is in use by another program.`)
        : error
    })
  }
  return runUntilStopped(begin, log)
}

type TestPayments = Extract<Config['payments'], { kind: 'simulator' }>

/**
 * Test payments for the duration of a command: the simulator at SIMULATOR_URL if it replies, or else a temporary one on
 * the same database. `npm start` may run its simulator on any free port. The temporary one sends no webhooks.
 */
export async function openTestPayments(
  config: Config & { databaseUrl: string },
  payments: TestPayments,
  log: Log,
): Promise<{ payments: TestPayments; close(): Promise<void> }> {
  if (await isRunning(payments)) return { payments, close: async () => undefined }
  const { url, close } = await startSimulator({
    ...commonOf(config, payments),
    databaseUrl: config.databaseUrl,
    host: '127.0.0.1',
    port: 0,
    webhookUrl: webhookUrlOf(config),
    isSilent: true,
    log,
  })
  return { payments: { ...payments, url }, close }
}

/** Makes the tables of test payments without starting the simulator. */
export const makeTestPayments = (pool: Pool): Promise<void> => createTables(pool)

/** Another program may use that port; only a simulator accepts our key. */
async function isRunning({ url, secretKey }: TestPayments): Promise<boolean> {
  const request = {
    headers: { authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  }
  return fetch(new URL('/v1/events?limit=1', url), request).then(
    ({ ok }) => ok,
    () => false,
  )
}

function commonOf({ productName }: Config, payments: TestPayments) {
  const { secretKey, webhookSecret, proPriceId: priceId } = payments
  const plan = { priceId, productName: `${productName} Pro`, unitAmountCents: MONTHLY_CENTS }
  return { productName, secretKey, webhookSecret, plan }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

/** Points at the API on this machine, because the public address may go through a proxy that is not up yet. */
function webhookUrlOf({ host, port }: Config): string {
  return `${httpOrigin(host, port)}/api/webhooks/stripe`
}
