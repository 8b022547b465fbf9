import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { findJobAuthor } from '#server/platform/jobs/job-author.ts'
import { defineJob, GiveUp, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { resolveTaxonomy } from './resolve-taxonomy.ts'
import { taxonomyQueue } from './taxonomy-queues.ts'

export function taxonomyJobs({ db, files }: { db: Db; files: FileStore }): JobDefinition[] {
  return [
    defineJob(taxonomyQueue, async (run) => {
      const { root, path, version } = run.payload
      const onRows = (done: number, total: number) => run.progress({ done, total, note: 'resolving names' })
      const deps = { db, files, inOneTransaction: run.withFence, signal: run.signal, onRows }
      const userId = await findJobAuthor(db, run.jobId)
      const by = { ...(userId && { userId }), jobId: run.jobId }
      return resolveTaxonomy(deps, { root, path, version, by }).catch(giveUpWhereFileChanged)
    }),
  ]
}

/** A file that is gone or that somebody saved is so at the next attempt as well. */
function giveUpWhereFileChanged(error: unknown): never {
  const isForGood = error instanceof AppError && (error.code === 'STALE' || error.code === 'NOT_FOUND')
  throw isForGood ? new GiveUp(error.message, { cause: error }) : error
}
