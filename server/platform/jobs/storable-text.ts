import { linePieces } from '#server/platform/line-pieces.ts'

// Enough to see what went wrong; the whole error with its stack is in the worker's log.
const ERROR_LENGTH = 2_000

/** Text as PostgreSQL takes it: without NUL and without halves of characters. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** What is kept of an error in the job's record. */
export function storableError(error: unknown): string {
  return storable(errorInWords(error).slice(0, ERROR_LENGTH))
}

/** An error as people are told it. PostgreSQL's own words for a statement that took too long say nothing to them. */
export function errorInWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === '57014') return 'A statement of the database took too long.'
  return error.message || error.name
}

/** A line of output as the lines that are stored of it. */
export function storableLines(line: string): string[] {
  return linePieces(line).map(storable)
}
