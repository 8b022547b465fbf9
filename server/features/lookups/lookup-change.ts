import { AppError } from '#server/platform/app-error.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import { type LookupKind, nounOf } from './lookup-kind.ts'

/** A change that an admin makes to one lookup. */
export type LookupChange = {
  kind: LookupKind
  id: string
  by: Required<Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'>>
}

export const changeSource = ({ kind, by }: LookupChange, verb: string) => ({
  actorKind: 'user' as const,
  actorUserId: by.actorUserId,
  requestId: by.requestId,
  reason: `${verb} ${nounOf(kind)}`,
})

export const lookupNotFound = (kind: LookupKind): AppError =>
  new AppError(
    'NOT_FOUND',
    `There is no such ${nounOf(kind)} any more. It was deleted or merged into another.`,
  )
