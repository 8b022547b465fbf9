import pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import { httpOrigin } from '#server/platform/net/addresses.ts'
import { GOOD_BEHAVIOUR } from './control/behaviour.ts'
import { handleRequest } from './handle-request.ts'
import { openListener } from './http/listener.ts'
import { expireOverdueCheckouts } from './life/checkout-life.ts'
import { openCatalogue, type PriceSetting } from './objects/catalogue.ts'
import { FROM_A_PAGE, inWork, type Simulator } from './simulator.ts'
import { deleteOldAnswers } from './state/answer-queries.ts'
import { deleteOldEvents } from './state/delivery-queries.ts'
import { makeSchema } from './state/schema.ts'
import { sendWebhooks } from './webhooks/send-webhooks.ts'

export type SimulatorOptions = {
  readonly databaseUrl: string
  /** An address of this machine: nobody else may use it, there is no password. */
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  readonly secretKey: string
  readonly webhookSecret: string
  /** Undefined: nobody is told until somebody says where to (POST /simulator/behaviour). */
  readonly webhookUrl: string | undefined
  readonly productName: string
  readonly prices: readonly PriceSetting[]
  readonly log: Log
}

export type RunningSimulator = { readonly url: string; close(): Promise<void> }

// Calls are short; webhooks take one now and then.
const CONNECTIONS = 5
// Sessions live for a day, keys as well: a minute more or less is nothing.
const TIDY_MS = 60_000

/**
 * Starts a server that speaks the part of Stripe's HTTP API that the marketplace uses, has its hosted pages, and sends
 * its webhooks. No money moves. What it knows stays in the database, so that it goes on after a restart.
 */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const pool = openPool(options)
  try {
    await makeSchema(pool)
    const listener = await openListener(options.host, options.port)
    const url = httpOrigin(options.host, listener.port)
    const simulator: Simulator = {
      ...options,
      pool,
      url,
      catalogue: openCatalogue(options.prices),
      behaviour: GOOD_BEHAVIOUR,
      keysInUse: new Set(),
      deliver: () => webhooks.wake(),
    }
    const webhooks = sendWebhooks({
      pool,
      log: options.log,
      secret: options.webhookSecret,
      url: () => simulator.behaviour.webhooks.url ?? options.webhookUrl,
      behaviour: () => simulator.behaviour,
    })
    listener.serve(simulator, handleRequest)
    webhooks.wake()
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
  // A connection that breaks tells it by an event as well; without listeners it would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'idle database connection lost'))
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

async function tidy(simulator: Simulator): Promise<void> {
  try {
    await inWork(simulator, FROM_A_PAGE, async (work) => {
      await expireOverdueCheckouts(work)
      await deleteOldEvents(work.db, work.now)
    })
    await deleteOldAnswers(simulator.pool)
  } catch (error) {
    simulator.log.warn({ err: error }, 'the simulator could not tidy up')
  }
}
