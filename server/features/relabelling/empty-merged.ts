import { setTimeout as sleep } from 'node:timers/promises'
import { followMerges } from '#server/features/addresses/follow-merges.ts'
import { joinChangeSet } from '#server/features/history/join-change-set.ts'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import { beginLookupChange } from '#server/features/lookups/lookup-version-queries.ts'
import { takeOverModels, takeOverModelsOfCategory } from '#server/features/lookups/merge-queries.ts'
import { holdDays, moveDays } from './day-queries.ts'
import { listSomeListings } from './label-queries.ts'
import { deleteMerged, findTarget, listModelsLeft } from './merged-queries.ts'
import { relabelPage } from './relabel-page.ts'
import type { Progress, Relabelling } from './relabelling.ts'

// A page takes a tenth of a second, so that nobody waits long for its listings.
const LISTINGS_A_PAGE = 500
const DAYS_A_PAGE = 1_000
// Somebody was writing a listing with the old name at that moment.
const ROUND_MS = 200

/**
 * Moves everything that points to a merged lookup to what it was merged into, and deletes it when nothing is left. Whoever
 * points there meanwhile is found in a further round. Answers how many listings moved.
 */
export async function emptyMerged(work: Relabelling): Promise<number> {
  const { run } = work
  const { kind, id } = run.payload
  let moved = 0
  const count = (listings: number) => {
    moved += listings
    run.progress({ done: moved, note: 'listings moved' })
  }
  for (;;) {
    run.signal.throwIfAborted()
    if (kind === 'manufacturer') await moveModels(work, count)
    if (kind === 'category') await moveModelsOfCategory(work)
    await moveListings(work, { kind, id }, count)
    if (kind === 'category') await moveAllDays(work)
    if (await removeEmpty(work)) return moved
    await sleep(ROUND_MS, undefined, { signal: run.signal })
  }
}

type Pointing = { kind: LookupKind; id: string }

async function moveListings(
  { db, run, changeSetId }: Relabelling,
  { kind, id }: Pointing,
  count: (listings: number) => void,
): Promise<void> {
  for (;;) {
    run.signal.throwIfAborted()
    const ids = await listSomeListings(db, { kind, id, limit: LISTINGS_A_PAGE })
    if (ids.length === 0) return
    const page = { kind: run.payload.kind, ids, changeSetId }
    count(await run.withFence((trx) => relabelPage(trx, page)))
  }
}

/** A model that a file brought under the old manufacturer after the merge goes the way of the others. */
async function moveModels(work: Relabelling, count: (listings: number) => void): Promise<void> {
  const { db, run, changeSetId } = work
  const { kind, id: from } = run.payload
  if ((await listModelsLeft(db, from)).others) {
    await run.withFence(async (trx) => {
      await beginLookupChange(trx)
      const into = await findTarget(trx, kind, from)
      await joinChangeSet(trx, changeSetId)
      if (!into) return
      await takeOverModels(trx, { from, into, changeSetId })
      await followMerges(trx, 'manufacturer', [{ from, into }])
    })
  }
  const { merged } = await listModelsLeft(db, from)
  for (const id of merged) await moveListings(work, { kind: 'car_model', id }, count)
}

async function moveModelsOfCategory({ run, changeSetId }: Relabelling): Promise<void> {
  const { kind, id: from } = run.payload
  await run.withFence(async (trx) => {
    await joinChangeSet(trx, changeSetId)
    const into = await findTarget(trx, kind, from)
    if (into) await takeOverModelsOfCategory(trx, { from, into, changeSetId })
  })
}

async function moveAllDays({ run }: Relabelling): Promise<void> {
  const { kind, id: from } = run.payload
  for (let moved = 1; moved > 0; ) {
    run.signal.throwIfAborted()
    moved = await run.withFence(async (trx) => {
      const into = await findTarget(trx, kind, from)
      return into ? moveDays(trx, { from, into, limit: DAYS_A_PAGE }) : 0
    })
  }
}

function removeEmpty({ run, changeSetId }: Relabelling): Promise<boolean> {
  const { kind, id } = run.payload
  return run.withFence(async (trx) => {
    await joinChangeSet(trx, changeSetId)
    const target = await findTarget(trx, kind, id)
    if (!target) return true
    if (kind === 'category') {
      await holdDays(trx)
      // More than a page of them: a further round takes them without holding up everybody.
      if ((await moveDays(trx, { from: id, into: target, limit: DAYS_A_PAGE })) === DAYS_A_PAGE) return false
    }
    if (!(await deleteMerged(trx, kind, id))) return false
    const progress: Progress = { changeSetId, target, after: null }
    await run.saveCheckpoint(progress, trx)
    return true
  })
}
