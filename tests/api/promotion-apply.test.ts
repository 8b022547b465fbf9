import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { joinChangeSet } from '#server/features/market/history/change-sets.ts'
import {
  type ApplyPayload,
  applyQueue,
  undoPromotionQueue,
} from '#server/features/stock-files/stock-file-queues.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { settleJob } from '#server/platform/jobs/outcomes.ts'
import { atLength, longTest } from '#tests/support/at-length.ts'
import { eventsOf, jobRow, told, untilStatus } from '#tests/support/job-bench.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import {
  listingsOf,
  partFields,
  partsFields,
  promotionOf,
  sendRows,
  sourcesOf,
  startPromotionWorker,
  untilState,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db } = app
const workers: { close(): Promise<void> }[] = []
const startWorker = async () => {
  const worker = await startPromotionWorker(app)
  workers.push(worker)
  return worker
}
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()))
})

const NOBODY = '00000000-0000-7000-8000-000000000000'

/** A dataset of its own, so that tests do not take each other’s backlog. */
let datasets = 0
const newDataset = () => `marketplace:test_${++datasets}`

/** Planned and approved, but not published yet. */
async function approved(
  seller: SignedIn,
  rows: Parameters<typeof sendRows>[2],
  dataset: string,
  mode?: 'replace',
) {
  const sent = await sendRows(app, seller, rows, { dataset, ...(mode && { mode }) })
  await untilState(app, sent.promotionId, 'planned')
  await db
    .updateTable('promotion')
    .set({ approved_at: new Date() })
    .where('id', '=', sent.promotionId)
    .execute()
  return sent
}

const enqueue = (payload: ApplyPayload) => enqueueJob(db, { queue: applyQueue, payload })

const untilApplied = (promotionId: string, count: number) =>
  vi.waitFor(
    async () => {
      expect((await promotionOf(app, promotionId)).applied).toBeGreaterThanOrEqual(count)
    },
    { timeout: 10_000, interval: 5 },
  )

/** What is live, in a form that can be compared between sellers. */
async function liveOf(seller: SignedIn) {
  const listings = await listingsOf(app, seller)
  const sources = await sourcesOf(app, seller)
  return {
    listings: listings.map(({ name, version, price_cents, quantity, ended_reason }) => [
      name,
      version,
      price_cents,
      quantity,
      ended_reason,
    ]),
    sources: sources.map(({ source_key, ordinal, copies }) => [source_key.toString('hex'), ordinal, copies]),
  }
}

/** Takes the job away from its run, as the reconciler does with an unresponsive worker. */
const giveAway = (jobId: string) =>
  db.transaction().execute(async (trx) => {
    await trx.selectFrom('job').select('id').where('id', '=', jobId).forUpdate().execute()
    await settleJob(trx, jobId, { to: 'queued', reason: 'worker lost', counts: 'lost' })
  })

describe('the backlog of a dataset', () => {
  test('is published oldest first, as far as the page limit allows', async () => {
    await startWorker()
    const seller = await proSeller(app)
    const dataset = newDataset()
    const first = await approved(seller, partsFields(5), dataset)
    const second = await approved(
      seller,
      [6, 7, 8].map((number) => partFields(number)),
      dataset,
    )
    await untilStatus(app.database, await enqueue({ dataset, perPage: 2, maxPages: 2 }), 'completed')
    expect(await promotionOf(app, first.promotionId)).toMatchObject({ state: 'applying', created: 4 })
    expect(await promotionOf(app, second.promotionId)).toMatchObject({ state: 'planned', created: 0 })
    const job = await untilStatus(
      app.database,
      await enqueue({ dataset, perPage: 2, maxPages: 2 }),
      'completed',
    )
    expect(job.result).toMatchObject({ promotions: 2, pages: 2, created: 3 })
    expect(await promotionOf(app, first.promotionId)).toMatchObject({ state: 'applied', created: 5 })
    await untilStatus(app.database, await enqueue({ dataset }), 'completed')
    expect(await promotionOf(app, second.promotionId)).toMatchObject({ state: 'applied', created: 3 })
    const again = await untilStatus(app.database, await enqueue({ dataset }), 'completed')
    expect(again.result).toMatchObject({ promotions: 0, pages: 0 })
    // A mistyped name looks like this one: not a dataset of the product.
    expect(told(await eventsOf(app.database, again.id))).toContain(
      `log: There is nothing to apply in the dataset ${dataset}. Datasets: marketplace:ecomm_autoparts, marketplace:datatable_autoparts, marketplace:mapdata_autoparts.`,
    )
    expect(await listingsOf(app, seller)).toHaveLength(8)
  })

  test('is published with the form’s defaults when an admin opens it, 48 rows at a time', async () => {
    await startWorker()
    const admin = await app.signUp({ role: 'admin' })
    const seller = await proSeller(app)
    const { promotionId } = await approved(seller, partsFields(60), 'marketplace:ecomm_autoparts')
    const ingest = async () => {
      const { status, body } = await admin.api.post<{ jobId: string }>('/admin/automation/jobs', {
        queue: 'ingest-autoparts',
        payload: { perPage: 48, maxPages: 1, dataset: 'marketplace:ecomm_autoparts' },
      })
      expect(status).toBe(202)
      return (await untilStatus(app.database, body.jobId, 'completed')).result
    }
    expect(await ingest()).toMatchObject({ promotions: 1, pages: 1, created: 48 })
    expect(await listingsOf(app, seller)).toHaveLength(48)
    expect(await ingest()).toMatchObject({ promotions: 1, pages: 1, created: 12 })
    expect(await promotionOf(app, promotionId)).toMatchObject({ state: 'applied', created: 60 })
    expect(await ingest()).toMatchObject({ promotions: 0, pages: 0, created: 0 })
  })

  test('an import that was not approved is not published, even by name', async () => {
    await startWorker()
    const seller = await proSeller(app)
    const dataset = newDataset()
    const { promotionId } = await sendRows(app, seller, partsFields(1), { dataset })
    await untilState(app, promotionId, 'planned')
    await untilStatus(app.database, await enqueue({ dataset }), 'completed')
    await untilStatus(app.database, await enqueue({ dataset, promotionId }), 'completed')
    expect(await promotionOf(app, promotionId)).toMatchObject({ state: 'planned', created: 0 })
  })

  test('two imports of one dataset are published one after the other', async () => {
    await startWorker()
    await startWorker()
    const seller = await proSeller(app)
    const dataset = newDataset()
    const rows = atLength({ full: 150, brief: 50 })
    const [one, two] = [
      await approved(seller, partsFields(rows), dataset),
      await approved(seller, partsFields(rows, { partprice: '5' }), dataset),
    ]
    const jobs = await Promise.all([
      enqueue({ dataset, promotionId: one.promotionId, perPage: 10 }),
      enqueue({ dataset, promotionId: two.promotionId, perPage: 10 }),
    ])
    await Promise.all(jobs.map((job) => untilStatus(app.database, job, 'completed')))
    const ended = await Promise.all(jobs.map((job) => jobRow(app.database, job)))
    const [a, b] = ended.sort((x, y) => (x.started_at?.getTime() ?? 0) - (y.started_at?.getTime() ?? 0))
    expect(a?.ended_at?.getTime()).toBeLessThanOrEqual(b?.started_at?.getTime() ?? 0)
    expect(await listingsOf(app, seller)).toHaveLength(rows)
    const sums = await Promise.all([promotionOf(app, one.promotionId), promotionOf(app, two.promotionId)])
    expect(sums.map(({ created }) => created)).toContain(rows)
    expect(sums.map(({ updated }) => updated)).toContain(rows)
  })

  test('two datasets of one seller that add the same parts at once create each part once', async () => {
    await startWorker()
    const seller = await proSeller(app)
    const [left, right] = [newDataset(), newDataset()]
    const parts = atLength({ full: 200, brief: 60 })
    const rows = partsFields(parts)
    const sent = [await approved(seller, rows, left), await approved(seller, rows.toReversed(), right)]
    const jobs = [await enqueue({ dataset: left, perPage: 5 }), await enqueue({ dataset: right, perPage: 5 })]
    await Promise.all(jobs.map((job) => untilStatus(app.database, job, 'completed', 18_000)))
    expect(await listingsOf(app, seller)).toHaveLength(parts)
    expect(await sourcesOf(app, seller)).toHaveLength(parts)
    const sums = await Promise.all(sent.map(({ promotionId }) => promotionOf(app, promotionId)))
    expect(sums.reduce((sum, { created }) => sum + created, 0)).toBe(parts)
  })
})

describe('interrupted in the middle', () => {
  let undisturbed: Awaited<ReturnType<typeof liveOf>>
  beforeAll(async () => {
    // Not one of the workers that the first test closes.
    const worker = await startPromotionWorker(app)
    const seller = await proSeller(app)
    const dataset = newDataset()
    for (const sent of [before, after]) {
      const { promotionId } = await approved(seller, sent, dataset, sent === after ? 'replace' : undefined)
      await untilStatus(app.database, await enqueue({ dataset, promotionId }), 'completed')
    }
    undisturbed = await liveOf(seller)
    await worker.close()
  })
  const before = partsFields(150)
  const after = [
    ...partsFields(50),
    ...partsFields(140)
      .slice(50)
      .map((row) => ({ ...row, partprice: '3' })),
    ...partsFields(200).slice(150),
    partFields(1),
  ]

  async function disturbed(disturb: (promotion: { promotionId: string; jobId: string }) => Promise<void>) {
    const seller = await proSeller(app)
    const dataset = newDataset()
    const first = await approved(seller, before, dataset)
    await untilStatus(app.database, await enqueue({ dataset, promotionId: first.promotionId }), 'completed')
    const { promotionId } = await approved(seller, after, dataset, 'replace')
    const jobId = await enqueue({ dataset, promotionId, perPage: atLength({ full: 3, brief: 10 }) })
    for (const count of atLength({ full: [3, 30, 75], brief: [30] })) {
      await untilApplied(promotionId, count)
      await disturb({ promotionId, jobId })
    }
    await untilState(app, promotionId, 'applied')
    expect(await promotionOf(app, promotionId)).toMatchObject({
      created: 50,
      updated: 91,
      ended: 10,
      applied: 151,
    })
    return liveOf(seller)
  }

  longTest('a worker that stops hands the job on; the final listings are the same', async () => {
    await startWorker()
    const live = await disturbed(async () => {
      const [old] = workers.splice(0)
      await startWorker()
      await old?.close()
    })
    expect(live).toEqual(undisturbed)
  })

  test('a run that lost its job writes nothing more; the final listings are the same', async () => {
    await startWorker()
    await startWorker()
    const live = await disturbed(({ jobId }) => giveAway(jobId))
    expect(live).toEqual(undisturbed)
  })

  test('a canceled ingest stops between two pages, and resumes when it is requested again', async () => {
    await startWorker()
    const seller = await proSeller(app)
    const dataset = newDataset()
    const { promotionId } = await approved(seller, partsFields(200), dataset)
    const jobId = await enqueue({ dataset, promotionId, perPage: 2 })
    await untilApplied(promotionId, 8)
    await requestCancel(db, jobId)
    await untilStatus(app.database, jobId, 'cancelled', 2_000)
    const stopped = await promotionOf(app, promotionId)
    expect(stopped).toMatchObject({ state: 'applying', created: stopped.applied })
    expect(stopped.applied).toBeLessThan(100)
    expect(await listingsOf(app, seller)).toHaveLength(stopped.applied)
    await untilStatus(app.database, await enqueue({ dataset, promotionId }), 'completed')
    expect(await promotionOf(app, promotionId)).toMatchObject({ state: 'applied', created: 200 })
    expect(await listingsOf(app, seller)).toHaveLength(200)
  })

  test('a stopped undo resumes where it was', async () => {
    await startWorker()
    const seller = await proSeller(app)
    const dataset = newDataset()
    const { promotionId } = await approved(seller, partsFields(2_500), dataset)
    await untilStatus(app.database, await enqueue({ dataset, promotionId }), 'completed')
    await db.updateTable('promotion').set({ state: 'undoing' }).where('id', '=', promotionId).execute()
    const queue: JobQueue<{ promotionId: string }> = undoPromotionQueue
    const jobId = await enqueueJob(db, { queue, payload: { promotionId } })
    await vi.waitFor(async () => expect((await promotionOf(app, promotionId)).undone).toBeGreaterThan(0), {
      timeout: 10_000,
      interval: 5,
    })
    await giveAway(jobId).catch(() => undefined)
    expect(await untilState(app, promotionId, 'undone')).toMatchObject({ undone: 2_500, leftAsIs: 0 })
    expect(await sourcesOf(app, seller)).toEqual([])
  })
})

describe('changes during the wait', () => {
  const names = { partcategory: 'Short Lived', partmanu: 'Gone Motors', partmodel: 'Ghost' }

  const makeNames = () =>
    db.transaction().execute(async (trx) => {
      await joinChangeSet(trx, NOBODY)
      const category = await trx
        .insertInto('category')
        .values({ name: 'Short Lived' })
        .returning('id')
        .executeTakeFirst()
      const make = await trx
        .insertInto('manufacturer')
        .values({ name: 'Gone Motors' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await trx.insertInto('car_model').values({ name: 'Ghost', manufacturer_id: make.id }).execute()
      return category?.id
    })

  /** As an administrator who first moves the listings elsewhere; retries if a page is written in between. */
  const deleteNames = (seller: SignedIn) =>
    vi.waitFor(
      () =>
        db.transaction().execute(async (trx) => {
          await joinChangeSet(trx, NOBODY)
          await trx
            .updateTable('listing')
            .set({ category_id: null, car_model_id: null, manufacturer_id: null })
            .where('seller_id', '=', seller.user.sellerId)
            .execute()
          await trx.deleteFrom('category').where('name', '=', 'Short Lived').execute()
          await trx.deleteFrom('car_model').where('name', '=', 'Ghost').execute()
          await trx.deleteFrom('manufacturer').where('name', '=', 'Gone Motors').execute()
        }),
      { timeout: 5_000, interval: 1 },
    )

  test('a category, make or model that was deleted is created again', async () => {
    await startWorker()
    const seller = await proSeller(app)
    const dataset = newDataset()
    const deleted = await makeNames()
    const { promotionId } = await approved(seller, partsFields(100, names), dataset)
    const jobId = await enqueue({ dataset, promotionId, perPage: 2 })
    await untilApplied(promotionId, 2)
    await deleteNames(seller)
    expect((await promotionOf(app, promotionId)).applied).toBeLessThan(100)
    await untilStatus(app.database, jobId, 'completed', 15_000)
    const listings = await listingsOf(app, seller)
    expect(listings).toHaveLength(100)
    const last = listings.at(-1)
    expect(last?.category_id).toBeTruthy()
    expect(last?.category_id).not.toBe(deleted)
    expect(last).toMatchObject({ manufacturer_name: 'Gone Motors', model_name: 'Ghost' })
    expect(last?.car_model_id).toBeTruthy()
  })

  test('a listing that a person deleted since the plan is created again; one they listed is kept', async () => {
    await startWorker()
    const seller = await proSeller(app)
    const dataset = newDataset()
    const first = await approved(seller, partsFields(3), dataset)
    await untilStatus(app.database, await enqueue({ dataset, promotionId: first.promotionId }), 'completed')
    const { promotionId } = await approved(seller, partsFields(3, { partprice: '4' }), dataset)
    const [gone] = await listingsOf(app, seller)
    await seller.api.delete(`/seller/parts/${gone?.id}`)
    await untilStatus(app.database, await enqueue({ dataset, promotionId }), 'completed')
    expect(await promotionOf(app, promotionId)).toMatchObject({ created: 1, updated: 2 })
    const live = (await listingsOf(app, seller)).filter(({ deleted_at }) => deleted_at === null)
    expect(live.map(({ price_cents }) => price_cents)).toEqual([400, 400, 400])
    expect(await sourcesOf(app, seller)).toHaveLength(3)
  })
})
