/** A line beyond this is none any more but a program gone wild: it is cut into several (D10). */
export const LONGEST_LINE = 65_536

/** A line as the lines that are stored and shown of it. No piece ends within a sign: halves of one are none. */
export function linePieces(line: string): string[] {
  const pieces: string[] = []
  let from = 0
  while (line.length - from > LONGEST_LINE) {
    const to = from + LONGEST_LINE - (isFirstHalf(line.charCodeAt(from + LONGEST_LINE - 1)) ? 1 : 0)
    pieces.push(line.slice(from, to))
    from = to
  }
  pieces.push(line.slice(from))
  return pieces
}

const isFirstHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

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
