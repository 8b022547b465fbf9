import pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import { httpOrigin } from '#server/platform/net/addresses.ts'
import { expireOverdueCheckouts } from './checkout.ts'
import { openListener } from './http.ts'
import { handleRequest } from './requests.ts'
import { inWork, NORMAL, type Plan, type Simulator } from './simulator.ts'
import { createTables, deleteOld } from './store.ts'
import { sendWebhooks } from './webhooks.ts'

export type SimulatorOptions = {
  readonly databaseUrl: string
  /** An address of this machine: nobody else may use it, since everyone knows the key. */
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly secretKey: string
  readonly webhookSecret: string
  /** Undefined: webhooks wait until a test says where to send them (POST /simulator/behavior). */
  readonly webhookUrl: string | undefined
  readonly productName: string
  readonly plan: Plan
  readonly log: Log
}

export type RunningSimulator = { readonly url: string; close(): Promise<void> }

// Calls are short; webhooks take one now and then.
const CONNECTIONS = 5
// Sessions and keys live for a day: a minute more or less does not matter.
const TIDY_MS = 60_000

/**
 * Starts a server with the part of Stripe's HTTP API that the marketplace uses, its hosted pages and its webhooks. No
 * money moves. Its state is in the database, so it continues after a restart.
 */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const { log, webhookSecret: secret } = options
  const pool = openPool(options)
  try {
    await createTables(pool)
    const listener = await openListener(options.host, options.port)
    const url = httpOrigin(options.host, listener.port)
    const simulator: Simulator = {
      ...options,
      pool,
      url,
      behavior: NORMAL,
      keysInUse: new Set(),
      deliver: () => webhooks.wake(),
    }
    const webhooks = sendWebhooks({
      pool,
      log,
      secret,
      url: () => simulator.behavior.webhooks.url ?? options.webhookUrl,
    })
    listener.handle((exchange) => handleRequest(simulator, exchange))
    const tidying = setInterval(() => void tidy(simulator), TIDY_MS)
    const close = async () => {
      clearInterval(tidying)
      await listener.close()
      await webhooks.close()
      await pool.end()
    }
    return { url, close }
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

async function tidy(simulator: Simulator): Promise<void> {
  try {
    await inWork(simulator, expireOverdueCheckouts)
    await deleteOld(simulator.pool)
  } catch (error) {
    simulator.log.warn({ err: error }, 'the simulator could not delete expired rows')
  }
}
