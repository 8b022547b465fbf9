import { expect, test } from 'vitest'
import type { DryRunReply, StagedReply } from '#contract/imports.ts'
import { csvOf, partHeader, partMapping, partRow, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { stagedRecords, stagedRows } from '#tests/support/staged-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* The file of rejected rows: once corrected, it can be imported like the original file. */

const app = await startTestApp()

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
