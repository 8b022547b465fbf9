import { followMerges } from '#server/features/addresses/follow-merges.ts'
import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, isWriteConflict } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import {
  dropOwnNameAlias,
  insertLookupChange,
  type LookupRow,
  lockLookups,
  setAlias,
} from './change-queries.ts'
import { auditActor, changeSource, type LookupActor, lookupNotFound } from './lookup-change.ts'
import { type LookupKind, nounOf, pageKindOf } from './lookup-kind.ts'
import { relabelListingsQueue } from './lookup-queues.ts'
import { beginLookupChange } from './lookup-version-queries.ts'
import {
  setMergedInto,
  takeOverAliases,
  takeOverFacts,
  takeOverModels,
  takeOverModelsOfCategory,
} from './merge-queries.ts'

type LookupMerge = { kind: LookupKind; id: string; into: string; by: LookupActor }

/**
 * Makes one lookup of two. At once: the one is out of sight, its names mean the other, its models belong to the other, the
 * address of its page leads to the other's. Its listings follow in a job, whose id is answered, and then its row goes.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED (nothing it can be merged into), CONFLICT
 */
export async function mergeLookups(db: Db, merge: LookupMerge): Promise<string> {
  try {
    return await withChangeSet(db, changeSource(merge, 'merge'), (trx, changeSetId) =>
      mergeUnder(trx, merge, changeSetId),
    )
  } catch (error) {
    if (!isWriteConflict(error)) throw error
    const sentence = 'An import brought a name of these two at the same moment. Please try again.'
    throw new AppError('CONFLICT', sentence, { cause: error })
  }
}

async function mergeUnder(trx: Db, merge: LookupMerge, changeSetId: string): Promise<string> {
  const { kind, id: from, into, by } = merge
  await beginLookupChange(trx)
  const [gone, kept] = await lockBoth(trx, merge)
  await takeOverFacts(trx, kind, { from, into })
  await setMergedInto(trx, kind, { from, into })
  await takeOverAliases(trx, kind, { from, into })
  await setAlias(trx, kind, { id: into, name: gone.name, manufacturerId: kept.manufacturerId })
  await dropOwnNameAlias(trx, kind, into)
  if (kind === 'manufacturer') await takeOverModels(trx, { from, into, changeSetId })
  if (kind === 'category') await takeOverModelsOfCategory(trx, { from, into, changeSetId })
  await followMerges(trx, pageKindOf(kind), [{ from, into }])
  await insertLookupChange(trx, { changeSetId, kind, lookupId: from, changes: { merged_into: [null, into] } })
  if (gone.confirmed && !kept.confirmed) {
    const changes = { confirmed: [false, true] as [boolean, boolean] }
    await insertLookupChange(trx, { changeSetId, kind, lookupId: into, changes })
  }
  const detail = { kind, from: gone.name, to: kept.name, into }
  await writeAudit(trx, { action: 'lookup-merged', target: from, detail, ...auditActor(by) })
  return enqueueJob(trx, {
    queue: relabelListingsQueue,
    payload: { kind, id: from },
    ...(by.actorUserId !== undefined && { createdBy: by.actorUserId }),
  })
}

async function lockBoth(trx: Db, { kind, id, into }: LookupMerge): Promise<[LookupRow, LookupRow]> {
  const noun = nounOf(kind)
  const locked = await lockLookups(trx, kind, [id, into])
  const gone = locked.get(id)
  const kept = locked.get(into)
  if (!gone || gone.mergedInto) throw lookupNotFound(kind)
  if (id === into) throw wrongTarget(`A ${noun} cannot be merged into itself. Choose another one.`)
  if (!kept || kept.mergedInto) throw wrongTarget(`There is no such ${noun}. Choose one from the list.`)
  if (gone.manufacturerId !== kept.manufacturerId) {
    throw wrongTarget(
      'The two models belong to different manufacturers. Choose a model of the same one, or merge the manufacturers.',
    )
  }
  return [gone, kept]
}

const wrongTarget = (sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { into: sentence } })
