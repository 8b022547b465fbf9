import type { AuditEntry } from '#server/platform/database/audit.ts'
import { AppError } from '#server/platform/errors.ts'
import { type LookupKind, nounOf } from './lookup-kind.ts'

/** A change that an admin makes to one lookup. */
export type LookupChange = {
  kind: LookupKind
  id: string
  by: Required<Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'>>
}

/** Who changes a lookup: an admin, or a job that somebody or a schedule started. */
export type LookupActor = LookupChange['by'] | { jobId: string; actorUserId: string | undefined }

export const changeSource = ({ kind, by }: { kind: LookupKind; by: LookupActor }, verb: string) => {
  const reason = `${verb} ${nounOf(kind)}`
  if (!('jobId' in by)) {
    const { actorUserId, requestId } = by
    return { actorKind: 'user' as const, actorUserId, requestId, reason }
  }
  const { jobId, actorUserId } = by
  return { actorKind: 'job' as const, jobId, ...(actorUserId !== undefined && { actorUserId }), reason }
}

/** The same for the audit log. */
export function auditActor(by: LookupActor): Pick<AuditEntry, 'actorUserId' | 'ip' | 'requestId'> {
  if (!('jobId' in by)) return by
  return by.actorUserId === undefined ? {} : { actorUserId: by.actorUserId }
}

export const lookupNotFound = (kind: LookupKind): AppError =>
  new AppError(
    'NOT_FOUND',
    `There is no such ${nounOf(kind)} any more. It was deleted or merged into another.`,
  )
