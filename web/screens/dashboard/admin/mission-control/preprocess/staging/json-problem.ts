import { findJsonError } from '#contract/json-error.ts'

export type JsonProblem = { line: number; column: number; sentence: string }

/** Where a text stops being JSON; undefined where it is. */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    const error = findJsonError(text)
    if (!error) return { line: 1, column: 1, sentence: 'The text is not valid JSON.' }
    const { line, column, expected } = error
    return { line, column, sentence: `Line ${line}, column ${column}: ${expected} is expected here.` }
  }
}
