import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { DryRunReply, ImportRecord, StagedReply } from '#contract/imports.ts'
import type { Answer, ApiClient } from '#tests/support/api-client.ts'
import {
  badRow,
  csvOf,
  newKey,
  partMapping,
  partRow,
  partRows,
  proSeller,
  type SentImport,
  sendCsv,
} from '#tests/support/make-imports.ts'
import { stagedRows } from '#tests/support/staged-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db } = app

let pro: SignedIn
beforeAll(async () => {
  pro = await proSeller(app)
})

type ChunkReply = { ok: true; received: number; chunkCount: number; importId: string }

/** Everything the database knows of a seller's imports. */
async function ledgerOf(sellerId: string) {
  const count = async (table: 'import_chunk' | 'import_segment') =>
    (
      await db
        .selectFrom(table)
        .innerJoin('import', 'import.id', `${table}.import_id`)
        .where('seller_id', '=', sellerId)
        .select('import_id')
        .execute()
    ).length
  const inTable = async (table: 'import' | 'staging_file' | 'promotion') =>
    (await db.selectFrom(table).where('seller_id', '=', sellerId).select('id').execute()).length
  return {
    imports: await inTable('import'),
    chunks: await count('import_chunk'),
    segments: await count('import_segment'),
    files: await inTable('staging_file'),
    promotions: await inTable('promotion'),
  }
}

const readImport = async (api: ApiClient, id: string) =>
  (await api.get<ImportRecord>(`/pro/imports/${id}`)).body

describe('a whole file', () => {
  test('is staged with its good rows, the bad ones apart, and its promotion begun', async () => {
    const rows = [partRow(1), badRow(2), partRow(3)]
    const staging = { sellerSlug: 'Whitfield Auto', datasetHint: 'Nightly Stock', timestamp: '2026-01-31' }
    const answer = await sendCsv<StagedReply>(pro.api, {
      file: csvOf(rows),
      fields: { staging, idempotencyKey: newKey() },
    })
    expect(answer.status).toBe(200)
    const { importId, files } = answer.body
    expect(answer.body).toMatchObject({ ok: true, total: 3, rejected: 1, stagingRef: `ecomm:${files.json}` })
    expect(files.json).toMatch(/^\/whitfield-auto\/2026-01-31\/nightly-stock-[0-9a-f]{8}\.json$/)
    expect(files.csv).toBe(files.json.replace('.json', '.csv'))
    expect(files.rejected).toBe(`/api/pro/imports/${importId}/rejected.csv`)
    expect(answer.body.missionControlUrl).toBe(
      `/dashboard/admin/mission-control?view=preprocess&root=ecomm&path=${encodeURIComponent(files.json)}`,
    )
    expect(await stagedRows(app, importId)).toEqual([partRow(1), partRow(3)])
    const record = await readImport(pro.api, importId)
    expect(record).toMatchObject({
      state: 'planning',
      mode: 'add',
      fileName: 'parts.csv',
      chunkCount: 1,
      received: 1,
      missingChunks: [],
      total: 3,
      rejected: 1,
      files,
      canUndo: false,
    })
    const rejected = await pro.api.get(`/pro/imports/${importId}/rejected.csv`)
    expect(rejected.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(rejected.bytes.toString()).toMatch(/^\ufeffrow,errors,Stock,Title,.*\r\n3,.*call us.*\r\n$/)
  })

  test('in the folder of its seller and the hint ecomm where nothing else is asked for', async () => {
    const { body } = await sendCsv<StagedReply>(pro.api, { file: csvOf(partRows(1)) })
    const today = new Date().toISOString().slice(0, 10)
    expect(body.files.json).toMatch(new RegExp(`^/${pro.user.sellerSlug}/${today}/ecomm-[0-9a-f]{8}\\.json$`))
    expect(body.files.rejected).toBeUndefined()
  })

  test('of nothing but bad rows is staged empty, and its rows can be fetched', async () => {
    const { status, body } = await sendCsv<StagedReply>(pro.api, { file: csvOf([badRow(1), badRow(2)]) })
    expect([status, body.total, body.rejected]).toEqual([200, 2, 2])
    expect(await stagedRows(app, body.importId)).toEqual([])
  })
})

describe('sent again', () => {
  test('A2 the stored answer comes again, and nothing is written', async () => {
    const seller = await proSeller(app)
    const sent: SentImport = { file: csvOf(partRows(3)), fields: { idempotencyKey: newKey() } }
    const first = await sendCsv(seller.api, sent)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    const before = await ledgerOf(seller.user.sellerId)
    const again = await sendCsv(seller.api, sent)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect(again.body).toEqual(first.body)
    expect(await ledgerOf(seller.user.sellerId)).toEqual(before)
    expect(before).toEqual({ imports: 1, chunks: 1, segments: 1, files: 1, promotions: 1 })
  })

  test('A2 a dry run too; its key is apart from the run’s', async () => {
    const sent: SentImport = { file: csvOf([partRow(1), badRow(2)]), fields: { idempotencyKey: newKey() } }
    const dry = await sendCsv<DryRunReply>(pro.api, { ...sent, dryRun: true })
    const again = await sendCsv(pro.api, { ...sent, dryRun: true })
    expect(again.body).toEqual(dry.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    const run = await sendCsv<StagedReply>(pro.api, sent)
    expect([run.status, run.headers['idempotent-replayed'], run.body.total]).toEqual([200, undefined, 2])
  })

  test('A4 other content, mapping, defaults, mode or place under the key is refused, and nothing is written', async () => {
    const seller = await proSeller(app)
    const idempotencyKey = newKey()
    const file = csvOf(partRows(2))
    const sent: SentImport = { file, fields: { idempotencyKey } }
    await sendCsv(seller.api, sent)
    const before = await ledgerOf(seller.user.sellerId)
    const others: SentImport[] = [
      { file: csvOf(partRows(3)), fields: { idempotencyKey } },
      { file, fields: { idempotencyKey, mapping: { ...partMapping, partnum: 'Bin' } } },
      { file, fields: { idempotencyKey, defaults: { partgrade: 'A' } } },
      { file, fields: { idempotencyKey, mode: 'replace' } },
      { file, fields: { idempotencyKey, staging: { datasetHint: 'other' } } },
    ]
    for (const other of others) {
      const answer = await sendCsv<ErrorReply>(seller.api, other)
      expect([answer.status, answer.body.code]).toEqual([422, 'KEY_REUSED'])
      expect(answer.body.error).toContain('belongs to another file')
    }
    expect(await ledgerOf(seller.user.sellerId)).toEqual(before)
  })

  test('S13 two sellers with one key have an import each', async () => {
    const [one, two] = [await proSeller(app), await proSeller(app)]
    const fields = { idempotencyKey: 'nightly' }
    const first = await sendCsv<StagedReply>(one.api, { file: csvOf(partRows(1)), fields })
    const second = await sendCsv<StagedReply>(two.api, { file: csvOf(partRows(2)), fields })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body.importId).not.toBe(second.body.importId)
  })

  test('what was refused as a whole leaves nothing, so that the corrected file may have its key', async () => {
    const seller = await proSeller(app)
    const fields = { idempotencyKey: newKey() }
    const wrong = await sendCsv<ErrorReply>(seller.api, { file: 'Name,Price\r\nDoor,5\r\n', fields })
    expect([wrong.status, wrong.body.fields]).toEqual([422, { file: expect.stringContaining('“Stock”') }])
    expect(await ledgerOf(seller.user.sellerId)).toMatchObject({ imports: 0, chunks: 0 })
    expect((await sendCsv(seller.api, { file: csvOf(partRows(1)), fields })).status).toBe(200)
  })
})

describe('at the same time', () => {
  test.each([1, 3])(
    'A3, A5 one chunk sent %i times and more in parallel is taken in once',
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
      expect(await ledgerOf(seller.user.sellerId)).toEqual({
        imports: 1,
        chunks: 1,
        segments: 1,
        files,
        promotions: files,
      })
    },
  )

  test('A6 all chunks at once stage one file, in the order of the chunks', async () => {
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
    expect(await ledgerOf(seller.user.sellerId)).toMatchObject({
      imports: 1,
      chunks: 8,
      files: 1,
      promotions: 1,
    })
  })
})

describe('a chunk that is missing', () => {
  test('A6 is named, nothing is staged without it, and it can come later', async () => {
    const seller = await proSeller(app)
    const idempotencyKey = newKey()
    const send = (chunkIndex: number) =>
      sendCsv<ChunkReply>(seller.api, {
        file: csvOf(partRows(2, 1 + 2 * chunkIndex)),
        fields: { idempotencyKey, chunkIndex, chunkCount: 4 },
      })
    const first = await send(3)
    const { importId } = first.body
    expect(first.body).toEqual({ ok: true, warnings: [], received: 1, chunkCount: 4, importId })
    expect((await send(0)).body.received).toBe(2)
    expect(await readImport(seller.api, importId)).toMatchObject({
      state: 'receiving',
      received: 2,
      missingChunks: [1, 2],
      total: 4,
      files: null,
      plan: null,
    })
    const list = await seller.api.get<{ items: ImportRecord[] }>('/pro/imports')
    expect(list.body.items).toEqual([await readImport(seller.api, importId)])
    const receipt = await seller.api.get<ErrorReply>(`/pro/imports/${importId}/receipt`)
    expect([receipt.status, receipt.body.code]).toEqual([409, 'CONFLICT'])
    await send(2)
    expect(await send(1)).toMatchObject({ status: 200, body: { total: 8, rejected: 0, importId } })
    expect(await stagedRows(app, importId)).toEqual(partRows(8))
  })

  test('A6 of very many only the first are listed', async () => {
    const seller = await proSeller(app)
    const { body } = await sendCsv<ChunkReply>(seller.api, {
      file: csvOf(partRows(1)),
      fields: { idempotencyKey: newKey(), chunkIndex: 1, chunkCount: 100_000 },
    })
    const { missingChunks } = await readImport(seller.api, body.importId)
    expect(missingChunks).toEqual([0, ...Array.from({ length: 19 }, (_, index) => index + 2)])
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

  test('A1 a chunk that went silent is taken over, whatever content it had', async () => {
    for (const other of [false, true]) {
      const seller = await proSeller(app)
      const sent = await claimed(seller, 11)
      const answer = await sendCsv<StagedReply>(
        seller.api,
        other ? { ...sent, file: csvOf(partRows(5)) } : sent,
      )
      expect([answer.status, answer.body.total]).toEqual([200, other ? 5 : 4])
      expect(await stagedRows(app, answer.body.importId)).toEqual(partRows(other ? 5 : 4))
      expect(await ledgerOf(seller.user.sellerId)).toMatchObject({
        imports: 1,
        chunks: 1,
        segments: 1,
        files: 1,
      })
    }
  })

  test('A1 one that showed life a moment ago is not', async () => {
    const seller = await proSeller(app)
    const answer = await sendCsv<ErrorReply>(seller.api, await claimed(seller, 5))
    expect([answer.status, answer.body.code]).toEqual([503, 'STILL_RUNNING'])
  })

  test('A1 whoever slept through a takeover writes nothing', async () => {
    const seller = await proSeller(app)
    const { sellerId } = seller.user
    const fields = { idempotencyKey: newKey(), chunkIndex: 0, chunkCount: 2 }
    await sendCsv(seller.api, { file: csvOf(partRows(1)), fields })
    const before = await ledgerOf(sellerId)
    const next = { ...fields, chunkIndex: 1 }
    let answer: Promise<Answer<ErrorReply>> | undefined
    // The chunk cannot be finished while this transaction holds the import; meanwhile its claim goes to another.
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
    expect(await ledgerOf(sellerId)).toEqual({ ...before, chunks: before.chunks + 1 })
    const { items } = (await seller.api.get<{ items: ImportRecord[] }>('/pro/imports')).body
    expect(items[0]).toMatchObject({ state: 'receiving', received: 1, missingChunks: [1] })
  })
})

test('A9 whoever works for long shows life, so that nobody takes the chunk over', async () => {
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
    })
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

describe('A7 numbers of chunks', () => {
  test.each([
    [{ chunkIndex: '0' }, 'chunkCount'],
    [{ chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '-1', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '2', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '1000000000', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: 'NaN', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '1.5', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '0x1', chunkCount: '2' }, 'chunkIndex'],
    [{ chunkIndex: '0', chunkCount: '0' }, 'chunkCount'],
    [{ chunkIndex: '0', chunkCount: '100001' }, 'chunkCount'],
    [{ chunkIndex: '0', chunkCount: '1e9' }, 'chunkCount'],
    [{ chunkIndex: '0', chunkCount: '99999999999999999999' }, 'chunkCount'],
  ])('%j is refused with the field %s', async (fields, field) => {
    const sent = { file: csvOf(partRows(1)), fields: { idempotencyKey: newKey(), ...fields } }
    const answer = await sendCsv<ErrorReply>(pro.api, sent)
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, [field]])
  })

  test('the count does not change between chunks', async () => {
    const idempotencyKey = newKey()
    const send = (chunkIndex: number, chunkCount: number) =>
      sendCsv<ErrorReply>(pro.api, {
        file: csvOf(partRows(1)),
        fields: { idempotencyKey, chunkIndex, chunkCount },
      })
    await send(0, 3)
    const answer = await send(1, 4)
    expect([answer.status, answer.body.code]).toEqual([422, 'KEY_REUSED'])
    expect(answer.body.fields).toHaveProperty('chunkCount')
  })

  test('chunks without a key could never be joined', async () => {
    const sent = { file: csvOf(partRows(1)), fields: { chunkIndex: 0, chunkCount: 2 } }
    const answer = await sendCsv<ErrorReply>(pro.api, sent)
    expect([answer.status, answer.body.fields]).toEqual([422, { idempotencyKey: expect.any(String) }])
    expect((await sendCsv(pro.api, { ...sent, dryRun: true })).status).toBe(200)
  })
})

test('S13 another seller’s import does not exist; administrators may read it', async () => {
  const { body } = await sendCsv<StagedReply>(pro.api, { file: csvOf([partRow(1), badRow(2)]) })
  const at = `/pro/imports/${body.importId}`
  const other = await proSeller(app)
  const admin = await app.signUp({ role: 'admin' })
  const reading = ['', '/rejected.csv', '/receipt'] as const
  for (const path of reading) expect((await other.api.get(`${at}${path}`)).status).toBe(404)
  for (const path of ['/undo', '/confirm']) {
    expect((await other.api.post(`${at}${path}`, {})).status).toBe(404)
    expect((await admin.api.post(`${at}${path}`, {})).status).toBe(404)
  }
  const asAdmin = await Promise.all(reading.map((path) => admin.api.get(`${at}${path}`)))
  expect(asAdmin.map(({ status }) => status)).toEqual([200, 200, 409])
  expect((await other.api.get<{ items: unknown[] }>('/pro/imports')).body.items).toEqual([])
})
