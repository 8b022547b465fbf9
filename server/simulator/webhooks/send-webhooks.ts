import type { Pool } from 'pg'
import type { Log } from '#server/platform/log.ts'
import type { Behaviour } from '#server/simulator/control/behaviour.ts'
import {
  type Delivery,
  findDueDelivery,
  finishDelivery,
  nextDeliveryInMs,
  postponeAllDeliveries,
  postponeDelivery,
} from '#server/simulator/state/delivery-queries.ts'
import { signatureOf } from './signature.ts'

export type Webhooks = {
  /** Looks again: something may be due. */
  wake(): void
  /** Ends after what is being sent. */
  close(): Promise<void>
}

export type WebhookOptions = {
  readonly pool: Pool
  readonly log: Log
  readonly secret: string
  /** Undefined: nobody listens, and everything waits. */
  readonly url: () => string | undefined
  readonly behaviour: () => Behaviour
}

// Stripe gives up on a receiver after 10 to 20 s.
const ANSWER_MS = 15_000
const FIRST_RETRY_MS = 1_000
const RETRY_FACTOR = 5
const LONGEST_RETRY_MS = 600_000
// As often as Stripe tries within three days, roughly.
const MOST_ATTEMPTS = 20
// The database is away: it is being restarted, or this process is about to end with it.
const DATABASE_PAUSE_MS = 1_000

/**
 * Sends what waits, one after the other, so that the order is that of the events. It goes by the table alone: after a
 * restart it goes on where it was. One that was sent in the moment of a crash is sent again, as by Stripe.
 */
export function sendWebhooks(options: WebhookOptions): Webhooks {
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false

  const run = async () => {
    do {
      again = false
      while (!closed && (await sendNext(options))) again = false
    } while (again && !closed)
    const inMs = closed ? undefined : await nextDeliveryInMs(options.pool)
    if (inMs !== undefined && options.url() !== undefined) wakeIn(inMs)
  }
  const wakeIn = (inMs: number) => {
    clearTimeout(timer)
    // Timers beyond 2^31 ms fire at once; and a clock may be set.
    if (!closed) timer = setTimeout(wake, Math.min(Math.max(inMs, 1), LONGEST_RETRY_MS))
  }
  const wake = () => {
    again = true
    running ??= run()
      .catch((error: unknown) => {
        if (closed) return
        options.log.warn({ err: error }, 'webhooks wait for the database')
        wakeIn(DATABASE_PAUSE_MS)
      })
      .finally(() => {
        running = undefined
        if (again && !closed) wakeIn(1)
      })
  }
  return {
    wake,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}

/** False when nothing is due. */
async function sendNext(options: WebhookOptions): Promise<boolean> {
  const url = options.url()
  if (url === undefined) return false
  const delivery = await findDueDelivery(options.pool, options.behaviour().webhooks.shuffle)
  if (!delivery) return false
  const outcome = await post(url, delivery, options.secret)
  if (outcome.ok) {
    await finishDelivery(options.pool, delivery.id, outcome.said)
    return true
  }
  options.log.info({ event: delivery.event.type, reason: outcome.said }, 'a webhook was not taken')
  await tryLater(options.pool, delivery, outcome)
  return true
}

type Outcome = { readonly ok: boolean; readonly said: string; readonly answered: boolean }

async function post(url: string, { event }: Delivery, secret: string): Promise<Outcome> {
  const body = JSON.stringify(event, null, 2)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (simulator)',
        'stripe-signature': signatureOf(body, secret, new Date()),
      },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    await answer.body?.cancel()
    return { ok: answer.ok, said: `status ${answer.status}`, answered: true }
  } catch (error) {
    return { ok: false, said: error instanceof Error ? error.message : String(error), answered: false }
  }
}

/** A receiver that is down gets everything in its order later; one that refuses an event gets the others now. */
async function tryLater(pool: Pool, { id, attempts }: Delivery, outcome: Outcome): Promise<void> {
  if (attempts + 1 >= MOST_ATTEMPTS) return finishDelivery(pool, id, `given up: ${outcome.said}`)
  const ms = Math.min(FIRST_RETRY_MS * RETRY_FACTOR ** attempts, LONGEST_RETRY_MS)
  await postponeDelivery(pool, id, { ms, outcome: outcome.said })
  if (!outcome.answered) await postponeAllDeliveries(pool, ms)
}
