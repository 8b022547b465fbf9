import type { Answer } from '#contract/endpoint.ts'
import type { TaxonomyResult, taxonomyEndpoints } from '#contract/taxonomy.ts'
import type { AskedFile } from '#server/features/staging/find-typed-file.ts'
import { requireTypedFile } from '#server/features/staging/require-typed-file.ts'
import type { Db } from '#server/platform/database.ts'
import { findKeptResult, findTaxonomyJob, listOpenQuestions } from './queries.ts'
import { isAsked, MOST_QUESTIONS } from './taxonomy-questions.ts'
import { taxonomyKey } from './taxonomy-queues.ts'
import { openInWords } from './taxonomy-result.ts'

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
