import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { StagedReply } from '#contract/imports.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { atLength } from '#tests/support/at-length.ts'
import {
  badRow,
  csvOf,
  gzipped,
  newKey,
  partHeader,
  partMapping,
  partRow,
  partRows,
  proSeller,
  type SentImport,
  sendCsv,
} from '#tests/support/make-imports.ts'
import { stagedRecords, stagedRows } from '#tests/support/staged-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { api } = await proSeller(app)

type Chunk = Pick<SentImport, 'file'> & { index: number }

/** Sends the chunks one after another and returns the reply to the last one. */
async function sendChunks(as: ApiClient, chunks: readonly Chunk[]): Promise<StagedReply> {
  const idempotencyKey = newKey()
  let last: StagedReply | undefined
  for (const { file = '', index } of chunks) {
    const fields = { idempotencyKey, chunkIndex: index, chunkCount: chunks.length }
    const { status, body, bytes } = await sendCsv<StagedReply>(as, { file, fields })
    expect(status, String(bytes)).toBe(200)
    last = body
  }
  if (!last?.files) throw new Error('the last chunk did not stage the import')
  return last
}

const contents = async ({ importId }: StagedReply) => ({
  rows: (await stagedRecords(app, importId)).map(({ fields, original }) => ({ fields, original })),
  rejected: (await api.get(`/pro/imports/${importId}/rejected.csv`)).bytes.toString(),
})

// Cells that a line splitter would cut in two, that a spreadsheet would compute, and rows that are rejected.
const someRow = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom('good', 'lines', 'quotes', 'bad'))
  .map(([number, kind]) => {
    if (kind === 'bad') return badRow(number)
    const Bin = { good: 'R1', lines: 'row 1\r\nbin "2",\nleft', quotes: '"",=1+1' }[kind]
    return partRow(number, { Bin })
  })

test('chunks of any size and order, with or without the header, give the same result as the whole file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someRow, { minLength: 3, maxLength: 25 }),
      fc.infiniteStream(fc.nat({ max: 6 })),
      fc.infiniteStream(fc.nat()),
      async (rows, sizes, draws) => {
        const whole = await sendCsv<StagedReply>(api, { file: csvOf(rows) })
        const chunks: Chunk[] = []
        for (let at = 0; at < rows.length; ) {
          const size = 1 + (sizes.next().value as number)
          const index = chunks.length
          chunks.push({ index, file: csvOf(rows.slice(at, at + size), null) })
          at += size
        }
        const order = chunks
          .map((chunk) => ({ chunk, draw: draws.next().value as number }))
          .sort((a, b) => a.draw - b.draw)
          // The first to arrive defines the columns; about half of the others repeat the header.
          .map(({ chunk, draw }, place) =>
            place === 0 || draw % 2 ? { ...chunk, file: csvOf([], partHeader) + chunk.file } : chunk,
          )
        const cut = await sendChunks(api, order)
        expect([cut.total, cut.rejected]).toEqual([whole.body.total, whole.body.rejected])
        expect(await contents(cut)).toEqual(await contents(whole.body))
      },
    ),
    { numRuns: atLength({ full: 8, brief: 3 }) },
  )
})

test('a chunk with different columns is refused and can be sent again', async () => {
  const idempotencyKey = newKey()
  const send = (chunkIndex: number, file: string) =>
    sendCsv<ErrorReply>(api, { file, fields: { idempotencyKey, chunkIndex, chunkCount: 2 } })
  await send(0, csvOf(partRows(2)))
  const turned = [...partHeader].reverse()
  const answer = await send(1, csvOf([partRow(3).reverse()], turned))
  expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, ['file']])
  expect((await send(1, csvOf(partRows(1, 3)))).status).toBe(200)
})

test('rows of a file with unnamed columns are rows, not another header', async () => {
  const wide = (cells: readonly string[]) => [...cells, ...Array<string>(12).fill('')]
  const { importId } = await sendChunks(api, [
    { index: 0, file: csvOf([wide(partRow(1))], wide(partHeader)) },
    { index: 1, file: csvOf([wide(partRow(2))], null) },
  ])
  expect(await stagedRows(app, importId)).toEqual([wide(partRow(1)), wide(partRow(2))])
})

test('the first chunk to arrive must have the header', async () => {
  const fields = { idempotencyKey: newKey(), chunkIndex: 1, chunkCount: 2 }
  const answer = await sendCsv<ErrorReply>(api, { file: csvOf(partRows(2), null), fields })
  expect(answer.status).toBe(422)
  expect(answer.body.error).toContain('“Stock”')
})

async function rejectedNumbers(importId: string): Promise<(string | undefined)[]> {
  const { bytes } = await api.get(`/pro/imports/${importId}/rejected.csv`)
  const lines = bytes.toString().split('\r\n')
  return lines.slice(1, -1).map((line) => line.split(',')[0])
}

test('rows are numbered as in the whole file, whichever chunk they came in', async () => {
  const { importId } = await sendChunks(api, [
    { index: 1, file: csvOf([partRow(4), badRow(5)]) },
    { index: 2, file: csvOf([badRow(6)], null) },
    { index: 0, file: csvOf([badRow(1), partRow(2), partRow(3)]) },
  ])
  expect(await rejectedNumbers(importId)).toEqual(['2', '6', '7'])
})

test('blank lines of earlier chunks count in row numbers', async () => {
  const { importId } = await sendChunks(api, [
    { index: 0, file: `\r\n${csvOf([partRow(1)])}\r\n\r\n${csvOf([partRow(2)], null)}` },
    { index: 1, file: `\r\n${csvOf([badRow(5)], null)},,,,,,,\r\n` },
    { index: 2, file: csvOf([badRow(6)]) },
  ])
  // Header in row 2, parts in rows 3 and 6, a blank line, the wrong row, a blank line, the other one.
  expect(await rejectedNumbers(importId)).toEqual(['8', '10'])
})

test('records keep the id of their chunk and row throughout', async () => {
  const { importId } = await sendChunks(api, [
    { index: 1, file: csvOf([badRow(3), partRow(4)]) },
    { index: 0, file: csvOf([partRow(1), partRow(2)]) },
  ])
  expect((await stagedRecords(app, importId)).map(({ id }) => id)).toEqual(['0.1', '0.2', '1.2'])
})

test('a gzipped file and gzipped chunks give the same rows', async () => {
  const rows = partRows(6)
  const whole = await sendCsv<StagedReply>(api, { file: gzipped(csvOf(rows)), fileName: 'parts.csv.gz' })
  expect(await stagedRows(app, whole.body.importId)).toEqual(rows)
  const cut = await sendChunks(api, [
    { index: 0, file: gzipped(csvOf(rows.slice(0, 2))) },
    { index: 1, file: gzipped(csvOf(rows.slice(2), null)) },
  ])
  expect(await stagedRows(app, cut.importId)).toEqual(rows)
})

test('fields may come before or after the file', async () => {
  const { status, body } = await sendCsv<StagedReply>(api, {
    file: csvOf([partRow(1, { Price: '' })]),
    fields: { mapping: undefined, idempotencyKey: newKey() },
    after: {
      mapping: JSON.stringify(partMapping),
      defaults: JSON.stringify({ partprice: '75', miles: 1200 }),
      staging: '{"datasetHint":"after"}',
    },
  })
  expect([status, body.rejected]).toEqual([200, 0])
  expect(body.files.json).toContain('/after-')
  const [record] = await stagedRecords(app, body.importId)
  expect(record?.fields).toMatchObject({ partname: 'Alternator 1', partprice: '75', partmiles: '1200' })
  expect(record?.original).toEqual(partRow(1, { Price: '' }))
})

test.each<[string, SentImport, string, string]>([
  ['no file', {}, 'CSV file is required', 'file'],
  ['no mapping', { fields: { mapping: undefined } }, 'mapping or mappingId is required', 'mapping'],
  ['an empty mapping', { fields: { mapping: {} } }, 'mapping or mappingId is required', 'mapping'],
  ['a broken mapping', { fields: { mapping: '{"partname"' } }, 'Mapping JSON is not valid JSON', 'mapping'],
  ['an array as mapping', { fields: { mapping: '[1]' } }, 'Mapping JSON is not valid JSON', 'mapping'],
  ['broken defaults', { fields: { defaults: '{' } }, 'Defaults JSON is not valid', 'defaults'],
  ['broken staging', { fields: { staging: '{' } }, 'Staging JSON is not valid', 'staging'],
  [
    'an invalid date',
    { fields: { staging: { timestamp: 'soon' } } },
    'The staging date must be a date like 2026-01-31',
    'staging',
  ],
  ['an unknown mode', { fields: { mode: 'merge' } }, 'The mode must be add or replace', 'mode'],
  [
    'an unknown mode in staging',
    { fields: { staging: { mode: 'x' } } },
    'The mode must be add or replace',
    'mode',
  ],
  ['an invalid dry run flag', { fields: { dryRun: 'maybe' } }, 'dryRun must be 1 or 0', 'dryRun'],
  [
    'a long key',
    { fields: { idempotencyKey: 'k'.repeat(201) } },
    'can have at most 200 characters',
    'idempotencyKey',
  ],
  [
    'an unknown template',
    { fields: { mappingId: 'mine' } },
    'There is no such mapping template',
    'mappingId',
  ],
])('reports %s under its field name', async (_name, sent, sentence, field) => {
  const file = Object.hasOwn(sent, 'fields') ? { file: csvOf(partRows(1)) } : {}
  const answer = await sendCsv<ErrorReply>(api, { ...file, ...sent })
  expect([answer.status, answer.body.code]).toEqual([422, 'VALIDATION_FAILED'])
  expect(answer.body.error).toContain(sentence)
  expect(Object.keys(answer.body.fields ?? {})).toEqual([field])
})

test('a template wins over a mapping in the same request', async () => {
  const saved = await api.post<{ id: string }>('/pro/mappings', { name: newKey(), mapping: partMapping })
  const fields = { mappingId: saved.body.id, mapping: 'not even JSON' }
  expect((await sendCsv(api, { file: csvOf(partRows(1)), fields })).status).toBe(200)
})

test('the mode may be in the form or in staging', async () => {
  for (const fields of [{ mode: 'replace' }, { staging: { mode: 'replace' } }]) {
    const { body } = await sendCsv<StagedReply>(api, { file: csvOf(partRows(1)), fields })
    expect((await api.get(`/pro/imports/${body.importId}`)).body).toMatchObject({ mode: 'replace' })
  }
})

test.each([
  ['with other columns', 'Artikel,Farbe,Menge,Preis\nTür,rot,1,20.00\nHaube,blau,2,30.00\n'],
  [
    'with other names of the same columns',
    'Stock #,Part name,Category,Make,Model,Year,Asking\nS-1,Door,Door,Ford,F-150,2012,20\n',
  ],
])('a chunk of another file, %s, is refused and counts no rejected rows', async (_, file) => {
  const idempotencyKey = newKey()
  const fields = (chunkIndex: number) => ({ idempotencyKey, chunkIndex, chunkCount: 2 })
  expect((await sendCsv(api, { file: csvOf([partRow(1)]), fields: fields(0) })).status).toBe(200)
  const foreign = await sendCsv<{ error: string }>(api, { file, fields: fields(1) })
  expect([foreign.status, foreign.body.error]).toEqual([
    422,
    expect.stringContaining('Cut all chunks from one file'),
  ])
  const { body } = await sendCsv<StagedReply>(api, { file: csvOf([partRow(2)]), fields: fields(1) })
  expect(body).toMatchObject({ total: 2, rejected: 0 })
})
