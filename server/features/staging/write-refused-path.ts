import type { StagingRoot } from '#contract/staging.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'

export type Caller = { readonly actor: Actor; readonly ip: string; readonly requestId: string }

export type RefusedPath = {
  readonly root: StagingRoot
  readonly typed: string
  readonly sentence: string
  readonly caller: Caller
}

// Enough to see what was tried.
const MOST_TOLD = 200

/** Writes down who tried a path that leads out of its root, and which. */
export async function writeRefusedPath(
  db: Db,
  { root, typed, sentence, caller: { actor, ip, requestId } }: RefusedPath,
): Promise<void> {
  await writeAudit(db, {
    action: 'staging-path-refused',
    actorUserId: actor.userId,
    target: `${root}:${JSON.stringify(typed.slice(0, MOST_TOLD))}`,
    ip,
    requestId,
    detail: { sentence },
  })
}
