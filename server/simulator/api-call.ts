import { createHash, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { type Exchange, json, type Reply } from './http.ts'
import { parameterError, StripeError } from './parameters.ts'
import { inWork, type Simulator, type Work } from './simulator.ts'
import { findReply, insertReply } from './store.ts'
import { API_VERSION, type List, newId } from './stripe-objects.ts'

/** What a call gets besides its parameters. */
export type Asked = {
  /** The id in the path, or empty. */
  readonly id: string
  /** The id of the connected account it is made for (Stripe-Account). */
  readonly account: string | undefined
}

/** One call of the API: where it is, what it takes, what it does. */
export type ApiCall = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** At most one `{id}`. */
  readonly path: string
  readonly takes: z.ZodType
  /** `given` is the output of `takes`. */
  readonly perform: (work: Work, given: unknown, asked: Asked) => Promise<object>
}

type Definition<Takes extends z.ZodType> = Omit<ApiCall, 'takes' | 'perform'> & {
  readonly takes: Takes
  readonly perform: (work: Work, given: z.output<Takes>, asked: Asked) => Promise<object>
}

/** A row of the table of calls, whose `perform` knows the types of its parameters. */
export function apiCall<Takes extends z.ZodType>({ perform, ...call }: Definition<Takes>): ApiCall {
  return { ...call, perform: (work, given, asked) => perform(work, given as z.output<Takes>, asked) }
}

/** One page of a list; `found` contains one more than the limit if there are more. */
export function listOf<Item>(found: readonly Item[], url: string, limit: number): List<Item> {
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url }
}

/** Replies to an API request as Stripe does. */
export async function replyToCall(
  simulator: Simulator,
  exchange: Exchange,
  calls: readonly ApiCall[],
): Promise<Reply> {
  const requestId = newId('req')
  const headers = {
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': API_VERSION,
  }
  try {
    const { status, body, isReplay } = await perform(simulator, { exchange, calls, requestId })
    return { status, headers: { ...headers, ...(isReplay && { 'idempotent-replayed': 'true' }) }, body }
  } catch (error) {
    if (error instanceof StripeError) return json(error.status, error.toBody(), headers)
    simulator.log.error({ err: error, path: exchange.url.pathname }, 'a call of the simulator failed')
    const unknown = new StripeError(500, 'An unknown error occurred', { type: 'api_error' })
    return json(500, unknown.toBody(), headers)
  }
}

type Received = {
  readonly exchange: Exchange
  readonly calls: readonly ApiCall[]
  readonly requestId: string
}
type Performed = { readonly status: number; readonly body: string; readonly isReplay?: boolean }

async function perform(simulator: Simulator, { exchange, calls, requestId }: Received): Promise<Performed> {
  checkKey(simulator, exchange)
  checkVersion(exchange)
  const { method, url, body } = exchange
  const { call, id } = findCall(calls, method, url.pathname)
  const fields = fieldsOf(exchange)
  const account = headerOf(exchange, 'stripe-account')
  const work = async (work: Work): Promise<Performed> => {
    const given = call.takes.safeParse(fields)
    if (!given.success) throw parameterError(given.error, fields)
    const result = await call.perform(work, given.data, { id, account })
    return { status: 200, body: `${JSON.stringify(result, null, 2)}\n` }
  }
  const key = method === 'POST' ? headerOf(exchange, 'idempotency-key') : undefined
  if (key === undefined) return inWork(simulator, work)
  const fingerprint = JSON.stringify([url.pathname, account, [...new URLSearchParams(body)].sort()])
  return onceOnly(simulator, { key, fingerprint, requestId }, work)
}

function findCall(calls: readonly ApiCall[], method: string, path: string): { call: ApiCall; id: string } {
  for (const call of calls) {
    const pattern = new RegExp(`^${call.path.replace('{id}', '([\\w%-]+)')}$`)
    const found = call.method === method ? pattern.exec(path) : null
    if (found) return { call, id: decodeURIComponent(found[1] ?? '') }
  }
  throw new StripeError(404, `Unrecognized request URL (${method}: ${path}). The simulator does not have it.`)
}

/** The address and the body together: the SDK puts a GET's parameters into the address. */
function fieldsOf({ url, body }: Exchange): FormFields {
  const inUrl = readFormFields(url.search)
  const inBody = readFormFields(body)
  if (!inUrl || !inBody) throw new StripeError(400, 'The parameters of the request cannot be read.')
  return { ...inUrl, ...inBody }
}

function checkKey({ secretKey }: Simulator, exchange: Exchange): void {
  const given = /^Bearer (\S+)$/.exec(headerOf(exchange, 'authorization') ?? '')?.[1] ?? ''
  const digest = (value: string) => createHash('sha256').update(value).digest()
  if (timingSafeEqual(digest(given), digest(secretKey))) return
  throw new StripeError(401, `Invalid API Key provided: ${given.slice(0, 8)}****${given.slice(-4)}`)
}

/** Shapes change from version to version, and the simulator has one. */
function checkVersion(exchange: Exchange): void {
  const version = headerOf(exchange, 'stripe-version') ?? API_VERSION
  if (version === API_VERSION) return
  throw new StripeError(400, `Invalid Stripe API version: ${version}. The simulator has ${API_VERSION}.`)
}

function headerOf({ headers }: Exchange, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

type KeyedRequest = {
  readonly key: string
  /** Differs for every other request. */
  readonly fingerprint: string
  readonly requestId: string
}

/**
 * Performs a request once for each Idempotency-Key and repeats the reply after that. The reply is stored in the
 * transaction of the work, so that a crash leaves both or neither; as at Stripe, refused parameters leave the key unused.
 */
async function onceOnly(
  simulator: Simulator,
  { key, fingerprint, requestId }: KeyedRequest,
  work: (work: Work) => Promise<Performed>,
): Promise<Performed> {
  if (simulator.keysInUse.has(key)) throw stillRunning(key)
  simulator.keysInUse.add(key)
  try {
    const stored = await findReply(simulator.pool, key)
    if (stored && stored.fingerprint !== fingerprint) throw keyUsed(key)
    if (stored) return { status: stored.status, body: stored.body, isReplay: true }
    return await inWork(simulator, async (current) => {
      const performed = await work(current)
      await insertReply(current.db, key, { fingerprint, requestId, ...performed })
      return performed
    })
  } finally {
    simulator.keysInUse.delete(key)
  }
}

function keyUsed(key: string): StripeError {
  return new StripeError(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  )
}

function stillRunning(key: string): StripeError {
  return new StripeError(
    409,
    `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`,
    { type: 'idempotency_error', code: 'idempotency_key_in_use' },
  )
}

/** A value of a form: text, or what is nested under a name. */
type FormValue = string | FormValue[] | { [name: string]: FormValue }
type FormFields = { [name: string]: FormValue }

type Branch = Map<string, Branch | string>

// Deeper and longer than anything the SDK sends for the calls that exist here.
const DEEPEST = 8
const MOST_FIELDS = 500

/**
 * Reads a form or query as Stripe's API does: `line_items[0][price]=price_1&expand[]=customer` become objects and lists.
 * Undefined if it cannot be read.
 */
export function readFormFields(text: string): FormFields | undefined {
  const root: Branch = new Map()
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > MOST_FIELDS) return undefined
  for (const [name, value] of pairs) {
    const path = pathOf(name)
    if (!path || !plant(root, path, value)) return undefined
  }
  return Object.fromEntries([...root].map(([name, value]) => [name, harvest(value)]))
}

/** `a[b][0]` → a, b, 0 */
function pathOf(name: string): string[] | undefined {
  if (!/^[^[\]]+(\[[^[\]]*\])*$/.test(name)) return undefined
  const path = name.replaceAll(']', '').split('[')
  return path.length <= DEEPEST ? path : undefined
}

function plant(root: Branch, path: readonly string[], value: string): boolean {
  let branch = root
  for (const [depth, step] of path.entries()) {
    const name = step === '' ? String(branch.size) : step
    if (depth === path.length - 1) {
      if (branch.has(name)) return false
      branch.set(name, value)
      return true
    }
    const next = branch.get(name) ?? new Map()
    if (typeof next === 'string') return false
    branch.set(name, next)
    branch = next
  }
  return false
}

function harvest(value: Branch | string): FormValue {
  if (typeof value === 'string') return value
  const entries = [...value].map(([name, inner]): [string, FormValue] => [name, harvest(inner)])
  const isList = entries.every(([name], place) => name === String(place))
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
