import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { PlannedRow } from '#contract/admin/staging.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import {
  importRows,
  listingsOf,
  partFields,
  partsFields,
  sendRows,
  startPromotionWorker,
  untilState,
} from '#tests/support/promotions.ts'
import { stageFile } from '#tests/support/stage-file.ts'
import { stagingDesk } from '#tests/support/staging-desk.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
await startPromotionWorker(app)
let admin: SignedIn
let desk: ReturnType<typeof stagingDesk>
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  desk = stagingDesk(admin.api)
})

const trusted = () => proSeller(app, { trusted: true })
const stage = (seller: SignedIn, rows: Parameters<typeof stageFile>[1]['rows']) =>
  stageFile(app, { sellerId: seller.user.sellerId, rows })

const until = (path: string, state: string) =>
  vi.waitFor(
    async () => {
      const { plan } = (await desk.readPlan(path)).body
      if (plan?.state !== state) throw new Error(`${path} is ${plan?.state}, not ${state}: ${plan?.error}`)
      return plan
    },
    { timeout: 12_000, interval: 30 },
  )

async function planned(path: string) {
  const { status, body } = await desk.plan(path)
  expect(status).toBe(202)
  return { ...body, plan: await until(path, 'planned') }
}

const promote = (path: string, planId?: string) =>
  admin.api.post('/admin/automation/staging/promote', {
    root: 'ecomm',
    paths: [path],
    ...(planId && { planId }),
  })

async function live(path: string) {
  const { plan } = await planned(path)
  expect((await promote(path, plan.id)).status).toBe(202)
  return until(path, 'applied')
}

const auditOf = (path: string) =>
  app.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_user_id'])
    .where('target', '=', `ecomm:${path}`)
    .orderBy('at')
    .execute()

describe('POST /admin/automation/staging/plan', () => {
  test('makes a plan and applies nothing, even for a trusted seller', async () => {
    const seller = await trusted()
    const { path } = await stage(seller, partsFields(3))
    const { plan, planId, jobId } = await planned(path)
    expect(plan).toMatchObject({ id: planId, jobId, version: 1, create: 3, update: 0, review: [] })
    expect(plan.receipt).toMatchObject({ created: 0, approvedBy: null, appliedAt: null })
    expect([plan.canUndo, plan.canWithdraw]).toEqual([false, true])
    expect(await listingsOf(app, seller)).toEqual([])
  })

  test('gives the reason for each refused row', async () => {
    const rows = [partFields(1), partFields(2, { partprice: 'call' }), partFields(3, { partmodel: '' })]
    const { path } = await stage(await proSeller(app), rows)
    const { plan } = await planned(path)
    expect(plan).toMatchObject({
      create: 1,
      refused: 2,
      refusals: [
        'Row 2: Price “call”: Enter a price like 129.95 (up to 2 decimals)',
        'Row 3: Model is missing',
      ],
    })
  })

  test('names texts that contradict their records, and an edit in the editor leaves none', async () => {
    const h1 = '2014 Ford Crown Victoria Alternator 1'
    const { path } = await stage(await proSeller(app), [
      partFields(1, { h1 }),
      partFields(2, { h1: '2009 Ford Crown Victoria Alternator' }),
    ])
    expect((await planned(path)).plan.contradictions).toEqual([
      'Row 2: The heading says 2009, but the year is 2014.',
    ])
    const { body } = await desk.window({ path })
    const [one] = body.rows
    const cells = [{ id: one?.id ?? '', row: 0, field: 'partyear', old: '2014', new: '2011' }]
    expect((await desk.patch({ path, version: 1, cells })).status).toBe(200)
    const { rows } = (await desk.window({ path })).body
    expect(rows[0]?.fields).toMatchObject({ partyear: '2011', h1: '2011 Ford Crown Victoria Alternator 1' })
  })

  test('returns a current plan again', async () => {
    const { path } = await stage(await proSeller(app), partsFields(2))
    const first = await planned(path)
    const again = await desk.plan(path)
    expect([again.status, again.body]).toEqual([202, { planId: first.planId, jobId: first.jobId }])
    expect(await auditOf(path)).toEqual([{ action: 'staging-planned', actor_user_id: admin.user.id }])
  })

  test('returns the same plan for presses at the same moment', async () => {
    const { path } = await stage(await proSeller(app), partsFields(2))
    const bodies = (await Promise.all([desk.plan(path), desk.plan(path), desk.plan(path)])).map(
      ({ body }) => body,
    )
    expect(new Set(bodies.map(({ planId }) => planId)).size).toBe(1)
    expect(new Set(bodies.map(({ jobId }) => jobId)).size).toBe(1)
  })

  test('replaces a plan that another import made stale, under a new id', async () => {
    const seller = await trusted()
    const { path } = await stage(seller, partsFields(3))
    const first = await planned(path)
    await importRows(app, seller, partsFields(2))
    const second = await planned(path)
    expect(second.jobId).not.toBe(first.jobId)
    expect(second.planId).not.toBe(first.planId)
    const { plan } = second
    expect(plan).toMatchObject({ id: second.planId, create: 1, unchanged: 2 })
    expect((await promote(path, first.planId)).status).toBe(409)
    expect((await promote(path, plan.id)).status).toBe(202)
    await until(path, 'applied')
  })

  test('reuses the plan of an import that waits for an administrator', async () => {
    const seller = await proSeller(app)
    const { path, promotionId } = await sendRows(app, seller, partsFields(2))
    await untilState(app, promotionId, 'planned')
    await desk.plan(path)
    expect(
      await app.db
        .selectFrom('promotion')
        .select('id')
        .where('seller_id', '=', seller.user.sellerId)
        .execute(),
    ).toEqual([{ id: promotionId }])
  })

  test('recognizes edited rows as the same parts, in place and after rows before them moved', async () => {
    const { path } = await stage(await proSeller(app), partsFields(4))
    await live(path)
    const rename = (id: string, old: string, name: string) => ({ id, field: 'partmanu', old, new: name })
    await desk.patch({ path, version: 1, cells: [rename('0.3', 'Ford', 'Mercury')] })
    expect((await planned(path)).plan).toMatchObject({ version: 2, create: 0, update: 1, unchanged: 3 })
    const cells = [rename('0.3', 'Mercury', 'Lincoln'), rename('0.4', 'Ford', 'Lincoln')]
    await desk.patch({ path, version: 2, cells, deleteRows: [{ id: '0.1' }] })
    expect((await planned(path)).plan).toMatchObject({ version: 3, create: 0, update: 2, unchanged: 1 })
  })

  test('refuses a version that is already live', async () => {
    const seller = await proSeller(app)
    const { path } = await stage(seller, partsFields(2))
    await live(path)
    const { status, body } = await desk.plan(path)
    expect([status, body.code, body.error]).toEqual([
      409,
      'CONFLICT',
      'Version 1 of this file is already live, so there is nothing to plan.',
    ])
  })

  test('reports a file that does not exist', async () => {
    const { status, body } = await desk.plan('/nobody/a.json')
    expect([status, body.error]).toEqual([404, 'There is no staged file /nobody/a.json in ecomm.'])
  })
})

describe('GET /admin/automation/staging/plan', () => {
  test('returns null without a plan', async () => {
    const { path } = await stage(await proSeller(app), partsFields(1))
    expect((await desk.readPlan(path)).body).toEqual({ plan: null })
  })

  test('returns the receipt once the plan is live', async () => {
    const seller = await proSeller(app)
    const { path } = await stage(seller, partsFields(2))
    const plan = await live(path)
    expect(plan).toMatchObject({
      state: 'applied',
      progress: { done: 2, total: 2 },
      canUndo: true,
      canWithdraw: false,
    })
    expect(plan.receipt).toEqual({
      created: 2,
      updated: 0,
      ended: 0,
      undone: 0,
      leftAsIs: 0,
      approvedBy: admin.user.name,
      appliedAt: expect.any(String),
      undoneAt: null,
    })
  })

  test('shows the live version of a file edited since, until the newer version is planned', async () => {
    const { path } = await stage(await proSeller(app), partsFields(2))
    await live(path)
    await desk.patch({
      path,
      version: 1,
      cells: [{ id: '0.1', field: 'partprice', old: '95.50', new: '80' }],
    })
    expect((await desk.readPlan(path)).body.plan).toMatchObject({
      version: 1,
      state: 'applied',
      canUndo: true,
    })
    await planned(path)
    expect((await desk.readPlan(path)).body.plan).toMatchObject({
      version: 2,
      state: 'planned',
      update: 1,
      unchanged: 1,
    })
  })
})

describe('GET /admin/automation/staging/plan/rows', () => {
  const byRow = (items: readonly PlannedRow[]) =>
    items.map(({ row, action, changes }) => ({ row, action, changes }))

  test('show the staged values of new listings, live and staged differences of updates, and the listings that end', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(3))
    const rows = [
      partFields(1, { partprice: '80', partgrade: 'b', partcategory: 'A Category Nobody Has' }),
      partFields(2),
      partFields(9, { partdescription: 'Tested' }),
    ]
    const { path, promotionId } = await sendRows(app, seller, rows, { mode: 'replace' })
    await untilState(app, promotionId, 'review')
    const { status, body } = await desk.rows({ path })
    expect(status).toBe(200)
    const [first, , third] = await listingsOf(app, seller)
    expect(byRow(body.items)).toEqual([
      {
        row: 0,
        action: 'update',
        // The part's own name decides its category.
        changes: { partprice: [95.5, 80], partgrade: [null, 'B'] },
      },
      {
        row: 2,
        action: 'create',
        changes: expect.objectContaining({
          partname: [null, 'Alternator 9'],
          partdescription: [null, 'Tested'],
        }),
      },
      { row: 3, action: 'end', changes: {} },
    ])
    expect(body.items.map(({ title, listing }) => [title, listing])).toEqual([
      ['2014 Ford Crown Victoria Alternator 1', { id: first?.id, partslug: first?.slug }],
      ['2014 Ford Crown Victoria Alternator 9', null],
      ['2014 Ford Crown Victoria Alternator 3', { id: third?.id, partslug: third?.slug }],
    ])
  })

  test('filter by kind and page', async () => {
    const { path } = await stage(await proSeller(app), partsFields(5))
    await planned(path)
    const { body: first } = await desk.rows({ path, limit: 3 })
    expect([first.items.map(({ row }) => row), first.nextCursor]).toEqual([[0, 1, 2], '3'])
    const { body: second } = await desk.rows({ path, limit: 3, cursor: first.nextCursor ?? '' })
    expect([second.items.map(({ row }) => row), second.nextCursor]).toEqual([[3, 4], null])
    expect((await desk.rows({ path, action: 'update' })).body.items).toEqual([])
    expect((await desk.rows({ path, cursor: 'abc' })).status).toBe(400)
  })

  test('stay readable once live: the listings and their earlier values', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(2))
    const { path } = await stage(seller, [partFields(1, { partprice: '80' }), partFields(2), partFields(3)])
    await live(path)
    const { items } = (await desk.rows({ path })).body
    expect(byRow(items)).toEqual([
      { row: 0, action: 'update', changes: { partprice: [95.5, 80] } },
      { row: 2, action: 'create', changes: expect.any(Object) },
    ])
    const listings = await listingsOf(app, seller)
    expect(items.map(({ listing }) => listing?.id)).toEqual([listings[0]?.id, listings[2]?.id])
  })

  test('are empty without a plan', async () => {
    const { path } = await stage(await proSeller(app), partsFields(1))
    expect((await desk.rows({ path })).body).toEqual({ items: [], nextCursor: null })
  })
})

describe('POST /admin/automation/staging/undo', () => {
  test('undoes what is live; listings changed since are kept and named', async () => {
    const seller = await proSeller(app)
    const { path } = await stage(seller, partsFields(3))
    await live(path)
    const [, edited] = await listingsOf(app, seller)
    await seller.api.put(`/seller/parts/${edited?.id}`, { partprice: '70' })
    const { status, body } = await desk.undo(path)
    expect([status, body]).toEqual([202, { ok: true, jobId: expect.any(String) }])
    const plan = await until(path, 'undone')
    expect(plan.receipt).toMatchObject({ undone: 2, leftAsIs: 1, undoneAt: expect.any(String) })
    const { items } = (await desk.rows({ path })).body
    expect(items.map(({ kept }) => kept)).toEqual([null, 'It was edited after the import.', null])
    expect((await listingsOf(app, seller)).map(({ deleted_at: at }) => at !== null)).toEqual([
      true,
      false,
      true,
    ])
    expect(await auditOf(path)).toEqual([
      { action: 'staging-planned', actor_user_id: admin.user.id },
      { action: 'staging-promoted', actor_user_id: admin.user.id },
      { action: 'staging-undone', actor_user_id: admin.user.id },
    ])
    const again = await desk.undo(path)
    expect([again.status, again.body.error]).toEqual([409, 'This file was already undone.'])
  })

  test('withdraws a plan with nothing live immediately, and it can be made again', async () => {
    const seller = await proSeller(app)
    const { path } = await stage(seller, partsFields(2))
    await planned(path)
    expect((await desk.undo(path)).body).toEqual({ ok: true, jobId: null })
    expect((await desk.readPlan(path)).body.plan).toMatchObject({
      state: 'undone',
      canUndo: false,
      canWithdraw: false,
    })
    expect((await auditOf(path)).map(({ action }) => action)).toEqual([
      'staging-planned',
      'staging-withdrawn',
    ])
    await live(path)
    expect(await listingsOf(app, seller)).toHaveLength(2)
  })

  test('can undo any seller’s import, including one published automatically', async () => {
    const seller = await trusted()
    const { path, promotionId } = await sendRows(app, seller, partsFields(2))
    await untilState(app, promotionId, 'applied')
    expect((await desk.undo(path)).status).toBe(202)
    await until(path, 'undone')
    expect((await listingsOf(app, seller)).every(({ deleted_at: at }) => at !== null)).toBe(true)
  })

  test('undoes a live version even if a newer one was staged or planned since', async () => {
    const seller = await proSeller(app)
    const { path } = await stage(seller, partsFields(2))
    await live(path)
    await desk.patch({ path, version: 1, addRows: [partFields(3)] })
    await planned(path)
    expect((await desk.undo(path)).body).toEqual({ ok: true, jobId: null })
    expect((await desk.undo(path)).body.jobId).toEqual(expect.any(String))
    expect(await until(path, 'undone')).toMatchObject({ receipt: { undone: 2 } })
  })

  test('has nothing to undo where nothing is live', async () => {
    const { path } = await stage(await proSeller(app), partsFields(1))
    const { status, body } = await desk.undo(path)
    expect([status, body.code, body.error]).toEqual([
      409,
      'CONFLICT',
      'Nothing from this file is live, so there is nothing to undo.',
    ])
  })
})
