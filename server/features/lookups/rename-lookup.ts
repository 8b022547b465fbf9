import { followNames } from '#server/features/addresses/follow-names.ts'
import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import {
  dropOwnNameAlias,
  findNameHolder,
  insertLookupChange,
  lockLookups,
  setAlias,
  updateLookupName,
} from './change-queries.ts'
import { auditActor, changeSource, type LookupActor, lookupNotFound } from './lookup-change.ts'
import { type LookupKind, nounOf, pageKindOf } from './lookup-kind.ts'
import { relabelListingsQueue } from './lookup-queues.ts'
import { beginLookupChange } from './lookup-version-queries.ts'

type Renaming = { kind: LookupKind; id: string; name: string; by: LookupActor }

/**
 * Renames a lookup at once; its listings follow in a job. The old name stays as an alias, so that files and forms that
 * still use it mean the same, and the old address of its page leads to the new one.
 * @throws AppError NOT_FOUND, CONFLICT where another goes by that name
 */
export async function renameLookup(db: Db, change: Renaming): Promise<void> {
  const { kind, id, name } = change
  try {
    await withChangeSet(db, changeSource(change, 'rename'), async (trx, changeSetId) => {
      await beginLookupChange(trx)
      const before = (await lockLookups(trx, kind, [id])).get(id)
      if (!before || before.mergedInto) throw lookupNotFound(kind)
      if (before.name === name) return
      const { manufacturerId } = before
      const holder = await findNameHolder(trx, { kind, name, manufacturerId, exceptId: id })
      if (holder) throw nameTaken(kind, name, holder)
      await updateLookupName(trx, kind, { id, name })
      await setAlias(trx, kind, { id, name: before.name, manufacturerId })
      await dropOwnNameAlias(trx, kind, id)
      await followNames(trx, pageKindOf(kind), [id])
      await insertLookupChange(trx, {
        changeSetId,
        kind,
        lookupId: id,
        changes: { name: [before.name, name] },
      })
      const detail = { kind, from: before.name, to: name }
      await writeAudit(trx, { action: 'lookup-renamed', target: id, detail, ...auditActor(change.by) })
      await enqueueJob(trx, {
        queue: relabelListingsQueue,
        payload: { kind, id },
        ...(change.by.actorUserId !== undefined && { createdBy: change.by.actorUserId }),
      })
    })
  } catch (error) {
    // A file brought the name at the same moment.
    if (violatesUnique(error, `${kind}_name_unique`)) throw nameTaken(kind, name, { name, isAlias: false })
    throw error
  }
}

function nameTaken(kind: LookupKind, name: string, holder: { name: string; isAlias: boolean }): AppError {
  const noun = nounOf(kind)
  const sentence = holder.isAlias
    ? `“${name}” is another name of the ${noun} “${holder.name}”. Merge the two instead.`
    : `There is already a ${noun} named “${holder.name}”. Merge the two instead.`
  return new AppError('CONFLICT', sentence, { fields: { name: sentence } })
}
