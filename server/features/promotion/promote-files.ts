import { datasetOf, type StagingRoot } from '#contract/staging.ts'
import { findTypedFile } from '#server/features/staging/find-typed-file.ts'
import { findStagingFile, lockStagingFile } from '#server/features/staging/queries.ts'
import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import { writeAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { approvePromotion } from './approve-promotion.ts'
import {
  findFirstPromotion,
  lockPromotion,
  lockPromotionOfVersion,
  type PromotionRow,
  setDatasetTag,
  wasTakenBack,
} from './promotion-queries.ts'
import { startPromotion } from './start-promotion.ts'

export type Promote = {
  root: StagingRoot
  /** As typed. */
  paths: readonly string[]
  datasetTag: string | undefined
  planId: string | undefined
  actor: Actor
  ip: string
  requestId: string
  /** Folders that a typed absolute path may begin with. */
  folders: readonly string[]
}

export type PromotedFile = { path: string; jobId: string; planId: string }

/**
 * Reads the paths, and answers with the writing, which publishes the newest version of each file: all of them or, where one
 * cannot be, none. A version that is live or on its way answers its job again; one that was taken back or withdrawn is
 * published by a plan that was made and seen since.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, STALE, CONFLICT
 */
export async function promoteFiles(db: Db, promote: Promote): Promise<(db: Db) => Promise<PromotedFile[]>> {
  // Outside of the transaction: a path that is refused is written down all the same.
  const plain: string[] = []
  for (const path of promote.paths) plain.push((await findTypedFile(db, { ...promote, path }, 'paths')).path)
  const paths = [...new Set(plain)]
  return (writeDb) =>
    inTransaction(writeDb, async (trx) => {
      const files = new Map<string, PromotedFile>()
      // Always locked in the same order, so that two calls with the same files never wait for one another in a circle.
      for (const path of paths.toSorted()) files.set(path, await promoteFile(trx, path, promote))
      return paths.flatMap((path) => files.get(path) ?? [])
    })
}

async function promoteFile(trx: Db, path: string, promote: Promote): Promise<PromotedFile> {
  const { root, actor } = promote
  const file = await findStagingFile(trx, root, path)
  // Under the file's lock, so that of two presses at once the second finds the first one's promotion.
  const version = file && (await lockStagingFile(trx, file.id))
  if (!file || version === undefined) {
    throw new AppError('NOT_FOUND', `There is no staged file ${path} in ${root}.`)
  }
  const { id, sellerId } = file
  const promotion = await startedPromotion(trx, { id, version, sellerId, path }, promote)
  const jobId = await approvePromotion(trx, promotion, { userId: actor.userId, planId: promote.planId })
  if (promote.datasetTag) await setDatasetTag(trx, promotion.id, promote.datasetTag)
  await writeAudit(trx, {
    action: 'staging-promoted',
    actorUserId: actor.userId,
    target: `${root}:${path}`,
    ip: promote.ip,
    requestId: promote.requestId,
    detail: { promotionId: promotion.id, version, jobId },
  })
  return { path, jobId, planId: promotion.planId }
}

type File = { id: string; version: number; sellerId: string; path: string }

async function startedPromotion(trx: Db, file: File, promote: Promote): Promise<PromotionRow> {
  const { root, actor, planId } = promote
  const { id: fileId, version, sellerId, path } = file
  const current = await lockPromotionOfVersion(trx, { fileId, version })
  if (current) return current
  // Somebody decided against it; whoever publishes it after all has looked at a plan made since.
  if (planId === undefined && (await wasTakenBack(trx, fileId))) {
    throw new AppError(
      'CONFLICT',
      `${path} was taken back or withdrawn, so it is not published just like that. Make a plan of it, look at it, and promote that plan.`,
    )
  }
  const first = await findFirstPromotion(trx, fileId)
  const { promotionId } = await startPromotion(trx, {
    fileId,
    version,
    sellerId,
    mode: first?.mode ?? 'add',
    dataset: datasetOf(root),
    createdBy: actor.userId,
    ...(first?.importId && { importId: first.importId }),
  })
  const started = await lockPromotion(trx, promotionId)
  if (!started) throw new Error('a promotion vanished in its own transaction')
  return started
}
