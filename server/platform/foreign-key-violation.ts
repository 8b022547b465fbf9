import { DatabaseError } from 'pg'

const FOREIGN_KEY_VIOLATION = '23503'

/** The constraint that refused a write because what it points to is not there (any more); undefined for other failures. */
export function brokenForeignKey(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || error.code !== FOREIGN_KEY_VIOLATION) return undefined
  return error.constraint
}
