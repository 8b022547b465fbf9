import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { FAILED, takeDelay, takeFailure } from './behavior.ts'
import { expanded, takeExpand } from './expand.ts'
import { type FormFields, formFields, parameterError, StripeError } from './parameters.ts'
import { accountAt, checkPermission } from './permissions.ts'
import { inWork, type Simulator, type Work } from './simulator.ts'
import { findReply, insertReply, lockKey } from './store.ts'
import { API_VERSION, type List, newId } from './stripe-objects.ts'

/** The context of a call besides its parameters. */
type CallContext = {
  /** The id in the path, or empty. */
  readonly id: string
  /** The id of the connected account it is made for (Stripe-Account). */
  readonly account: string | undefined
  /** What was sent as `file` of multipart/form-data. */
  readonly file: SentFile | undefined
}

type SentFile = { readonly name: string; readonly bytes: Uint8Array }

type Method = 'GET' | 'POST' | 'DELETE'

/** One call of the API; its path has at most one `:id`. */
export type ApiCall = {
  readonly method: string
  readonly path: string
  readonly perform: (work: Work, fields: FormFields, context: CallContext) => Promise<object>
}

/** A call from `POST /customers`, its parameters and what it does with them. */
export function apiCall<Takes extends z.ZodType>(
  address: `${Method} /${string}`,
  takes: Takes,
  perform: (work: Work, given: z.output<Takes>, context: CallContext) => Promise<object>,
): ApiCall {
  const [method = '', path = ''] = address.split(' ')
  return {
    method,
    path,
    perform: async (work, fields, context) => {
      const { paths, rest } = takeExpand(fields)
      const given = takes.safeParse(rest)
      if (!given.success) throw parameterError(given.error, rest)
      return expanded(work, await perform(work, given.data, context), paths)
    },
  }
}

/** One page of a list; `found` contains one more than the limit if there are more. */
export function listOf<Item>(found: readonly Item[], url: string, limit: number): List<Item> {
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url }
}

/** Serves the calls with Stripe's headers and errors, or misbehaves as a test configured it. */
export function serveCalls(api: FastifyInstance, simulator: Simulator, calls: readonly ApiCall[]): void {
  api.addHook('onRequest', async (request, reply) => {
    const date = new Date(Date.now() + simulator.behavior.clockAheadMs).toUTCString()
    reply.headers({ date, 'request-id': newId('req'), 'stripe-version': API_VERSION })
    checkKey(simulator, request)
    checkVersion(request)
    checkPermission(simulator, request.method, request.url.split('?')[0] ?? '')
  })
  api.setErrorHandler((error: FastifyError, request, reply) => {
    const known = error instanceof StripeError ? error : toStripeError(simulator, error, request)
    return reply.code(known.status).send(known.toBody())
  })
  api.setNotFoundHandler(({ method, url }) => {
    throw new StripeError(
      404,
      `Unrecognized request URL (${method}: ${url}). The simulator does not have it.`,
    )
  })
  for (const call of calls) {
    api.route({
      method: call.method,
      url: call.path,
      handler: (request, reply) =>
        misbehave(simulator, { request, reply }, () => perform(simulator, call, request)),
    })
  }
}

function toStripeError({ log }: Simulator, error: FastifyError, { url }: FastifyRequest): StripeError {
  if ((error.statusCode ?? 500) < 500) return new StripeError(error.statusCode ?? 400, error.message)
  log.error({ err: error, path: url }, 'a call of the simulator failed')
  return new StripeError(500, 'An unknown error occurred', { type: 'api_error' })
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** Replies as configured: correctly, wrongly, late or not at all. */
async function misbehave(
  simulator: Simulator,
  { request, reply }: Exchange,
  call: () => Promise<Performed>,
): Promise<FastifyReply> {
  const failure = takeFailure(simulator, request.url)
  if (failure === 'hang') return reply.hijack()
  if (typeof failure === 'number') return reply.code(failure).send(FAILED)
  const { body, isReplay } = await call()
  if (failure === 'lose-answer') {
    reply.hijack()
    request.socket.destroy()
    return reply
  }
  // Delays after reading, so that the reply is outdated, as on a slow network.
  if (request.method === 'GET') await sleep(takeDelay(simulator))
  if (isReplay) reply.header('idempotent-replayed', 'true')
  return reply.type('application/json').send(body)
}

type Performed = { readonly body: string; readonly isReplay: boolean }

async function perform(simulator: Simulator, call: ApiCall, request: FastifyRequest): Promise<Performed> {
  await simulator.passTime()
  const { form, file } = await readForm(request)
  const account = headerOf(request, 'stripe-account')
  const { id = '' } = request.params as { id?: string }
  const work = async (work: Work) => {
    if (account !== undefined) await accountAt(work, account)
    return JSON.stringify(await call.perform(work, formFields(form), { id, account, file }))
  }
  const key = call.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined
  if (key === undefined) return { body: await inWork(simulator, work), isReplay: false }
  const hash = file && createHash('sha256').update(file.bytes).digest('hex')
  const fingerprint = JSON.stringify([request.url, account, [...form].sort(), hash])
  return inWork(simulator, (current) => onceOnly(current, { key, fingerprint }, work))
}

async function readForm({ method, url, body, headers }: FastifyRequest): Promise<{
  form: URLSearchParams
  file?: SentFile
}> {
  // The SDK puts a GET's parameters into the address.
  if (method === 'GET') return { form: new URLSearchParams(url.split('?')[1]) }
  if (!Buffer.isBuffer(body)) return { form: new URLSearchParams(String(body ?? '')) }
  const type = headers['content-type'] ?? ''
  const sent = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const form = new URLSearchParams()
  let file: SentFile | undefined
  for (const [name, value] of sent) {
    if (typeof value === 'string' || name !== 'file') form.append(name, String(value))
    else file = { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) }
  }
  return { form, ...(file && { file }) }
}

/**
 * Performs a request once per Idempotency-Key and repeats the reply after that. The reply is stored in the transaction
 * of the work, so that a crash leaves both or neither. As at Stripe, rejected parameters leave the key unused.
 */
async function onceOnly(
  current: Work,
  { key, fingerprint }: { key: string; fingerprint: string },
  work: (work: Work) => Promise<string>,
): Promise<Performed> {
  await lockKey(current.db, key)
  const stored = await findReply(current.db, key)
  if (stored && stored.fingerprint !== fingerprint) {
    throw new StripeError(
      400,
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      { type: 'idempotency_error' },
    )
  }
  if (stored) return { body: stored.body, isReplay: true }
  const body = await work(current)
  await insertReply(current.db, key, { fingerprint, body })
  return { body, isReplay: false }
}

function checkKey({ secretKey }: Simulator, request: FastifyRequest): void {
  const given = headerOf(request, 'authorization')?.replace('Bearer ', '') ?? ''
  const digest = (value: string) => createHash('sha256').update(value).digest()
  // A restricted key of the same account, with the permissions a test configures.
  const full = given.replace(/^rk_/, 'sk_')
  if (timingSafeEqual(digest(full), digest(secretKey))) return
  throw new StripeError(401, `Invalid API Key provided: ${given.slice(0, 8)}****${given.slice(-4)}`)
}

/** Shapes change from version to version, and the simulator has one. */
function checkVersion(request: FastifyRequest): void {
  const version = headerOf(request, 'stripe-version') ?? API_VERSION
  if (version === API_VERSION) return
  throw new StripeError(400, `Invalid Stripe API version: ${version}. The simulator has ${API_VERSION}.`)
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
