import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { followMerges } from '#server/features/finding/addresses/addresses.ts'
import { moveVehicles } from '#server/features/finding/garage/garage.ts'
import { joinChangeSet, withChangeSet } from '#server/features/market/history/change-sets.ts'
import { listFitting } from '#server/features/market/listings/search-row/fitment-marks.ts'
import { writeSearchRows } from '#server/features/market/listings/search-row/search-rows.ts'
import { beginLookupChange, relabelListingsQueue } from '#server/features/market/lookups/lookup-changes.ts'
import { type LookupKind, nounOf } from '#server/features/market/lookups/lookup-kind.ts'
import { takeOverModels, takeOverModelsOfCategory } from '#server/features/market/lookups/merge-lookups.ts'
import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob, findJobAuthor } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'
import {
  listNextListings,
  listSomeListings,
  type Progress,
  type Relabeling,
  relabelPage,
} from './relabel-page.ts'

/** Resumes renames and merges of lookups that have no job anymore. */
export const finishMergesQueue: JobQueue<Record<string, never>> = {
  name: 'finish-merges',
  title: 'Finish renamed and merged lookups',
  payload: z.object({}).strict(),
  maxAttempts: 1,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 1,
}

type Days = { from: string; into: string; limit: number }

/**
 * Adds some days of one category to another and returns how many. One statement locks both rows of a day in key order,
 * as all writers of views and leads do, to prevent deadlocks.
 */
async function moveDays(trx: Db, { from, into, limit }: Days): Promise<number> {
  const { rows } = await sql<{ sellerId: string; day: string }>`
    select seller_id as "sellerId", day from seller_day where category_id = ${from} limit ${limit}
  `.execute(trx)
  if (rows.length === 0) return 0
  const keys = sql`unnest(${rows.map(({ sellerId }) => sellerId)}::uuid[], ${rows.map(({ day }) => day)}::date[])`
  await sql`
    insert into seller_day as d (seller_id, day, category_id)
    select k.seller_id, k.day, category_id
    from ${keys} as k(seller_id, day) cross join unnest(${[from, into]}::uuid[]) as category_id
    order by 1, 2, 3
    on conflict (seller_id, day, category_id) do update set views = d.views
  `.execute(trx)
  await sql`
    with gone as (
      delete from seller_day d using ${keys} as k(seller_id, day)
      where d.seller_id = k.seller_id and d.day = k.day and d.category_id = ${from}
      returning d.seller_id, d.day, d.views, d.leads
    )
    update seller_day d set views = d.views + gone.views, leads = d.leads + gone.leads
    from gone where d.seller_id = gone.seller_id and d.day = gone.day and d.category_id = ${into}
  `.execute(trx)
  return rows.length
}

/** Makes writers of views and leads wait until the transaction ends; they then reread categories. */
async function lockDays(trx: Db): Promise<void> {
  await sql`lock table seller_day in share row exclusive mode`.execute(trx)
}

/** Finds what a lookup is being merged into: null if nothing, undefined if the lookup was deleted. */
async function findTarget(db: Db, kind: LookupKind, id: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ into: string | null }>`
    select merged_into as into from ${sql.table(kind)} where id = ${id}
  `.execute(db)
  return rows[0]?.into
}

/** Lists models of a merged manufacturer that are being merged into others, and whether it has any other models. */
async function listModelsLeft(
  db: Db,
  manufacturerId: string,
): Promise<{ merged: string[]; others: boolean }> {
  const { rows } = await sql<{ id: string; merged: boolean }>`
    select id, merged_into is not null as merged from car_model where manufacturer_id = ${manufacturerId} order by id
  `.execute(db)
  const merged = rows.filter((row) => row.merged).map(({ id }) => id)
  return { merged, others: merged.length < rows.length }
}

/**
 * Deletes a merged lookup, and models merged with it, if nothing references them. The lock makes concurrent writers of
 * references wait and then fail.
 */
async function deleteMerged(trx: Db, kind: LookupKind, id: string): Promise<boolean> {
  await sql`select from ${sql.table(kind)} where id = ${id} for update`.execute(trx)
  if (kind === 'manufacturer') {
    await sql`select from car_model where manufacturer_id = ${id} order by id for update`.execute(trx)
    const { rows } = await sql`
      select from car_model m where manufacturer_id = ${id}
        and (merged_into is null or exists (select from listing where car_model_id = m.id))
      limit 1
    `.execute(trx)
    if (rows.length > 0) return false
  }
  if (await isPointedTo(trx, kind, id)) return false
  if (kind === 'car_model') await moveVehicles(trx, [id])
  if (kind === 'manufacturer') {
    await moveVehicles(trx, (await listModelsLeft(trx, id)).merged)
    await sql`delete from car_model where manufacturer_id = ${id}`.execute(trx)
  }
  await sql`delete from ${sql.table(kind)} where id = ${id}`.execute(trx)
  return true
}

async function isPointedTo(trx: Db, kind: LookupKind, id: string): Promise<boolean> {
  const models =
    kind === 'category' ? sql`or exists (select from car_model where category_id = ${id})` : sql``
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from listing where ${sql.ref(`${kind}_id`)} = ${id}) ${models} as used
  `.execute(trx)
  return rows[0]?.used === true
}

type Unfinished = { kind: LookupKind; id: string }

/** Merged lookups; a manufacturer includes its models. */
const merged = sql`
  select 'category' as kind, id from category where merged_into is not null
  union all
  select 'manufacturer', id from manufacturer where merged_into is not null
  union all
  select 'car_model', m.id from car_model m join manufacturer f on f.id = m.manufacturer_id
  where m.merged_into is not null and f.merged_into is null
`

/**
 * The last job of each lookup and whether it failed, for renamed lookups and for merge targets (the merged lookup
 * itself may already be deleted).
 */
const worked = sql`
  select distinct on (worked.id) payload ->> 'kind' as kind, worked.id::uuid, status in ('failed', 'cancelled') as failed
  from job cross join unnest(array[payload ->> 'id', checkpoint ->> 'target']) as worked(id)
  where queue = ${relabelListingsQueue.name} and worked.id is not null
  order by worked.id, job.id desc
`

const unfinished = sql<Unfinished>`
  select * from (${merged}) merged
  where not exists (
    select from job
    where queue = ${relabelListingsQueue.name} and status in ('queued', 'retrying', 'running', 'waiting-manual')
      and payload ->> 'id' = merged.id::text
  )
  union
  select kind, id from (${worked}) worked
  where failed and (exists (select from category where id = worked.id)
    or exists (select from manufacturer where id = worked.id) or exists (select from car_model where id = worked.id))
`

/** Renamed and merged lookups whose job failed or was canceled, which is rare. */
async function listUnfinished(db: Db): Promise<Unfinished[]> {
  const { rows } = await unfinished.execute(db)
  return rows
}

export async function hasUnfinished(db: Db): Promise<boolean> {
  return (await listUnfinished(db)).length > 0
}

// A page takes a tenth of a second, so its listings are not locked for long.
const LISTINGS_A_PAGE = 500
const DAYS_A_PAGE = 1_000
// Lets other processes finish writing listings with the old lookup.
const ROUND_MS = 200

/**
 * Moves everything that references a merged lookup to its target, and deletes the lookup when nothing is left. Repeats
 * for references added in the meantime. Returns how many listings moved.
 */
async function emptyMerged(work: Relabeling): Promise<number> {
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
    if (kind !== 'category') await followFitment(work)
    if (kind === 'category') await moveAllDays(work)
    if (await removeEmpty(work)) return moved
    await sleep(ROUND_MS, undefined, { signal: run.signal })
  }
}

type Reference = { kind: LookupKind; id: string }

async function moveListings(
  { db, run, changeSetId }: Relabeling,
  { kind, id }: Reference,
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

/** Parts that fit a merged model are now found by its target; sellers' own text is unchanged. */
async function followFitment({ db, run }: Relabeling): Promise<void> {
  const { kind, id } = run.payload
  const models = kind === 'manufacturer' ? (await listModelsLeft(db, id)).merged : []
  for (const lookupId of [id, ...models]) {
    let after: string | null = null
    do {
      run.signal.throwIfAborted()
      const ids: string[] = await listFitting(db, { lookupId, after, limit: LISTINGS_A_PAGE })
      if (ids.length > 0) await run.withFence((trx) => writeSearchRows(trx, ids))
      after = ids.at(-1) ?? null
    } while (after !== null)
  }
}

/** Includes models that a file added to the old manufacturer after the merge. */
async function moveModels(work: Relabeling, count: (listings: number) => void): Promise<void> {
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

async function moveModelsOfCategory({ run, changeSetId }: Relabeling): Promise<void> {
  const { kind, id: from } = run.payload
  await run.withFence(async (trx) => {
    await joinChangeSet(trx, changeSetId)
    const into = await findTarget(trx, kind, from)
    if (into) await takeOverModelsOfCategory(trx, { from, into, changeSetId })
  })
}

async function moveAllDays({ run }: Relabeling): Promise<void> {
  const { kind, id: from } = run.payload
  for (let moved = 1; moved > 0; ) {
    run.signal.throwIfAborted()
    moved = await run.withFence(async (trx) => {
      const into = await findTarget(trx, kind, from)
      return into ? moveDays(trx, { from, into, limit: DAYS_A_PAGE }) : 0
    })
  }
}

function removeEmpty({ run, changeSetId }: Relabeling): Promise<boolean> {
  const { kind, id } = run.payload
  return run.withFence(async (trx) => {
    await joinChangeSet(trx, changeSetId)
    const target = await findTarget(trx, kind, id)
    if (!target) return true
    if (kind === 'category') {
      await lockDays(trx)
      // More than a page is left: another round moves them without blocking other writers.
      if ((await moveDays(trx, { from: id, into: target, limit: DAYS_A_PAGE })) === DAYS_A_PAGE) return false
    }
    if (!(await deleteMerged(trx, kind, id))) return false
    const progress: Progress = { changeSetId, target, after: null }
    await run.saveCheckpoint(progress, trx)
    return true
  })
}

// Half a megabyte of ids; large, because each query sorts all listings of the lookup.
const IDS_AT_ONCE = 10_000

/**
 * Updates the listings of a lookup after an admin changed it, page by page: a merged lookup's listings move and it is
 * deleted; listings of a renamed lookup, or of the merge's target, get its current name and search words. After an
 * interruption the next run continues; a second run changes nothing.
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
    const actorUserId = await findJobAuthor(trx, run.jobId)
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

type Remaining = { target: string; after: string | null }

async function relabelAll({ db, run, changeSetId }: Relabeling, left: Remaining): Promise<number> {
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
      run.progress({ done, note: 'listings updated' })
    }
    // Listings created since then are already correct; an import must not keep this loop running.
    if (ids.length < IDS_AT_ONCE) return relabelled
  }
}

/**
 * Resumes renames and merges whose job failed for good or was canceled: otherwise listings would keep a hidden lookup
 * or a former name.
 */
export async function finishMerges(db: Db): Promise<{ resumed: number }> {
  const unfinished = await listUnfinished(db)
  for (const payload of unfinished) {
    await enqueueJob(db, { queue: relabelListingsQueue, payload })
  }
  return { resumed: unfinished.length }
}
