import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { ImportRecord, StagedReply } from '#contract/imports.ts'
import { claimIdleChunk, keepClaim } from '#server/features/stock-files/receive/chunk-claims.ts'
import type { Answer } from '#tests/support/api-client.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import { csvOf, newKey, partRows, proSeller, type SentImport, sendCsv } from '#tests/support/make-imports.ts'
import { stagedRows } from '#tests/support/staged-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Which request works on a chunk when several compete, one dies or one sleeps. */

const app = await startTestApp()
const { db } = app

describe('concurrent requests', () => {
  test.each([1, 3])(
    'one chunk sent several times at once is imported once (chunk count %i)',
    async (chunkCount) => {
      const seller = await proSeller(app)
      const fields = { idempotencyKey: newKey(), chunkIndex: 0, chunkCount }
      const sent: SentImport = { file: csvOf(partRows(50)), fields }
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => sendCsv<ErrorReply>(seller.api, sent)),
      )
      const fresh = answers.filter(({ status, headers }) => status === 200 && !headers['idempotent-replayed'])
      expect(fresh.length).toBe(1)
      for (const answer of answers) {
        if (answer.status === 200) expect(answer.body).toEqual(fresh[0]?.body)
        else {
          expect([answer.status, answer.body.code]).toEqual([503, 'STILL_RUNNING'])
          expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
        }
      }
      expect((await sendCsv(seller.api, sent)).body).toEqual(fresh[0]?.body)
      const files = chunkCount === 1 ? 1 : 0
      expect(await ledgerOf(app, seller.user.sellerId)).toEqual({
        imports: 1,
        chunks: 1,
        segments: 1,
        files,
        promotions: files,
      })
    },
  )

  test('all chunks sent at once stage one file, in chunk order', async () => {
    const seller = await proSeller(app)
    const idempotencyKey = newKey()
    const send = async (chunkIndex: number): Promise<Answer<unknown>> => {
      const fields = { idempotencyKey, chunkIndex, chunkCount: 8 }
      const answer = await sendCsv(seller.api, { file: csvOf(partRows(5, 1 + 5 * chunkIndex)), fields })
      return answer.status === 503 ? send(chunkIndex) : answer
    }
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => send(index)))
    const staged = answers.filter((answer): answer is Answer<StagedReply> =>
      Object.hasOwn(answer.body as object, 'files'),
    )
    expect(staged.length).toBe(1)
    expect(await stagedRows(app, staged[0]?.body.importId ?? '')).toEqual(partRows(40))
    expect(await ledgerOf(app, seller.user.sellerId)).toMatchObject({
      imports: 1,
      chunks: 8,
      files: 1,
      promotions: 1,
    })
  })
})

describe('a process that dies or sleeps', () => {
  const claimed = async (seller: SignedIn, silentSeconds: number) => {
    const fields = { idempotencyKey: newKey(), chunkIndex: 0, chunkCount: 1 }
    const sent: SentImport = { file: csvOf(partRows(4)), fields }
    // As kill -9 in the middle of a chunk leaves it: claimed, not done.
    await sendCsv(seller.api, { ...sent, fields: { ...fields, chunkCount: 1 } })
    const { sellerId } = seller.user
    await sql`delete from promotion where seller_id = ${sellerId}`.execute(db)
    await sql`
      update import set state = 'receiving', received = 0, total = 0, rejected = 0, bytes = 0, staging_file_id = null
      where seller_id = ${sellerId}`.execute(db)
    await sql`delete from staging_file where seller_id = ${sellerId}`.execute(db)
    await sql`delete from import_segment using import where import_id = id and seller_id = ${sellerId}`.execute(
      db,
    )
    await sql`
      update import_chunk
      set done_at = null, reply = null, claimed_at = now() - make_interval(secs => ${silentSeconds})
      from import where import_id = id and seller_id = ${sellerId}`.execute(db)
    return sent
  }

  test('a chunk without a recent heartbeat is taken over, whatever its content', async () => {
    for (const other of [false, true]) {
      const seller = await proSeller(app)
      const sent = await claimed(seller, 11)
      const answer = await sendCsv<StagedReply>(
        seller.api,
        other ? { ...sent, file: csvOf(partRows(5)) } : sent,
      )
      expect([answer.status, answer.body.total]).toEqual([200, other ? 5 : 4])
      expect(await stagedRows(app, answer.body.importId)).toEqual(partRows(other ? 5 : 4))
      expect(await ledgerOf(app, seller.user.sellerId)).toMatchObject({
        imports: 1,
        chunks: 1,
        segments: 1,
        files: 1,
      })
    }
  })

  test('a chunk with a recent heartbeat is not taken over', async () => {
    const seller = await proSeller(app)
    const answer = await sendCsv<ErrorReply>(seller.api, await claimed(seller, 5))
    expect([answer.status, answer.body.code]).toEqual([503, 'STILL_RUNNING'])
  })

  test('a chunk whose file is never read to its end gives its claim back', async () => {
    const seller = await proSeller(app)
    const fields = { idempotencyKey: newKey(), chunkIndex: 0, chunkCount: 2 }
    await sendCsv(seller.api, { file: csvOf(partRows(1)), fields })
    const { id: importId } = await db
      .selectFrom('import')
      .select('id')
      .where('seller_id', '=', seller.user.sellerId)
      .executeTakeFirstOrThrow()
    const contentSha256 = '0'.repeat(64)
    const claim = await claimIdleChunk(db, { importId, chunkIndex: 1, contentSha256 })
    if (!claim) throw new Error('the chunk is idle')
    const reading = keepClaim(db, claim, () => new Promise(() => undefined), 50)
    await expect(reading).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: { file: expect.stringContaining('stalled') },
    })
    // What only takes long is not given up.
    const slow = keepClaim(
      db,
      claim,
      async (life) => {
        for (let row = 1; row <= 30; row += 1) {
          await sleep(20)
          life.rows(row)
        }
        life.allRead()
        await sleep(700)
        return 'read'
      },
      500,
    )
    expect(await slow).toBe('read')
  })

  test('a process that slept through a takeover writes nothing', async () => {
    const seller = await proSeller(app)
    const { sellerId } = seller.user
    const fields = { idempotencyKey: newKey(), chunkIndex: 0, chunkCount: 2 }
    await sendCsv(seller.api, { file: csvOf(partRows(1)), fields })
    const before = await ledgerOf(app, sellerId)
    const next = { ...fields, chunkIndex: 1 }
    let answer: Promise<Answer<ErrorReply>> | undefined
    // The chunk cannot finish while this transaction holds the import; in the meantime its claim goes to another process.
    await db.transaction().execute(async (trx) => {
      await sql`select from import where seller_id = ${sellerId} for no key update`.execute(trx)
      answer = sendCsv<ErrorReply>(seller.api, { file: csvOf(partRows(2)), fields: next })
      for (let moved = 0n; moved === 0n; ) {
        const { numAffectedRows } = await sql`
          update import_chunk set claim = uuidv7(), claimed_at = now() + interval '1 minute'
          from import where import_id = id and seller_id = ${sellerId} and chunk_index = 1`.execute(db)
        moved = numAffectedRows ?? 0n
      }
    })
    expect(await answer).toMatchObject({ status: 503, body: { code: 'STILL_RUNNING' } })
    expect(await ledgerOf(app, sellerId)).toEqual({ ...before, chunks: before.chunks + 1 })
    const { items } = (await seller.api.get<{ items: ImportRecord[] }>('/pro/imports')).body
    expect(items[0]).toMatchObject({ state: 'receiving', received: 1, missingChunks: [1] })
  })
})

test('a process that works for long keeps its heartbeat fresh, so its chunk is not taken over', async () => {
  const seller = await proSeller(app)
  const { sellerId } = seller.user
  const fields = { idempotencyKey: newKey(), chunkIndex: 0, chunkCount: 2 }
  await sendCsv(seller.api, { file: csvOf(partRows(1)), fields })
  let answer: Promise<Answer<unknown>> | undefined
  await db.transaction().execute(async (trx) => {
    await sql`select from import where seller_id = ${sellerId} for no key update`.execute(trx)
    answer = sendCsv(seller.api, { file: csvOf(partRows(2)), fields: { ...fields, chunkIndex: 1 } })
    const chunk = sql`import_id in (select id from import where seller_id = ${sellerId}) and chunk_index = 1`
    await vi.waitFor(async () => {
      const { numAffectedRows } = await sql`
        update import_chunk set claimed_at = now() - interval '9 seconds' where ${chunk}`.execute(db)
      expect(numAffectedRows).toBe(1n)
    }, 10_000)
    await vi.waitFor(
      async () => {
        const { rows } = await sql<{ silent: number }>`
          select extract(epoch from now() - claimed_at)::float as silent from import_chunk where ${chunk}`.execute(
          db,
        )
        expect(rows[0]?.silent).toBeLessThan(5)
      },
      { timeout: 8_000, interval: 100 },
    )
  })
  expect((await answer)?.status).toBe(200)
})
