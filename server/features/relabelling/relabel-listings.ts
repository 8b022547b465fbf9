import { withChangeSet } from '#server/features/history/with-change-set.ts'
import { type LookupKind, nounOf } from '#server/features/lookups/lookup-kind.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { emptyMerged } from './empty-merged.ts'
import { findCreator, listNextListings } from './label-queries.ts'
import { findTarget } from './merged-queries.ts'
import { relabelPage } from './relabel-page.ts'
import type { Progress, Relabelling } from './relabelling.ts'

const LISTINGS_A_PAGE = 500
// Half a megabyte of ids at a time: asking for the next sorts all listings of the lookup.
const IDS_AT_ONCE = 10_000

/**
 * Has the listings of a lookup follow what an admin did with it, page by page: of a merged one they move, and it is
 * deleted; those of a renamed one, or of the one that was merged into, are called and found by its names of now. Stopped
 * anywhere, the next run goes on; done twice, the second changes nothing.
 */
export async function relabelListings(
  db: Db,
  run: JobRun<{ kind: LookupKind; id: string }>,
): Promise<{ moved: number; relabelled: number }> {
  const { kind, id } = run.payload
  const before = run.checkpoint as Progress | null
  const into = before?.target ? undefined : await findTarget(db, kind, id)
  if (into === undefined && !before?.target) return { moved: 0, relabelled: 0 }
  const changeSetId = before?.changeSetId ?? (await openChangeSet(run, into ? 'merge' : 'rename'))
  const work = { db, run, changeSetId }
  const moved = into ? await emptyMerged(work) : 0
  const target = before?.target ?? into ?? id
  return { moved, relabelled: await relabelAll(work, { target, after: before?.after ?? null }) }
}

function openChangeSet(
  run: JobRun<{ kind: LookupKind; id: string }>,
  verb: 'merge' | 'rename',
): Promise<string> {
  return run.withFence(async (trx) => {
    const actorUserId = await findCreator(trx, run.jobId)
    const source = {
      actorKind: 'job' as const,
      jobId: run.jobId,
      reason: `${verb} ${nounOf(run.payload.kind)}`,
      ...(actorUserId && { actorUserId }),
    }
    return withChangeSet(trx, source, async (same, changeSetId) => {
      const progress: Progress = { changeSetId, target: null, after: null }
      await run.saveCheckpoint(progress, same)
      return changeSetId
    })
  })
}

type Left = { target: string; after: string | null }

async function relabelAll({ db, run, changeSetId }: Relabelling, left: Left): Promise<number> {
  const { kind } = run.payload
  const { target } = left
  let { after } = left
  let done = 0
  let relabelled = 0
  for (;;) {
    const ids = await listNextListings(db, { kind, id: target, after, limit: IDS_AT_ONCE })
    for (let from = 0; from < ids.length; from += LISTINGS_A_PAGE) {
      run.signal.throwIfAborted()
      const page = ids.slice(from, from + LISTINGS_A_PAGE)
      const last = page.at(-1) ?? null
      relabelled += await run.withFence(async (trx) => {
        const changed = await relabelPage(trx, { kind, ids: page, changeSetId })
        const progress: Progress = { changeSetId, target, after: last }
        await run.saveCheckpoint(progress, trx)
        return changed
      })
      after = last
      done += page.length
      run.progress({ done, note: 'listings called by their names of now' })
    }
    // Those made since the job began are right from the start: an import must not keep it going.
    if (ids.length < IDS_AT_ONCE) return relabelled
  }
}
