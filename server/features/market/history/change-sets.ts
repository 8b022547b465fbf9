import { sql } from 'kysely'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, inTransaction, onlyRow } from '#server/platform/database/database.ts'

/**
 * Continues a change set in another transaction, for work that is one change for people but many transactions for the
 * database, such as the pages of an import.
 */
export async function joinChangeSet(trx: Db, changeSetId: string): Promise<void> {
  await sql`select set_config('partharbor.change_set', ${changeSetId}, true)`.execute(trx)
}

/** Who changes listings or lookups, for whom and why. Every field is stored in the history. */
export type ChangeSource = {
  actorKind: 'user' | 'job' | 'system'
  actorUserId?: string
  onBehalfOf?: string
  jobId?: string
  importId?: string
  requestId?: string
  /** A verb and a noun: "create listing", "bulk edit". */
  reason: string
}

/** The source of a signed-in user's change to their own or another seller's listings. */
export const userSource = (
  { actor, requestId }: { actor: Actor; requestId: string },
  reason: string,
  onBehalfOf?: string,
): ChangeSource => ({
  actorKind: 'user',
  actorUserId: actor.userId,
  requestId,
  reason,
  ...(onBehalfOf !== undefined && { onBehalfOf }),
})

/**
 * Runs writes to listings or lookups in one transaction under a new change set, joining an open transaction (such as
 * that of an Idempotency-Key). The database rejects such writes without a change set.
 */
export async function withChangeSet<T>(
  db: Db,
  source: ChangeSource,
  work: (trx: Db, changeSetId: string) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (trx) => work(trx, await openChangeSet(trx, source)))
}

async function openChangeSet(trx: Db, source: ChangeSource): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with opened as (
      insert into change_set (actor_user_id, actor_kind, on_behalf_of, job_id, import_id, request_id, reason)
      values (${source.actorUserId ?? null}, ${source.actorKind}, ${source.onBehalfOf ?? null},
              ${source.jobId ?? null}, ${source.importId ?? null}, ${source.requestId ?? null}, ${source.reason})
      returning id
    )
    select id, set_config('partharbor.change_set', id::text, true) from opened
  `.execute(trx)
  return onlyRow(rows).id
}
