/* What a field may hold. */

// Far beyond any script's output; what walks over a record must not run out of stack.
const DEEPEST = 20

/** PostgreSQL takes neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** What is wrong with a value that came as JSON, as a sentence. */
export function valueProblem(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'string') {
    return isStorable(value) ? undefined : 'the text holds a sign that cannot be stored. Remove it.'
  }
  if (typeof value === 'number') {
    return isExact(value)
      ? undefined
      : 'the number is too long to be kept exactly. Put it in quotation marks.'
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === DEEPEST) return `the value is nested more than ${DEEPEST} levels deep.`
  return Object.entries(value)
    .map(([name, part]) =>
      isStorable(name)
        ? valueProblem(part, depth + 1)
        : 'a name holds a sign that cannot be stored. Remove it.',
    )
    .find(Boolean)
}

const isExact = (value: number) =>
  Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
