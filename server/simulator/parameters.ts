import { z } from 'zod'

type ErrorFacts = {
  readonly type?: 'invalid_request_error' | 'idempotency_error' | 'api_error'
  readonly code?: string
  readonly param?: string
}

/** A refusal in the shape of Stripe's API. */
export class StripeError extends Error {
  override name = 'StripeError'
  readonly status: number
  readonly facts: ErrorFacts

  constructor(status: number, message: string, facts: ErrorFacts = {}) {
    super(message)
    this.status = status
    this.facts = facts
  }

  toBody(): object {
    return { error: { type: 'invalid_request_error', message: this.message, ...this.facts } }
  }
}

/** An id in the path that does not exist: 404. */
export function noSuch(what: string, id: string): StripeError {
  return new StripeError(404, `No such ${what}: '${id}'`, { code: 'resource_missing', param: 'id' })
}

/** An id in a parameter that does not exist: 400. */
export function noSuchIn(param: string, what: string, id: string): StripeError {
  return new StripeError(400, `No such ${what}: '${id}'`, { code: 'resource_missing', param })
}

/* Kinds of parameters as a form sends them: everything is text. */

export const text = z.string().min(1).max(5_000)

export const webAddress = text.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''))

/** The only quantity of a plan. */
export const one = z.literal('1')

export const metadata = z.record(z.string().max(40), z.string().max(500))

/** What a call takes, and nothing else. */
export const parameters = z.strictObject

export const listParameters = <Shape extends z.ZodRawShape>(shape: Shape) =>
  parameters({
    ...shape,
    limit: z
      .string()
      .regex(/^([1-9]\d?|100)$/)
      .transform(Number)
      .default(10),
    starting_after: text.optional(),
  })

/** The first problem of the parameters, as Stripe puts it. */
export function parameterError({ issues }: z.ZodError, given: unknown): StripeError {
  // Stripe names unknown parameters before it looks at the values of the others.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (!issue) return new StripeError(400, 'Invalid request.')
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, ...issue.keys.slice(0, 1)])
    return new StripeError(400, `Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = nameOf(issue.path)
  return valueAt(given, issue.path) === undefined
    ? new StripeError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
    : new StripeError(400, `Invalid ${param}`, { param })
}

/** `line_items[0][price]` */
function nameOf([first = '', ...rest]: readonly PropertyKey[]): string {
  return [String(first), ...rest.map((name) => `[${String(name)}]`)].join('')
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  )
}
