import type { z } from 'zod'

// A sentence is read by a person, who mends these and sends again.
const MOST_PROBLEMS = 5

/** What is wrong with a payload, as one sentence; undefined where nothing is. Rules with words of their own keep them. */
export function payloadProblem(schema: z.ZodType, payload: unknown): string | undefined {
  const parsed = schema.safeParse(payload, { error: inWords })
  if (parsed.success) return undefined
  const sentences = parsed.error.issues.map(({ message }) => message)
  return [...new Set(sentences)].slice(0, MOST_PROBLEMS).join('. ')
}

/** The library's own words are for programmers. */
function inWords(issue: z.core.$ZodRawIssue): string {
  const name = issue.path?.join('.') || 'The payload'
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `${name} is missing` : `${name} has to be of type ${issue.expected}`
    case 'unrecognized_keys':
      return `There is no ${issue.keys.join(', ')} in the payload of this queue`
    case 'invalid_value':
      return `${name} is one of: ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `${name} has to be at least ${issue.minimum}${lengthOf(issue.origin)}`
    case 'too_big':
      return `${name} can be at most ${issue.maximum}${lengthOf(issue.origin)}`
    case 'invalid_format':
      return `${name} is not a valid ${issue.format}`
    default:
      return `${name} has a value that is not allowed here`
  }
}

const lengthOf = (origin: string) => (origin === 'string' ? ' characters long' : '')
