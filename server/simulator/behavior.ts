import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Exchange, json, type NoReply, type Reply } from './http.ts'
import { behaviorSchema, type Simulator } from './simulator.ts'
import { countDeliveries, releaseHeldDeliveries } from './store.ts'

/** Replies as configured: correctly, wrongly, late or not at all. */
export async function misbehave(
  simulator: Simulator,
  exchange: Exchange,
  reply: () => Promise<Reply>,
): Promise<Reply | NoReply> {
  const failure = takeFailure(simulator, exchange)
  if (failure === 'hang') return 'hang'
  if (typeof failure === 'number') return json(failure, FAILED, { 'request-id': 'req_misbehaving' })
  const normal = await reply()
  if (failure === 'lose-answer') return 'break'
  // What was read is old when it arrives, as over a slow line.
  if (exchange.method === 'GET' && exchange.url.pathname.startsWith('/v1/')) await sleep(takeDelay(simulator))
  return normal
}

const FAILED = { error: { message: 'The simulator was told to fail.', type: 'api_error' } }

function takeFailure(simulator: Simulator, { url }: Exchange) {
  const { fail, onPaths, times } = simulator.behavior
  if (fail === undefined || !onPaths.some((path) => url.pathname.startsWith(path))) return undefined
  if (times !== undefined) {
    const { fail: _, times: __, ...healed } = simulator.behavior
    simulator.behavior = times > 1 ? { ...simulator.behavior, times: times - 1 } : healed
  }
  return fail
}

function takeDelay(simulator: Simulator): number {
  const [next = 0, ...rest] = simulator.behavior.delayReadsMs
  if (rest.length > 0) simulator.behavior = { ...simulator.behavior, delayReadsMs: [...rest, next] }
  return next
}

const CONTROLS: Readonly<Record<string, (simulator: Simulator, body: unknown) => Promise<object>>> = {
  'GET /simulator/behavior': async (simulator) => simulator.behavior,
  'POST /simulator/behavior': async (simulator, body) => {
    simulator.behavior = behaviorSchema.parse(body)
    simulator.deliver()
    return simulator.behavior
  },
  'POST /simulator/deliver': async (simulator) => {
    const released = await releaseHeldDeliveries(simulator.pool)
    simulator.deliver()
    return { released }
  },
  'GET /simulator/deliveries': async (simulator) => countDeliveries(simulator.pool),
}

/** Calls with which a test controls the simulator. JSON only, which keeps out the forms of foreign pages. */
export async function replyToControl(
  simulator: Simulator,
  { method, url, headers, body }: Exchange,
): Promise<Reply> {
  const isJson = (headers['content-type'] ?? '').startsWith('application/json')
  if (method !== 'GET' && !isJson) return json(403, { error: 'Only programs may do that: send JSON.' })
  const control = CONTROLS[`${method} ${url.pathname}`]
  if (!control) return json(404, { error: `There is no ${method} ${url.pathname}.` })
  try {
    return json(200, await control(simulator, body === '' ? {} : JSON.parse(body)))
  } catch (error) {
    if (error instanceof z.ZodError) return json(422, { error: z.prettifyError(error) })
    if (error instanceof SyntaxError) return json(400, { error: 'The body is not JSON.' })
    throw error
  }
}
