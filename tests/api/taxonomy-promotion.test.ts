import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TaxonomyResult } from '#contract/admin/taxonomy.ts'
import { beginLookupChange } from '#server/features/market/lookups/lookup-changes.ts'
import { taxonomyJobs } from '#server/features/stock-files/jobs.ts'
import { resolveNames } from '#server/features/stock-files/plan/make-plan.ts'
import { findPromotionRow } from '#server/features/stock-files/promotion/promotions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { settleJob } from '#server/platform/jobs/outcomes.ts'
import { startRelabeling } from '#tests/support/admin-lookups.ts'
import { longTest } from '#tests/support/at-length.ts'
import { QUICK, untilStatus } from '#tests/support/job-bench.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import {
  importRows,
  listingsOf,
  partFields,
  partsFields,
  promotionOf,
  sendRows,
  sourcesOf,
  startPromotionWorker,
  untilState,
} from '#tests/support/promotions.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db } = app
await startPromotionWorker(app)
let admin: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
})

const ADDRESS = '/admin/automation/staging/taxonomy'
type Answer = TaxonomyResult & { jobId: string }
const resolve = (path: string) => admin.api.post<Answer>(ADDRESS, { root: 'ecomm', path })
const promote = (path: string) =>
  admin.api.post<{ files: { planId: string; jobId: string }[] }>('/admin/automation/staging/promote', {
    root: 'ecomm',
    paths: [path],
  })
const manufacturersNamed = (name: string) =>
  db.selectFrom('manufacturer').select(['name', 'confirmed']).where('name', '=', name).execute()

describe('a large file', () => {
  const url = app.config.databaseUrl ?? ''
  const openEngine = () =>
    startJobEngine({
      url,
      directUrl: url,
      db,
      log: pino({ level: 'silent' }),
      definitions: taxonomyJobs({ db, files: app.files }),
      periodic: [],
      times: QUICK,
    })
  let engine: Awaited<ReturnType<typeof openEngine>>
  beforeAll(async () => {
    engine = await openEngine()
  })
  afterAll(() => engine.close())

  const stageLarge = async () => {
    const seller = await proSeller(app)
    const rows = partsFields(6_000).map((fields, row) => ({
      ...fields,
      ...(row % 2 === 0 && { partmanu: 'Frod', partcategory: 'Alternators' }),
      ...(row % 1_000 === 0 && { partcategory: 'Zeppelin Mast', partname: `Zeppelin Mast ${row}` }),
    }))
    return stageFile(app, { sellerId: seller.user.sellerId, rows, chunk: 500 })
  }

  test('is resolved by a job, with the same result', async () => {
    const { path } = await stageLarge()
    const { status, body } = await resolve(path)
    expect(status).toBe(202)
    const { result } = await untilStatus(app.database, body.jobId, 'completed')
    expect(result).toMatchObject({
      root: 'ecomm',
      files: [{ path, version: 2, updatedCount: 3_000, createdCount: 1 }],
      createdCategories: ['Zeppelin Mast'],
    })
    const audit = db.selectFrom('audit_entry').selectAll().where('target', '=', body.jobId)
    expect(await audit.execute()).toMatchObject([
      {
        action: 'job-enqueued',
        actor_user_id: admin.user.id,
        ip: expect.any(String),
        detail: { queue: 'taxonomy', script: null, attempts: 3 },
      },
    ])
    const { records, version } = await currentVersion(app, path)
    expect([version, records.length]).toEqual([2, 6_000])
    expect(new Set(records.map(({ fields }) => `${fields.partmanu} ${fields.partcategory}`))).toEqual(
      new Set(['Ford Alternator', 'Ford Zeppelin Mast']),
    )
  })

  longTest('whose worker was lost is resolved by the next, once', async () => {
    const { path } = await stageLarge()
    const { jobId } = (await resolve(path)).body
    await untilStatus(app.database, jobId, 'running')
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('job').select('id').where('id', '=', jobId).forUpdate().execute()
      await settleJob(trx, jobId, { to: 'queued', reason: 'worker lost', counts: 'lost' })
    })
    await untilStatus(app.database, jobId, 'completed')
    expect((await currentVersion(app, path)).version).toBe(2)
    const again = await untilStatus(app.database, (await resolve(path)).body.jobId, 'completed')
    expect(again.result).toMatchObject({ files: [{ version: 2, updatedCount: 0, createdCount: 0 }] })
  })

  test('whose job is canceled stays as it is', async () => {
    const { path } = await stageLarge()
    const { jobId } = (await resolve(path)).body
    await requestCancel(db, jobId)
    await untilStatus(app.database, jobId, 'cancelled')
    expect((await currentVersion(app, path)).version).toBe(1)
  })
})

describe('promoting what was resolved', () => {
  test('gives raw names their meaning where it is sure, and does not duplicate the parts later', async () => {
    const seller = await proSeller(app)
    const rows = [partFields(1, { partmanu: 'Frod' }), partFields(2, { partcategory: 'altenators' })]
    const { path, promotionId } = await sendRows(app, seller, rows)
    await untilState(app, promotionId, 'planned')
    await promote(path)
    await untilState(app, promotionId, 'applied')
    const before = await sourcesOf(app, seller)
    const live = async () =>
      (await listingsOf(app, seller)).map(({ manufacturer_name, category_id }) => [
        manufacturer_name,
        category_id,
      ])
    const names = await live()
    expect(names.map(([make]) => make)).toEqual(['Ford', 'Ford'])
    expect(names[0]).toEqual(names[1])
    const { body } = await resolve(path)
    expect(body.files).toMatchObject([{ version: 2, updatedCount: 2 }])
    await promote(path)
    const second = await db
      .selectFrom('promotion')
      .select('id')
      .where('version', '=', 2)
      .where('seller_id', '=', seller.user.sellerId)
      .executeTakeFirstOrThrow()
    const applied = await untilState(app, second.id, 'applied')
    expect(applied).toMatchObject({ created: 0, updated: 0 })
    expect((await sourcesOf(app, seller)).map((source) => source.source_key)).toEqual(
      before.map((source) => source.source_key),
    )
    expect(await live()).toEqual(names)
    expect(await manufacturersNamed('Frod')).toEqual([])
  })

  test('confirms the names that it makes at once', async () => {
    const seller = await proSeller(app)
    const { path, promotionId } = await sendRows(app, seller, [
      partFields(1, { partname: 'Warp Coil', partcategory: 'Warp Coils', partmanu: 'Studebekker' }),
    ])
    await untilState(app, promotionId, 'planned')
    await promote(path)
    await untilState(app, promotionId, 'applied')
    expect(await manufacturersNamed('Studebekker')).toEqual([{ name: 'Studebekker', confirmed: true }])
    const made = db.selectFrom('category').select('confirmed').where('name', '=', 'Warp Coils').execute()
    expect(await made).toEqual([{ confirmed: true }])
  })

  test('nothing unsure blocks it: makes and models stay as text, and no part is without a category', async () => {
    const seller = await proSeller(app)
    const rows = [
      partFields(1, { partmanu: 'Merc', partmodel: 'Odd One' }),
      partFields(2, {
        ...{ partname: 'Door', partcategory: 'Door' },
        ...{ partmanu: 'Chevrolet', partmodel: 'Silverado' },
      }),
    ]
    const { path } = await stageFile(app, { sellerId: seller.user.sellerId, rows })
    const { body } = await resolve(path)
    const open = body.unsure.map(({ kind, typed }) => `${kind} ${typed}`).sort()
    expect(open).toEqual(['category Door', 'manufacturer Merc'])
    await promote(path)
    const { id } = await db
      .selectFrom('promotion')
      .select('id')
      .where('seller_id', '=', seller.user.sellerId)
      .executeTakeFirstOrThrow()
    await untilState(app, id, 'applied')
    expect((await promotionOf(app, id)).plan?.newNames).toEqual({
      category: ['Door'],
      manufacturer: [],
      model: [],
    })
    const [listing, other] = await listingsOf(app, seller)
    expect(other).toMatchObject({
      category_id: expect.any(String),
      manufacturer_name: 'Chevrolet',
      model_name: 'Silverado',
    })
    expect(other?.manufacturer_id).not.toBeNull()
    expect(listing).toMatchObject({
      manufacturer_id: null,
      manufacturer_name: 'Merc',
      car_model_id: null,
      model_name: 'Odd One',
    })
    expect(await manufacturersNamed('Merc')).toEqual([])
  })
})

test('an administrator’s decision reaches the listings that are live', async () => {
  const seller = await proSeller(app)
  const { path } = await stageFile(app, {
    sellerId: seller.user.sellerId,
    rows: [partFields(1, { partname: 'Hatches and Doors', partcategory: 'Hatches and Doors' })],
  })
  await promote(path)
  const live = async () => (await listingsOf(app, seller))[0]
  await vi.waitFor(async () => expect((await live())?.category_id).toEqual(expect.any(String)), 10_000)
  const door = await db
    .selectFrom('category')
    .select('id')
    .where('name', '=', 'Rear Door')
    .executeTakeFirstOrThrow()
  const decision = { kind: 'category', typed: 'Hatches and Doors', lookupId: door.id }
  expect((await admin.api.post(`${ADDRESS}/decisions`, decision)).status).toBe(200)
  const worker = await startRelabeling(app)
  await vi.waitFor(async () => expect((await live())?.category_id).toBe(door.id), 10_000)
  await worker.close()
})

test('a word is decided for each type of part: live listings and later files of that type follow', async () => {
  const seller = await proSeller(app)
  const rows = ['Zorb left', 'Zorb right', 'Flurb'].map((partname, at) =>
    partFields(at + 1, { partname, partcategory: 'Mirrors' }),
  )
  const { path } = await stageFile(app, { sellerId: seller.user.sellerId, rows })
  const { body } = await resolve(path)
  const asked = body.unsure.map(({ typed, about, rows: count }) => [typed, about, count])
  expect(asked).toEqual([
    ['Mirrors', 'Zorb', 2],
    ['Mirrors', 'Flurb', 1],
  ])
  await promote(path)
  const categories = async () =>
    (
      await db
        .selectFrom('listing')
        .innerJoin('category', 'category.id', 'category_id')
        .select('category.name')
        .where('seller_id', '=', seller.user.sellerId)
        .orderBy('listing.id')
        .execute()
    ).map(({ name }) => name)
  await vi.waitFor(async () => expect(await categories()).toEqual(['Mirrors', 'Mirrors', 'Mirrors']), 10_000)
  const { id: lookupId } = await db
    .selectFrom('category')
    .select('id')
    .where('name', '=', 'Rear Door')
    .executeTakeFirstOrThrow()
  const decision = { kind: 'category', typed: 'mirrors', about: 'Zorb', lookupId }
  expect((await admin.api.post(`${ADDRESS}/decisions`, decision)).body).toMatchObject({ name: 'Rear Door' })
  expect(await categories()).toEqual(['Rear Door', 'Rear Door', 'Mirrors'])
  const open = await db.selectFrom('lookup_question').select('about').where('typed', '=', 'Mirrors').execute()
  expect(open).toEqual([{ about: 'Flurb' }])

  const next = await stageFile(app, { sellerId: seller.user.sellerId, rows })
  await resolve(next.path)
  const { records } = await currentVersion(app, next.path)
  expect(records.map(({ fields }) => fields.partcategory)).toEqual(['Rear Door', 'Rear Door', 'Mirrors'])
})

describe('a trusted seller’s import', () => {
  test('is resolved before its plan, and again changes nothing', async () => {
    const seller = await proSeller(app, { trusted: true })
    const rows = [
      partFields(1, { partmanu: 'Fodr', partmodel: 'F-150 XLT' }),
      partFields(2, { partmanu: 'FORD', partmodel: 'f150' }),
      partFields(3, { partcategory: 'Alternater Assy' }),
      partFields(4, { partcategory: 'Zorb Coil' }),
      partFields(5, { partcategory: 'Zorb Coil', partname: 'Zorb coil' }),
    ]
    const first = await importRows(app, seller, rows)
    expect(first).toMatchObject({ version: 2, created: 4 })
    // Its own name says what the fourth is; the fifth waits for the seller.
    expect(first).toMatchObject({
      waiting: 1,
      plan: { create: 4, newNames: { category: [], manufacturer: [], model: [] } },
    })
    const listings = await listingsOf(app, seller)
    expect(listings.map(({ manufacturer_name, model_name }) => `${manufacturer_name} ${model_name}`)).toEqual(
      ['Ford F-150', 'Ford F-150', 'Ford Crown Victoria', 'Ford Crown Victoria'],
    )
    expect(listings[0]?.trim_name).toBe('XLT')
    expect(new Set(listings.map((listing) => listing.category_id)).size).toBe(1)
    expect(await manufacturersNamed('Fodr')).toEqual([])
    const second = await importRows(app, seller, rows)
    expect(second.plan).toMatchObject({ create: 0, update: 0, unchanged: 4 })
  })

  test('whose names are correct keeps its only version', async () => {
    const seller = await proSeller(app, { trusted: true })
    const applied = await importRows(app, seller, partsFields(3))
    expect(applied).toMatchObject({ version: 1, created: 3 })
  })
})

describe('lookups that keep changing', () => {
  /** A run that finds the lookups changed whenever it would write, for so many times. */
  function overtakenRun(payload: unknown, { lastAttempt = false, times = Number.POSITIVE_INFINITY } = {}) {
    const said: unknown[] = []
    let left = times
    const run = {
      payload,
      jobId: randomUUID(),
      lastAttempt,
      signal: new AbortController().signal,
      progress: () => undefined,
      log: async (lines: unknown) => said.push(lines),
      withFence: async <T>(work: (trx: Db) => Promise<T>) => {
        if (left > 0) await db.transaction().execute(beginLookupChange)
        left -= 1
        return db.transaction().execute(work)
      },
    } as unknown as JobRun<unknown>
    return { run, said }
  }
  const [job] = taxonomyJobs({ db, files: app.files })
  const BUSY = { code: 'BUSY', message: expect.stringContaining('are being changed') }

  test('leave the file unchanged, and the job retries', async () => {
    const seller = await proSeller(app)
    const rows = partsFields(1, { partmanu: 'Frod' })
    const { path } = await stageFile(app, { sellerId: seller.user.sellerId, rows })
    const payload = { root: 'ecomm', path }
    await expect(job?.run(overtakenRun(payload).run)).rejects.toMatchObject(BUSY)
    expect((await currentVersion(app, path)).version).toBe(1)
    await job?.run(overtakenRun(payload, { times: 4 }).run)
    expect((await currentVersion(app, path)).version).toBe(2)
  })

  test('hold up the plan of a trusted seller’s import until its last attempt', async () => {
    const seller = await proSeller(app, { trusted: true })
    const { id } = await importRows(app, seller, partsFields(1))
    const promotion = await findPromotionRow(db, id)
    if (!promotion) throw new Error('no promotion')
    const deps = {
      db,
      plans: db,
      files: app.files,
      reviewsNothing: false,
      now: () => new Date(),
      letterhead: app.config,
    }
    await expect(resolveNames(deps, overtakenRun({}).run, promotion)).rejects.toMatchObject(BUSY)
    const last = overtakenRun({}, { lastAttempt: true })
    expect(await resolveNames(deps, last.run, promotion)).toMatchObject({ id, version: 1 })
    expect(last.said).toEqual([expect.stringContaining('The names were left unchanged.')])
  })
})
