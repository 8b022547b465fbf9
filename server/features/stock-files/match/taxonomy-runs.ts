import type { Answer } from '#contract/endpoint.ts'
import type { StagingRoot } from '#contract/staging.ts'
import {
  MOST_ROWS_AT_ONCE,
  MOST_TAXONOMY_CONTENTS_BYTES,
  type TaxonomyResult,
  type taxonomyEndpoints,
} from '#contract/taxonomy.ts'
import { taxonomyKey, taxonomyQueue } from '#server/features/stock-files/queues.ts'
import { readStagingFile } from '#server/features/stock-files/store/read-contents.ts'
import {
  type AskedFile,
  findTypedFile,
  requireTypedFile,
} from '#server/features/stock-files/store/staged-files.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { startJob } from '#server/platform/jobs/enqueue-job.ts'
import { waitingLine } from '#server/platform/processes/concurrency.ts'
import { isAsked, MOST_QUESTIONS, openInWords, resolveTaxonomy } from './resolve-taxonomy.ts'
import { findKeptResult, findTaxonomyJob, listOpenQuestions } from './taxonomy-queries.ts'

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

/**
 * What was last made of the names of a file, and the job that works on them.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND
 */
export async function readTaxonomy(
  db: Db,
  asked: AskedFile,
): Promise<Answer<typeof taxonomyEndpoints.readTaxonomy>> {
  const { file } = await requireTypedFile(db, asked)
  const kept = await findKeptResult(db, file.id)
  const jobId = await findTaxonomyJob(db, taxonomyKey(file.root, file.path))
  return {
    jobId: jobId ?? null,
    last: kept
      ? {
          result: await withoutDecided(db, kept.result),
          madeAt: kept.madeAt.toISOString(),
          madeBy: kept.madeBy,
        }
      : null,
  }
}

async function withoutDecided(db: Db, result: TaxonomyResult): Promise<TaxonomyResult> {
  const { unsure, unsureCount } = result
  // Of more than these some were never asked, so that nobody can tell which are answered.
  if (unsureCount > MOST_QUESTIONS) return result
  const open = new Set(await listOpenQuestions(db, unsure.filter(isAsked)))
  const left = unsure.filter((question) => !isAsked(question) || open.has(question))
  const message = result.message.replace(openInWords(unsureCount), openInWords(left.length))
  return { ...result, message, unsure: left, unsureCount: left.length }
}
