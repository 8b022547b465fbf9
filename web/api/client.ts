import { QueryClient } from '@tanstack/react-query'
import type { Answer, Call, Endpoint } from '#contract/endpoint.ts'
import { ApiError, NetworkError, readRefusal } from './failures.ts'
import {
  contentOf,
  randomKey,
  requestBody,
  requestForm,
  requestPath,
  submissionKeys,
} from './request-parts.ts'
import { currentSession, endSession } from './session.ts'

type Declared<E extends Endpoint> = Omit<Call<E>, 'query'> & Partial<Pick<Call<E>, keyof Call<E> & 'query'>>

/** What a call takes: `params` and `body` where the endpoint declares them, a picture where it takes one. */
export type CallOptions<E extends Endpoint> = Declared<E> & {
  file?: E extends { file: string } ? File | undefined : never
  signal?: AbortSignal
}
type Arguments<E extends Endpoint> =
  object extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>]

type Parts = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  file?: File | undefined
  signal?: AbortSignal
}

const submissions = submissionKeys(randomKey)

/**
 * Calls one endpoint of the contract. Throws ApiError (the server said no), NetworkError (no answer) or the signal's
 * AbortError. Signed in, it sends the token; a token that the server no longer knows ends the session. There is no
 * time limit of ours (spec, section 9).
 */
export async function call<E extends Endpoint>(endpoint: E, ...[options]: Arguments<E>): Promise<Answer<E>> {
  const parts = (options ?? {}) as Parts
  const address = addressOf(endpoint, parts)
  const creates = endpoint.errors.includes('KEY_REUSED')
  const content = creates ? contentOf(address, parts.body, parts.file) : ''
  const headers = new Headers()
  if (creates) headers.set('Idempotency-Key', submissions.keyFor(content))
  const body = requestBody(parts.body, parts.file)
  // For a form the browser writes the content type itself, with its boundary.
  if (typeof body === 'string') headers.set('Content-Type', 'application/json')

  const response = await send(endpoint, address, {
    headers,
    body: body ?? null,
    signal: parts.signal ?? null,
  })
  // Not before the body is read whole: a creating call whose reply broke off is sent again under the same key.
  const answer = await answerOf(endpoint, response).catch((error: unknown) => {
    if (creates && error instanceof ApiError) submissions.settle(content, error.status)
    throw error
  })
  if (creates) submissions.settle(content, response.status)
  return answer
}

type UploadOptions<E extends Endpoint> = Declared<E> & {
  file: Blob
  fileName: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/**
 * Sends a file, or a piece of one, with the fields of its form, to an endpoint that takes any size. Throws what `call`
 * throws. Whether a piece may be sent again is in its fields, not in a header.
 */
export async function upload<E extends Endpoint & { upload: string }>(
  endpoint: E,
  options: UploadOptions<E>,
): Promise<Answer<E>> {
  const { file, fileName, headers, signal, ...parts } = options
  // The file comes last: the server knows what it is for before it arrives.
  const form = requestForm((parts as Parts).body)
  form.set(endpoint.upload, file, fileName)
  const sent = { headers: new Headers(headers), body: form, signal: signal ?? null }
  return await answerOf(endpoint, await send(endpoint, addressOf(endpoint, parts), sent))
}

/** Where an endpoint is called, for what does not go through `call`. */
export const addressOf = (endpoint: Endpoint, { params, query }: Pick<Parts, 'params' | 'query'>): string =>
  `/api${requestPath(endpoint.path, params, query)}`

type Sent = { headers: Headers; body: BodyInit | null; signal: AbortSignal | null }

async function send(endpoint: Endpoint, address: string, { headers, body, signal }: Sent): Promise<Response> {
  const token = endpoint.access === 'public' ? undefined : currentSession().token
  headers.set('Accept', 'application/json')
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
  try {
    const response = await fetch(address, { method: endpoint.method, headers, body, signal })
    if (response.status === 401 && token !== undefined) endSession(token)
    return response
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new NetworkError('No answer from the server', { cause })
  }
}

async function answerOf<E extends Endpoint>(endpoint: E, response: Response): Promise<Answer<E>> {
  if (response.ok) return (await readAnswer(endpoint, response)) as Answer<E>
  throw await readRefusal(response)
}

async function readAnswer(endpoint: Endpoint, response: Response): Promise<unknown> {
  try {
    return endpoint.reply === 'binary' ? await response.blob() : await response.json()
  } catch (cause) {
    throw new NetworkError('The answer broke off', { cause })
  }
}

/** A refusal stays a refusal; a broken connection or a busy server is asked twice more. */
function mayRetry(failures: number, error: unknown): boolean {
  const passing = !(error instanceof ApiError) || error.status >= 500
  return passing && failures < 2
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // The browser's own idea of being offline would hold a call back for ever, without a word.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      retry: mayRetry,
      retryDelay: (failures) => 500 * 2 ** failures,
      // Going back to a list shows it at once and asks again behind it.
      staleTime: 10_000,
    },
  },
})
