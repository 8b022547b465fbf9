import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { StagedReply } from '#contract/imports.ts'
import { chunksInTurn } from '#server/features/stock-files/receive/chunk.ts'
import { SEGMENT_FOLDER } from '#server/features/stock-files/store/segments.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import { csvOf, newKey, partRow, partRows, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { stagedRows } from '#tests/support/staged-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* System-wide limits; limits per seller are in `imports-sweep.test.ts`. */

const app = await startTestApp()
const { db } = app

const refusal = (answer: { status: number; body: ErrorReply; headers: Record<string, unknown> }) => ({
  status: answer.status,
  code: answer.body.code,
  waits: Number(answer.headers['retry-after']) > 0,
})
const busy = { status: 503, code: 'BUSY', waits: true }

describe('503 with a retry time', () => {
  test('when the chunk queue is full; nothing of the chunk is written, and it is accepted later', async () => {
    const seller = await proSeller(app)
    const opened = Promise.withResolvers<void>()
    const line = Array.from({ length: 68 }, () => chunksInTurn(() => opened.promise))
    const sent = { file: csvOf(partRows(2)), fields: { idempotencyKey: newKey() } }
    const answer = await sendCsv<ErrorReply>(seller.api, sent)
    expect(refusal(answer)).toEqual(busy)
    expect(answer.body.error).toContain('try again')
    expect(await ledgerOf(app, seller.user.sellerId)).toMatchObject({ imports: 0, chunks: 0 })
    opened.resolve()
    await Promise.all(line)
    expect((await sendCsv(seller.api, sent)).status).toBe(200)
  })

  test('when too many imports are unfinished across sellers; started imports and whole files are still accepted', async () => {
    const [seller, others] = [await proSeller(app), await proSeller(app)]
    const chunk = (idempotencyKey: string, chunkIndex: number, dryRun = false) =>
      sendCsv<ErrorReply>(seller.api, {
        file: csvOf([partRow(chunkIndex)]),
        fields: { idempotencyKey, chunkIndex, chunkCount: 2 },
        dryRun,
      })
    const begun = newKey()
    expect((await chunk(begun, 0)).status).toBe(200)
    await sql`
      insert into import (seller_id, dry_run, key, request_hash, mapping)
      select ${others.user.sellerId}, n % 2 = 0, 'k' || n, '\\x00', '{}' from generate_series(1, 2000) n`.execute(
      db,
    )
    const answer = await chunk(newKey(), 0)
    expect(refusal(answer)).toEqual(busy)
    expect(answer.body.error).toContain('Nothing was imported')
    expect(refusal(await chunk(newKey(), 0, true))).toEqual(busy)
    expect((await sendCsv(seller.api, { file: csvOf(partRows(1)) })).status).toBe(200)
    expect((await chunk(begun, 1)).status).toBe(200)
    await sql`delete from import where seller_id = ${others.user.sellerId}`.execute(db)
    expect((await chunk(newKey(), 0)).status).toBe(200)
  })
})

test('a full disk gets an error message, leaves nothing of the chunk, and the chunk is accepted once there is room', async ({
  skip,
}) => {
  const seller = await proSeller(app)
  // Only a folder fills a disk (`npm run chaos -- s3`).
  if (app.config.storage.kind !== 'fs') return skip()
  const { dir } = app.config.storage
  const run = promisify(execFile)
  await mkdir(dir, { recursive: true })
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'partharbor-test', dir]).then(
    () => true,
    () => false,
  )
  if (!mounted) skip('mounting a small disk needs root on Linux')
  try {
    await app.files.put('filler/most', new Uint8Array(1_040_000))
    const sent = { file: csvOf(partRows(400)), fields: { idempotencyKey: newKey() } }
    const answer = await sendCsv<ErrorReply>(seller.api, sent)
    expect([answer.status, answer.body.code]).toEqual([507, 'STORAGE_FULL'])
    expect(answer.body.error).toContain('nothing was saved')
    expect(await ledgerOf(app, seller.user.sellerId)).toMatchObject({ imports: 0, chunks: 0, segments: 0 })
    for await (const { key } of app.files.list(SEGMENT_FOLDER)) expect(key).toBe('none')
    await app.files.delete('filler/most')
    const { body } = await sendCsv<StagedReply>(seller.api, sent)
    expect(await stagedRows(app, body.importId)).toHaveLength(400)
  } finally {
    await run('umount', [dir])
  }
})
