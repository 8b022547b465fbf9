import type { StagingRoot } from '#contract/staging.ts'
import { MOST_ROWS_AT_ONCE, MOST_TAXONOMY_CONTENTS_BYTES, type TaxonomyResult } from '#contract/taxonomy.ts'
import { startJob } from '#server/features/automation/start-job.ts'
import { findTypedFile } from '#server/features/staging/find-typed-file.ts'
import { readStagingFile } from '#server/features/staging/read-staging-file.ts'
import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { waitingLine } from '#server/platform/waiting-line.ts'
import { resolveTaxonomy } from './resolve-taxonomy.ts'
import { taxonomyKey, taxonomyQueue } from './taxonomy-queues.ts'

export type AskedTaxonomy = {
  readonly root: StagingRoot
  /** As typed. */
  readonly path: string
  readonly folders: readonly string[]
  readonly version: number | undefined
  readonly actor: Actor
  readonly ip: string
  readonly requestId: string
}

// Five thousand rows are a tenth of a second of work, and the names of all lookups.
const inTurn = waitingLine({ atOnce: 1, waiting: 20 })

/**
 * Resolves a file's names at once, or by a job where it is a large one.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, STALE, STORAGE_FULL, BUSY
 */
export async function startTaxonomy(
  db: Db,
  files: FileStore,
  asked: AskedTaxonomy,
): Promise<TaxonomyResult | { jobId: string }> {
  const { root, version, actor, ip, requestId } = asked
  const { file, path } = await findTypedFile(db, asked)
  if (!file) throw new AppError('NOT_FOUND', `There is no staged file ${path} in ${root}.`)
  if (file.rows > MOST_ROWS_AT_ONCE) {
    const payload = { root, path, ...(version !== undefined && { version }) }
    const concurrencyKey = taxonomyKey(root, path)
    const by = { actorUserId: actor.userId, ip, requestId }
    return { jobId: await startJob(db, { queue: taxonomyQueue, payload, concurrencyKey }, by) }
  }
  const by = { userId: actor.userId, ip, requestId }
  const inOneTransaction = <T>(work: (trx: Db) => Promise<T>) => inTransaction(db, work)
  const result = await inTurn(() =>
    resolveTaxonomy({ db, files, inOneTransaction }, { root, path, version, by }),
  )
  return withContents(db, files, { asked, result })
}

async function withContents(
  db: Db,
  files: FileStore,
  { asked, result }: { asked: AskedTaxonomy; result: TaxonomyResult },
): Promise<TaxonomyResult> {
  const { file } = await findTypedFile(db, asked)
  if (!file || file.bytes > MOST_TAXONOMY_CONTENTS_BYTES) return result
  const { contents, contentType } = await readStagingFile(db, files, { ...asked, window: undefined })
  if (Buffer.byteLength(contents) > MOST_TAXONOMY_CONTENTS_BYTES) return result
  return { ...result, files: result.files.map((each) => ({ ...each, contents, contentType })) }
}
