import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { changeListings } from '#server/features/market/listings/write-queries.ts'
import { requestUndo } from '#server/features/stock-files/apply/undo.ts'
import { listLeft } from '#server/features/stock-files/plan/show-plan.ts'
import { type PromotionSummary, UNDO_DAYS } from '#server/features/stock-files/promotion/summaries.ts'
import { lookupDesk, lookupNamed, startRelabeling } from '#tests/support/admin-lookups.ts'
import { longTest } from '#tests/support/at-length.ts'
import { untilStatus } from '#tests/support/job-bench.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import {
  askedBy,
  changesOf,
  importRows,
  listingsOf,
  partFields,
  partsFields,
  promotionOf,
  sendRows,
  sourcesOf,
  startPromotionWorker,
  undoImport,
  untilState,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })

const undo = (seller: SignedIn, promotion: PromotionSummary) => undoImport(app, seller, promotion)

/** What undo must bring back: everything but how often and when a row was written. */
async function contentOf(seller: SignedIn) {
  const listings = await listingsOf(app, seller)
  return listings
    .filter(({ deleted_at }) => deleted_at === null)
    .map(({ version: _, updated_at: __, ...content }) => content)
}

const placesOf = async (seller: SignedIn) =>
  (await sourcesOf(app, seller)).map(
    ({ promotion_id: _, row_no: __, ended_by_promotion: ___, ended_at: ____, ...source }) => source,
  )

/** Gives a listing another description, as a script that works on live listings does. */
const rewrite = (before: Awaited<ReturnType<typeof listingsOf>>[number] | undefined) =>
  withChangeSet(app.db, { actorKind: 'job', reason: 'bulk edit' }, async (trx, id) => {
    if (before) await changeListings(trx, [{ before, columns: { description: ['', 'Tested.'] } }], id)
  })

/** The next write of listings is the one of two in a deadlock that gives way. */
async function deadlockNextWrite() {
  await sql`create sequence deadlocked`.execute(app.db)
  await sql`
    create function deadlock_once() returns trigger language plpgsql as $$
    begin
      if nextval('deadlocked') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return null;
    end $$
  `.execute(app.db)
  await sql`create trigger deadlock_once before update on listing execute function deadlock_once()`.execute(
    app.db,
  )
}

/** Blocks every transaction that writes a listing of the category, until the returned function is called. */
async function holdCategory(name: string): Promise<() => Promise<void>> {
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = app.db.transaction().execute(async (trx) => {
    await trx.selectFrom('category').where('name', '=', name).select('id').forUpdate().execute()
    held.resolve()
    await over.promise
  })
  await held.promise
  const release = () => {
    over.resolve()
    return holding
  }
  // If the test fails before it does.
  onTestFinished(release)
  return release
}

/** Waits until such a statement waits for a lock. */
async function untilBlocked(statement: string): Promise<void> {
  const find = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and ltrim(query, E' \\n') like ${statement}
    `.execute(app.db)
    return rows.length
  }
  await expect.poll(find).toBe(1)
}

describe('undoing an import', () => {
  test('created listings go, from the search as well', async () => {
    const seller = await trusted()
    const done = await importRows(app, seller, partsFields(3))
    expect(await undo(seller, done)).toMatchObject({ undone: 3, leftAsIs: 0 })
    const listings = await listingsOf(app, seller)
    expect(listings.map(({ deleted_at, version }) => [deleted_at !== null, version])).toEqual([
      [true, 2],
      [true, 2],
      [true, 2],
    ])
    expect(await sourcesOf(app, seller)).toEqual([])
    const found = await app.db
      .selectFrom('listing_search')
      .selectAll()
      .where('seller_id', '=', seller.user.sellerId)
      .execute()
    expect(found).toEqual([])
  })

  test('updated, ended and adopted listings are what they were', async () => {
    const seller = await trusted()
    await makeQuickListing(seller.api, { stocknum: 'H-1', partname: 'Alternator 30', partprice: '20' })
    await importRows(app, seller, [
      ...partsFields(8, { imageUrl: 'https://yard.example/1.jpg' }),
      partFields(20),
    ])
    const before = { content: await contentOf(seller), places: await placesOf(seller) }
    const rows = [
      ...partsFields(6, { imageUrl: 'https://yard.example/1.jpg' }),
      partFields(7, { partprice: '1', imageUrl: 'https://yard.example/7.jpg' }),
      partFields(8, { imageUrl: 'https://yard.example/1.jpg' }),
      partFields(8, { imageUrl: 'https://yard.example/1.jpg' }),
      partFields(30, { stocknum: 'H-1' }),
      partFields(31),
    ]
    const done = await importRows(app, seller, rows, { mode: 'replace' })
    expect(done).toMatchObject({ created: 1, updated: 3, ended: 1 })
    expect(await contentOf(seller)).not.toEqual(before.content)
    expect(await undo(seller, done)).toMatchObject({ undone: 5, leftAsIs: 0 })
    expect({ content: await contentOf(seller), places: await placesOf(seller) }).toEqual(before)
    const images = await app.db
      .selectFrom('listing_image')
      .innerJoin('listing', 'listing.id', 'listing_image.listing_id')
      .where('listing.seller_id', '=', seller.user.sellerId)
      .where('listing.deleted_at', 'is', null)
      .select('source_url')
      .distinct()
      .execute()
    expect(images).toEqual([{ source_url: 'https://yard.example/1.jpg' }])
  })

  test('an ended listing is live again and found', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(6))
    const done = await importRows(app, seller, partsFields(5), { mode: 'replace' })
    expect(done.ended).toBe(1)
    await undo(seller, done)
    const [last] = (await listingsOf(app, seller)).slice(-1)
    expect(last).toMatchObject({ ended_at: null, ended_reason: null, version: 3 })
    const { body } = await seller.api.get<{ items: { id: string }[] }>('/seller/parts?q=DL3Z6')
    expect(body.items.map(({ id }) => id)).toEqual([last?.id])
    expect(await changesOf(app, last?.id ?? '')).toMatchObject([
      { changes: { ended_reason: [null, 'sold-elsewhere'] } },
      { changes: { ended_reason: ['sold-elsewhere', null] } },
    ])
  })

  test('what was changed since is left, and named', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(6))
    const done = await importRows(app, seller, [
      ...[1, 2, 3, 4, 5, 6].map((number) => partFields(number, { partprice: '10' })),
      ...[11, 12, 13].map((number) => partFields(number)),
    ])
    const [edited, ended, deleted, again, untouched, written, newEdited, newGone, newUntouched] =
      await listingsOf(app, seller)
    await seller.api.put(`/seller/parts/${edited?.id}`, { partprice: '11' })
    await seller.api.post(`/seller/parts/${ended?.id}/end`, { reason: 'sold-here' })
    await seller.api.delete(`/seller/parts/${deleted?.id}`)
    await importRows(app, seller, [partFields(4, { partprice: '12' })])
    await rewrite(written)
    await seller.api.put(`/seller/parts/${newEdited?.id}`, { partprice: '13' })
    await seller.api.delete(`/seller/parts/${newGone?.id}`)
    const before = await listingsOf(app, seller)

    const undone = await undo(seller, done)
    expect(undone).toMatchObject({ undone: 3, leftAsIs: 6, progress: { done: 9, total: 9 } })
    const after = await listingsOf(app, seller)
    const changed = after.filter((row, at) => row.version !== before[at]?.version).map(({ id }) => id)
    expect(changed).toEqual([untouched?.id, newUntouched?.id])
    expect(await listLeft(app.db, done.id, 100)).toMatchObject([
      {
        id: edited?.id,
        slug: edited?.slug,
        title: '2014 Ford Crown Victoria Alternator 1',
        reason: 'It was edited after the import.',
      },
      { id: ended?.id, reason: 'It was ended after the import.' },
      { id: deleted?.id, reason: 'It was deleted after the import.' },
      { id: again?.id, reason: 'A later import changed it.' },
      { id: written?.id, reason: 'It was edited after the import.' },
      { id: newEdited?.id, reason: 'It was edited after the import.' },
    ])
  })

  test('no listing gets the name of one make and the id of another, whatever became of its former one', async () => {
    const seller = await trusted()
    const admin = await app.signUp({ role: 'admin' })
    const makes = ['Zorp Lost', 'Zorp Joined', 'Zorp Heir']
    for (const [at, manuname] of makes.entries()) {
      const { body: make } = await admin.api.post<{ id: string }>('/manufacturer', { manuname })
      await admin.api.post('/carmodel', { carname: `M${at}`, manuId: make.id })
    }
    const first = await importRows(
      app,
      seller,
      makes.map((partmanu, at) => partFields(at, { stocknum: `Z-${at}`, partmanu, partmodel: `M${at}` })),
    )
    const second = await importRows(
      app,
      seller,
      makes.map((_, at) => partFields(at, { stocknum: `Z-${at}`, partprice: '7' })),
    )
    const [lost, joined, heir] = await Promise.all(
      makes.map((name) => lookupNamed(admin, 'manufacturer', name)),
    )
    const model = await lookupNamed(admin, 'car-model', 'M0')
    await admin.api.delete(`/admin/lookups/car-model/${model.id}`)
    expect((await admin.api.delete(`/admin/lookups/manufacturer/${lost?.id}`)).status).toBe(200)
    const { merge } = lookupDesk(() => admin)
    const worker = await startRelabeling(app)
    await untilStatus(app, await merge('manufacturer', joined ?? model, heir ?? model), 'completed')
    await worker.close()
    const ford = (await listingsOf(app, seller))[0]?.manufacturer_id

    await deadlockNextWrite()
    expect(await undo(seller, second)).toMatchObject({ undone: 2, leftAsIs: 1 })
    const after = await listingsOf(app, seller)
    expect(
      after.map((row) => [row.manufacturer_id, row.manufacturer_name, row.model_name, row.price_cents]),
    ).toEqual([
      [ford, 'Ford', 'Crown Victoria', 700],
      [heir?.id, 'Zorp Heir', 'M1', 9_550],
      [heir?.id, 'Zorp Heir', 'M2', 9_550],
    ])
    expect(await listLeft(app.db, second.id, 10)).toMatchObject([
      {
        id: after[0]?.id,
        reason: 'Its previous category, make or model was deleted after the import.',
      },
    ])
    // What the second import did to the one that is left still stands.
    expect(await undo(seller, first)).toMatchObject({ undone: 2, leftAsIs: 1 })
    expect(await listLeft(app.db, first.id, 10)).toMatchObject([{ reason: 'A later import changed it.' }])
  })

  longTest('several imports are undone one after the other, newest first', async () => {
    const seller = await trusted()
    const first = await importRows(app, seller, partsFields(6))
    const second = await importRows(app, seller, partsFields(5, { partprice: '2' }), { mode: 'replace' })
    const between = await contentOf(seller)
    const third = await importRows(app, seller, partsFields(6, { partprice: '3' }))
    expect(await undo(seller, third)).toMatchObject({ undone: 6, leftAsIs: 0 })
    expect(await contentOf(seller)).toEqual(between)
    expect(await undo(seller, second)).toMatchObject({ undone: 6, leftAsIs: 0 })
    const [edited] = await listingsOf(app, seller)
    await seller.api.put(`/seller/parts/${edited?.id}`, { partprice: '11' })
    expect(await undo(seller, first)).toMatchObject({ undone: 5, leftAsIs: 1 })
    expect((await contentOf(seller)).map(({ id }) => id)).toEqual([edited?.id])
    expect(await listLeft(app.db, first.id, 10)).toMatchObject([
      { reason: 'It was edited after the import.' },
    ])
  })

  test('the file is promoted again only with a newer plan', async () => {
    const seller = await trusted()
    const admin = await app.signUp({ role: 'admin' })
    const { promotionId, path } = await sendRows(app, seller, partsFields(2))
    await undo(seller, await untilState(app, promotionId, 'applied'))
    const promote = (planId?: string) =>
      admin.api.post<{ error: string; files: { planId: string }[] }>('/admin/automation/staging/promote', {
        root: 'ecomm',
        paths: [path],
        ...(planId && { planId }),
      })
    const refused = await promote()
    expect([refused.status, refused.body.error]).toEqual([
      409,
      `${path} was undone or withdrawn. To publish it again, make a new plan, review it, and promote that plan.`,
    ])
    expect(await contentOf(seller)).toEqual([])
    const { body } = await admin.api.post<{ planId: string }>('/admin/automation/staging/plan', {
      root: 'ecomm',
      path,
    })
    expect((await promote(body.planId)).status).toBe(202)
    const [again] = await app.db
      .selectFrom('promotion')
      .selectAll()
      .where('plan_id', '=', body.planId)
      .execute()
    expect(again?.id).not.toBe(promotionId)
    expect(await untilState(app, again?.id ?? '', 'applied')).toMatchObject({ created: 2 })
    expect(await contentOf(seller)).toHaveLength(2)
  })

  longTest('two simultaneous calls that promote an undone file are both refused', async () => {
    const seller = await trusted()
    const admin = await app.signUp({ role: 'admin' })
    const { promotionId, path } = await sendRows(app, seller, partsFields(2))
    await undo(seller, await untilState(app, promotionId, 'applied'))
    const promote = () =>
      admin.api.post('/admin/automation/staging/promote', { root: 'ecomm', paths: [path] })
    expect((await Promise.all([promote(), promote()])).map(({ status }) => status)).toEqual([409, 409])
    expect(await contentOf(seller)).toEqual([])
  })

  longTest('an undo requested halfway through removes what is live', async () => {
    const seller = await trusted()
    const { promotionId, importId } = await sendRows(app, seller, partsFields(4_000), { chunk: 1_000 })
    await untilState(app, promotionId, 'applying')
    await requestUndo(app.db, { importId, ...askedBy(seller) })
    const undone = await untilState(app, promotionId, 'undone')
    expect(undone.undone).toBe(undone.applied)
    expect(await contentOf(seller)).toEqual([])
    expect(await sourcesOf(app, seller)).toEqual([])
  })

  test('an undo requested while a page goes live waits for it without a deadlock', async () => {
    const seller = await trusted()
    const letGo = await holdCategory('Alternator')
    const { promotionId, importId } = await sendRows(app, seller, partsFields(3))
    await untilBlocked('copy "listing"%')
    const asked = requestUndo(app.db, { importId, ...askedBy(seller) })
    await untilBlocked('select from staging_file%')
    await Promise.all([asked, letGo()])
    expect(await untilState(app, promotionId, 'undone')).toMatchObject({ applied: 3, undone: 3 })
  })

  test('a second request has no effect; what is undone stays undone', async () => {
    const seller = await trusted()
    const done = await importRows(app, seller, partsFields(1))
    const asked = { importId: done.importId ?? '', ...askedBy(seller) }
    await Promise.all([requestUndo(app.db, asked), requestUndo(app.db, asked)])
    await untilState(app, done.id, 'undone')
    await expect(requestUndo(app.db, asked)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await promotionOf(app, done.id)).undone).toBe(1)
  })

  test(`after ${UNDO_DAYS} days nothing can be undone`, async () => {
    const seller = await trusted()
    const done = await importRows(app, seller, partsFields(1))
    const late = new Date(Date.now() + UNDO_DAYS * 86_400_000 + 60_000)
    const asked = { importId: done.importId ?? '', ...askedBy(seller), now: late }
    await expect(requestUndo(app.db, asked)).rejects.toThrow('can be undone for 30 days')
  })
})
