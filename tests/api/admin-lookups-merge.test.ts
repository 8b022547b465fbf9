import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import type { CarModel, Category } from '#contract/lookups.ts'
import { joinChangeSet, withChangeSet } from '#server/features/market/history/change-sets.ts'
import { relabelListingsQueue } from '#server/features/market/lookups/lookup-changes.ts'
import { createProvisionalNames } from '#server/features/market/lookups/new-names.ts'
import { finishMerges, hasUnfinished } from '#server/features/market/relabeling/relabel-listings.ts'
import { requestUndo } from '#server/features/stock-files/apply/undo.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { lookupDesk, lookupNamed, managed, startRelabeling } from '#tests/support/admin-lookups.ts'
import { atLength, longTest } from '#tests/support/at-length.ts'
import { jobRow, QUICK, untilStatus } from '#tests/support/job-bench.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import {
  askedBy,
  changesOf,
  importRows,
  listingsOf,
  partFields,
  partsFields,
  sendRows,
  startPromotionWorker,
  untilState,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
await startPromotionWorker(app)
let admin: SignedIn
let seller: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  seller = await app.signUp()
})

const { category, manufacturer, model, merge } = lookupDesk(() => admin)

/** Runs jobs until this one has ended, and leaves none running. */
async function finish(jobId: string) {
  const worker = await startRelabeling(app)
  const job = await untilStatus(app, jobId, 'completed')
  await worker.close()
  return job
}
const listingNow = async (id: string) => (await seller.api.get<Listing>(`/seller/parts/${id}`)).body
const rowOf = (kind: 'category' | 'manufacturer' | 'car_model', id: string) =>
  app.db.selectFrom(kind).selectAll().where('id', '=', id).executeTakeFirst()
const foundIn = async (query: string) =>
  (await seller.api.get<{ items: Listing[] }>(`/seller/parts?${query}`)).body.items.map(({ id }) => id)

describe('merging categories', () => {
  test('pickers and forms show one of them at once; all listings follow, including deleted ones', async () => {
    const [from, into] = [await category('Zorp Brakes'), await category('Zorp Braking')]
    const [kept, deleted] = [
      await makeQuickListing(seller.api, { partcategoryId: from.id }),
      await makeQuickListing(seller.api, { partcategoryId: from.id }),
    ]
    const other = await makeQuickListing(seller.api, { partcategoryId: into.id })
    await seller.api.delete(`/seller/parts/${deleted.id}`)
    const jobId = await merge('category', from, into)

    const { body: picker } = await app.visitor.get<Category[]>('/categories')
    expect(picker.filter(({ name }) => name.startsWith('Zorp Bra'))).toMatchObject([
      { id: into.id, aliases: ['Zorp Brakes'] },
    ])
    expect((await lookupNamed(admin, 'category', 'Zorp Braking')).listings).toBe(2)
    const opened = await makeQuickListing(seller.api, { partcategoryId: from.id })
    expect(opened.partcategoryId).toBe(into.id)
    const again = await admin.api.post<ErrorReply>('/category', { name: 'zorp brakes' })
    expect([again.status, again.body.error]).toEqual([
      409,
      '“zorp brakes” is another name of the category “Zorp Braking”',
    ])
    const twice = await admin.api.post(`/admin/lookups/category/${from.id}/merge`, { into: into.id })
    expect(twice.status).toBe(404)
    const remove = await admin.api.delete<ErrorReply>(`/admin/lookups/category/${into.id}`)
    expect(remove.body.error).toContain('is being merged into “Zorp Braking”')

    const job = await finish(jobId)
    expect(job.result).toMatchObject({ moved: 2 })
    expect(await rowOf('category', from.id)).toBeUndefined()
    expect(await listingNow(kept.id)).toMatchObject({
      partcategoryId: into.id,
      partcategory: { name: 'Zorp Braking' },
      version: 2,
    })
    expect(await foundIn('q=zorp%20brakes')).toEqual([opened.id, other.id, kept.id])
    expect(await foundIn(`categoryId=${into.id}`)).toEqual([opened.id, other.id, kept.id])
    expect((await changesOf(app, kept.id)).at(-1)?.changes).toEqual({ category_id: [from.id, into.id] })
    const change = await app.db
      .selectFrom('change_set')
      .select(['actor_kind', 'actor_user_id', 'reason'])
      .where('job_id', '=', jobId)
      .execute()
    expect(change).toEqual([{ actor_kind: 'job', actor_user_id: admin.user.id, reason: 'merge category' }])
    const restored = await seller.api.post<Listing>(`/seller/parts/${deleted.id}/restore`)
    expect(restored.body.partcategoryId).toBe(into.id)
  })

  test('views and messages of one count for the other', async () => {
    const [from, into] = [await category('Zorp Dial'), await category('Zorp Gauge')]
    const sellerId = seller.user.sellerId
    const day = (category_id: string, date: string, views: number, leads: number) => ({
      seller_id: sellerId,
      day: date,
      category_id,
      views,
      leads,
    })
    await app.db
      .insertInto('seller_day')
      .values([
        day(from.id, '2026-03-01', 5, 1),
        day(from.id, '2026-03-02', 7, 0),
        day(into.id, '2026-03-01', 2, 2),
      ])
      .execute()
    await finish(await merge('category', from, into))
    const days = await app.db
      .selectFrom('seller_day')
      .selectAll()
      .where('category_id', 'in', [from.id, into.id])
      .orderBy('day')
      .execute()
    expect(days).toEqual([day(into.id, '2026-03-01', 7, 3), day(into.id, '2026-03-02', 7, 0)])
  })

  test('sending it twice with one Idempotency-Key makes one merge and one job', async () => {
    const [from, into] = [await category('Zorp Pressed'), await category('Zorp Kept')]
    const key = { 'idempotency-key': 'one-merge' }
    const send = (target: { id: string }) =>
      admin.api.post<{ jobId: string } & ErrorReply>(
        `/admin/lookups/category/${from.id}/merge`,
        { into: target.id },
        key,
      )
    const [first, again] = [await send(into), await send(into)]
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([202, 202, 'true'])
    expect(again.body).toEqual(first.body)
    expect((await send(from)).body.code).toBe('KEY_REUSED')
    const jobs = await app.db
      .selectFrom('job')
      .select('id')
      .where('queue', '=', relabelListingsQueue.name)
      .where(sql<boolean>`payload ->> 'id' = ${from.id}`)
      .execute()
    expect(jobs).toEqual([{ id: first.body.jobId }])
  })

  test('a chain of merges moves the first to the last', async () => {
    const [a, b, c] = [await category('Zorp A'), await category('Zorp B'), await category('Zorp C')]
    const listing = await makeQuickListing(seller.api, { partcategoryId: a.id })
    await merge('category', a, b)
    const second = await merge('category', b, c)
    expect((await rowOf('category', a.id))?.merged_into).toBe(c.id)
    await finish(second)
    expect((await listingNow(listing.id)).partcategoryId).toBe(c.id)
    expect([await rowOf('category', a.id), await rowOf('category', b.id)]).toEqual([undefined, undefined])
    expect((await lookupNamed(admin, 'category', 'Zorp C')).aliases).toEqual(['Zorp A', 'Zorp B'])
  })

  test('when two categories are merged into each other at once, one merge wins', async () => {
    const [a, b] = [await category('Zorp Left'), await category('Zorp Right')]
    const answers = await Promise.all([
      admin.api.post<{ jobId: string }>(`/admin/lookups/category/${a.id}/merge`, { into: b.id }),
      admin.api.post<{ jobId: string }>(`/admin/lookups/category/${b.id}/merge`, { into: a.id }),
    ])
    const won = answers.find(({ status }) => status === 202)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 422])
    await finish(won?.body.jobId ?? '')
    expect(
      (await managed(admin, 'category', 'q=zorp&perPage=100')).items.filter(({ id }) =>
        [a.id, b.id].includes(id),
      ),
    ).toHaveLength(1)
  })
})

describe('merging manufacturers and models', () => {
  test('moves models, merges equal names and updates listings', async () => {
    const [from, into] = [await manufacturer('Zorpmobil'), await manufacturer('Zorp Motors')]
    const [twin, other, moving] = [
      await model(from.id, 'Falcon Z'),
      await model(into.id, 'falconz'),
      await model(from.id, 'Comet Z'),
    ]
    await admin.api.put(`/admin/lookups/car-model/${twin.id}`, { name: 'FALCON Z' })
    const [ofTwin, ofMoving, ofNone] = [
      await makeQuickListing(seller.api, { partmanuId: from.id, partmodel: 'x', partmodelId: twin.id }),
      await makeQuickListing(seller.api, { partmanuId: from.id, partmodel: 'x', partmodelId: moving.id }),
      await makePictureListing(seller.api, { partmanuId: from.id, partmodel: 'Unheard Of' }),
    ]
    const jobId = await merge('manufacturer', from, into)
    const { body: models } = await app.visitor.get<CarModel[]>(`/carmodels?manuId=${into.id}`)
    expect(models.map(({ id }) => id).toSorted()).toEqual([other.id, moving.id].toSorted())
    const typed = { partmanuId: '', partmanuname: 'zorpmobil', partmodel: 'falcon z' }
    expect(await makePictureListing(seller.api, typed)).toMatchObject({
      partmanuId: into.id,
      partmodelId: other.id,
    })
    // A form opened before the merge, and a file that added a model in the meantime.
    await withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx) =>
      trx
        .insertInto('car_model')
        .values({ manufacturer_id: from.id, name: 'Late Z', confirmed: false })
        .execute(),
    )
    const opened = { partmanuId: from.id, partmodel: 'x', partmodelId: twin.id }
    expect(await makeQuickListing(seller.api, opened)).toMatchObject({ partmanuname: 'Zorp Motors' })

    await finish(jobId)
    expect(await rowOf('manufacturer', from.id)).toBeUndefined()
    expect(await rowOf('car_model', twin.id)).toBeUndefined()
    const says = async ({ id }: Listing) => {
      const { partmanuId, partmanuname, partmodelId, partmodel } = await listingNow(id)
      return [partmanuId, partmanuname, partmodelId, partmodel]
    }
    expect(await says(ofTwin)).toEqual([into.id, 'Zorp Motors', other.id, 'falconz'])
    expect(await says(ofMoving)).toEqual([into.id, 'Zorp Motors', moving.id, 'Comet Z'])
    expect(await says(ofNone)).toEqual([into.id, 'Zorp Motors', null, 'Unheard Of'])
    const late = await lookupNamed(admin, 'car-model', 'Late Z')
    expect(late).toMatchObject({ manuId: into.id, confirmed: false })
    const moves = await app.db
      .selectFrom('lookup_change')
      .select('changes')
      .where('lookup_id', 'in', [twin.id, moving.id])
      .orderBy('id')
      .execute()
    expect(moves.map(({ changes }) => changes)).toEqual(
      expect.arrayContaining([{ merged_into: [null, other.id] }, { manufacturer_id: [from.id, into.id] }]),
    )
  })

  test('a merged model is found by its old name', async () => {
    const { id: manuId } = await manufacturer('Zorp Carriage')
    const [from, into] = [await model(manuId, 'Crown Vic'), await model(manuId, 'Crown Victoria')]
    await admin.api.put(`/admin/lookups/car-model/${from.id}`, { name: 'Crown Vick' })
    const listing = await makeQuickListing(seller.api, {
      partmanuId: manuId,
      partmodel: 'x',
      partmodelId: from.id,
    })
    await finish(await merge('car-model', from, into))
    expect(await listingNow(listing.id)).toMatchObject({ partmodelId: into.id, partmodel: 'Crown Victoria' })
    for (const partmodel of ['crown vic', 'CROWN VICK']) {
      const typed = await makePictureListing(seller.api, { partmanuId: manuId, partmodel })
      expect([typed.partmodelId, typed.partmodel]).toEqual([into.id, 'Crown Victoria'])
    }
  })

  test('a provisional model that absorbs a confirmed one becomes confirmed', async () => {
    const found = await withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx, changeSetId) =>
      createProvisionalNames(trx, changeSetId, { categories: [], manufacturers: ['Zorp Werke'], models: [] }),
    )
    const from = await manufacturer('Zorp Works')
    const into = { id: found.manufacturers[0]?.id ?? '' }
    await finish(await merge('manufacturer', from, into))
    expect(await lookupNamed(admin, 'manufacturer', 'Zorp Werke')).toMatchObject({
      id: into.id,
      confirmed: true,
    })
  })
})

test('headings that name a merged or renamed entry show its current name', async () => {
  const [old, kept] = [await manufacturer('Zorp Hed'), await manufacturer('Zorp Head')]
  const { id: partmodelId } = await model(old.id, 'One')
  const part = await makeQuickListing(seller.api, { partmanuId: old.id, partmodel: 'One', partmodelId })
  const heading = async (text?: string) => {
    if (text !== undefined) {
      await withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx) =>
        sql`update listing set heading = ${text} where id = ${part.id}`.execute(trx),
      )
    }
    const row = await app.db
      .selectFrom('listing')
      .select('heading')
      .where('id', '=', part.id)
      .executeTakeFirstOrThrow()
    return row.heading
  }
  await heading('2012 zorp hed alternator')
  await finish(await merge('manufacturer', old, kept))
  expect(await heading()).toBe('2012 Zorp Head alternator')
  await admin.api.put(`/admin/lookups/manufacturer/${kept.id}`, { name: 'Zorp Crown' })
  const job = await app.db
    .selectFrom('job')
    .select('id')
    .where('queue', '=', relabelListingsQueue.name)
    .where('status', '=', 'queued')
    .executeTakeFirstOrThrow()
  await finish(job.id)
  expect(await heading()).toBe('2012 Zorp Crown alternator')
})

describe('an interrupted job', () => {
  const COUNT = atLength({ full: 1_300, brief: 700 })

  /** Many listings in one category, as an import creates them. */
  async function stocked(name: string, count = COUNT) {
    const yard = await proSeller(app, { trusted: true })
    const from = await category(`${name} Old`)
    await importRows(app, yard, partsFields(count, { partname: `${name} Old`, partcategory: `${name} Old` }))
    return { yard, from, into: await category(`${name} New`) }
  }
  const countIn = async (id: string) =>
    Number(
      (
        await app.db
          .selectFrom('listing')
          .select((eb) => eb.fn.countAll().as('n'))
          .where('category_id', '=', id)
          .executeTakeFirst()
      )?.n,
    )
  const historySize = async (jobId: string) => {
    const { rows } = await sql<{ n: number; listings: number }>`
      select count(*)::int as n, count(distinct listing_id)::int as listings
      from listing_change c join change_set s on s.id = c.change_set_id where s.job_id = ${jobId}
    `.execute(app.db)
    return rows[0]
  }

  test('stopped in the middle of a merge, it continues on the next worker and changes no listing twice', async () => {
    const { from, into } = await stocked('Zorp Stop')
    const jobId = await merge('category', from, into)
    const first = await startRelabeling(app)
    await vi.waitFor(async () => expect(await countIn(into.id)).toBeGreaterThan(0), {
      interval: 5,
      timeout: 10_000,
    })
    await first.close()
    const [moved, left] = [await countIn(into.id), await countIn(from.id)]
    expect(moved + left).toBe(COUNT)
    await finish(jobId)
    expect([await countIn(into.id), await rowOf('category', from.id)]).toEqual([COUNT, undefined])
    expect(await historySize(jobId)).toEqual({ n: COUNT, listings: COUNT })
  })

  /** A worker in its own process, so that it can be killed at any instruction. */
  async function spawnWorker(): Promise<ChildProcess> {
    const program = join(import.meta.dirname, '../support/relabeling-worker-program.ts')
    const args = [program, app.config.databaseUrl ?? '', JSON.stringify(QUICK)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    if (!child.stdout) throw new Error('no output')
    await once(child.stdout, 'data')
    return child
  }

  longTest(
    'killed twice in the middle of a merge, it is finished by the next worker and changes no listing twice',
    async () => {
      const { from, into } = await stocked('Zorp Kill')
      const jobId = await merge('category', from, into)
      for (const least of [1, 600]) {
        const worker = await spawnWorker()
        const ended = once(worker, 'exit')
        await vi.waitFor(async () => expect(await countIn(into.id)).toBeGreaterThanOrEqual(least), {
          interval: 5,
          timeout: 20_000,
        })
        worker.kill('SIGKILL')
        await ended
        expect((await countIn(into.id)) + (await countIn(from.id))).toBe(COUNT)
      }
      expect((await jobRow(app, jobId)).status).not.toBe('completed')
      await finish(jobId)
      expect([await countIn(into.id), await rowOf('category', from.id)]).toEqual([COUNT, undefined])
      expect(await historySize(jobId)).toEqual({ n: COUNT, listings: COUNT })
    },
  )

  test('after a cancel, the merge is resumed', async () => {
    const { from, into } = await stocked('Zorp Cancel', 20)
    const jobId = await merge('category', from, into)
    await requestCancel(app.db, jobId)
    expect((await jobRow(app, jobId)).status).toBe('cancelled')
    expect(await hasUnfinished(app.db)).toBe(true)
    expect(await finishMerges(app.db)).toEqual({ resumed: 1 })
    expect(await finishMerges(app.db)).toEqual({ resumed: 0 })
    const [again] = await app.db
      .selectFrom('job')
      .select('id')
      .where('queue', '=', relabelListingsQueue.name)
      .where('status', '=', 'queued')
      .execute()
    await finish(again?.id ?? '')
    expect(await countIn(into.id)).toBe(20)
    expect(await hasUnfinished(app.db)).toBe(false)
  })

  test('running again after completion changes nothing', async () => {
    const [from, into] = [await category('Zorp Twice'), await category('Zorp Once')]
    const listing = await makeQuickListing(seller.api, { partcategoryId: from.id })
    const jobId = await merge('category', from, into)
    await finish(jobId)
    const { version } = await listingNow(listing.id)
    await sql`update job set status = 'queued', ended_at = null where id = ${jobId}`.execute(app.db)
    await finish(jobId)
    expect((await listingNow(listing.id)).version).toBe(version)
  })
})

describe('imports that run at the same time', () => {
  test('an import can be undone after its listings followed a rename', async () => {
    const yard = await proSeller(app, { trusted: true })
    const maker = await manufacturer('Zorp Undo Make')
    await model(maker.id, 'One')
    const fields = { partmanu: 'Zorp Undo Make', partmodel: 'One' }
    await importRows(app, yard, partsFields(2, fields))
    const done = await importRows(app, yard, [
      ...partsFields(2, { ...fields, partprice: '7' }),
      partFields(3, fields),
    ])
    expect(done).toMatchObject({ created: 1, updated: 2 })
    await admin.api.put(`/admin/lookups/manufacturer/${maker.id}`, { name: 'Zorp Undone Make' })
    const job = await app.db
      .selectFrom('job')
      .select('id')
      .where('queue', '=', relabelListingsQueue.name)
      .where('status', '=', 'queued')
      .executeTakeFirst()
    await finish(job?.id ?? '')
    await requestUndo(app.db, { ...askedBy(yard), importId: done.importId ?? '' })
    expect(await untilState(app, done.id, 'undone')).toMatchObject({ undone: 3, leftAsIs: 0 })
    const listings = await listingsOf(app, yard)
    expect(listings.map((row) => [row.price_cents, row.manufacturer_name, row.deleted_at === null])).toEqual([
      [9_550, 'Zorp Undone Make', true],
      [9_550, 'Zorp Undone Make', true],
      [9_550, 'Zorp Undone Make', false],
    ])
  })

  test('write no old names once a rename or merge is done', async () => {
    const yard = await proSeller(app, { trusted: true })
    const [from, into] = [await category('Zorp Import Old'), await category('Zorp Import New')]
    const maker = await manufacturer('Zorp Import Make')
    await model(maker.id, 'One')
    const count = atLength({ full: 3_000, brief: 1_500 })
    const rows = partsFields(count, {
      partname: 'Zorp Import Old',
      partcategory: 'Zorp Import Old',
      partmanu: 'Zorp Import Make',
      partmodel: 'One',
    })
    const { promotionId } = await sendRows(app, yard, rows, { chunk: 500 })
    await untilState(app, promotionId, 'applying')
    await admin.api.put(`/admin/lookups/manufacturer/${maker.id}`, { name: 'Zorp Renamed Make' })
    const jobId = await merge('category', from, into)
    const job = await finish(jobId)
    await untilState(app, promotionId, 'applied')
    const listings = await app.db
      .selectFrom('listing')
      .select((eb) => ['category_id', 'manufacturer_name', eb.fn.countAll<number>().as('n')])
      .where('seller_id', '=', yard.user.sellerId)
      .groupBy(['category_id', 'manufacturer_name'])
      .execute()
    expect(listings).toEqual([{ category_id: into.id, manufacturer_name: 'Zorp Renamed Make', n: count }])
    expect(job.attempts).toBe(0)
    expect(await rowOf('category', from.id)).toBeUndefined()
  })

  test('resolve old names in a file to the merged entry and create nothing', async () => {
    const yard = await proSeller(app, { trusted: true })
    const maker = await manufacturer('Zorp File Make')
    const [from, into] = [await model(maker.id, 'Old Name'), await model(maker.id, 'New Name')]
    await finish(await merge('car-model', from, into))
    await importRows(app, yard, [partFields(1, { partmanu: 'zorp file make', partmodel: 'OLD NAME' })])
    expect((await managed(admin, 'car-model', `manuId=${maker.id}`)).total).toBe(1)
    const listing = await app.db
      .selectFrom('listing')
      .select(['car_model_id', 'model_name'])
      .where('seller_id', '=', yard.user.sellerId)
      .executeTakeFirst()
    expect(listing).toEqual({ car_model_id: into.id, model_name: 'New Name' })
  })
})

test('a page locked by another transaction is waited for, not lost', async () => {
  const [from, into] = [await category('Zorp Held'), await category('Zorp Free')]
  const listing = await makeQuickListing(seller.api, { partcategoryId: from.id })
  const worker = await startRelabeling(app)
  let jobId = ''
  await withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, async (trx, changeSetId) => {
    await sql`update listing set miles = 7, version = version + 1 where id = ${listing.id}`.execute(trx)
    await joinChangeSet(trx, changeSetId)
    jobId = await merge('category', from, into)
    await vi.waitFor(async () => expect((await jobRow(app, jobId)).status).toBe('running'), 10_000)
  })
  await untilStatus(app, jobId, 'completed')
  await worker.close()
  expect(await listingNow(listing.id)).toMatchObject({ partcategoryId: into.id, version: 3 })
})
