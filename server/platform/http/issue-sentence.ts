import type { z } from 'zod'

/**
 * A sentence for a rule without one of its own, to be given to zod as `error`: its default messages are written for
 * programmers. `whole` names the input if no field is to blame, such as “The payload”.
 */
export const issueSentence =
  (whole: string) =>
  (issue: z.core.$ZodRawIssue): string => {
    const name = issue.path?.join('.') || whole
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined ? `${name} is missing` : `${name} must be of type ${issue.expected}`
      case 'unrecognized_keys':
        return `${whole} cannot have ${issue.keys.join(', ')}`
      case 'invalid_value':
        return `${name} must be ${anyOf(issue.values.map(String))}`
      case 'too_small':
        return `${name} must be at least ${issue.minimum}${lengthOf(issue.origin)}`
      case 'too_big':
        return `${name} must be at most ${issue.maximum}${lengthOf(issue.origin)}`
      case 'invalid_format':
        return `${name} is not a valid ${issue.format}`
      default:
        return `${name} has a value that is not allowed`
    }
  }

const anyOf = (values: readonly string[]) =>
  new Intl.ListFormat('en-US', { type: 'disjunction' }).format(values)
const lengthOf = (origin: string) => (origin === 'string' ? ' characters long' : '')
