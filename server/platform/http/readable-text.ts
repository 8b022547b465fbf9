import { AppError } from '#server/platform/errors.ts'

// Deeper than any valid body; keeps the recursion from exhausting the stack.
const MAX_DEPTH = 24

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
  if (depth === MAX_DEPTH)
    throw new AppError('MALFORMED', `The request is nested more than ${MAX_DEPTH} levels deep.`)
  for (const [key, part] of Object.entries(value)) {
    refuseIn(key, { sent, depth: depth + 1 })
    refuseIn(part, { sent, depth: depth + 1 })
  }
}
