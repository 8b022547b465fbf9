import { DatabaseError } from 'pg'

const UNIQUE_VIOLATION = '23505'

/** Did a write fail because this constraint (or unique index) already holds such a value? */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}
