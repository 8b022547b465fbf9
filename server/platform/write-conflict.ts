import { DatabaseError } from 'pg'

// Foreign key, unique constraint, deadlock: what was referred to is gone, what is written is there by now, or two waited
// for one another.
const CONFLICTS = new Set(['23503', '23505', '40P01'])

/** Whether a write failed for what others did at the same moment, so that it may succeed when it is looked at anew. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof DatabaseError && CONFLICTS.has(error.code ?? '')
}
