import type { StagingRoot } from '#contract/staging.ts'
import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { isEscapeAttempt } from './escape-attempt.ts'
import { namesServerFolder } from './staging-path.ts'

export type Caller = { readonly actor: Actor; readonly ip: string; readonly requestId: string }

export type RefusedPath = {
  readonly root: StagingRoot
  readonly typed: string
  readonly sentence: string
  /** What the caller named the path. */
  readonly field: 'path' | 'paths'
  readonly caller: Caller
}

// Enough to see what was tried.
const MOST_TOLD = 200

/**
 * Refuses a path. One that looks like a way out of its root is written down, outside of any transaction that ends with
 * this error.
 * @throws AppError VALIDATION_FAILED, always
 */
export async function refusePath(
  db: Db,
  { root, typed, sentence, field, caller }: RefusedPath,
): Promise<never> {
  const { actor, ip, requestId } = caller
  if (isEscapeAttempt(typed) || namesServerFolder(`/${typed.trim().replace(/^[/+]+/, '')}`)) {
    await writeAudit(db, {
      action: 'staging-path-refused',
      actorUserId: actor.userId,
      target: `${root}:${JSON.stringify(typed.slice(0, MOST_TOLD))}`,
      ip,
      requestId,
      detail: { sentence },
    })
  }
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}
