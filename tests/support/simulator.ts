import type { FastifyInstance } from 'fastify'
import Stripe from 'stripe'
import { afterAll } from 'vitest'
import { openLog } from '#server/platform/log.ts'
import { type RunningSimulator, startSimulator } from '#server/simulator/start-simulator.ts'
import { createTestDatabase } from './test-database.ts'

export const PRO_PRICE = 'price_pro_monthly'
export const SIMULATOR_KEY = 'sk_test_simulator'
export const SIMULATOR_WEBHOOK_SECRET = 'whsec_test_payments'

/** Test payments with a database of their own, and what a test may tell them. */
export class TestSimulator {
  readonly databaseUrl: string
  #running: RunningSimulator
  #webhookUrl: string | undefined

  constructor(running: RunningSimulator, databaseUrl: string) {
    this.#running = running
    this.databaseUrl = databaseUrl
  }

  get url(): string {
    return this.#running.url
  }

  /** For `startTestApp`: the app pays here. */
  get settings(): Record<string, string> {
    return { PAYMENTS: 'simulator', SIMULATOR_URL: this.url }
  }

  /** The real SDK, which takes this for Stripe. */
  sdk(options: { key?: string; apiVersion?: string } = {}): Stripe {
    const { hostname, port } = new URL(this.url)
    const { key = SIMULATOR_KEY, apiVersion } = options
    return new Stripe(key, {
      host: hostname,
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
      ...(apiVersion && { apiVersion: apiVersion as typeof Stripe.API_VERSION }),
    })
  }

  /** From now on webhooks are sent there. */
  async sendTo(url: string): Promise<void> {
    this.#webhookUrl = url
    await this.behave({})
  }

  /** From now on the app, which begins to listen on a port, gets the webhooks. */
  async deliverTo(app: FastifyInstance): Promise<void> {
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    await this.sendTo(`${address}/api/webhooks/stripe`)
  }

  /** What is left out is as it should be. Webhooks go on to wherever they went. */
  async behave(behavior: Record<string, unknown>): Promise<void> {
    const url = this.#webhookUrl && { url: this.#webhookUrl }
    const webhooks = { ...url, ...(behavior.webhooks as object | undefined) }
    await this.control('POST', '/behavior', { ...behavior, webhooks })
  }

  /** Sends what is held (`webhooks: {hold: true}`). */
  deliver(): Promise<unknown> {
    return this.control('POST', '/deliver', {})
  }

  async deliveries(): Promise<{ waiting: number; held: number; done: number }> {
    return (await this.control('GET', '/deliveries')) as { waiting: number; held: number; done: number }
  }

  /** Resolves when every webhook that may be sent has been taken. */
  async settled(): Promise<void> {
    const deadline = Date.now() + SETTLED_MS
    while ((await this.deliveries()).waiting > 0) {
      if (Date.now() > deadline) throw new Error('Webhooks are still waiting')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Ends it and starts it again on the same address, as a crash would. */
  async restart(): Promise<void> {
    const { port } = new URL(this.url)
    await this.#running.close()
    this.#running = await startOn(this.databaseUrl, Number(port))
  }

  close(): Promise<void> {
    return this.#running.close()
  }

  async control(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.url}/simulator${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const said: unknown = await answer.json()
    if (!answer.ok) throw new Error(`The simulator refused: ${JSON.stringify(said)}`)
    return said
  }
}

const SETTLED_MS = 15_000

/** Ended after the last test of the file. Call it at the top of a test file, before `startTestApp`. */
export async function startTestSimulator(): Promise<TestSimulator> {
  const database = await createTestDatabase()
  afterAll(() => database.drop())
  const simulator = new TestSimulator(await startOn(database.url, 0), database.url)
  afterAll(() => simulator.close())
  return simulator
}

function startOn(databaseUrl: string, port: number): Promise<RunningSimulator> {
  return startSimulator({
    databaseUrl,
    host: '127.0.0.1',
    port,
    secretKey: SIMULATOR_KEY,
    webhookSecret: SIMULATOR_WEBHOOK_SECRET,
    webhookUrl: undefined,
    productName: 'PartHarbor',
    plan: { priceId: PRO_PRICE, productName: 'PartHarbor Pro', unitAmountCents: 14_900 },
    log: openLog({ role: 'simulator', level: 'silent' }),
  })
}
