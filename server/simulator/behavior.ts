import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { StripeError } from './parameters.ts'
import { behaviorSchema, type Simulator } from './simulator.ts'
import { countDeliveries, releaseHeldDeliveries } from './store.ts'

/* How a test controls the simulator. */

export const FAILED = { error: { message: 'The simulator is set to fail.', type: 'api_error' } }

/** Returns the failure configured for this path, if any, and counts down a limited one. */
export function takeFailure(simulator: Simulator, path: string) {
  const { fail, onPaths, times } = simulator.behavior
  if (fail === undefined || !onPaths.some((prefix) => path.startsWith(prefix))) return undefined
  if (times !== undefined) {
    simulator.behavior = { ...simulator.behavior, times: times - 1, ...(times === 1 && { fail: undefined }) }
  }
  return fail
}

/** The configured delays are used in turn. */
export function takeDelay(simulator: Simulator): number {
  const [next = 0, ...rest] = simulator.behavior.delayReadsMs
  if (rest.length > 0) simulator.behavior = { ...simulator.behavior, delayReadsMs: [...rest, next] }
  return next
}

/** Calls for tests. JSON only, which keeps out the forms of foreign pages. */
export function serveControls(app: FastifyInstance, simulator: Simulator): void {
  app.removeContentTypeParser(['text/plain', 'application/x-www-form-urlencoded'])
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof StripeError) return reply.code(422).send({ error: error.message })
    if (!(error instanceof z.ZodError)) throw error
    return reply.code(422).send({ error: z.prettifyError(error) })
  })
  app.get('/behavior', async () => simulator.behavior)
  app.post('/behavior', async ({ body }) => {
    simulator.behavior = behaviorSchema.parse(body)
    simulator.eventsDrawn = 0
    simulator.deliver()
    return simulator.behavior
  })
  app.post('/deliver', async () => {
    const released = await releaseHeldDeliveries(simulator.pool)
    simulator.deliver()
    return { released }
  })
  app.get('/deliveries', () => countDeliveries(simulator.pool))
}
