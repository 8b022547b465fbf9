import { AppError } from '#server/platform/app-error.ts'

// Deeper than any body of ours; a recursion over it must not run out of stack.
const DEEPEST = 24

/**
 * Refuses what PostgreSQL cannot store (NUL, half of a surrogate pair) and nesting without end, wherever it stands in
 * a parsed body, query or path.
 */
export function refuseUnreadableText(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new AppError(
        'MALFORMED',
        'The request holds characters that cannot be stored. Remove them and try again.',
      )
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth === DEEPEST)
    throw new AppError('MALFORMED', `The request is nested more than ${DEEPEST} levels deep.`)
  for (const [key, part] of Object.entries(value)) {
    refuseUnreadableText(key, depth + 1)
    refuseUnreadableText(part, depth + 1)
  }
}
