import { answerCall } from './api/answer-call.ts'
import { answerControl } from './control/control-calls.ts'
import { misbehave } from './control/misbehave.ts'
import type { Answer, Exchange, NoAnswer } from './http/exchange.ts'
import { answerPage } from './pages/answer-page.ts'
import type { Simulator } from './simulator.ts'

/** The API below /v1, what tests say below /simulator, pages for people everywhere else. */
export function handleRequest(simulator: Simulator, exchange: Exchange): Promise<Answer | NoAnswer> {
  const { pathname } = exchange.url
  if (pathname.startsWith('/simulator/')) return answerControl(simulator, exchange)
  const answer = pathname.startsWith('/v1/') ? answerCall : answerPage
  return misbehave(simulator, exchange, () => answer(simulator, exchange))
}
