import { answerCall } from './api/answer-call.ts'
import { answerControl } from './control/control-calls.ts'
import { misbehave } from './control/misbehave.ts'
import { type Answer, type Exchange, json, type NoAnswer } from './http/exchange.ts'
import { isFromThisMachine } from './http/this-machine.ts'
import { answerPage } from './pages/answer-page.ts'
import type { Simulator } from './simulator.ts'

/** The API below /v1, what tests say below /simulator, pages for people everywhere else. */
export async function handleRequest(simulator: Simulator, exchange: Exchange): Promise<Answer | NoAnswer> {
  if (!isFromThisMachine(exchange)) return json(403, { error: 'Test payments are for this machine alone.' })
  const { pathname } = exchange.url
  if (pathname.startsWith('/simulator/')) return answerControl(simulator, exchange)
  const answer = pathname.startsWith('/v1/') ? answerCall : answerPage
  return misbehave(simulator, exchange, () => answer(simulator, exchange))
}
