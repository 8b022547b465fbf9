import { readConfig } from '#server/config.ts'
import { openLog } from '#server/platform/log.ts'
import { type RunningSimulator, startSimulator } from '#server/simulator/start-simulator.ts'
import { startedApp } from './story.ts'

/** Test payments that share the installation’s customers and accounts, and can fail. */
export interface BreakableProvider {
  url: string
  /** The status for every reply, or no reply at all. */
  fail(how: 500 | 'hang'): Promise<void>
  /** As if it had crashed. */
  goAway(): Promise<void>
  heal(): Promise<void>
  end(): Promise<void>
}

export async function startBreakableProvider(): Promise<BreakableProvider> {
  let running: RunningSimulator | undefined = await start(0)
  const { url } = running
  const behave = async (behavior: object) => {
    running ??= await start(Number(new URL(url).port))
    const reply = await fetch(`${url}/simulator/behavior`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(behavior),
    })
    if (!reply.ok) throw new Error(`The simulator refused: ${await reply.text()}`)
  }
  const goAway = async () => {
    await running?.close()
    running = undefined
  }
  return { url, fail: (how) => behave({ fail: how }), goAway, heal: () => behave({}), end: goAway }
}

function start(port: number): Promise<RunningSimulator> {
  const { payments, databaseUrl, productName } = readConfig(startedApp().settings)
  if (payments.kind !== 'simulator' || !databaseUrl) throw new Error('stories run with test payments')
  return startSimulator({
    databaseUrl,
    host: '127.0.0.1',
    port,
    secretKey: payments.secretKey,
    webhookSecret: payments.webhookSecret,
    // The installation’s own simulator reports what happens here.
    webhookUrl: undefined,
    productName,
    plan: { priceId: payments.proPriceId, productName: `${productName} Pro`, unitAmountCents: 14_900 },
    log: openLog({ role: 'simulator', level: 'silent' }),
  })
}
