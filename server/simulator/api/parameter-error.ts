import { z } from 'zod'
import { StripeError } from './stripe-error.ts'

type Issue = z.core.$ZodIssue

/** The first thing that is wrong with the parameters, as Stripe puts it. */
export function parameterError({ issues }: z.ZodError, given: unknown): StripeError {
  // Stripe names unknown parameters before it looks at the values of the others.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (!issue) return new StripeError(400, 'Invalid request.')
  if (issue.code === 'invalid_union') return parameterError(new z.ZodError(deepest(issue.errors)), given)
  if (issue.code === 'unrecognized_keys') return unknownParameters(issue)
  const param = nameOf(issue.path)
  if (isMissing(given, issue.path)) {
    return new StripeError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (issue.code === 'invalid_value') {
    return new StripeError(400, `Invalid ${param}: must be ${oneOf(issue.values.map(String))}`, { param })
  }
  const word: unknown = issue.code === 'custom' ? issue.params?.code : undefined
  return refused(String(word), param, given, issue.path)
}

function unknownParameters({ keys, path }: Extract<Issue, { code: 'unrecognized_keys' }>): StripeError {
  const names = keys.map((key) => nameOf([...path, key]))
  const [param = ''] = names
  return new StripeError(
    400,
    `Received unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`,
    {
      code: 'parameter_unknown',
      param,
    },
  )
}

function refused(word: string, param: string, given: unknown, path: readonly PropertyKey[]): StripeError {
  const value = String(valueAt(given, path))
  switch (word) {
    case 'parameter_invalid_empty':
      return new StripeError(
        400,
        `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; ` +
          `however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
        { code: word, param },
      )
    case 'parameter_invalid_integer':
      return new StripeError(400, `Invalid integer: ${value}`, { code: word, param })
    case 'boolean':
      return new StripeError(400, `Invalid boolean: ${value}`, { param })
    case 'email_invalid':
      return new StripeError(400, `Invalid email address: ${value}`, { code: word, param })
    case 'url_invalid':
      return new StripeError(400, 'Not a valid URL', { code: word, param })
    case 'number_too_small':
    case 'number_too_large':
      return new StripeError(400, `Invalid ${param}: ${value} is outside of what is allowed`, { param })
    default:
      return new StripeError(400, `Invalid ${param}`, { param })
  }
}

/** Of the ways in which a value could have been right, the one that came furthest. */
function deepest(ways: readonly Issue[][]): Issue[] {
  return [...ways].sort((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))[0] ?? []
}

/** `line_items[0][price]` */
function nameOf(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path.map(String)
  return [first ?? '', ...rest.map((name) => `[${name}]`)].join('')
}

function isMissing(given: unknown, path: readonly PropertyKey[]): boolean {
  return valueAt(given, path) === undefined
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    given,
  )
}

function oneOf(values: readonly string[]): string {
  const last = values.at(-1) ?? ''
  return values.length < 2 ? last : `one of ${values.slice(0, -1).join(', ')}, or ${last}`
}
