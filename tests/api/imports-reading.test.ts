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
import { stagedRecords, stagedRows } from '#tests/support/staged-rows.ts'
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

describe('values as people write them', () => {
  type Said = { rows: string[][]; decimals?: 'point' | 'comma'; dryRun?: boolean }

  async function send<Reply>({ rows, decimals, dryRun = true }: Said) {
    const { api } = await proSeller(app)
    const reading = decimals && { decimals: { partprice: decimals } }
    const { status, body } = await sendCsv<Reply>(api, { file: csvOf(rows), fields: { reading }, dryRun })
    expect(status).toBe(200)
    return body
  }

  const messagesOf = ({ preview }: DryRunReply) =>
    preview.rows.map(({ issues }) => issues.map(({ row, code }) => `${row} ${code}`).join(', '))

  test('values are stored in listing format, next to the row’s original cells', async () => {
    const row = partRow(1, { Year: '2012–15', Price: 'USD 1,299.00' })
    const reply = await send<StagedReply>({ rows: [row], dryRun: false })
    const [record] = await stagedRecords(app, reply.importId)
    expect(record?.fields).toMatchObject({ partyear: '2012-2015', partprice: '1299.00' })
    expect(record?.original).toEqual(row)
  })

  test('a decimal comma is read if the request says so, and never guessed', async () => {
    const rows = [
      partRow(1, { Price: '1.299,00' }),
      partRow(2, { Price: '85' }),
      partRow(3, { Price: '85.50' }),
    ]
    expect(messagesOf(await send<DryRunReply>({ rows, decimals: 'comma' }))).toEqual(['4 INVALID_PRICE'])
    expect(messagesOf(await send<DryRunReply>({ rows, decimals: 'point' }))).toEqual(['2 INVALID_PRICE'])
  })

  test('totals at the end get a different error from parts with mistakes', async () => {
    const total = ['Total', '', '', '', '', '', '1,234.50', '']
    const rows = [partRow(1), partRow(2).slice(0, 3), total, ['2 records']]
    expect(messagesOf(await send<DryRunReply>({ rows }))).toEqual([
      '3 TOO_FEW_CELLS',
      '4 NOT_A_PART',
      '5 NOT_A_PART',
    ])
  })
})

describe('the file of rejected rows', () => {
  test('the file of rejected rows, once corrected, is imported with the same mapping', async () => {
    const { api } = await proSeller(app)
    const formula = '=HYPERLINK("http://x")'
    const bad = [
      partRow(2, { Price: 'call us', Title: formula, Bin: 'left,\n"shelf"' }),
      partRow(3, { Price: 'soon', Title: "'+plus", Bin: "'=1" }),
    ]
    const first = await sendCsv<StagedReply>(api, { file: csvOf([partRow(1), ...bad]) })
    expect(first.body).toMatchObject({ total: 3, rejected: 2 })
    const rejected = (await api.get(`/pro/imports/${first.body.importId}/rejected.csv`)).bytes.toString()
    expect(rejected).toContain(`3,"Price `)
    expect(rejected).toContain(`"'${formula.replaceAll('"', '""')}"`)

    const again = await sendCsv<DryRunReply>(api, { file: rejected, dryRun: true })
    expect(again.body.preview).toMatchObject({ total: 2, errors: 2 })
    const corrected = rejected.replace('call us', '12.50').replace('soon', '13.50')
    const second = await sendCsv<StagedReply>(api, { file: corrected })
    expect(second.body).toMatchObject({ total: 2, rejected: 0 })
    const records = await stagedRecords(app, second.body.importId)
    expect(records.map(({ fields }) => [fields.stocknum, fields.partname, fields.partprice])).toEqual([
      ['S-2', formula, '12.50'],
      ['S-3', '+plus', '13.50'],
    ])
  })

  test('the file’s own columns keep their names when they match added ones', async () => {
    const { api } = await proSeller(app)
    const header = ['row', 'errors', ...partHeader]
    const mapping = { ...partMapping, partdescription: 'errors', partgrade: 'row' }
    const file = csvOf([['A', 'Engine light was on', ...partRow(1, { Price: '?' })]], header)
    const first = await sendCsv<StagedReply>(api, { file, fields: { mapping } })
    const rejected = (await api.get(`/pro/imports/${first.body.importId}/rejected.csv`)).bytes.toString()
    expect(rejected.split('\r\n')[0]).toBe(`\ufeffimport row,import errors,${header.join(',')}`)
    const corrected = rejected.replace(',?,', ',15,')
    const second = await sendCsv<StagedReply>(api, { file: corrected, fields: { mapping } })
    expect(second.body).toMatchObject({ total: 1, rejected: 0 })
    const [record] = await stagedRecords(app, second.body.importId)
    expect(record?.fields).toMatchObject({ partdescription: 'Engine light was on', partgrade: 'A' })
    expect((await stagedRows(app, second.body.importId))[0]?.slice(0, 3)).toEqual([
      '2',
      expect.any(String),
      'A',
    ])
  })
})

describe('a part without a file', () => {
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
        // Miles alone give no grade.
        partmiles: '84000',
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
        {
          index: 1,
          ok: false,
          issues: [{ row: 2, column: 'partyear', code: 'INVALID_YEAR', value: '2O19' }],
        },
      ])
      expect((await app.db.selectFrom('staging_file').select('id').execute()).length).toBe(before)
    })

    test.each([
      ['a value', { partprice: 'a lot' }, 'partprice', /dollars|price/i],
      ['what may not be sold', { partname: 'Driver air bag' }, 'neverdeployed', /air bag needs/],
    ])('is refused for %s with the reasons, and may be sent again', async (_, changes, field, reason) => {
      const before = (await app.db.selectFrom('import').select('id').execute()).length
      const headers = { 'idempotency-key': newKey() }
      const bad = await api.post<ErrorReply>('/pro/bulk/parts', { ...part, ...changes }, headers)
      expect([bad.status, bad.body.code]).toEqual([422, 'VALIDATION_FAILED'])
      expect(bad.body.rows).toEqual([{ index: 1, ok: false, errors: [expect.stringMatching(reason)] }])
      expect(Object.keys(bad.body.fields ?? {})).toEqual([field])
      expect((await app.db.selectFrom('import').select('id').execute()).length).toBe(before)
      const good = await api.post<StagedReply>('/pro/bulk/parts', part, headers)
      expect([good.status, good.body.rejected]).toEqual([200, 0])
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
})
