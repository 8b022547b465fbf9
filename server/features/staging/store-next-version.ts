import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { insertVersion, lockStagingFile, type StagingFile } from './queries.ts'
import type { Segment } from './segment.ts'
import { changedMeanwhile } from './stale-version.ts'
import type { Caller } from './write-refused-path.ts'

export type NextVersion = {
  /** As it was read: its version is the one that was changed. */
  readonly file: StagingFile
  readonly segments: readonly Segment[]
  readonly columns: readonly string[]
  readonly message: string
  readonly caller: Caller
}

/**
 * Makes what somebody changed the newest version, and writes down who did.
 * @throws AppError STALE where the file has moved on since it was read
 */
export function storeNextVersion(db: Db, next: NextVersion): Promise<number> {
  const { file, segments, columns, message, caller } = next
  return inTransaction(db, async (trx) => {
    const newest = await lockStagingFile(trx, file.id)
    if (newest !== file.version) {
      throw new AppError('STALE', changedMeanwhile({ newest: newest ?? 0, read: file.version }))
    }
    const version = file.version + 1
    const authorUserId = caller.actor.userId
    await insertVersion(trx, { fileId: file.id, version, authorUserId, message, segments, columns })
    await writeAudit(trx, {
      action: 'staging-file-saved',
      actorUserId: authorUserId,
      target: `${file.root}:${file.path}`,
      ip: caller.ip,
      requestId: caller.requestId,
      detail: { version, rows: segments.reduce((sum, { rows }) => sum + rows, 0), message },
    })
    return version
  })
}
