import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { DryRunReply } from '#contract/imports.ts'
import type { Answer } from '#tests/support/api-client.ts'
import { atLength } from '#tests/support/at-length.ts'
import { badRow, csvOf, newKey, partRow, partRows, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { importRows, startPromotionWorker } from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What a dry run says of a file that comes in chunks. */

const app = await startTestApp()
const { db } = app
await startPromotionWorker(app)

type Chunked = { chunks: readonly string[][][]; key?: string }

/** Sends chunks as the wizard does: five at a time, and again what found the chunk being worked on. */
async function check(seller: SignedIn, { chunks, key = newKey() }: Chunked): Promise<Answer<DryRunReply>[]> {
  const send = async (chunkIndex: number): Promise<Answer<DryRunReply>> => {
    const fields = { idempotencyKey: key, chunkIndex, chunkCount: chunks.length }
    const sent = { file: csvOf(chunks[chunkIndex] ?? []), fields, dryRun: true }
    const answer = await sendCsv<DryRunReply>(seller.api, sent)
    return answer.status === 503 ? send(chunkIndex) : answer
  }
  const answers: Answer<DryRunReply>[] = []
  const waiting = chunks.map((_, index) => index)
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        answers[index] = await send(index)
      }
    }),
  )
  return answers
}

const wholesIn = (answers: readonly Answer<DryRunReply>[]) =>
  answers.flatMap(({ body }) => body.preview.whole ?? [])

const inChunks = (rows: string[][], size: number): string[][][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size))

const rowsKept = async (seller: SignedIn) => {
  const { rows } = await sql<{ chunks: number; bytes: number }>`
    select count(c.row_pairs)::int as chunks, coalesce(sum(octet_length(c.row_pairs)), 0)::int as bytes
    from import i join import_chunk c on c.import_id = i.id where i.seller_id = ${seller.user.sellerId}
  `.execute(db)
  return rows[0]
}

describe('the whole of a file in chunks', () => {
  test('is what the file in one call says, though rows are alike across chunks, and the last chunk answers it', async () => {
    const seller = await proSeller(app, { trusted: true })
    const stock = (number: number) => ({
      stocknum: `S-${number}`,
      partname: `Alternator ${number}`,
      partcategory: 'Alternator',
      partmanu: 'Ford',
      partmodel: 'F-150',
      partyear: '2014',
      partprice: `${50 + (number % 50)}.50`,
    })
    await importRows(app, seller, [stock(1), stock(2), stock(3)])
    // The last chunks have the first ones' rows once more: each alone would call them new.
    const rows = [
      ...partRows(40),
      badRow(41),
      partRow(3, { Price: '9' }),
      ...partRows(20, 30),
      ...partRows(4),
    ]
    const alone = await sendCsv<DryRunReply>(seller.api, { file: csvOf(rows), dryRun: true })
    // The repeat with another price is left out: its first row counts.
    expect(alone.body.preview.whole).toEqual({ create: 46, update: 3, unchanged: 0, merged: 15, refused: 1 })
    for (const size of atLength({ full: [7, 33], brief: [15] })) {
      const answers = await check(seller, { chunks: inChunks(rows, size) })
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(wholesIn(answers)).toEqual([alone.body.preview.whole])
    }
    expect(await rowsKept(seller)).toEqual({ chunks: 0, bytes: 0 })
  })

  test('is returned again when the chunks are sent again', async () => {
    const seller = await proSeller(app)
    const sent = { chunks: inChunks(partRows(12), 4), key: newKey() }
    const first = await check(seller, sent)
    const again = await check(seller, sent)
    expect(again.map(({ headers }) => headers['idempotent-replayed'])).toEqual(['true', 'true', 'true'])
    expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body))
  })

  test('needs less than 90 bytes per row until it is reported', async () => {
    const seller = await proSeller(app)
    const fields = { idempotencyKey: newKey(), chunkIndex: 1, chunkCount: 3 }
    await sendCsv(seller.api, { file: csvOf([...partRows(10), badRow(11)]), fields, dryRun: true })
    const { chunks, bytes } = (await rowsKept(seller)) ?? {}
    expect(chunks).toBe(1)
    expect(bytes).toBeGreaterThan(700)
    // The bad row's part is not missing from the file.
    expect(bytes).toBeLessThan(990)
  })

  test('is reported once when the last chunks arrive at the same time', async () => {
    const seller = await proSeller(app)
    for (let round = 0; round < atLength({ full: 5, brief: 2 }); round++) {
      const answers = await check(seller, { chunks: inChunks(partRows(5), 1) })
      expect(wholesIn(answers)).toEqual([{ create: 5, update: 0, unchanged: 0, merged: 0, refused: 0 }])
    }
  })
})

test('the newest 20 unfinished dry runs are kept, and checking is always possible', async () => {
  const seller = await proSeller(app)
  const keys = Array.from({ length: 23 }, () => newKey())
  const [first, ...others] = keys
  const add = async (idempotencyKey: string | undefined) => {
    const fields = { idempotencyKey, chunkIndex: 0, chunkCount: 2 }
    const { status } = await sendCsv(seller.api, { file: csvOf(partRows(1)), fields, dryRun: true })
    expect(status).toBe(200)
  }
  await add(first)
  // As if they had been sent like the first.
  await sql`
    insert into import
    select (jsonb_populate_record(i, jsonb_build_object('id', uuidv7(), 'key', made.key))).*
    from import i, unnest(${others.slice(0, -3)}::text[]) with ordinality as made (key, at)
    where i.key = ${first} order by made.at`.execute(db)
  for (const key of others.slice(-3)) await add(key)
  const { rows } = await sql<{ key: string }>`
    select key from import where seller_id = ${seller.user.sellerId} order by id`.execute(db)
  expect(rows.map(({ key }) => key)).toEqual(keys.slice(3))
})
