import type { ErrorReply } from '#contract/endpoint.ts'

/** The server answered, and the answer was no. `message` is its sentence for a person; empty where it sent none. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly fields: Readonly<Record<string, string>>
  /** Who changed the record meanwhile, and when. */
  readonly changed: ErrorReply['changed']
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, reply: Partial<ErrorReply>) {
    super(reply.error ?? '')
    this.status = response.status
    this.code = reply.code ?? ''
    this.fields = reply.fields ?? {}
    this.changed = reply.changed
    this.requestId = reply.requestId ?? response.headers.get('x-request-id') ?? undefined
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** A proxy in between may answer with a page of its own: then there is a status, but no sentence for people. */
export async function readRefusal(response: Response): Promise<ApiError> {
  const reply: unknown = await response.json().catch(() => undefined)
  return new ApiError(response, typeof reply === 'object' && reply !== null ? reply : {})
}

const FINAL_STATUSES = [401, 403, 404]

/** Asking again would bring the same: signed out, not allowed, or nothing there. */
export const isFinal = ({ status }: ApiError): boolean => FINAL_STATUSES.includes(status)

/** There was no answer: the connection is down, or broke on the way. */
export class NetworkError extends Error {
  override name = 'NetworkError'
}

/** The server's own sentence, or the spec's fallback where there was no reply or no body. */
export function errorSentence(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}

/**
 * What to put beside each field that the server named: its sentence, or only the mark (true) where the toast says the
 * same already. An error is told in one place.
 */
export function fieldProblems(error: unknown): Readonly<Record<string, string | true>> {
  if (!(error instanceof ApiError)) return {}
  const besides = ([name, sentence]: [string, string]) => [name, sentence === error.message || sentence]
  return Object.fromEntries(Object.entries(error.fields).map(besides))
}
