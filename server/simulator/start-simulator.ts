import { type FastifyInstance, type FastifyPluginCallback, fastify } from 'fastify'
import pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import { isLoopback } from '#server/platform/setting.ts'
import { accountCalls, expressPage, onboardingPage, setupPage } from './accounts.ts'
import { serveCalls } from './api-call.ts'
import { serveControls } from './behavior.ts'
import { checkoutCalls, checkoutPage, expireUnread } from './checkout.ts'
import { type DueWork, dueInMs, passTime } from './due.ts'
import { servePages } from './page.ts'
import { balanceCalls } from './payments/balance.ts'
import { chargeCalls, enterCharge } from './payments/charges.ts'
import { servePaymentControls } from './payments/controls.ts'
import { disputeCalls } from './payments/disputes.ts'
import { fileCalls, MOST_BYTES } from './payments/files.ts'
import { lapse, paymentIntentCalls } from './payments/payment-intents.ts'
import { continuePayout, payoutCalls } from './payments/payouts.ts'
import { continueRefund, refundCalls } from './payments/refunds.ts'
import { reviewCalls } from './payments/reviews.ts'
import { transferCalls } from './payments/transfers.ts'
import { platformCalls } from './platform.ts'
import { portalCalls, portalPage } from './portal.ts'
import { NORMAL, type Plan, type Simulator } from './simulator.ts'
import { createTables, deleteOld } from './store.ts'
import { subscriptionCalls } from './subscriptions.ts'
import { sendWebhooks } from './webhooks.ts'

export type SimulatorOptions = {
  readonly databaseUrl: string
  /** Must be a local address, because the key is public. */
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly secretKey: string
  readonly webhookSecret: string
  /** Undefined: webhooks wait until a test sets the URL (POST /simulator/behavior). */
  readonly webhookUrl: string | undefined
  /** Sends no webhooks, because another simulator on the same database does. */
  readonly isSilent?: boolean
  readonly productName: string
  readonly plan: Plan
  readonly log: Log
}

export type RunningSimulator = { readonly url: string; close(): Promise<void> }

// Calls are short, and webhooks rarely take a connection.
const CONNECTIONS = 5
const TIDY_MS = 3_600_000

const DUE: DueWork = {
  'checkout.session': expireUnread,
  payment_intent: lapse,
  charge: enterCharge,
  refund: continueRefund,
  payout: continuePayout,
}

/**
 * Starts a server with the part of Stripe's HTTP API that the marketplace uses, its hosted pages and its webhooks. No
 * money moves. Its state is in the database, so it continues after a restart.
 */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const { log, host, port, webhookSecret: secret } = options
  const pool = openPool(options)
  const app = openServer()
  try {
    await createTables(pool)
    const simulator: Simulator = {
      ...options,
      pool,
      get url() {
        return app.listeningOrigin
      },
      get webhookUrl() {
        return this.behavior.webhooks.url ?? options.webhookUrl
      },
      behavior: NORMAL,
      eventsDrawn: 0,
      passTime: () => passTime(simulator, DUE),
      deliver: () => webhooks.wake(),
    }
    serve(app, simulator)
    await app.listen({ host, port })
    const webhooks = sendWebhooks({
      pool,
      log,
      secret,
      url: () => (options.isSilent ? undefined : simulator.webhookUrl),
      passTime: async () => {
        if (options.isSilent) return undefined
        await simulator.passTime()
        return dueInMs(simulator)
      },
    })
    const tidying = setInterval(() => {
      deleteOld(pool).catch((error: unknown) =>
        log.warn({ err: error }, 'the simulator could not delete old rows'),
      )
    }, TIDY_MS)
    const close = async () => {
      clearInterval(tidying)
      await app.close()
      await webhooks.close()
      await pool.end()
    }
    return { url: simulator.url, close }
  } catch (error) {
    await pool.end()
    throw error
  }
}

function openPool({ databaseUrl, log }: SimulatorOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'payments simulator',
    max: CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    keepAlive: true,
  })
  // A broken connection also emits an event; without listeners it would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'idle database connection lost'))
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

function openServer(): FastifyInstance {
  // No call takes more than a few kilobytes. A request that is set to hang must not keep the process alive.
  const app = fastify({ bodyLimit: 64 * 1024, forceCloseConnections: true, exposeHeadRoutes: false })
  const form = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, done) => done(null, body))
  // Files are sent to a host of their own at Stripe; the SDK sends them here as well.
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MOST_BYTES + 1024 * 1024 },
    (_request, body, done) => done(null, body),
  )
  // Prevents DNS rebinding: a foreign page whose name resolves to this machine could otherwise call the API from a
  // visitor's browser, because the key is public.
  app.addHook('onRequest', async ({ ip, headers }, reply) => {
    const isNear = isLoopback(ip.replace(/^::ffff:/, ''))
    if (isNear && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(headers.host ?? '')) return
    return reply.code(403).send({ error: 'Test payments are for this machine only.' })
  })
  return app
}

/** The API is under /v1, what tests control is under /simulator; everything else is pages for people. */
function serve(app: FastifyInstance, simulator: Simulator): void {
  const calls = [
    ...subscriptionCalls,
    ...checkoutCalls,
    ...portalCalls,
    ...accountCalls,
    ...platformCalls,
    ...paymentIntentCalls,
    ...chargeCalls,
    ...balanceCalls,
    ...reviewCalls,
    ...refundCalls,
    ...transferCalls,
    ...payoutCalls,
    ...disputeCalls,
    ...fileCalls,
  ]
  const api: FastifyPluginCallback = (scope, _options, done) => {
    serveCalls(scope, simulator, calls)
    done()
  }
  const controls: FastifyPluginCallback = (scope, _options, done) => {
    serveControls(scope, simulator)
    servePaymentControls(scope, simulator)
    done()
  }
  app.register(api, { prefix: '/v1' })
  app.register(controls, { prefix: '/simulator' })
  servePages(app, simulator, [checkoutPage, setupPage, onboardingPage, portalPage, expressPage])
}
