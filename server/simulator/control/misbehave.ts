import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Exchange, NoAnswer } from '#server/simulator/http/exchange.ts'
import { json } from '#server/simulator/http/exchange.ts'
import type { Simulator } from '#server/simulator/simulator.ts'

/** Answers as the simulator was told to: right, wrong, late or not at all. */
export async function misbehave(
  simulator: Simulator,
  exchange: Exchange,
  answer: () => Promise<Answer>,
): Promise<Answer | NoAnswer> {
  const failure = takeFailure(simulator, exchange)
  if (failure === 'hang') return 'hang'
  if (typeof failure === 'number') return json(failure, FAILED, { 'request-id': 'req_misbehaving' })
  const right = await answer()
  if (failure === 'lose-answer') return 'break'
  const delayMs = isRead(exchange) ? takeDelay(simulator) : 0
  // What was read is old when it arrives, as over a slow line.
  if (delayMs > 0) await sleep(delayMs)
  return right
}

const FAILED = { error: { message: 'The simulator was told to fail.', type: 'api_error' } }

function takeFailure(simulator: Simulator, { url }: Exchange) {
  const { fail, onPaths, times } = simulator.behaviour
  if (fail === undefined || !onPaths.some((path) => url.pathname.startsWith(path))) return undefined
  if (times === undefined) return fail
  const { fail: _, times: __, ...healed } = simulator.behaviour
  simulator.behaviour = times > 1 ? { ...simulator.behaviour, times: times - 1 } : healed
  return fail
}

function isRead({ method, url }: Exchange): boolean {
  return method === 'GET' && url.pathname.startsWith('/v1/')
}

/** The next delay; of several the first goes to the end. */
function takeDelay(simulator: Simulator): number {
  const { delayReadsMs } = simulator.behaviour
  if (typeof delayReadsMs === 'number') return delayReadsMs
  const [next = 0, ...rest] = delayReadsMs
  simulator.behaviour = { ...simulator.behaviour, delayReadsMs: [...rest, next] }
  return next
}
