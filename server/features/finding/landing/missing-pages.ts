import { z } from 'zod'
import { landingKinds } from '#contract/landing.ts'
import { builtInWriter } from '#server/features/market/writing/writer.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'
import { listUnwritten } from './subjects.ts'
import { addPages, buildPages, NO_PAGES } from './write-pages.ts'

/**
 * Creates a page for every category, manufacturer and model with live parts, so that none waits for an administrator's
 * script. Scripts can improve the text later.
 */
export const missingPagesQueue: JobQueue<Record<string, never>> = {
  name: 'missing-pages',
  title: 'Make missing landing pages',
  payload: z.object({}).strict(),
  maxAttempts: 2,
  retryDelaySeconds: 60,
  resumable: true,
  // Long enough for all pages of a new catalog.
  timeoutSeconds: 1_800,
  concurrency: 1,
}

export async function writeMissingPages(
  db: Db,
  run: JobRun<Record<string, never>>,
): Promise<{ made: number }> {
  let tally = NO_PAGES
  // Makes before models, because models' addresses begin with the make's.
  for (const kind of landingKinds) {
    const pages = buildPages(await listUnwritten(db, kind), {
      db,
      jobId: run.jobId,
      signal: run.signal,
      writer: builtInWriter,
      rewrite: 'missing',
      dryRun: false,
      inOneTransaction: run.withFence,
      saveCheckpoint: async () => undefined,
    })
    for await (const outcomes of pages) tally = addPages(tally, outcomes)
  }
  return { made: tally.new }
}
