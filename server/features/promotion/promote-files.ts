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
 * Publishes the newest version of each file: all of them or, where one cannot be, none. A version that is live or on its
 * way answers its job again.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, STALE, CONFLICT
 */
export async function promoteFiles(db: Db, promote: Promote): Promise<PromotedFile[]> {
  const plain: string[] = []
  for (const path of promote.paths) plain.push((await findTypedFile(db, { ...promote, path }, 'paths')).path)
  const paths = [...new Set(plain)]
  return inTransaction(db, async (trx) => {
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
  const promotion = await startedPromotion(trx, { id: file.id, version, sellerId: file.sellerId }, promote)
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

type File = { id: string; version: number; sellerId: string }

async function startedPromotion(trx: Db, file: File, { root, actor }: Promote): Promise<PromotionRow> {
  const { id: fileId, version, sellerId } = file
  const current = await lockPromotionOfVersion(trx, { fileId, version })
  if (current) return current
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
