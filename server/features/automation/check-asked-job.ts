import { z } from 'zod'
import { stagingRoots } from '#contract/staging.ts'
import { looksLikeEscape, writeRefusedPath } from '#server/features/stock-files/store/staging-path.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { type AskedJob, type CheckedJob, checkNewJob, type Queues } from './new-job.ts'

type Caller = { readonly actor: Actor; readonly ip: string; readonly requestId: string }

const sentSource = z.object({ source: z.object({ root: z.enum(stagingRoots), path: z.string() }) })

/**
 * Judges a job that somebody sends. A staged file that it names by a way out of its root is written down, as everywhere.
 * @throws AppError as `checkNewJob` does
 */
export async function checkAskedJob(
  db: Db,
  queues: Queues,
  { asked, caller }: { asked: AskedJob; caller: Caller },
): Promise<CheckedJob> {
  try {
    return checkNewJob(queues, asked)
  } catch (error) {
    const sent = sentSource.safeParse(asked.payload).data
    if (error instanceof AppError && sent && looksLikeEscape(sent.source.path)) {
      const { root, path: typed } = sent.source
      const { actor, ip, requestId } = caller
      const refused = { root, typed, sentence: error.message, caller: { actor, ip, requestId } }
      await writeRefusedPath(db, refused)
    }
    throw error
  }
}
