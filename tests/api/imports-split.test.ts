import { expect, test } from 'vitest'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import type { DryRunReply, MappingTemplate, StagedReply } from '#contract/imports.ts'
import { csvOf, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { stagedRecords } from '#tests/support/staged-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Columns that are split: a vehicle, a title, years. The readings themselves are tested beside the splitter. */

const app = await startTestApp()

type File = { header: string[]; rows: string[][]; mapping: ImportMapping | object; defaults?: object }

async function stage({ header, rows, mapping, defaults }: File) {
  const { api } = await proSeller(app)
  const { status, body } = await sendCsv<StagedReply>(api, {
    file: csvOf(rows, header),
    fields: { mapping, defaults },
  })
  expect(status).toBe(200)
  return (await stagedRecords(app, body.importId)).map(({ fields }) => fields)
}

async function check({ header, rows, mapping, defaults }: File) {
  const { api } = await proSeller(app)
  return sendCsv<DryRunReply>(api, { file: csvOf(rows, header), fields: { mapping, defaults }, dryRun: true })
}

test('titles become year, make, model and part, with sides kept', async () => {
  const records = await stage({
    header: ['SKU', 'Title', 'Price'],
    rows: [
      ['1', '2004-2008 Ford F-150 Front Door LH OEM', '150'],
      ['2', '07 CAMRY ALTERNATOR', '80'],
    ],
    mapping: {
      stocknum: 'SKU',
      partname: 'Title',
      partprice: 'Price',
      split: { from: 'Title', as: 'title' },
    },
  })
  expect(records).toMatchObject([
    {
      partyear: '2004-2008',
      partmanu: 'Ford',
      partmodel: 'F-150',
      partname: 'Front Door LH OEM',
    },
    { partyear: '2007', partmanu: 'Toyota', partmodel: 'CAMRY', partname: 'ALTERNATOR' },
  ])
})

test('typed lines give the price, too', async () => {
  const records = await stage({
    header: ['#', 'Item'],
    rows: [['7', '2010 f150 driver front door red 150 obo']],
    mapping: { stocknum: '#', split: { from: 'Item', as: 'priced title' } },
  })
  expect(records).toMatchObject([
    {
      stocknum: '7',
      partyear: '2010',
      partmanu: 'Ford',
      partname: 'driver front door red',
      partprice: '150',
    },
  ])
})

test('a vehicle’s column and a year’s column are split together; a value of its own wins', async () => {
  const records = await stage({
    header: ['Mk/Mdl', 'Years', 'Part', 'Model', 'Price'],
    rows: [
      ['Toyota Camry', '2008,2009,2010', 'Alternator', '', '80'],
      ['Honda Civic', '05', 'Starter', 'Civic Si', '60'],
      ['Honda CR-V', '2017+', 'Hood', '', '60'],
    ],
    mapping: {
      partname: 'Part',
      partcategory: 'Part',
      partprice: 'Price',
      partmodel: 'Model',
      split: [
        { from: 'mk/mdl', as: 'vehicle' },
        { from: 'Years', as: 'years' },
      ],
    },
  })
  const now = new Date().getUTCFullYear()
  expect(records).toMatchObject([
    { partmanu: 'Toyota', partmodel: 'Camry', partyear: '2008-2010' },
    { partmanu: 'Honda', partmodel: 'Civic Si', partyear: '2005' },
    { partmanu: 'Honda', partmodel: 'CR-V', partyear: `2017-${now}` },
  ])
})

test('what is unclear is an error of its row with a sentence, even where a default would fill the field', async () => {
  const { body } = await check({
    header: ['Title', 'Price'],
    rows: [
      ['2007 Toyota Camry Avalon Alternator', '80'],
      ['Alternator', '80'],
      ['Ford F-150 Door LH', '80'],
      ['2012 Ford F-150 Door LH', '80'],
    ],
    mapping: { partprice: 'Price', split: { from: 'Title', as: 'title' } },
    defaults: { partmanu: 'Toyota', partmodel: 'Camry' },
  })
  expect(body.preview.rows.map(({ issues }) => issues)).toEqual([
    [
      {
        row: 2,
        column: 'Title',
        code: 'UNSURE_SPLIT',
        value: '2007 Toyota Camry Avalon Alternator',
        message:
          '“2007 Toyota Camry Avalon Alternator” names more than one model. Write one row for each vehicle',
      },
    ],
    [expect.objectContaining({ row: 3, code: 'UNSURE_SPLIT' })],
    [expect.objectContaining({ row: 4, column: 'Title', code: 'REQUIRED', message: 'Year is required' })],
  ])
})

test.each([
  [
    { from: 'Title' },
    'A split of the mapping is {"from": column, "as": "vehicle" or "title" or "priced title" or "years"}',
  ],
  [{ from: 'Title', as: 'guess' }, 'A split of the mapping is'],
  ['Title', 'A split of the mapping is'],
  [{ from: 'Vehicle', as: 'vehicle' }, 'does not have: “Vehicle” (split as vehicle)'],
])('a split %j is refused with a sentence', async (split, sentence) => {
  const { status, body } = await check({
    header: ['Title', 'Price'],
    rows: [['2012 Ford F-150 Door', '80']],
    mapping: { partprice: 'Price', split },
  })
  expect(status).toBe(422)
  expect(JSON.stringify(body).replaceAll('\\"', '"')).toContain(sentence)
})

test('a template keeps its split', async () => {
  const { api } = await proSeller(app)
  const mapping = { partprice: 'Price', split: { from: 'Title', as: 'title' } }
  const made = await api.post<MappingTemplate>('/pro/mappings', { name: 'Titles', mapping })
  expect(made.status).toBe(201)
  expect(made.body.mapping).toEqual(mapping)
  const { body } = await api.get<{ mine: MappingTemplate[] }>('/pro/mappings')
  expect(body.mine.map((one) => one.mapping)).toEqual([mapping])
  const file = csvOf([['2012 Ford F-150 Door LH', '80']], ['Title', 'Price'])
  const sent = await sendCsv<DryRunReply>(api, {
    file,
    fields: { mapping: undefined, mappingId: made.body.id },
    dryRun: true,
  })
  expect(sent.body.preview).toMatchObject({ total: 1, errors: 0 })
})
