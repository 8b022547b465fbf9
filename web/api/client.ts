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

/** `params` and `body` if the endpoint declares them, and a picture if it accepts one. */
export type CallOptions<E extends Endpoint> = Declared<E> & {
  file?: E extends { file: string } ? File | undefined : never
  signal?: AbortSignal
  /** How much of the request has been sent, 0 to 1. An upload that stops moving then fails as a broken connection. */
  onProgress?: (sent: number) => void
}
type Arguments<E extends Endpoint> =
  object extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>]

type Parts = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  file?: File | undefined
  signal?: AbortSignal
  onProgress?: (sent: number) => void
}

const submissions = submissionKeys(randomKey)

type AskForPassword = () => Promise<boolean>

let dialog: AskForPassword | undefined
let asking: Promise<boolean> | undefined

/** The dialog that asks for the password; there is one on the page. */
export function setReauthDialog(shown: AskForPassword | undefined): void {
  dialog = shown
}

/** Calls that are refused at the same moment share one dialog. False if the person canceled. */
function askForPassword(): Promise<boolean> {
  asking ??= (dialog?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

/**
 * Calls one endpoint of the contract. If the server requires a recent sign-in, asks for the password and repeats the call.
 * Throws ApiError (the server refused), NetworkError (no response), or the signal's AbortError. Sends the token when signed
 * in; a token the server no longer accepts ends the session. No timeout.
 */
export async function call<E extends Endpoint>(endpoint: E, ...args: Arguments<E>): Promise<Answer<E>> {
  try {
    return await callOnce(endpoint, ...args)
  } catch (error) {
    const isStale = endpoint.fresh && error instanceof ApiError && error.code === 'REAUTH_NEEDED'
    if (!isStale || !(await askForPassword())) throw error
    return callOnce(endpoint, ...args)
  }
}

async function callOnce<E extends Endpoint>(endpoint: E, ...[options]: Arguments<E>): Promise<Answer<E>> {
  const parts = (options ?? {}) as Parts
  const address = addressOf(endpoint, parts)
  const creates = endpoint.errors.includes('KEY_REUSED')
  const content = creates ? contentOf(address, parts.body, parts.file) : ''
  const headers = new Headers()
  if (creates) headers.set('Idempotency-Key', submissions.keyFor(content))
  const body = requestBody(parts.body, parts.file)
  // For a form the browser sets the content type itself, with its boundary.
  if (typeof body === 'string') headers.set('Content-Type', 'application/json')

  const response = await send(endpoint, address, {
    headers,
    body: body ?? null,
    signal: parts.signal ?? null,
    onProgress: parts.onProgress,
  })
  // Only after the whole body is read: a creating call whose response broke off is sent again with the same key.
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
 * Uploads a file, or a chunk of one, with its form fields, to an endpoint without a size limit. Throws what `call`
 * throws. A chunk's fields make it safe to send again, not an idempotency header.
 */
export async function upload<E extends Endpoint & { upload: string }>(
  endpoint: E,
  options: UploadOptions<E>,
): Promise<Answer<E>> {
  const { file, fileName, headers, signal, ...parts } = options
  // The file comes last, so the server has the other fields before it arrives.
  const form = requestForm((parts as Parts).body)
  form.set(endpoint.upload, file, fileName)
  const sent = { headers: new Headers(headers), body: form, signal: signal ?? null }
  return await answerOf(endpoint, await send(endpoint, addressOf(endpoint, parts), sent))
}

/** An endpoint's URL, for requests that do not go through `call`. */
export const addressOf = (endpoint: Endpoint, { params, query }: Pick<Parts, 'params' | 'query'>): string =>
  `/api${requestPath(endpoint.path, params, query)}`

type RequestInput = {
  headers: Headers
  body: BodyInit | null
  signal: AbortSignal | null
  onProgress?: Parts['onProgress']
}

async function send(
  endpoint: Endpoint,
  address: string,
  { headers, body, signal, onProgress }: RequestInput,
): Promise<Response> {
  const token = endpoint.access === 'public' ? undefined : currentSession().token
  headers.set('Accept', 'application/json')
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
  try {
    // A cached reply is revalidated first, so that changes show at once.
    const request: RequestInit = { method: endpoint.method, headers, body, signal, cache: 'no-cache' }
    const response = await (onProgress ? sendMeasured(address, request, onProgress) : fetch(address, request))
    if (response.status === 401 && token !== undefined) endSession(token)
    return response
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new NetworkError('No response from the server', { cause })
  }
}

/** A phone that switches networks leaves a request hanging for minutes. One that makes progress may take any time. */
const STALLED_MS = 45_000

/** `fetch` does not report how much of a body has been sent. */
function sendMeasured(
  address: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  onProgress: (sent: number) => void,
): Promise<Response> {
  const request = new XMLHttpRequest()
  const abort = () => request.abort()
  let stalled: ReturnType<typeof setTimeout> | undefined
  const restartTimer = () => {
    clearTimeout(stalled)
    stalled = setTimeout(abort, STALLED_MS)
  }
  return new Promise<Response>((resolve, reject) => {
    request.open(method, address)
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
    request.responseType = 'blob'
    request.upload.onprogress = ({ loaded, total }) => {
      restartTimer()
      onProgress(total > 0 ? loaded / total : 0)
    }
    request.onload = () => resolve(responseOf(request))
    request.onerror = () => reject(new TypeError('The request was interrupted'))
    request.onabort = () => reject(signal?.reason ?? new TypeError('The request stalled'))
    signal?.throwIfAborted()
    signal?.addEventListener('abort', abort)
    restartTimer()
    request.send(body as XMLHttpRequestBodyInit)
  }).finally(() => {
    clearTimeout(stalled)
    signal?.removeEventListener('abort', abort)
  })
}

/** Keeps only the headers that `failures.ts` reads. */
function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const name of ['content-type', 'retry-after', 'x-request-id']) {
    const value = request.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(request.response as Blob, { status: request.status, headers })
}

async function answerOf<E extends Endpoint>(endpoint: E, response: Response): Promise<Answer<E>> {
  if (response.ok) return (await readAnswer(endpoint, response)) as Answer<E>
  throw await readRefusal(response)
}

async function readAnswer(endpoint: Endpoint, response: Response): Promise<unknown> {
  try {
    return endpoint.reply === 'binary' ? await response.blob() : await response.json()
  } catch (cause) {
    throw new NetworkError('The response was interrupted', { cause })
  }
}

/** Retries a lost connection or a failing server twice, a refusal never. */
function mayRetry(failures: number, error: unknown): boolean {
  const isTemporary = !(error instanceof ApiError) || error.status >= 500
  return isTemporary && failures < 2
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // By default, calls wait silently while the browser believes it is offline, which can be forever.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      retry: mayRetry,
      retryDelay: (failures) => 500 * 2 ** failures,
      // Going back to a list shows it right away and refreshes it in the background.
      staleTime: 10_000,
    },
  },
})
