import {
  MAX_ROWS_AT_ONCE,
  MAX_TAXONOMY_CONTENTS_BYTES,
  type TaxonomyResult,
  type taxonomyEndpoints,
} from '#contract/admin/taxonomy.ts'
import type { Answer } from '#contract/endpoint.ts'
import { taxonomyKey, taxonomyQueue } from '#server/features/stock-files/stock-file-queues.ts'
import { readStagingFile } from '#server/features/stock-files/store/read-contents.ts'
import {
  type FileRequest,
  findTypedFile,
  requireTypedFile,
} from '#server/features/stock-files/store/staged-files.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { startJob } from '#server/platform/jobs/enqueue-job.ts'
import { taskQueue } from '#server/platform/processes/concurrency.ts'
import { canBeDecided, MAX_QUESTIONS, resolveTaxonomy, undecidedPhrase } from './resolve-taxonomy.ts'
import { findSavedResult, findTaxonomyJob, listOpenQuestions } from './taxonomy-queries.ts'

/* An administrator's requests about the names of a staged file: resolve them, or read the last result. */

export type TaxonomyRequest = FileRequest & { readonly version: number | undefined }

// Each takes a tenth of a second for 5,000 rows, and keeps all lookup names in memory.
const inTurn = taskQueue({ atOnce: 1, waiting: 20 })

/**
 * Resolves a file's names now, or in a job if the file is large.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, STALE, STORAGE_FULL, BUSY
 */
export async function startTaxonomy(
  db: Db,
  files: FileStore,
  request: TaxonomyRequest,
): Promise<TaxonomyResult | { jobId: string }> {
  const { root, version, actor, ip, requestId } = request
  const { file, path } = await findTypedFile(db, request)
  if (!file) throw new AppError('NOT_FOUND', `There is no staged file ${path} in ${root}.`)
  if (file.rows > MAX_ROWS_AT_ONCE) {
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
  return withContents(db, files, { request, result })
}

async function withContents(
  db: Db,
  files: FileStore,
  { request, result }: { request: TaxonomyRequest; result: TaxonomyResult },
): Promise<TaxonomyResult> {
  const { file } = await findTypedFile(db, request)
  if (!file || file.bytes > MAX_TAXONOMY_CONTENTS_BYTES) return result
  const { contents, contentType } = await readStagingFile(db, files, { ...request, window: undefined })
  if (Buffer.byteLength(contents) > MAX_TAXONOMY_CONTENTS_BYTES) return result
  return { ...result, files: result.files.map((each) => ({ ...each, contents, contentType })) }
}

/**
 * The last result for a file's names, and the job that is resolving them.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND
 */
export async function readTaxonomy(
  db: Db,
  request: FileRequest,
): Promise<Answer<typeof taxonomyEndpoints.readTaxonomy>> {
  const { file } = await requireTypedFile(db, request)
  const saved = await findSavedResult(db, file.id)
  const jobId = await findTaxonomyJob(db, taxonomyKey(file.root, file.path))
  if (!saved) return { jobId: jobId ?? null, last: null }
  const { madeAt, madeBy } = saved
  const result = await withoutDecided(db, saved.result)
  return { jobId: jobId ?? null, last: { result, madeAt: madeAt.toISOString(), madeBy } }
}

/** Removes the questions that were decided since. */
async function withoutDecided(db: Db, result: TaxonomyResult): Promise<TaxonomyResult> {
  const { unsure, unsureCount } = result
  // Above this limit not all questions were stored, so it is unknown which are decided.
  if (unsureCount > MAX_QUESTIONS) return result
  const open = new Set(await listOpenQuestions(db, unsure.filter(canBeDecided)))
  const left = unsure.filter((question) => !canBeDecided(question) || open.has(question))
  const message = result.message.replace(undecidedPhrase(unsureCount), undecidedPhrase(left.length))
  return { ...result, message, unsure: left, unsureCount: left.length }
}
