import { sql } from 'kysely'
import type { Actor } from '#server/platform/actor.ts'
import { plainAddress } from '#server/platform/net/addresses.ts'
import { type Db, onlyRow } from './database.ts'

export type AuditEntry = {
  /** A stable word such as `signed-in` or `password-changed`. */
  action: string
  actorUserId?: string
  /** The job that did it, perhaps started by that user. */
  jobId?: string
  /** The affected id, address or file. */
  target?: string
  ip?: string
  requestId?: string
  /** Never a password, token or key: administrators read the log, and entries are kept for two years. */
  detail?: Record<string, string | number | boolean | null>
}

/** The user behind a request. */
export type AuditActor = Required<Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'>>

export const auditActorOf = (request: { actor: Actor; ip: string; requestId: string }): AuditActor => ({
  actorUserId: request.actor.userId,
  ip: request.ip,
  requestId: request.requestId,
})

/**
 * Records who did what, when and from where. Pass the transaction of the action itself, so that neither is saved without
 * the other. The table allows no updates or deletes; expired months are dropped as partitions. Returns the entry's id.
 */
export async function writeAudit(db: Db, entry: AuditEntry): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into audit_entry (action, actor_user_id, job_id, target, ip, request_id, detail)
    values (${entry.action}, ${entry.actorUserId ?? null}, ${entry.jobId ?? null}, ${entry.target ?? null},
            ${plainAddress(entry.ip)}, ${entry.requestId ?? null}, ${JSON.stringify(entry.detail ?? {})})
    returning id
  `.execute(db)
  return onlyRow(rows).id
}
