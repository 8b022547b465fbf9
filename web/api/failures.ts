import type { ErrorReply } from '#contract/endpoint.ts'

/** The server refused the request. `message` is its sentence for the user, or empty. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly fields: Readonly<Record<string, string>>
  /** Who changed the record in the meantime, and when. */
  readonly changed: ErrorReply['changed']
  /** The questions to answer before the call can succeed. */
  readonly questions: NonNullable<ErrorReply['questions']>
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, reply: Partial<ErrorReply>) {
    super(reply.error ?? '')
    this.status = response.status
    this.code = reply.code ?? ''
    this.fields = reply.fields ?? {}
    this.changed = reply.changed
    this.questions = reply.questions ?? []
    this.requestId = reply.requestId ?? response.headers.get('x-request-id') ?? undefined
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** A proxy may return a page of its own: then there is a status, but no sentence for the user. */
export async function readRefusal(response: Response): Promise<ApiError> {
  const reply: unknown = await response.json().catch(() => undefined)
  return new ApiError(response, typeof reply === 'object' && reply !== null ? reply : {})
}

const FINAL_STATUSES = [401, 403, 404]

/** Retrying would not help: signed out, not allowed, or not found. */
export const isFinal = ({ status }: ApiError): boolean => FINAL_STATUSES.includes(status)

/** No response: the connection is down or broke off. */
export class NetworkError extends Error {
  override name = 'NetworkError'
}

/** The server's sentence, or the fallback if there was no response or no body. */
export function errorSentence(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}

/**
 * Returns the error of each field that the server named: its sentence, or only `true` (to mark the field) if the toast
 * shows the same sentence. An error is shown in one place.
 */
export function fieldProblems(error: unknown): Readonly<Record<string, string | true>> {
  if (!(error instanceof ApiError)) return {}
  const problemOf = ([name, sentence]: [string, string]) => [name, sentence === error.message || sentence]
  return Object.fromEntries(Object.entries(error.fields).map(problemOf))
}
