import { createHash, timingSafeEqual } from 'node:crypto'
import type { Answer, Exchange } from '#server/simulator/http/exchange.ts'
import { json } from '#server/simulator/http/exchange.ts'
import { type FormFields, readFormFields } from '#server/simulator/http/form-fields.ts'
import { newId } from '#server/simulator/objects/stripe-id.ts'
import { API_VERSION } from '#server/simulator/objects/stripe-objects.ts'
import { inWork, type Simulator, type Work } from '#server/simulator/simulator.ts'
import { accountAt } from './account-calls.ts'
import type { ApiCall } from './api-call.ts'
import { findCall } from './calls.ts'
import { expandAnswer } from './expand.ts'
import { onceOnly, type Worked } from './once-only.ts'
import { parameterError } from './parameter-error.ts'
import { StripeError } from './stripe-error.ts'

/** Answers a request to the API, as Stripe would. */
export async function answerCall(simulator: Simulator, exchange: Exchange): Promise<Answer> {
  const requestId = newId('req')
  const headers = replyHeaders(requestId, exchange)
  try {
    const { status, body, replayOf } = await workOff(simulator, exchange, requestId)
    const replayed = replayOf && { 'idempotent-replayed': 'true', 'original-request': replayOf }
    return { status, headers: { 'content-type': 'application/json', ...headers, ...replayed }, body }
  } catch (error) {
    if (error instanceof StripeError) return json(error.status, error.toBody(), headers)
    simulator.log.error({ err: error, path: exchange.url.pathname }, 'a call of the simulator failed')
    return json(
      500,
      new StripeError(500, 'An unknown error occurred', { type: 'api_error' }).toBody(),
      headers,
    )
  }
}

function replyHeaders(requestId: string, { headers, method }: Exchange): Record<string, string> {
  const key = headerOf(headers['idempotency-key'])
  const account = headerOf(headers['stripe-account'])
  return {
    'request-id': requestId,
    'stripe-version': API_VERSION,
    ...(key !== undefined && method === 'POST' && { 'idempotency-key': key }),
    ...(account !== undefined && { 'stripe-account': account }),
  }
}

async function workOff(simulator: Simulator, exchange: Exchange, requestId: string): Promise<Worked> {
  checkKey(simulator, exchange)
  checkVersion(exchange)
  const { method, url } = exchange
  const found = findCall(method, url.pathname)
  if (!found) {
    throw new StripeError(
      404,
      `Unrecognized request URL (${method}: ${url.pathname}). The simulator does not have it.`,
    )
  }
  const fields = fieldsOf(exchange)
  const key = method === 'POST' ? headerOf(exchange.headers['idempotency-key']) : undefined
  const account = headerOf(exchange.headers['stripe-account'])
  const perform = (work: Work) => performCall(work, found.call, { fields, id: found.id, account })
  if (key === undefined) {
    const answer = await inWork(simulator, { id: requestId, idempotency_key: null }, perform)
    return { status: 200, body: `${JSON.stringify(answer, null, 2)}\n` }
  }
  const fingerprint = JSON.stringify([
    method,
    url.pathname,
    account,
    [...new URLSearchParams(exchange.body)].sort(),
  ])
  return onceOnly(simulator, { key, fingerprint, requestId }, perform)
}

type Sent = { readonly fields: FormFields; readonly id: string; readonly account: string | undefined }

async function performCall(work: Work, call: ApiCall, { fields, id, account }: Sent): Promise<object> {
  const given = call.takes.safeParse(fields)
  if (!given.success) throw parameterError(given.error, fields)
  const onBehalfOf = account === undefined ? undefined : await accountAt(work, account)
  const answer = await call.answer(work, given.data, { id, onBehalfOf })
  const { expand } = fields
  return Array.isArray(expand) ? expandAnswer(work, answer, expand.map(String)) : answer
}

/** What was sent in the address and in the body together: the SDK puts a DELETE's parameters into the address. */
function fieldsOf({ url, body }: Exchange): FormFields {
  const inUrl = readFormFields(url.search)
  const inBody = readFormFields(body)
  if (!inUrl || !inBody) throw new StripeError(400, 'The parameters of the request cannot be read.')
  return { ...inUrl, ...inBody }
}

function checkKey({ secretKey }: Simulator, { headers }: Exchange): void {
  const given = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
  if (given === undefined) {
    throw new StripeError(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (timingSafeEqual(digest(given), digest(secretKey))) return
  throw new StripeError(401, `Invalid API Key provided: ${given.slice(0, 8)}****${given.slice(-4)}`)
}

/** Shapes change from version to version, and here there is one. */
function checkVersion({ headers }: Exchange): void {
  const version = headerOf(headers['stripe-version']) ?? API_VERSION
  if (version === API_VERSION) return
  throw new StripeError(400, `Invalid Stripe API version: ${version}. The simulator speaks ${API_VERSION}.`)
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
