import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { BulkProgress } from './bulk-progress.ts'
import { lockUnrepeated, readRepeatedJobs } from './job-queries.ts'
import { type CheckedJob, checkNewJob, type Queues } from './new-job.ts'
import { repeatJob } from './repeat-job.ts'

type Page = { ids: readonly string[]; createdBy: string | null; queues: Queues }

/** Repeats these jobs, except for those that somebody repeats already; answers how far it is then, and what to say. */
export async function repeatPage(
  trx: Db,
  { ids, createdBy, queues }: Page,
  progress: BulkProgress,
): Promise<{ progress: BulkProgress; lines: string[] }> {
  let { done, left, canary } = progress
  const lines: string[] = []
  for (const original of await readRepeatedJobs(trx, await lockUnrepeated(trx, ids))) {
    const { id, queue, payload, options, maxAttempts } = original
    const checked = check(queues, { queue, payload, options: { ...options, attempts: maxAttempts } })
    if (typeof checked === 'string') {
      left += 1
      lines.push(`${id} (${queue}) is left: ${checked}`)
      continue
    }
    const jobId = await repeatJob(trx, { original, checked, createdBy })
    canary ??= { jobId, of: id }
    done += 1
    lines.push(`${id} (${queue}) runs again as ${jobId}`)
  }
  return { progress: { ...progress, done, left, canary }, lines }
}

function check(queues: Queues, asked: Parameters<typeof checkNewJob>[1]): CheckedJob | string {
  try {
    return checkNewJob(queues, asked)
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
