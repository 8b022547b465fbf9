import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { identityOf } from '#server/features/stock-files/identity/row-identity.ts'
import { countExpectedChanges } from '#server/features/stock-files/plan/expected-changes.ts'
import { startPromotion } from '#server/features/stock-files/plan/promote.ts'
import { segmentKey } from '#server/features/stock-files/store/segments.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { settleJob } from '#server/platform/jobs/outcomes.ts'
import { untilStatus } from '#tests/support/job-bench.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import {
  importRows,
  listingsOf,
  partFields,
  partsFields,
  promotionOf,
  sendRows,
  startPromotionWorker,
  untilState,
} from '#tests/support/promotions.ts'
import { stageFile } from '#tests/support/stage-file.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db } = app
await startPromotionWorker(app)
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })

async function planJobOf(promotionId: string): Promise<string> {
  const { plan_job_id: id } = await db
    .selectFrom('promotion')
    .select('plan_job_id')
    .where('id', '=', promotionId)
    .executeTakeFirstOrThrow()
  return id ?? ''
}

const actionsOf = (promotionId: string) =>
  db
    .selectFrom('promotion_action')
    .select(['row_no', 'action', 'ordinal', 'copies'])
    .where('promotion_id', '=', promotionId)
    .orderBy('row_no')
    .execute()

describe('a plan', () => {
  test('that is interrupted is made again with the same result', async () => {
    const seller = await proSeller(app)
    const rows = [...partsFields(5_000), ...partsFields(1_000)]
    const calm = await sendRows(app, seller, rows, { chunk: 500 })
    await untilState(app, calm.promotionId, 'planned')
    const { promotionId } = await sendRows(app, seller, rows, { chunk: 500 })
    const jobId = await planJobOf(promotionId)
    await untilStatus(app.database, jobId, 'running')
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('job').select('id').where('id', '=', jobId).forUpdate().execute()
      await settleJob(trx, jobId, { to: 'queued', reason: 'worker lost', counts: 'lost' })
    })
    const { plan } = await untilState(app, promotionId, 'planned')
    expect(plan).toEqual((await promotionOf(app, calm.promotionId)).plan)
    expect(plan).toMatchObject({ create: 5_000, merged: 1_000 })
    expect(await actionsOf(promotionId)).toEqual(await actionsOf(calm.promotionId))
  })

  test('that is canceled leaves nothing behind', async () => {
    const seller = await proSeller(app)
    const { promotionId } = await sendRows(app, seller, partsFields(6_000), { chunk: 300 })
    const jobId = await planJobOf(promotionId)
    await untilStatus(app.database, jobId, 'running')
    await requestCancel(db, jobId)
    await untilStatus(app.database, jobId, 'cancelled', 2_000)
    expect(await promotionOf(app, promotionId)).toMatchObject({ state: 'planning', plan: null })
    expect(await actionsOf(promotionId)).toEqual([])
  })

  test('whose rows are lost fails with a sentence and can be restarted', async () => {
    const seller = await trusted()
    const staged = await stageFile(app, { sellerId: seller.user.sellerId, rows: partsFields(1) })
    const key = segmentKey(staged.segments[0]?.sha256 ?? '')
    const bytes = await buffer((await app.files.get(key)) ?? Readable.from([]))
    await app.files.delete(key)
    const start = () =>
      db.transaction().execute(async (trx) => {
        const started = await startPromotion(trx, {
          fileId: staged.fileId,
          version: 1,
          sellerId: seller.user.sellerId,
          mode: 'add',
          dataset: 'marketplace:ecomm_autoparts',
        })
        await trx.updateTable('job').set({ max_attempts: 1 }).where('id', '=', started.jobId).execute()
        return started.promotionId
      })
    const lost = await start()
    const failed = await untilState(app, lost, 'failed')
    expect(failed.error).toContain(await planJobOf(lost))
    expect(failed.error).not.toContain('file store')
    await app.files.put(key, bytes)
    const again = await start()
    expect(again).not.toBe(lost)
    expect(await untilState(app, again, 'applied')).toMatchObject({ created: 1 })
  })
})

describe('what a dry run expects', () => {
  const expected = async (seller: SignedIn, rows: readonly Fields[]) => {
    const batch = rows.map((fields, at) => ({
      rowNo: at + 1,
      ...identityOf(fields),
      stock: typeof fields.stocknum === 'string' ? fields.stocknum : undefined,
      listing: undefined,
    }))
    const batches = (async function* () {
      yield batch
    })()
    const { signal } = new AbortController()
    const { sellerId } = seller.user
    const { changes } = await countExpectedChanges(db, {
      sellerId,
      mode: 'add',
      hasIds: false,
      batches,
      signal,
    })
    return changes
  }

  test('is what the plan then says', async () => {
    const seller = await trusted()
    await importRows(app, seller, [...partsFields(6), partFields(1, { partprice: '2' }), partFields(2)])
    await seller.api.delete(`/seller/parts/${(await listingsOf(app, seller))[5]?.id}`)
    const rows = [
      partFields(1, { partprice: '2' }),
      partFields(1, { partprice: '3' }),
      partFields(1, { partprice: '4' }),
      partFields(2),
      partFields(3, { partprice: '5' }),
      partFields(4),
      partFields(4),
      partFields(5),
      partFields(6),
      partFields(7),
    ]
    const counts = await expected(seller, rows)
    const { plan } = await importRows(app, seller, rows)
    expect(plan).toMatchObject(counts)
    expect(counts).toEqual({ create: 3, update: 4, unchanged: 2, merged: 1, refused: 0 })
    expect(await expected(seller, [])).toEqual({ create: 0, update: 0, unchanged: 0, merged: 0, refused: 0 })
  })

  test('a part that a person ended is as unchanged as in the plan', async () => {
    const seller = await trusted()
    await importRows(app, seller, partsFields(2))
    const [sold] = await listingsOf(app, seller)
    await seller.api.post(`/seller/parts/${sold?.id}/end`, { reason: 'sold-here' })
    const counts = await expected(seller, partsFields(2))
    const { plan } = await importRows(app, seller, partsFields(2))
    expect(plan).toMatchObject({ create: 0, update: 0, unchanged: 2 })
    expect(counts).toEqual({ create: 0, update: 0, unchanged: 2, merged: 0, refused: 0 })
  })
})

describe('addresses', () => {
  test('where many listings have the same words they end in more of the id', async () => {
    const seller = await trusted()
    // As if all short ends were equal: what a million parts of one name come to.
    await sql`
      create function equal_ends() returns trigger language plpgsql as $$
      begin
        new.slug := regexp_replace(new.slug, '-[0-9a-f]{6}$', '-000000');
        return new;
      end $$`.execute(db)
    await sql`create trigger equal_ends before insert on listing for each row execute function equal_ends()`.execute(
      db,
    )
    const done = await importRows(app, seller, [
      partFields(1, { partname: 'Same words' }),
      partFields(2, { partname: 'Same words' }),
    ])
    await sql`drop trigger equal_ends on listing`.execute(db)
    expect(done.created).toBe(2)
    for (const { slug } of await listingsOf(app, seller)) {
      expect(slug).toMatch(/^2014-ford-crown-victoria-same-words-[0-9a-f]{12}$/)
    }
  })
})
