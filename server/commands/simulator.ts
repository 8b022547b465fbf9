import type { Config } from '#server/config.ts'
import { hostIn, httpOrigin } from '#server/platform/http-origin.ts'
import type { Log } from '#server/platform/log.ts'
import { runUntilStopped } from '#server/platform/processes/run-until-stopped.ts'
import { reachDatabase } from '#server/platform/reach-database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { isLoopback } from '#server/platform/setting.ts'
import { startSimulator } from '#server/simulator/start-simulator.ts'

const MONTHLY_CENTS = 14_900

/** Stands in for the payment provider until it is asked to stop. Never where real money is expected. */
export async function simulator(config: Config, log: Log): Promise<never> {
  const { payments, mode, databaseUrl, productName } = config
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
    return startSimulator({
      databaseUrl,
      host,
      port: Number(port),
      secretKey: payments.secretKey,
      webhookSecret: payments.webhookSecret,
      webhookUrl: webhookUrlOf(config),
      productName,
      prices: [
        {
          id: payments.proPriceId,
          productName: `${productName} Pro`,
          unitAmount: MONTHLY_CENTS,
          currency: 'usd',
          interval: 'month',
        },
      ],
      log,
    }).catch((error: unknown) => {
      throw isPortTaken(error)
        ? new Refusal(`Port ${port} of SIMULATOR_URL is in use by another program.`)
        : error
    })
  }
  return runUntilStopped(begin, log)
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

/** The api of this machine; its public address may lead over a proxy that is not up yet. */
function webhookUrlOf({ host, port }: Config): string {
  return `${httpOrigin(host, port)}/api/webhooks/stripe`
}
