import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, EndpointTable } from '#contract/endpoint.ts'
import { type ErrorCode, everywhereCodes } from '#contract/error-codes.ts'
import type { Access, ApiScope } from '#contract/routes.ts'
import { type Actor, type Authenticate, isAdmin } from '#server/platform/actor.ts'
import { DataScope, type DataVersion } from '#server/platform/data-scope.ts'
import { type Db, isDatabaseDown } from '#server/platform/database/database.ts'
import type { ReadPaths, Reads } from '#server/platform/database/reads.ts'
import { AppError } from '#server/platform/errors.ts'
import {
  type BinaryReply,
  type HandlerRequest,
  type Handlers,
  isCreating,
  type PreparedReply,
  preparedReply,
  sendPrepared,
} from './handler.ts'
import { runOnce } from './idempotency.ts'
import {
  clientHasCopy,
  etagOf,
  freshnessFor,
  type KeptDocument,
  type KeptReplies,
  keepDocument,
  packReply,
  SHARED_FOR_A_MINUTE,
  sendDocument,
  sendPacked,
} from './kept-documents.ts'
import { bodyLimitOf } from './limits/body-limits.ts'
import { callerKey, limits, takeFromWindow, tooMany } from './limits/rate-limits.ts'
import { takeTurn } from './limits/turns.ts'
import { describeRoute, routerPath } from './openapi.ts'
import { issueSentence, parseBody, type RawBody, readRawBody } from './read-body.ts'
import { refuseUnreadableText, UnreadableText } from './readable-text.ts'
import type { UploadRules } from './uploads.ts'

/** The token of `Authorization: Bearer …`, or undefined. */
function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/-]{1,512}=*)$/i.exec(header ?? '')?.[1]
}

/** The errors that `checkAccess` may throw for each kind of access. */
const accessRefusals: Record<Access, readonly ErrorCode[]> = {
  public: [],
  anyone: [],
  user: ['SIGNED_OUT'],
  pro: ['SIGNED_OUT', 'PRO_ONLY'],
  admin: ['SIGNED_OUT', 'NOT_ALLOWED', 'FACTOR_REQUIRED'],
}

/**
 * Identifies and authorizes the caller. A public call ignores all tokens; an optional-access call ignores API tokens.
 * @throws AppError SIGNED_OUT (401), SCOPE_MISSING, NOT_ALLOWED, FACTOR_REQUIRED, PRO_ONLY or REAUTH_NEEDED (403)
 */
async function checkAccess(
  { access, scope, fresh }: Pick<Endpoint, 'access' | 'scope' | 'fresh'>,
  authorization: string | undefined,
  authenticate: Authenticate,
): Promise<Actor | undefined> {
  if (access === 'public') return undefined
  const token = bearerToken(authorization)
  const actor = token === undefined ? undefined : await authenticate(token)
  if (access === 'anyone') return actor?.scopes ? undefined : actor
  if (!actor) throw new AppError('SIGNED_OUT', 'Please login to continue')
  if (actor.scopes) requireScope(actor.scopes, scope)
  if (access === 'admin' && actor.lacksFactor) {
    throw new AppError(
      'FACTOR_REQUIRED',
      'Administrators need two-step sign-in here. Turn it on in Account settings first.',
    )
  }
  if (access === 'admin' && !isAdmin(actor)) {
    throw new AppError('NOT_ALLOWED', 'Only an administrator can do this.')
  }
  if (access === 'pro' && actor.tier !== 'PAID') {
    throw new AppError('PRO_ONLY', 'Access denied (Pro feature). Please upgrade to continue.')
  }
  if (fresh && !actor.isFresh) {
    throw new AppError('REAUTH_NEEDED', 'Please confirm your password to do this.')
  }
  return actor
}

function requireScope(scopes: readonly ApiScope[], scope: ApiScope | undefined): void {
  if (scope === undefined) {
    throw new AppError('SCOPE_MISSING', 'API tokens cannot make this call. Sign in to make it.')
  }
  if (scopes.includes(scope)) return
  throw new AppError(
    'SCOPE_MISSING',
    `This API token does not have the scope ${scope}. Create a token with it in Account settings.`,
  )
}

/** Called when a request is rejected for text that cannot be stored, before its handler runs. */
export type OnUnreadable = (refused: {
  sent: unknown
  actor: Actor | undefined
  ip: string
  requestId: string
}) => Promise<void>

export type MountDeps = {
  db: Db
  /** Databases for reading public data; without them, `db` is used. */
  readPaths?: ReadPaths
  authenticate: Authenticate
  uploads: UploadRules
  /** For calls that declare `shared`; without it, replies are not cacheable. */
  sharing?: Sharing
  onUnreadable?: OnUnreadable
}

type Sharing = {
  /** Changes whenever public data changes. */
  version: () => Promise<DataVersion>
  kept: KeptReplies
}

type AnyRequest = HandlerRequest<Endpoint>
type AnyHandler = (request: AnyRequest) => Promise<unknown>

/** Mounts every endpoint of a table under `/api`. */
export function mount<T extends EndpointTable>(
  app: FastifyInstance,
  table: T,
  handlers: Handlers<T>,
  deps: MountDeps,
): void {
  for (const [name, endpoint] of Object.entries(table)) requireDeclared(name, endpoint)
  const countRefusal = refusalCounter(app)
  for (const [name, endpoint] of Object.entries(table)) {
    const handler = handlers[name] as unknown as AnyHandler
    mountEndpoint(app, { name, endpoint, handler }, { ...deps, countRefusal })
  }
}

/** Fails at startup if a call does not declare the errors that this layer throws for it. */
function requireDeclared(name: string, endpoint: Endpoint): void {
  const { access, fresh, params, body, file, upload, errors } = endpoint
  const refusals: ErrorCode[] = [
    ...accessRefusals[access],
    ...(fresh ? (['REAUTH_NEEDED'] as const) : []),
    ...(params ? (['NOT_FOUND'] as const) : []),
    ...(body || file || upload ? (['VALIDATION_FAILED'] as const) : []),
    ...(isCreating(endpoint) ? (['KEY_REUSED', 'STILL_RUNNING'] as const) : []),
  ]
  const missing = refusals.filter((code) => !errors.includes(code))
  if (missing.length > 0) throw new Error(`${name} does not declare ${missing.join(', ')} in its contract`)
}

type Mounted = { name: string; endpoint: Endpoint; handler: AnyHandler }
type CountRefusal = (request: FastifyRequest) => Promise<void>

function mountEndpoint(
  app: FastifyInstance,
  mounted: Mounted,
  deps: MountDeps & { countRefusal: CountRefusal },
): void {
  const { endpoint } = mounted
  const limit = limits[endpoint.limit]
  app.route({
    method: endpoint.method,
    url: `/api${routerPath(endpoint.path)}`,
    schema: describeRoute(mounted.name, endpoint),
    bodyLimit: bodyLimitOf(endpoint),
    config: {
      rateLimit: limit.shared ? false : { max: limit.most, timeWindow: limit.seconds * 1000 },
      takesLong: endpoint.upload !== undefined,
      changesData: isWrite(endpoint),
      ...(endpoint.bodyInWords !== undefined && { bodyInWords: endpoint.bodyInWords }),
    },
    onRequest: async (request) => {
      try {
        const actor = await checkAccess(endpoint, request.headers.authorization, (token) =>
          deps.authenticate(token).catch((error: unknown) => {
            // While the database is down, callers are anonymous and public data can still be read.
            if (isPublicRead(endpoint) && isDatabaseDown(error)) return undefined
            throw error
          }),
        )
        if (actor) request.actor = actor
      } catch (error) {
        // Rejected before the limits below apply, so guessing tokens has its own limit.
        if (error instanceof AppError) await deps.countRefusal(request)
        throw error
      }
      // Signed-in callers are known by now, and are counted per user and not per shared address. No later: while something
      // waits between the unpacking of a body and its reading, nobody hears of a body that can't be unpacked.
      if (limit.shared) await takeFromWindow(deps.db, `${endpoint.limit}:${callerKey(request)}`, limit)
    },
    handler: (request, reply) => handleCall(mounted, { request, reply }, deps),
  })
}

// A page makes a handful of calls after its session has ended; no client needs more than this.
const REFUSALS_PER_MINUTE = 1_200

function refusalCounter(app: FastifyInstance): CountRefusal {
  const take = app.createRateLimit({ max: REFUSALS_PER_MINUTE, timeWindow: 60_000, keyGenerator: callerKey })
  return async (request) => {
    const budget = await take(request)
    if (!budget.isAllowed && budget.isExceeded) throw tooMany(budget.ttlInSeconds)
  }
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

async function handleCall(mounted: Mounted, exchange: Exchange, deps: MountDeps): Promise<unknown> {
  const reader = bodyReader(exchange.request, mounted.endpoint, deps.uploads)
  try {
    return await declaredErrors(mounted, () => runHandler(mounted, exchange, { ...deps, reader }))
  } catch (error) {
    if (error instanceof UnreadableText) {
      const { actor, ip, id: requestId } = exchange.request
      await deps.onUnreadable?.({ sent: error.sent, actor, ip, requestId })
    }
    throw error
  } finally {
    await reader.close()
  }
}

type Shareable = Sharing & {
  endpoint: Endpoint
  /** Canonical form of the call and its parameters. */
  address: string
  /** The reply as JSON, and in `scope` what it was made from. */
  make: (scope?: DataScope) => Promise<string>
}

/**
 * Sends a reply that caches may store: 304 if the client has it, otherwise our kept copy. Returns false for signed-in
 * callers, who may see more.
 */
async function sendShared(
  { request, reply }: Exchange,
  { endpoint, address, make, version, kept }: Shareable,
): Promise<boolean> {
  reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding', 'authorization'].flat().join(', '))
  if (request.headers.authorization !== undefined) return false
  if (endpoint.shared === 'late') {
    const text = await make()
    if (!isKnown({ request, reply }, etagOf(text))) reply.type(JSON_TYPE).send(text)
    return true
  }
  const freshness = endpoint.shared === 'recent' ? freshnessFor(request) : 'now'
  const packed = await kept.get(address, {
    freshness,
    version,
    async make(before, scope) {
      const text = await make(scope)
      // Compared before it is compressed: most changes are of other pages.
      const etag = etagOf(text)
      return before?.etag === etag ? before : packReply(text, { etag })
    },
  })
  if (!isKnown({ request, reply }, packed.etag)) sendPacked(request, reply.type(JSON_TYPE), packed)
  return true
}

/** Adds the headers of a shared reply and sends 304 if the client has it. */
function isKnown({ request, reply }: Exchange, etag: string): boolean {
  reply.headers({ etag, 'cache-control': SHARED_FOR_A_MINUTE })
  if (!clientHasCopy(request, etag)) return false
  reply.code(304).send()
  return true
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Documents of replies that several requests return, for as long as the reply object is referenced. */
const shared = new WeakMap<object, Promise<KeptDocument>>()

/** A read-only call that needs no sign-in. */
const isPublicRead = ({ method, access }: Endpoint): boolean =>
  method === 'GET' && (access === 'public' || access === 'anyone')

/**
 * Whether a call may change what public pages show. Calls to sign in and their like don't, and visits and page timings, which
 * are counted like reads, are sent by every visitor.
 */
const isWrite = ({ method, limit }: Endpoint): boolean =>
  method !== 'GET' && limit !== 'read' && limit !== 'sign-in'

/** Chooses the database a call reads from. The token need not be valid; it only decides between primary and replica. */
function readsOf({ endpoint }: Mounted, { headers }: FastifyRequest, { db, readPaths }: HandlerDeps): Reads {
  if (!readPaths || !isPublicRead(endpoint)) return (read) => read(db)
  return headers.authorization === undefined ? readPaths.reads : readPaths.ownReads
}

type HandlerDeps = Pick<MountDeps, 'db' | 'readPaths' | 'sharing'> & { reader: BodyReader }

async function runHandler(mounted: Mounted, { request, reply }: Exchange, deps: HandlerDeps) {
  const { endpoint } = mounted
  const { db, reader, sharing } = deps
  const prepared = new WeakMap<object, PreparedReply>()
  const parsed = {
    params: parsePath(endpoint, request.params),
    query: parseQuery(endpoint, request.query),
    actor: request.actor,
    requestId: request.id,
    ip: request.ip,
    headers: request.headers,
    db,
    body: reader.body,
    file: reader.file,
    upload: reader.upload,
    setHeader: (name: string, value: string) => void reply.header(name, value),
    prepareReply: (value: object) => {
      const json = JSON.stringify(declaredReply(mounted, value))
      prepared.set(value, preparedReply(request, json))
    },
    shareReply: (value: object) => {
      if (shared.has(value)) return
      shared.set(value, keepDocument(JSON.stringify(declaredReply(mounted, value)), JSON_TYPE))
    },
  }
  // The typed contract meets untyped requests here: everything in `parsed` went through its schemas.
  const reads = readsOf(mounted, request, deps)
  const handle = (scope = new DataScope()) =>
    reads((from) => mounted.handler({ ...parsed, db: from, scope } as unknown as AnyRequest))
  if (endpoint.reply === 'binary') return sendBinary({ request, reply }, (await handle()) as BinaryReply)
  if (endpoint.shared && sharing) {
    const address = `${mounted.name} ${JSON.stringify([parsed.params, parsed.query])}`
    const make = async (scope?: DataScope) => {
      const value = await handle(scope)
      await takeTurn()
      return JSON.stringify(declaredReply(mounted, value))
    }
    // Returns a boolean, not the reply: awaiting a reply waits until it is sent.
    if (await sendShared({ request, reply }, { ...sharing, endpoint, address, make })) return reply
  }
  const status = endpoint.status ?? 200
  if (!isCreating(endpoint)) {
    const value = await handle()
    await takeTurn()
    const early = prepared.get(value as object)
    if (early) return sendPrepared(reply, status, early)
    const kept = shared.get(value as object)
    if (kept !== undefined) return sendDocument(request, reply, await kept)
    const later = endpoint.later?.safeParse(value)
    if (later?.success) return sendJson(reply, 202, later.data)
    return sendJson(reply, status, declaredReply(mounted, value))
  }

  const prepare = async () => {
    const write = (await handle()) as (db: Db) => Promise<unknown>
    return async (db: Db) => declaredReply(mounted, await write(db))
  }
  const key = sentKey(request)
  if (key === undefined) return sendJson(reply, status, await (await prepare())(db))
  const call = `${endpoint.method} ${request.url}`
  const sent = { owner: callerKey(request), key, call, raw: await reader.raw() }
  const once = await runOnce(db, sent, prepare)
  if (once.replayed) reply.header('idempotent-replayed', 'true')
  return sendJson(reply, status, once.reply)
}

function sentKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return undefined
  if (key.length > 0 && key.length <= 200) return key
  throw new AppError('MALFORMED', 'An Idempotency-Key has 1 to 200 characters.')
}

type BodyReader = ReturnType<typeof bodyReader>

/** Reads the body only once, however often and in whatever order its parts are requested. */
function bodyReader(request: FastifyRequest, endpoint: Endpoint, rules: UploadRules) {
  let reading: Promise<RawBody> | undefined
  const raw = async () => {
    reading ??= readRawBody(request, endpoint, rules)
    const read = await reading
    refuseUnreadableText(read.body)
    return read
  }
  return {
    raw,
    body: async () => {
      const { body } = await raw()
      return endpoint.body ? parseBody(endpoint.body, body) : undefined
    },
    file: async () => (await raw()).file,
    upload: async () => (await raw()).upload,
    close: async () => {
      const read = await reading?.catch(() => undefined)
      await read?.close?.()
    },
  }
}

function parsePath(endpoint: Endpoint, params: unknown): unknown {
  refuseUnreadableText(params)
  const parsed = endpoint.params?.safeParse(params)
  // An id that cannot exist is an id that does not exist.
  if (parsed && !parsed.success) throw new AppError('NOT_FOUND', 'There is nothing at this URL.')
  return parsed?.data
}

function parseQuery(endpoint: Endpoint, query: unknown): unknown {
  refuseUnreadableText(query)
  const parsed = endpoint.query?.safeParse(withoutEmpty(query), { error: issueSentence('The query') })
  if (parsed && !parsed.success) {
    const fields: Record<string, string> = {}
    for (const { path, message } of parsed.error.issues) fields[String(path[0])] ??= message
    throw new AppError('MALFORMED', `${Object.values(fields).join('. ')}.`, { fields })
  }
  return parsed?.data
}

/** Forms send all of their filters; an empty one is not set. */
const withoutEmpty = (query: unknown): unknown =>
  Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''))

/** Sends only declared fields; a missing value or wrong type is a bug. */
function declaredReply({ name, endpoint }: Mounted, value: unknown): unknown {
  if (endpoint.reply === 'binary') return value
  const parsed = endpoint.reply.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Error(`${name} returned what its contract does not declare: ${parsed.error.message}`)
}

/** An error that the contract does not declare is a bug and becomes a 500. */
async function declaredErrors<T>({ name, endpoint }: Mounted, work: () => Promise<T>): Promise<T> {
  const declared: readonly ErrorCode[] = [...endpoint.errors, ...everywhereCodes]
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || declared.includes(error.code)) throw error
    throw new Error(`${name} failed with ${error.code}, which its contract does not declare`, {
      cause: error,
    })
  }
}

function sendJson(reply: FastifyReply, status: number, value: unknown): FastifyReply {
  return reply.code(status).type(JSON_TYPE).send(JSON.stringify(value))
}

function sendBinary({ request, reply }: Exchange, binary: BinaryReply): FastifyReply {
  reply.code(binary.status ?? 200).headers(binary.headers)
  // For HEAD, Fastify would read and discard the whole content, and an event stream never ends.
  if (request.method !== 'HEAD' || Buffer.isBuffer(binary.stream)) return reply.send(binary.stream)
  binary.stream.destroy()
  return reply.send(Readable.from([]))
}
