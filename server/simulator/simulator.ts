import type { Pool } from 'pg'
import type { Log } from '#server/platform/log.ts'
import type { Behaviour } from './control/behaviour.ts'
import type { Catalogue } from './objects/catalogue.ts'
import type { Db } from './state/object-queries.ts'

/** One running simulator: what all of its requests share. */
export type Simulator = {
  readonly pool: Pool
  readonly log: Log
  readonly catalogue: Catalogue
  readonly productName: string
  readonly secretKey: string
  readonly webhookSecret: string
  /** Its own address, of which the addresses of its pages are made. */
  readonly url: string
  /** How it was told to behave; replaced as a whole. */
  behaviour: Behaviour
  /** Keys of requests that are being worked on. */
  readonly keysInUse: Set<string>
  /** To be called when there may be something to send. */
  readonly deliver: () => void
}

/** Who asks for something, as events name it; a form on a hosted page is nobody's request. */
export type Request = { readonly id: string | null; readonly idempotency_key: string | null }

/** One piece of work: a transaction, and what it needs to know. */
export type Work = {
  readonly db: Db
  readonly simulator: Simulator
  /** Seconds since 1970, as all of Stripe's times; the same for everything that is done in one piece. */
  readonly now: number
  readonly request: Request
}

export const FROM_A_PAGE: Request = { id: null, idempotency_key: null }

/** Does all of it or nothing. The webhooks that it caused are sent once it stands. */
export async function inWork<T>(
  simulator: Simulator,
  request: Request,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  const db = await simulator.pool.connect()
  try {
    await db.query('begin')
    const result = await work({ db, simulator, now: secondsNow(simulator), request })
    await db.query('commit')
    db.release()
    simulator.deliver()
    return result
  } catch (error) {
    await db.query('rollback').then(
      () => db.release(),
      // A broken connection: the pool must not hand it out again.
      () => db.release(true),
    )
    throw error
  }
}

function secondsNow({ behaviour }: Simulator): number {
  return Math.floor((Date.now() + behaviour.clockAheadMs) / 1000)
}
