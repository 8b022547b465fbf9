import type { Config } from '#server/config.ts'
import { reachDatabase } from '#server/platform/database/reach-database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { hostIn, httpOrigin } from '#server/platform/net/addresses.ts'
import { runUntilStopped } from '#server/platform/processes/run-until-stopped.ts'
import { isLoopback } from '#server/platform/setting.ts'
import { startSimulator } from '#server/simulator/start-simulator.ts'

const MONTHLY_CENTS = 14_900
// Of a server on this machine.
const ANSWER_MS = 2_000

/** Stands in for the payment provider until it is asked to stop. Never where real money is expected. */
export async function simulator(config: Config, log: Log): Promise<never> {
  const { payments, mode, databaseUrl } = config
  if (mode === 'production' || payments.kind !== 'simulator') {
    throw new Refusal(
      'The simulator runs in demo mode with PAYMENTS=simulator alone: it takes no real payments.',
    )
  }
  if (!databaseUrl) throw new Refusal('DATABASE_URL must be set: the simulator keeps test payments there.')
  const url = new URL(payments.url)
  const { port } = url
  const host = url.hostname === 'localhost' ? '127.0.0.1' : hostIn(url)
  if (!isLoopback(host)) {
    throw new Refusal(
      'SIMULATOR_URL must be an address of this machine: everyone knows the key of test payments.',
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
 * Test payments for as long as a command takes: those that answer at SIMULATOR_URL, else a simulator of its own. `npm start`
 * has its on any free port, and all that they know is in the database. This one tells nobody of anything.
 */
export async function openTestPayments(
  config: Config & { databaseUrl: string },
  payments: TestPayments,
  log: Log,
): Promise<{ payments: TestPayments; close(): Promise<void> }> {
  if (await answers(payments)) return { payments, close: async () => undefined }
  const { url, close } = await startSimulator({
    ...commonOf(config, payments),
    databaseUrl: config.databaseUrl,
    host: '127.0.0.1',
    port: 0,
    webhookUrl: undefined,
    log,
  })
  return { payments: { ...payments, url }, close }
}

/** Anything else may listen there; only a simulator takes our key. */
function answers({ url, secretKey }: TestPayments): Promise<boolean> {
  const asked = fetch(new URL('/v1/events?limit=1', url), {
    headers: { authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  return asked.then(
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

/** The api of this machine; its public address may lead over a proxy that is not up yet. */
function webhookUrlOf({ host, port }: Config): string {
  return `${httpOrigin(host, port)}/api/webhooks/stripe`
}
