import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { DryRunReply, MappingTemplate, StagedReply } from '#contract/imports.ts'
import {
  csvOf,
  newKey,
  partHeader,
  partMapping,
  partRow,
  partRows,
  proSeller,
  type SentImport,
  sendCsv,
} from '#tests/support/make-imports.ts'
import { makeWorkbook } from '#tests/support/make-workbook.ts'
import { stagedRecords } from '#tests/support/staged-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* What decides how a file is read: the request, its template, the import's first chunk, the file's own values. */

const app = await startTestApp()
const { api } = await proSeller(app)

const check = (sent: SentImport) => sendCsv<DryRunReply>(api, { ...sent, dryRun: true })
const semicolons = (rows: string[][], header: readonly string[] | null = partHeader) =>
  [...(header ? [header] : []), ...rows].map((row) => `${row.join(';')}\r\n`).join('')
const priced = (...prices: string[]) => prices.map((Price, at) => partRow(at + 1, { Price }))

describe('a template', () => {
  test('sets how its files are read, and the request overrides it', async () => {
    const { body: template } = await api.post<MappingTemplate>('/pro/mappings', {
      name: 'Our yard',
      mapping: partMapping,
      reading: { delimiter: ';', headerRow: 2, decimals: { partprice: 'comma' }, rowOffset: 7 },
    })
    // On its own, the header would be expected in row 1, and 1.255 would not be a price.
    const file = semicolons(
      [partHeader.map((name) => `Our ${name}`), [...partHeader], ...priced('1.255')],
      null,
    )
    const fields = { mapping: undefined, mappingId: template.id }
    const dry = await check({ file, fields })
    expect(dry.body.preview).toMatchObject({ total: 1, errors: 0 })
    expect(dry.body.reading).toMatchObject({
      delimiter: ';',
      headerRow: 2,
      rowOffset: 0,
      decimals: { partprice: 'comma' },
    })
    const said = { decimals: { partprice: 'point' } }
    const other = await check({ file, fields: { ...fields, reading: said } })
    expect(other.body.reading).toMatchObject({ headerRow: 2, ...said })
    expect(other.body.preview.rows[0]?.issues).toMatchObject([{ row: 3, code: 'INVALID_PRICE' }])
  })

  test('for eBay accepts a file as eBay writes it: vehicle rows become fields of their part', async () => {
    const { body: templates } = await api.get<{ global: MappingTemplate[] }>('/pro/mappings')
    const ebay = templates.global.find(({ name }) => name.startsWith('eBay Motors'))
    const file = [
      '*Action(SiteID=eBayMotors|Country=US|Currency=USD|Version=1193),Custom label (SKU),Title,Relationship,Relationship details,Start price,Quantity,Condition ID,C:Manufacturer Part Number,C:Type',
      'Add,A1,Driver side door,,,120.00,1,3000,FL3Z-1520125,Door',
      ',,,Compatibility,Year=2012|Make=Ford|Model=F-150|Trim=XLT,,,,,',
      ',,,Compatibility,Year=2013|Make=Ford|Model=F-150|Trim=XLT,,,,,',
      'Add,A2,Hood,,,85.00,1,3000,,Hood',
      ',,,Compatibility,Year=2014|Make=Ford|Model=Focus,,,,,',
    ].join('\r\n')
    const { status, body } = await sendCsv<StagedReply>(api, {
      file,
      fields: { mapping: undefined, mappingId: ebay?.id },
    })
    expect([status, body.total, body.rejected, body.reading?.layout]).toEqual([200, 2, 0, 'ebay'])
    const found = (await stagedRecords(app, body.importId)).map(({ fields }) => fields)
    expect(found).toMatchObject([
      { stocknum: 'A1', partmanu: 'Ford', partmodel: 'F-150', partprice: '120.00', partnum: 'FL3Z-1520125' },
      { stocknum: 'A2', partmanu: 'Ford', partmodel: 'Focus', partyear: '2014', partprice: '85.00' },
    ])
  })
})

test('a workbook gives the same rows as the CSV', async () => {
  const rows = partRows(3)
  const sheets = [
    { name: 'Notes', rows: [['Ask Pat']] },
    { name: 'Parts', rows: [['Stock of today'], [], [...partHeader], ...rows] },
  ]
  const book = await makeWorkbook({ sheets })
  const sent = {
    file: Buffer.from(await book.arrayBuffer()),
    fileName: 'parts.xlsx',
    fields: { reading: { sheet: 'Parts' } },
  }
  const dry = await check(sent)
  expect(dry.body).toMatchObject({
    reading: { sheet: 'Parts', headerRow: 3 },
    preview: { total: 3, errors: 0 },
  })
  const { body } = await sendCsv<StagedReply>(api, sent)
  expect((await stagedRecords(app, body.importId)).map(({ original }) => original)).toEqual(rows)
})

describe('the first chunk', () => {
  const chunksOf = (idempotencyKey: string, chunkIndex: number) => ({
    idempotencyKey,
    chunkIndex,
    chunkCount: 2,
  })

  test('sets the format: of two that arrive at once in different formats, one is refused with a message', async () => {
    const key = newKey()
    const [commas, others] = await Promise.all([
      sendCsv<ErrorReply>(api, { file: csvOf(partRows(2)), fields: chunksOf(key, 0) }),
      sendCsv<ErrorReply>(api, { file: semicolons(partRows(2, 3)), fields: chunksOf(key, 1) }),
    ])
    expect([commas.status, others.status].sort()).toEqual([200, 422])
    const refused = commas.status === 422 ? commas : others
    expect(refused.body.fields?.file).toMatch(
      /^This chunk’s cells are separated by (commas|semicolons), the import’s other chunks’ by (commas|semicolons)\./,
    )
    const index = refused === commas ? 0 : 1
    const write = index === 1 ? csvOf : semicolons
    const last = await sendCsv<StagedReply>(api, {
      file: write(partRows(2, 5)),
      fields: chunksOf(key, index),
    })
    expect([last.status, last.body.total, last.body.rejected]).toEqual([200, 4, 0])
  })

  test('sets the number format for all chunks by its values', async () => {
    const key = newKey()
    const first = await sendCsv<StagedReply>(api, {
      file: semicolons(priced('12,50', '85')),
      fields: chunksOf(key, 0),
    })
    expect(first.body.reading?.decimals).toEqual({ partprice: 'comma' })
    expect(first.body.warnings).toContainEqual(
      'The values of “Price” have decimal commas: 1.299,50 is read as 1,299 dollars and 50 cents.',
    )
    const last = await sendCsv<StagedReply>(api, {
      file: semicolons(priced('1.299', '7,5')),
      fields: chunksOf(key, 1),
    })
    expect([last.body.rejected, last.body.reading?.decimals]).toEqual([0, { partprice: 'comma' }])
    const found = await stagedRecords(app, last.body.importId)
    expect(found.map(({ fields }) => fields.partprice)).toEqual(['12.50', '85', '1299', '7.5'])
  })

  test('sets no number format if its values contradict each other or the request turned it off', async () => {
    const { body: mixed } = await check({ file: semicolons(priced('12,50', '12.50')) })
    expect([mixed.reading?.decimals, mixed.preview.errors]).toEqual([{}, 1])
    const { body: said } = await check({
      file: semicolons(priced('12,50', '7,5')),
      fields: { reading: { decimals: {} } },
    })
    expect([said.reading?.decimals, said.preview.errors]).toEqual([{}, 2])
  })
})
