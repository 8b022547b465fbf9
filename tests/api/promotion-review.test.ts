import { describe, expect, test, vi } from 'vitest'
import { requestUndo } from '#server/features/stock-files/apply/undo.ts'
import { confirmPlan } from '#server/features/stock-files/plan/decisions.ts'
import { findPromotionOfImport } from '#server/features/stock-files/promotion/summaries.ts'
import { untilStatus } from '#tests/support/job-bench.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import {
  askedBy,
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
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
// What comes between, where a plan reads its file.
let beforeRead: () => Promise<void> = async () => undefined
const get = (key: string) => beforeRead().then(() => app.files.get(key))
await startPromotionWorker({ ...app, files: { ...app.files, get } })
const trusted = () => proSeller(app, { trusted: true })
const admin = await app.signUp({ role: 'admin' })
type Promoted = { ok: true; jobId: string; files: { path: string; jobId: string; planId: string }[] }
const promote = (paths: string[], more: object = {}) =>
  admin.api.post<Promoted & { error: string; code: string }>('/admin/automation/staging/promote', {
    root: 'ecomm',
    paths,
    ...more,
  })

describe('promoting', () => {
  test('a seller who is not trusted waits for an administrator', async () => {
    const seller = await proSeller(app)
    const { promotionId, path } = await sendRows(app, seller, partsFields(2))
    expect(await untilState(app, promotionId, 'planned')).toMatchObject({
      plan: { create: 2 },
      progress: { done: 0, total: 2 },
      approvedAt: null,
    })
    expect(await listingsOf(app, seller)).toEqual([])
    const { status, body } = await promote([path.replace('.json', '.csv')], { datasetTag: 'spring' })
    expect(status).toBe(202)
    expect(body).toMatchObject({ ok: true, files: [{ path, jobId: body.jobId }] })
    expect(await untilState(app, promotionId, 'applied')).toMatchObject({
      created: 2,
      approvedByName: admin.user.name,
      applyJobId: body.jobId,
    })
    const [audit] = await app.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('action', '=', 'staging-promoted')
      .where('target', '=', `ecomm:${path}`)
      .execute()
    expect(audit).toMatchObject({ actor_user_id: admin.user.id, detail: { promotionId, version: 1 } })
  })

  test('promoting what is live or on its way returns its job again', async () => {
    const seller = await proSeller(app)
    const { promotionId, path } = await sendRows(app, seller, partsFields(1))
    const [first, second] = await Promise.all([promote([path]), promote([path])])
    expect(second.body.jobId).toBe(first.body.jobId)
    await untilState(app, promotionId, 'applied')
    expect((await promote([path])).body.jobId).toBe(first.body.jobId)
    expect(await listingsOf(app, seller)).toHaveLength(1)
  })

  test('sent twice with one Idempotency-Key it returns the same, even if undone in the meantime', async () => {
    const { promotionId, path, importId } = await sendRows(app, await proSeller(app), partsFields(1))
    await untilState(app, promotionId, 'planned')
    const key = { 'idempotency-key': 'one-promotion' }
    const send = (datasetTag?: string) =>
      admin.api.post<Promoted & { code: string }>(
        '/admin/automation/staging/promote',
        { root: 'ecomm', paths: [path], datasetTag },
        key,
      )
    const first = await send()
    await untilState(app, promotionId, 'applied')
    await requestUndo(app.db, { importId, ...askedBy(admin) })
    await untilState(app, promotionId, 'undone')
    const again = await send()
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([202, 202, 'true'])
    expect(again.body).toEqual(first.body)
    expect((await send('spring')).body.code).toBe('KEY_REUSED')
  })

  test('of several files all are promoted or none', async () => {
    const seller = await proSeller(app)
    const { promotionId, path } = await sendRows(app, seller, partsFields(1))
    await untilState(app, promotionId, 'planned')
    const { status, body } = await promote([path, '/yard/nowhere.json'])
    expect(status).toBe(404)
    expect(body.error).toBe('There is no staged file /yard/nowhere.json in ecomm.')
    expect(await promotionOf(app, promotionId)).toMatchObject({
      state: 'planned',
      approvedAt: null,
      applyJobId: null,
    })
    expect((await promote(['../etc/passwd'])).status).toBe(422)
  })

  test('a plan that is not the one that was seen is refused', async () => {
    const seller = await proSeller(app)
    const { promotionId, path } = await sendRows(app, seller, partsFields(1))
    const { planId } = await untilState(app, promotionId, 'planned')
    const stale = await promote([path], { planId: promotionId })
    expect([stale.status, stale.body.code]).toEqual([409, 'STALE'])
    expect((await promote([path], { planId })).status).toBe(202)
  })

  test('a file edited in the meantime is planned again, and its parts are found again', async () => {
    const seller = await proSeller(app)
    const { promotionId, path } = await sendRows(app, seller, partsFields(2))
    await untilState(app, promotionId, 'planned')
    await promote([path])
    await untilState(app, promotionId, 'applied')
    const edited = partsFields(2).map((row) => ({ ...row, partname: `${row.partname} assembly` }))
    const { body: read } = await admin.api.get<{ contents: string; version: number }>(
      `/admin/automation/staging/file?root=ecomm&path=${path}`,
    )
    const saved = await admin.api.put('/admin/automation/staging/file', {
      root: 'ecomm',
      path,
      contents: JSON.stringify(edited),
      version: read.version,
    })
    expect(saved.status).toBe(200)
    const { body } = await promote([path])
    await untilStatus(app.database, body.jobId, 'completed')
    const listings = await listingsOf(app, seller)
    expect(listings.map(({ name, version }) => [name, version])).toEqual([
      ['Alternator 1 assembly', 2],
      ['Alternator 2 assembly', 2],
    ])
  })

  test('an import whose edited file was undone does not wait, and its older plan is not used', async () => {
    const seller = await proSeller(app)
    const { promotionId, path, importId } = await sendRows(app, seller, partsFields(2))
    await untilState(app, promotionId, 'planned')
    const contents = JSON.stringify(partsFields(1, { partprice: '7' }))
    const saved = await admin.api.put('/admin/automation/staging/file', { root: 'ecomm', path, contents })
    expect(saved.status).toBe(200)
    await untilStatus(app.database, (await promote([path])).body.jobId, 'completed')
    const state = async () => {
      const found = await findPromotionOfImport(app.db, importId)
      return [found?.version, found?.state]
    }
    expect(await state()).toEqual([2, 'applied'])
    expect((await seller.api.post(`/pro/imports/${importId}/undo`)).status).toBe(202)
    await vi.waitFor(async () => expect(await state()).toEqual([2, 'undone']), { timeout: 12_000 })
  })

  test('a record broken by an edit is left out and reported', async () => {
    const seller = await trusted()
    const rows = [
      partFields(1),
      partFields(2, { partprice: 'call us' }),
      partFields(3, { partname: 'fucking alternator' }),
    ]
    const done = await importRows(app, seller, rows)
    expect(done).toMatchObject({ created: 1, plan: { create: 1, refused: 2 } })
    const { plan_job_id: job } = await app.db
      .selectFrom('promotion')
      .selectAll()
      .where('id', '=', done.id)
      .executeTakeFirstOrThrow()
    const lines = await app.db
      .selectFrom('job_event')
      .select('message')
      .where('job_id', '=', job ?? '')
      .where('kind', '=', 'log')
      .execute()
    expect(lines.map(({ message }) => message.split(':')[0])).toEqual([
      'Record 2 is left out',
      'Record 3 is left out',
    ])
  })
})

test('a plan older than 30 days is made again before it goes live', async () => {
  const { promotionId, path } = await sendRows(app, await proSeller(app), partsFields(2))
  const { planId } = await untilState(app, promotionId, 'planned')
  await app.db.deleteFrom('promotion_action').where('promotion_id', '=', promotionId).execute()
  await app.db
    .updateTable('promotion')
    .set({ planned_at: new Date(Date.now() - 31 * 86_400_000) })
    .where('id', '=', promotionId)
    .execute()
  expect((await promote([path])).status).toBe(202)
  const done = await untilState(app, promotionId, 'applied')
  expect(done).toMatchObject({ created: 2, progress: { done: 2, total: 2 } })
  expect(done.planId).not.toBe(planId)
})

describe('a full stock', () => {
  test('ends missing parts, and brings them back when they return', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(10))
    const less = await importRows(app, seller, partsFields(9), { mode: 'replace' })
    expect(less).toMatchObject({ ended: 1, plan: { end: 1, unchanged: 9 } })
    const gone = (await listingsOf(app, seller)).at(-1)
    expect(gone).toMatchObject({ ended_reason: 'sold-elsewhere', version: 2 })
    const back = await importRows(app, seller, partsFields(10), { mode: 'replace' })
    expect(back).toMatchObject({ created: 0, updated: 1, ended: 0 })
    expect((await listingsOf(app, seller)).at(-1)).toMatchObject({ id: gone?.id, ended_at: null, version: 3 })
  })

  test('a part that a person ended stays ended; its fields follow the file', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(10))
    await importRows(app, seller, partsFields(9), { mode: 'replace' })
    const [first, last] = [(await listingsOf(app, seller))[0], (await listingsOf(app, seller)).at(-1)]
    await seller.api.post(`/seller/parts/${first?.id}/end`, { reason: 'sold-here' })
    await seller.api.post(`/seller/parts/${last?.id}/restore`, {})
    await seller.api.post(`/seller/parts/${last?.id}/end`, { reason: 'scrapped' })
    await importRows(app, seller, partsFields(10, { partprice: '7' }), { mode: 'replace' })
    const after = await listingsOf(app, seller)
    expect(after[0]).toMatchObject({ ended_reason: 'sold-here', price_cents: 700 })
    expect(after.at(-1)).toMatchObject({ ended_reason: 'scrapped', price_cents: 700 })
  })

  test('parts listed by hand, parts of others and parts whose row could not be taken stay', async () => {
    const [seller, other] = [await trusted(), await trusted()]
    await importRows(app, other, partsFields(2))
    await importRows(app, seller, partsFields(10))
    const rows = [...partsFields(9), partFields(10, { partprice: '' })]
    const done = await importRows(app, seller, rows, { mode: 'replace' })
    expect(done).toMatchObject({ ended: 0, plan: { end: 0, refused: 1 } })
    expect((await listingsOf(app, other)).map(({ ended_at }) => ended_at)).toEqual([null, null])
  })

  test('more than a fifth of the parts end only after someone confirmed how many', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(4))
    const { promotionId, importId, path } = await sendRows(app, seller, partsFields(3), { mode: 'replace' })
    const asked = await untilState(app, promotionId, 'review')
    expect(asked.review).toEqual([
      {
        code: 'endings',
        message:
          '1 of 4 live parts (25%) are not in this file and would be taken down; more than 20% need a second look.',
      },
    ])
    const blind = await promote([path])
    expect([blind.status, blind.body.code]).toEqual([409, 'CONFLICT'])
    expect(blind.body.error).toContain('1 of 4 live parts (25%)')
    await expect(
      confirmPlan(app.db, { importId, planId: promotionId, ...askedBy(seller) }),
    ).rejects.toMatchObject({ code: 'STALE' })
    const confirmed = { importId, planId: asked.planId, ...askedBy(seller) }
    await confirmPlan(app.db, confirmed)
    await confirmPlan(app.db, confirmed)
    expect(await untilState(app, promotionId, 'applied')).toMatchObject({
      ended: 1,
      approvedByName: seller.user.name,
    })
  })

  test('an administrator who has seen the plan can approve it', async () => {
    const seller = await proSeller(app)
    const first = await sendRows(app, seller, partsFields(4))
    await untilState(app, first.promotionId, 'planned')
    await promote([first.path])
    await untilState(app, first.promotionId, 'applied')
    const { promotionId, path } = await sendRows(app, seller, partsFields(1), { mode: 'replace' })
    const { planId } = await untilState(app, promotionId, 'review')
    expect((await promote([path], { planId })).status).toBe(202)
    expect(await untilState(app, promotionId, 'applied')).toMatchObject({ ended: 3 })
  })

  test('a plan that another import overtook is made again before it goes live, and asks again if it ends more', async () => {
    const seller = await proSeller(app)
    const [stock, more] = [
      await sendRows(app, seller, partsFields(2), { mode: 'replace' }),
      await sendRows(app, seller, partsFields(8)),
    ]
    const { planId } = await untilState(app, stock.promotionId, 'planned')
    await promote([more.path])
    await untilState(app, more.promotionId, 'applied')
    const { body } = await promote([stock.path], { planId })
    const asked = await untilState(app, stock.promotionId, 'review')
    await untilStatus(app.database, body.jobId, 'completed')
    expect(asked).toMatchObject({ plan: { create: 0, unchanged: 2, end: 6 }, approvedAt: null })
    expect(asked.planId).not.toBe(planId)
    await promote([stock.path], { planId: asked.planId })
    expect(await untilState(app, stock.promotionId, 'applied')).toMatchObject({ created: 0, ended: 6 })
    expect(await sourcesOf(app, seller)).toHaveLength(8)
  })
})

test('a listing that another import changed after it was compared with its row is compared again', async () => {
  const seller = await proSeller(app)
  const send = async (...sent: [rows: Parameters<typeof sendRows>[2], more?: { chunk: number }]) => {
    const { promotionId, path } = await sendRows(app, seller, ...sent)
    await untilState(app, promotionId, 'planned')
    return async () => {
      await promote([path])
      await untilState(app, promotionId, 'applied')
    }
  }
  await (await send(partsFields(3)))()
  const goLive = await send([partFields(1, { partprice: '12' })])
  const rows = (await listingsOf(app, seller)).map(({ id }, at) => ({
    listingid: id,
    partprice: at === 0 ? '95.50' : '3',
  }))
  let reads = 0
  beforeRead = async () => {
    reads += 1
    // The first row has been compared when the third one's segment is read.
    if (reads === 3) await goLive()
  }
  await (await send(rows, { chunk: 1 }))()
  expect((await listingsOf(app, seller)).map(({ price_cents }) => price_cents)).toEqual([9_550, 300, 300])
})

describe('new names', () => {
  test('that an administrator promotes are confirmed at once, and everybody can choose them', async () => {
    const seller = await proSeller(app)
    const rows = [
      ...partsFields(30),
      partFields(31, {
        ...{ partmanu: 'Zorblatt', partmodel: 'Runabout' },
        ...{ partname: 'Flux coil', partcategory: 'Flux Coil' },
      }),
    ]
    const { promotionId, path } = await sendRows(app, seller, rows)
    await untilState(app, promotionId, 'planned')
    await promote([path])
    const done = await untilState(app, promotionId, 'applied')
    expect(done.plan?.newNames).toEqual({
      category: ['Flux Coil'],
      manufacturer: ['Zorblatt'],
      model: ['Zorblatt Runabout'],
    })
    const last = (await listingsOf(app, seller)).at(-1)
    expect(last).toMatchObject({ manufacturer_name: 'Zorblatt', model_name: 'Runabout' })
    const made = await app.db
      .selectFrom('category')
      .selectAll()
      .where('id', '=', last?.category_id ?? '')
      .execute()
    expect(made).toMatchObject([{ name: 'Flux Coil', confirmed: true }])
    const { body } = await app.visitor.get<{ name: string }[]>('/categories')
    expect(body.some(({ name }) => name === 'Flux Coil')).toBe(true)
    const { body: makes } = await app.visitor.get<{ manuname: string }[]>('/manufacturers')
    expect(makes.some(({ manuname }) => manuname === 'Zorblatt')).toBe(true)
  })

  test('two files that bring the same new names at once make each once', async () => {
    const sellers = [await proSeller(app), await proSeller(app), await proSeller(app)]
    const rows = [
      ...partsFields(60),
      partFields(61, { partmanu: 'Quixote', partmodel: 'Rosinante' }),
      partFields(62, { partmanu: 'QUIXOTE ', partmodel: 'rosinante' }),
    ]
    const datasets = ['ecomm', 'datatable', 'mapdata'].map((root) => `marketplace:${root}_autoparts`)
    await Promise.all(
      sellers.map(async (seller, at) => {
        const { promotionId, path } = await sendRows(app, seller, rows, { dataset: datasets[at] ?? '' })
        await untilState(app, promotionId, 'planned')
        await promote([path])
        return untilState(app, promotionId, 'applied')
      }),
    )
    const makes = await app.db
      .selectFrom('manufacturer')
      .selectAll()
      .where('name_key', '=', 'quixote')
      .execute()
    const models = await app.db
      .selectFrom('car_model')
      .selectAll()
      .where('name_key', '=', 'rosinante')
      .execute()
    expect([makes.length, models.length]).toEqual([1, 1])
    const used = await app.db
      .selectFrom('listing')
      .select('car_model_id')
      .where('manufacturer_id', '=', makes[0]?.id ?? '')
      .execute()
    expect(used.map(({ car_model_id }) => car_model_id)).toEqual(Array(6).fill(models[0]?.id))
  })

  test('many wait for the seller row by row, if nobody reviews the imports', async () => {
    const seller = await trusted()
    const rows = partsFields(60).map((row, at) => ({ ...row, partmodel: `Sample ${at}` }))
    const { promotionId } = await sendRows(app, seller, rows)
    expect(await untilState(app, promotionId, 'applied')).toMatchObject({ created: 0, waiting: 60 })
    expect(await listingsOf(app, seller)).toEqual([])
  })

  test('many hold the file of a seller whose imports are reviewed until an administrator approves it', async () => {
    const seller = await proSeller(app)
    const rows = partsFields(60).map((row, at) => ({ ...row, partmodel: `Prototype ${at}` }))
    const { promotionId, importId, path } = await sendRows(app, seller, rows)
    const asked = await untilState(app, promotionId, 'review')
    expect(asked.review.map(({ code }) => code)).toEqual(['new-names', 'new-name-rows'])
    expect(asked.plan?.newNames.model).toHaveLength(60)
    await expect(confirmPlan(app.db, { importId, planId: asked.planId, ...askedBy(seller) })).rejects.toThrow(
      'An administrator reviews this import before it goes live.',
    )
    expect(await listingsOf(app, seller)).toEqual([])
    const { body } = await promote([path])
    expect(await untilState(app, promotionId, 'applied')).toMatchObject({ created: 60 })
    await untilStatus(app.database, body.jobId, 'completed')
  })
})
