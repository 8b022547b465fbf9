import type { accountEndpoints } from '#contract/accounts.ts'
import type { Reply } from '#contract/endpoint.ts'
import type { Actor } from '#server/platform/actor.ts'
import { deviceInWords } from './device.ts'
import type { SessionRow } from './session-queries.ts'

type Session = Reply<typeof accountEndpoints.listSessions>['items'][number]

export function presentSession(row: SessionRow, actor: Actor): Session {
  return {
    id: row.id,
    device: deviceInWords(row.userAgent),
    ip: row.ip,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    current: row.tokenHash.equals(actor.sessionHash),
  }
}
