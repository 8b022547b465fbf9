import { z } from 'zod'

type ErrorFacts = {
  readonly type?: 'invalid_request_error' | 'idempotency_error' | 'api_error'
  readonly code?: string
  readonly param?: string
}

/** An error in the shape of Stripe's API. */
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

/* Types of form parameters: everything is text, and a nested parameter's name is its path. */

export const text = z.string().min(1).max(5_000)

export const webAddress = text.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''))

/** The only quantity of a plan. */
export const one = z.literal('1')

export const metadata = z.record(z.string().max(40), z.string().max(500)).default({})

/** The parameters of a call; unknown ones are rejected. */
export const parameters = z.strictObject

export const listParameters = <Shape extends z.ZodRawShape>(shape: Shape) =>
  parameters({
    ...shape,
    limit: z.coerce.number().int().min(1).max(100).default(10),
    starting_after: text.optional(),
  })

export type FormFields = Record<string, string | Record<string, string>>

const METADATA = /^metadata\[([^[\]]+)\]$/

/** The fields of a form by their names (`line_items[0][price]`); those of metadata become one object. */
export function formFields(form: URLSearchParams): FormFields {
  const entries = [...form].map(([name, value]) => ({ name, value, key: METADATA.exec(name)?.[1] }))
  const metadata = entries.flatMap(({ key, value }) => (key === undefined ? [] : [[key, value]]))
  const fields = entries.flatMap(({ key, name, value }) => (key === undefined ? [[name, value]] : []))
  return Object.fromEntries(
    metadata.length === 0 ? fields : [...fields, ['metadata', Object.fromEntries(metadata)]],
  )
}

/** The first problem of the parameters, as Stripe describes it. */
export function parameterError({ issues }: z.ZodError, given: FormFields): StripeError {
  // Stripe reports unknown parameters before it checks the values of others.
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown?.code === 'unrecognized_keys') {
    const [param = ''] = unknown.keys
    return new StripeError(400, `Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = String(issues[0]?.path[0])
  return given[param] === undefined
    ? new StripeError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
    : new StripeError(400, `Invalid ${param}`, { param })
}
