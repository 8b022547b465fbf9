import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import { looksLikeEscape } from './escape-attempt.ts'
import { type RefusedPath, writeRefusedPath } from './write-refused-path.ts'

/** `field`: what the caller named the path. */
type Refusal = RefusedPath & { readonly field: 'path' | 'paths' }

/**
 * Refuses a path. One that looks like a way out of its root is written down, outside of any transaction that ends with
 * this error.
 * @throws AppError VALIDATION_FAILED, always
 */
export async function refusePath(db: Db, { root, typed, sentence, field, caller }: Refusal): Promise<never> {
  if (looksLikeEscape(typed)) await writeRefusedPath(db, { root, typed, sentence, caller })
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}
