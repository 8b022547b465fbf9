import type { Pool } from 'pg'
import type { Log } from '#server/platform/log.ts'
import type { Behaviour } from '#server/simulator/control/behaviour.ts'
import type { Event } from '#server/simulator/objects/stripe-objects.ts'
import {
  findDueDelivery,
  finishDelivery,
  nextDeliveryInMs,
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
// Stripe's pauses grow to hours; whoever tries the product out does not wait longer than two minutes.
const LONGEST_RETRY_MS = 125_000
// As Stripe does.
const GIVEN_UP_AFTER_S = 3 * 24 * 3600

/** How the last attempt went, where it decides what comes next. */
type Attempt = 'nothing due' | 'answered' | 'nobody there'

/**
 * Sends what waits, one after the other, so that the order is that of the events. The queue is the table alone: after a
 * restart it goes on where it was. One that was sent in the moment of a crash is sent again, as by Stripe. While nobody
 * answers, the whole queue waits, and keeps its order; an event that is refused lets the others pass.
 */
export function sendWebhooks(options: WebhookOptions): Webhooks {
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wasWoken = false
  // While nobody answers: how many pauses there were, and when the one that is now ends.
  let pauses = 0
  let retryAt = 0

  const run = async () => {
    let attempt: Attempt
    do {
      wasWoken = false
      attempt = await sendNext(options)
      if (attempt === 'nobody there') pause()
      else pauses = 0
    } while (!closed && (attempt === 'answered' || (attempt === 'nothing due' && wasWoken)))
    wakeIn(pauses > 0 ? retryAt - Date.now() : await nextDeliveryInMs(options.pool))
  }
  // A new event has another try made at once; that alone makes the pause no longer.
  const pause = () => {
    if (pauses > 0 && Date.now() < retryAt) return
    retryAt = Date.now() + retryMs(pauses)
    pauses += 1
  }
  const wakeIn = (inMs: number | undefined) => {
    clearTimeout(timer)
    if (closed || inMs === undefined || options.url() === undefined) return
    timer = setTimeout(wake, Math.min(Math.max(inMs, 1), LONGEST_RETRY_MS))
  }
  const wake = () => {
    wasWoken = true
    running ??= run()
      .catch((error: unknown) => {
        // The database is away: it is being restarted, or this process is about to end with it.
        options.log.debug({ err: error }, 'webhooks wait for the database')
        wakeIn(FIRST_RETRY_MS)
      })
      .finally(() => {
        running = undefined
        // Somebody called while it was already on its way out.
        if (wasWoken) wakeIn(1)
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

async function sendNext({ pool, log, secret, url, behaviour }: WebhookOptions): Promise<Attempt> {
  const to = url()
  const delivery = to === undefined ? undefined : await findDueDelivery(pool, behaviour().webhooks.shuffle)
  if (to === undefined || !delivery) return 'nothing due'
  const { id, event, attempts } = delivery
  const outcome = await post(to, event, secret)
  if (outcome.ok) {
    await finishDelivery(pool, id, outcome.said)
    return 'answered'
  }
  log.info({ event: event.type, reason: outcome.said }, 'a webhook was not taken')
  if (Date.now() / 1000 - event.created > GIVEN_UP_AFTER_S) {
    await finishDelivery(pool, id, `given up: ${outcome.said}`)
  } else if (outcome.answered) {
    await postponeDelivery(pool, id, { ms: retryMs(attempts), outcome: outcome.said })
  }
  return outcome.answered ? 'answered' : 'nobody there'
}

/** 1 s, 5 s, 25 s, 125 s, 125 s … */
function retryMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * RETRY_FACTOR ** attempts, LONGEST_RETRY_MS)
}

type Outcome = { readonly ok: boolean; readonly said: string; readonly answered: boolean }

async function post(url: string, event: Event, secret: string): Promise<Outcome> {
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
