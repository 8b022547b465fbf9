import { AppError } from '#server/platform/errors.ts'

// Deeper than any body of ours; a recursion over it must not run out of stack.
const DEEPEST = 24

/** Text that cannot be stored, in what was sent. */
export class UnreadableText extends AppError {
  readonly sent: unknown

  constructor(sent: unknown) {
    super('MALFORMED', 'The request holds characters that cannot be stored. Remove them and try again.')
    this.sent = sent
  }
}

/**
 * Refuses what PostgreSQL cannot store (NUL, half of a surrogate pair) and nesting without end, wherever it stands in
 * a parsed body, query or path.
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
  if (depth === DEEPEST)
    throw new AppError('MALFORMED', `The request is nested more than ${DEEPEST} levels deep.`)
  for (const [key, part] of Object.entries(value)) {
    refuseIn(key, { sent, depth: depth + 1 })
    refuseIn(part, { sent, depth: depth + 1 })
  }
}
