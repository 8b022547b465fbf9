import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { DryRunReply, StagedReply } from '#contract/imports.ts'
import { newKey, proSeller } from '#tests/support/make-imports.ts'
import { stagedRecords } from '#tests/support/staged-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { api } = await proSeller(app)

const part = {
  partname: 'Alternator',
  partcategory: 'Alternator',
  partmanu: 'Ford',
  partmodel: 'F-150',
  partyear: 2014,
  partprice: 95.5,
  miles: 84_000,
  partgrade: null,
  bin: 'R7',
}

describe('one part as JSON', () => {
  test('is imported like a file with one row', async () => {
    const staging = { datasetHint: 'single', date: '2026-02-03' }
    const { status, body } = await api.post<StagedReply>('/pro/bulk/parts', { ...part, staging })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, total: 1, rejected: 0 })
    expect(body.files.json).toMatch(/\/2026-02-03\/single-[0-9a-f]{8}\.json$/)
    const [record] = await stagedRecords(app, body.importId)
    expect(record?.fields).toEqual({
      partname: 'Alternator',
      partcategory: 'Alternator',
      partmanu: 'Ford',
      partmodel: 'F-150',
      partyear: '2014',
      partprice: '95.5',
      partmiles: '84000',
      // By ARA's rule of miles and years.
      partgrade: 'A',
    })
    // An unknown field stays with the row.
    expect(record?.original).toContain('R7')
  })

  test('is only checked with dryRun', async () => {
    const before = (await app.db.selectFrom('staging_file').select('id').execute()).length
    const good = await api.post<DryRunReply>('/pro/bulk/parts?dryRun=1', part)
    expect(good.body.preview).toMatchObject({ total: 1, errors: 0, whole: { create: 1 } })
    const bad = await api.post<DryRunReply>('/pro/bulk/parts', { ...part, partyear: '2O19', dryRun: true })
    expect(bad.body.preview.rows).toMatchObject([
      { index: 1, ok: false, issues: [{ row: 2, column: 'partyear', code: 'INVALID_YEAR', value: '2O19' }] },
    ])
    expect((await app.db.selectFrom('staging_file').select('id').execute()).length).toBe(before)
  })

  test('is kept among the rejected rows when refused', async () => {
    const { body } = await api.post<StagedReply>('/pro/bulk/parts', { ...part, partprice: 'a lot' })
    expect([body.total, body.rejected]).toEqual([1, 1])
    const { bytes } = await api.get(`/pro/imports/${body.importId}/rejected.csv`)
    expect(bytes.toString()).toContain('a lot')
  })

  test('with a key it is imported once, and different content under the key is refused', async () => {
    for (const [headers, own] of [
      [{ 'idempotency-key': newKey() }, {}],
      [{}, { idempotencyKey: newKey() }],
    ] as const) {
      const send = (changes = {}) => api.post('/pro/bulk/parts', { ...part, ...own, ...changes }, headers)
      const [first, again] = [await send(), await send()]
      expect(again.body).toEqual(first.body)
      expect(again.headers['idempotent-replayed']).toBe('true')
      const other = await send({ partprice: 1 })
      expect([other.status, (other.body as ErrorReply).code]).toEqual([422, 'KEY_REUSED'])
    }
  })

  test.each([
    [{}, 'partname'],
    [{ ...part, partcategory: { id: 1 } }, 'partcategory'],
    [{ ...part, partmiles: 5 }, 'partmiles'],
    [{ ...part, staging: '{' }, 'staging'],
  ])('%j is refused under its field', async (sent, field) => {
    const answer = await api.post<ErrorReply>('/pro/bulk/parts', sent)
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, [field]])
  })

  test('names that every object has are refused while reading', async () => {
    const text = `{"__proto__": "x", "constructor": "y", ${JSON.stringify(part).slice(1)}`
    const sent = { method: 'POST' as const, path: '/pro/bulk/parts?dryRun=1', body: text }
    const answer = await api.send<DryRunReply>({ ...sent, headers: { 'content-type': 'application/json' } })
    expect(answer.status).toBe(400)
  })
})
