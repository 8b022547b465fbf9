import type { FastifyInstance } from 'fastify'

export interface Answer<T> {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  /** Parsed JSON; undefined for anything else (see `bytes`). */
  body: T
  bytes: Buffer
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS'

export interface Sent {
  method: Method
  /** Below /api, with its query. */
  path: string
  /** Sent as JSON; a FormData as multipart; text and bytes as they are. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Caller {
  token?: string
  /** The address the requests seem to come from. */
  ip?: string
}

/** Tests change something and look whether it is there: as the browser of whoever did, which reads past kept lists. */
const JUST_WROTE = 'wrote=1'

/**
 * Calls the app under test as one caller: through the whole of Fastify (hooks, limits, schemas, error boundary), without
 * a socket in between. The type a test names for a body is what it expects, not a promise.
 */
export class ApiClient {
  readonly #app: { readonly http: FastifyInstance }
  readonly #caller: Caller

  constructor(app: { readonly http: FastifyInstance }, caller: Caller = {}) {
    this.#app = app
    this.#caller = caller
  }

  /** The same app, as somebody else. */
  as(caller: Caller): ApiClient {
    return new ApiClient(this.#app, { ...this.#caller, ...caller })
  }

  get token(): string | undefined {
    return this.#caller.token
  }

  get<T = unknown>(path: string, headers?: Record<string, string>): Promise<Answer<T>> {
    return this.send<T>({ method: 'GET', path, ...(headers && { headers }) })
  }

  post<T = unknown>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>> {
    return this.send<T>({ method: 'POST', path, body, ...(headers && { headers }) })
  }

  put<T = unknown>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>> {
    return this.send<T>({ method: 'PUT', path, body, ...(headers && { headers }) })
  }

  delete<T = unknown>(path: string, headers?: Record<string, string>): Promise<Answer<T>> {
    return this.send<T>({ method: 'DELETE', path, ...(headers && { headers }) })
  }

  async send<T = unknown>({ method, path, body, headers }: Sent): Promise<Answer<T>> {
    const { token, ip } = this.#caller
    const { type, payload } = await encode(body)
    const reply = await this.#app.http.inject({
      method,
      url: `/api${path}`,
      ...(ip !== undefined && { remoteAddress: ip }),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(type !== undefined && { 'content-type': type }),
        cookie: JUST_WROTE,
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    })
    const isJson = String(reply.headers['content-type']).startsWith('application/json')
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: (isJson ? reply.json() : undefined) as T,
      bytes: reply.rawPayload,
    }
  }
}

async function encode(body: unknown): Promise<{ type?: string; payload?: string | Buffer }> {
  if (body === undefined) return {}
  if (typeof body === 'string' || Buffer.isBuffer(body)) return { payload: body }
  if (!(body instanceof FormData)) return { type: 'application/json', payload: JSON.stringify(body) }
  const encoded = new Response(body)
  return {
    type: encoded.headers.get('content-type') ?? '',
    payload: Buffer.from(await encoded.arrayBuffer()),
  }
}
