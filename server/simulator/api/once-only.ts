import { inWork, type Simulator, type Work } from '#server/simulator/simulator.ts'
import { findAnswer, insertAnswer, type KeptAnswer } from '#server/simulator/state/answer-queries.ts'
import { StripeError } from './stripe-error.ts'

/** An answer, new or from memory; then with the request that it was first given to. */
export type Worked = { readonly status: number; readonly body: string; readonly replayOf?: string }

export type KeyedRequest = {
  readonly key: string
  /** The same for the same request alone. */
  readonly fingerprint: string
  readonly requestId: string
}

/**
 * Does what is asked once for each Idempotency-Key, and answers the same ever after. The answer is kept in the
 * transaction of the work, so that a crash leaves both or none. As with Stripe, parameters that are refused leave the
 * key unused, while a card that is declined is declined again.
 */
export async function onceOnly(
  simulator: Simulator,
  request: KeyedRequest,
  perform: (work: Work) => Promise<object>,
): Promise<Worked> {
  const { key, requestId } = request
  if (simulator.keysInUse.has(key)) throw stillRunning(key)
  simulator.keysInUse.add(key)
  try {
    const kept = await findAnswer(simulator.pool, key)
    if (kept) return replay(kept, request)
    return await inWork(simulator, { id: requestId, idempotency_key: key }, async (work) => {
      const body = `${JSON.stringify(await perform(work), null, 2)}\n`
      await insertAnswer(work.db, key, keptAs(request, { status: 200, body }))
      return { status: 200, body }
    })
  } catch (error) {
    if (error instanceof StripeError && error.facts.type === 'card_error') {
      const declined = { status: error.status, body: `${JSON.stringify(error.toBody(), null, 2)}\n` }
      await insertAnswer(simulator.pool, key, keptAs(request, declined))
    }
    throw error
  } finally {
    simulator.keysInUse.delete(key)
  }
}

function keptAs({ fingerprint, requestId }: KeyedRequest, worked: Worked): KeptAnswer {
  return { fingerprint, requestId, status: worked.status, body: worked.body }
}

function replay(kept: KeptAnswer, { key, fingerprint }: KeyedRequest): Worked {
  if (kept.fingerprint === fingerprint) {
    return { status: kept.status, body: kept.body, replayOf: kept.requestId }
  }
  throw new StripeError(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  )
}

function stillRunning(key: string): StripeError {
  return new StripeError(
    409,
    `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    { type: 'idempotency_error', code: 'idempotency_key_in_use' },
  )
}
