import { AppError } from '#server/platform/errors.ts'

// Deeper than any valid body; keeps the recursion from exhausting the stack.
const MAX_DEPTH = 24

const tooDeep = () =>
  new AppError(
    'MALFORMED',
    `The request is nested more than ${MAX_DEPTH} levels deep. Use fewer nested brackets.`,
  )

/** Rejects deeply nested JSON before a parser spends time on it. @throws AppError MALFORMED */
export function refuseDeepJson(json: string): void {
  if (isNestedDeeper(json, MAX_DEPTH)) throw tooDeep()
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]

/**
 * Whether brackets outside of strings are nested deeper than `most`. The text need not be valid JSON; the parser
 * reports other errors.
 */
export function isNestedDeeper(json: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    // "[" and "{", "]" and "}" differ by one bit.
    if (code === QUOTE) at = endOfText(json, at)
    else if ((code | 0x20) === 0x7b) depth += 1
    else if ((code | 0x20) === 0x7d) depth -= 1
    if (depth > most) return true
  }
  return false
}

/** Returns the index where the string that begins at `begin` ends. */
function endOfText(json: string, begin: number): number {
  for (let from = begin + 1; ; ) {
    const end = json.indexOf('"', from)
    if (end === -1) return json.length
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
    from = end + 1
  }
}

/** The request contains text that cannot be stored. */
export class UnreadableText extends AppError {
  readonly sent: unknown

  constructor(sent: unknown) {
    super('MALFORMED', 'The request contains characters that cannot be stored. Remove them and try again.')
    this.sent = sent
  }
}

/**
 * Rejects text that PostgreSQL cannot store (NUL, lone surrogates) and excessive nesting anywhere in a parsed body, query
 * or path.
 * @throws UnreadableText, AppError MALFORMED
 */
export function refuseUnreadableText(sent: unknown): void {
  refuseIn(sent, { sent, depth: 0 })
}

export const isReadable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

function refuseIn(value: unknown, { sent, depth }: { sent: unknown; depth: number }): void {
  if (typeof value === 'string') {
    if (!isReadable(value)) throw new UnreadableText(sent)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth === MAX_DEPTH) throw tooDeep()
  for (const [key, part] of Object.entries(value)) {
    refuseIn(key, { sent, depth: depth + 1 })
    refuseIn(part, { sent, depth: depth + 1 })
  }
}
