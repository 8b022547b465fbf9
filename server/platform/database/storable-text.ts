/** Longer lines come from a broken program and are split. */
export const LONGEST_LINE = 65_536

/** Splits a line into lines to store and show. Never splits inside a character. */
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

// Enough to see what went wrong; the full error with its stack is in the worker's log.
const ERROR_LENGTH = 2_000

/** Text that PostgreSQL accepts: without NUL or lone surrogates. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** The text of an error that is stored with the job. */
export function storableError(error: unknown): string {
  return storable(errorInWords(error).slice(0, ERROR_LENGTH))
}

/** An error's message for people; PostgreSQL's own message for a statement timeout would confuse them. */
export function errorInWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === '57014') return 'A statement of the database took too long.'
  return error.message || error.name
}

/** Splits a line of output into lines to store. */
export function storableLines(line: string): string[] {
  return linePieces(line).map(storable)
}
