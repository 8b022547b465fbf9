import { z } from 'zod'

type ErrorFacts = {
  /** The object whose state refused the call. */
  readonly payment_intent?: object
  readonly charge?: string
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

export const integer = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

export const cents = integer.pipe(z.number().min(1).max(99_999_999))

export const usd = z.literal('usd')

/** The parameters of a call; unknown ones are rejected. */
export const parameters = z.strictObject

/** Parameters with parameters of their own: `line_items[0][quantity]` is at `line_items`, 0, `quantity`. */
export const nestedParameters = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(nested, z.strictObject(shape))

/** `created` of a list: an exact second or a range. */
export const createdRange = z
  .union([integer, z.strictObject({ gt: integer, gte: integer, lt: integer, lte: integer }).partial()])
  .optional()

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

type Branch = { [name: string]: unknown }

/** The fields as the object that their names describe. */
export function nested(fields: unknown): unknown {
  const root: Branch = Object.create(null)
  for (const [path, value] of Object.entries(fields as FormFields)) {
    const [first = '', ...rest] = path.split('[').map((name) => name.replace(/\]$/, ''))
    const names = [first, ...rest]
    const last = names.pop() ?? ''
    let branch = root
    for (const name of names) {
      branch[name] ??= Object.create(null) as Branch
      if (typeof branch[name] !== 'object') throw new StripeError(400, `Invalid ${path}`, { param: path })
      branch = branch[name] as Branch
    }
    if (last in branch) throw new StripeError(400, `Invalid ${path}`, { param: path })
    branch[last] = value
  }
  return withLists(root)
}

/** Objects whose names are 0, 1, 2… are lists; metadata is not one, whatever its names. */
function withLists(branch: Branch): unknown {
  const entries = Object.entries(branch).map(
    ([name, value]) =>
      [name, typeof value === 'object' && name !== 'metadata' ? withLists(value as Branch) : value] as const,
  )
  const isList = entries.length > 0 && entries.every(([name], place) => name === String(place))
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

/** The name of a parameter in a form: `line_items[0][quantity]`. */
function formName([first, ...rest]: readonly PropertyKey[]): string {
  return String(first) + rest.map((name) => `[${String(name)}]`).join('')
}

/** The first problem of the parameters, as Stripe describes it. */
export function parameterError({ issues }: z.ZodError, given: FormFields): StripeError {
  // Stripe reports unknown parameters before it checks the values of others.
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown?.code === 'unrecognized_keys') {
    const param = formName([...unknown.path, unknown.keys[0] ?? ''])
    return new StripeError(400, `Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = formName(issues[0]?.path ?? [])
  const ofMetadata = typeof given.metadata === 'object' ? Object.keys(given.metadata) : []
  const names = [...Object.keys(given), ...ofMetadata.map((key) => `metadata[${key}]`)]
  const isMissing = names.every((name) => name !== param && !name.startsWith(`${param}[`))
  return isMissing
    ? new StripeError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
    : new StripeError(400, `Invalid ${param}`, { param })
}
