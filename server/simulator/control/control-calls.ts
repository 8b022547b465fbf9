import { z } from 'zod'
import type { Answer, Exchange } from '#server/simulator/http/exchange.ts'
import { json } from '#server/simulator/http/exchange.ts'
import type { Simulator } from '#server/simulator/simulator.ts'
import {
  countDeliveries,
  dropHeldDeliveries,
  insertDelivery,
  releaseHeldDeliveries,
} from '#server/simulator/state/delivery-queries.ts'
import { behaviourSchema } from './behaviour.ts'

/*
 * What a test tells the simulator: how to behave, and when to send the webhooks that it holds. Only as JSON, which keeps
 * the forms of foreign pages out.
 */

type Control = (simulator: Simulator, body: unknown) => Promise<object>

const deliverSchema = z.strictObject({
  /** These events in this order, each as often as it is named; all that is held, in its own order, when left out. */
  events: z.array(z.string()).max(10_000).optional(),
})

const CONTROLS: Readonly<Record<string, Control>> = {
  'GET /simulator/behaviour': async (simulator) => simulator.behaviour,
  'POST /simulator/behaviour': async (simulator, body) => {
    simulator.behaviour = behaviourSchema.parse(body)
    simulator.deliver()
    return simulator.behaviour
  },
  'POST /simulator/deliver': async (simulator, body) => {
    const { events } = deliverSchema.parse(body)
    const released = events
      ? await sendInOrder(simulator, events)
      : await releaseHeldDeliveries(simulator.pool)
    simulator.deliver()
    return { released }
  },
  'GET /simulator/deliveries': async (simulator) => countDeliveries(simulator.pool),
}

async function sendInOrder({ pool }: Simulator, events: readonly string[]): Promise<number> {
  await dropHeldDeliveries(pool, events)
  const dueAt = new Date()
  for (const eventId of events) await insertDelivery(pool, { eventId, dueAt, held: false })
  return events.length
}

export async function answerControl(simulator: Simulator, exchange: Exchange): Promise<Answer> {
  if (!isJson(exchange)) return json(403, { error: 'Only programs may do that: send JSON.' })
  const control = CONTROLS[`${exchange.method} ${exchange.url.pathname}`]
  if (!control) return json(404, { error: `There is no ${exchange.method} ${exchange.url.pathname}.` })
  try {
    return json(200, await control(simulator, exchange.body === '' ? {} : JSON.parse(exchange.body)))
  } catch (error) {
    if (error instanceof z.ZodError) return json(422, { error: z.prettifyError(error) })
    if (error instanceof SyntaxError) return json(400, { error: 'The body is not JSON.' })
    throw error
  }
}

function isJson({ headers, method }: Exchange): boolean {
  return method === 'GET' || (headers['content-type'] ?? '').startsWith('application/json')
}
