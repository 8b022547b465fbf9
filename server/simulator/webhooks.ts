import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Log } from '#server/platform/log.ts'
import { findDueDelivery, finishDelivery, nextDeliveryInMs, postponeDelivery } from './store.ts'
import type { Event } from './stripe-objects.ts'

export type Webhooks = {
  /** Checks for due webhooks now. */
  wake(): void
  /** Stops after the current delivery. */
  close(): Promise<void>
}

export type WebhookOptions = {
  readonly pool: Pool
  readonly log: Log
  readonly secret: string
  /** Undefined: there is no receiver, and everything waits. */
  readonly url: () => string | undefined
  /** Lets happen what is due, and returns the milliseconds until something is due again. */
  readonly passTime: () => Promise<number | undefined>
}

// Stripe gives up on a receiver after 10 to 20 s.
const RECEIVER_MS = 15_000
// Nothing is listening, or the database is down: both are usually restarting.
const AWAY_MS = 2_000
const FIRST_RETRY_MS = 1_000
const RETRY_FACTOR = 5
// Stripe's pauses grow to hours; ours are at most two minutes for people who try the product out.
const LONGEST_RETRY_MS = 125_000
// A command of the same installation may run its own simulator, whose events are sent from here.
const LONGEST_SLEEP_MS = 30_000

/**
 * Sends due webhooks one at a time in the order of the events. The table is the queue: after a restart it resumes, and an
 * event that was being sent during a crash is sent again, as by Stripe. While nothing is listening the whole queue waits in
 * order; an event that the receiver rejects does not block the others. Between deliveries, time passes: what is due
 * happens.
 */
export function sendWebhooks(options: WebhookOptions): Webhooks {
  let isClosed = false
  let pause = new AbortController()
  const run = async () => {
    while (!isClosed) {
      const pauseMs = await sendNext(options).catch((error: unknown) => {
        options.log.debug({ err: error }, 'webhooks are waiting for the database')
        return AWAY_MS
      })
      // Aborted already if it was woken meanwhile.
      const { signal } = pause
      await sleep(Math.max(0, Math.min(pauseMs, LONGEST_SLEEP_MS)), undefined, { signal }).catch(
        () => undefined,
      )
      pause = new AbortController()
    }
  }
  const running = run()
  return {
    wake: () => pause.abort(),
    close: async () => {
      isClosed = true
      pause.abort()
      await running
    },
  }
}

/** Returns the milliseconds until there is something to do again. */
async function sendNext(options: WebhookOptions): Promise<number> {
  const dueMs = (await options.passTime()) ?? LONGEST_SLEEP_MS
  return Math.min(dueMs, await sendDue(options))
}

async function sendDue({ pool, log, secret, url }: WebhookOptions): Promise<number> {
  const to = url()
  if (to === undefined) return LONGEST_SLEEP_MS
  const delivery = await findDueDelivery(pool)
  if (!delivery) return (await nextDeliveryInMs(pool)) ?? LONGEST_SLEEP_MS
  const { id, event, attempts } = delivery
  const reply = await post(to, event, secret)
  if (reply === undefined) return AWAY_MS
  const outcome = `status ${reply.status}`
  if (reply.ok) {
    await finishDelivery(pool, id, outcome)
    return 0
  }
  log.info({ event: event.type, outcome }, 'a webhook was rejected')
  const ms = Math.min(FIRST_RETRY_MS * RETRY_FACTOR ** attempts, LONGEST_RETRY_MS)
  await postponeDelivery(pool, id, { ms, outcome })
  return 0
}

/** Undefined if there was no reply. */
async function post(url: string, event: Event, secret: string): Promise<Response | undefined> {
  const body = JSON.stringify(event, null, 2)
  try {
    const reply = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (simulator)',
        'stripe-signature': signatureOf(body, secret, new Date()),
      },
      body,
      signal: AbortSignal.timeout(RECEIVER_MS),
    })
    await reply.body?.cancel()
    return reply
  } catch {
    return undefined
  }
}

/** The header Stripe-Signature: the time of signing, and the signature of time and text. */
function signatureOf(text: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
  return `t=${seconds},v1=${signature}`
}
