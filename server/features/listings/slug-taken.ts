import { violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

export function slugTaken(): AppError {
  const sentence = 'That friendly address is already taken. Choose another, or leave it empty.'
  return new AppError('CONFLICT', sentence, { fields: { partslug: sentence } })
}

/** The unique index said no: somebody took the address between our look and our write. */
export function isSlugViolation(error: unknown): boolean {
  return violatesUnique(error, 'listing_slug_unique')
}
