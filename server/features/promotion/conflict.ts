import { DatabaseError } from 'pg'

// A lookup or listing that is gone; a listing, source or address that is there by now; two who waited for one another.
const CONFLICTS = new Set(['23503', '23505', '40P01'])

/** Whether a write failed for what others did at the same moment, so that it may succeed when it is looked at anew. */
export const hasConflict = (error: unknown): boolean =>
  error instanceof DatabaseError && CONFLICTS.has(error.code ?? '')
