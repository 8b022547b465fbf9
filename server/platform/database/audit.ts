import { sql } from 'kysely'
import { plainAddress } from '#server/platform/net/addresses.ts'
import type { Db } from './database.ts'

export type AuditEntry = {
  /** What happened, as a word that stays the same: `signed-in`, `password-changed`. */
  action: string
  actorUserId?: string
  /** What it was done to: an id, an address, a file. */
  target?: string
  ip?: string
  requestId?: string
  /** Never a password, token or key: the table is kept for two years and read by people. */
  detail?: Record<string, string | number | boolean | null>
}

/**
 * Writes down who did what, when and from where. In the transaction of the deed where there is one, so that neither
 * exists without the other. The table takes no updates and no deletes; months older than the rule are dropped whole.
 */
export async function writeAudit(db: Db, entry: AuditEntry): Promise<void> {
  await sql`
    insert into audit_entry (action, actor_user_id, target, ip, request_id, detail)
    values (${entry.action}, ${entry.actorUserId ?? null}, ${entry.target ?? null}, ${plainAddress(entry.ip)},
            ${entry.requestId ?? null}, ${JSON.stringify(entry.detail ?? {})})
  `.execute(db)
}
