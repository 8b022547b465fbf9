import { expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { StagedReply } from '#contract/imports.ts'
import { type LayoutFile, parts, textFiles, workbookFiles } from '#tests/odd-files/layout-files.ts'
import { newKey, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { stagedRecords } from '#tests/support/staged-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Files whose layout hides their parts go through the API as any other: every part with its own vehicle and price. */

const app = await startTestApp()
const { api } = await proSeller(app)

const fileOf = (name: string): LayoutFile => {
  const found = [...textFiles, ...workbookFiles].find((file) => file.name === name)
  if (!found) throw new Error(`no file ${name}`)
  return found
}
const ofReport = {
  stocknum: 'STOCK NO',
  partname: 'PART',
  partcategory: 'PART',
  partmanu: 'MAKE',
  partmodel: 'MODEL',
  partyear: 'YEAR',
  partprice: 'PRICE',
  partnum: 'OEM NUMBER',
}
const ofList = {
  partname: 'Part',
  partcategory: 'Part',
  partmanu: 'Make',
  partmodel: 'Model',
  partyear: 'Year',
  partprice: 'Price',
  partnum: 'OEM No',
}
const ofSheets = { ...ofList, partyear: 'Yr', partnum: 'OEM #' }

test.each([
  ['ruled-report.txt', ofReport],
  ['pasted.txt', { ...ofList, partnum: 'OEM Number' }],
  ['cars-above.csv', ofList],
  ['cars-above.xlsx', ofList],
  ['sheet-per-make.xlsx', ofSheets],
  ['active-sheet.xlsx', ofReport],
])('%s is staged part by part', async (name, mapping) => {
  const file = Buffer.from(await fileOf(name).content())
  const { status, body } = await sendCsv<StagedReply>(api, { file, fields: { mapping } })
  expect([status, body.total, body.rejected]).toEqual([200, parts.length, 0])
  const found = (await stagedRecords(app, body.importId)).map(({ fields }) => fields)
  expect(found).toMatchObject(
    parts.map(({ year, make, model, price, number }) => ({
      partyear: year,
      partmanu: make,
      partmodel: model,
      partprice: price.replace(',', ''),
      partnum: number,
    })),
  )
})

test('a report in chunks is cut as its first one was', async () => {
  const text = Buffer.from(await fileOf('ruled-report.txt').content()).toString()
  const lines = text.split('\r\n')
  const chunks = [lines.slice(0, 20), lines.slice(20, 50), lines.slice(50)].map((some) => some.join('\r\n'))
  const idempotencyKey = newKey()
  const fields = { idempotencyKey, chunkCount: chunks.length, mapping: ofReport }
  let last: StagedReply | undefined
  for (const [chunkIndex, file] of chunks.entries()) {
    last = (await sendCsv<StagedReply>(api, { file, fields: { ...fields, chunkIndex } })).body
  }
  expect(last).toMatchObject({ total: parts.length, rejected: 0 })
  const found = await stagedRecords(app, last?.importId ?? '')
  expect(found.map(({ fields: { stocknum } }) => stocknum).sort()).toEqual(
    parts.map(({ stock }) => stock).sort(),
  )
})

test('one sheet can be chosen, and a sheet that is not there is refused with the names of the others', async () => {
  const file = Buffer.from(await fileOf('sheet-per-make.xlsx').content())
  const only = await sendCsv<StagedReply>(api, {
    file,
    fields: { mapping: ofSheets, reading: { sheet: 'Pontiac' } },
  })
  expect(only.body).toMatchObject({ reading: { sheet: 'Pontiac' } })
  const found = (await stagedRecords(app, only.body.importId)).map(({ fields }) => fields.partmanu)
  expect(found).toEqual(Array.from({ length: 6 }, () => 'Pontiac'))
  const none = await sendCsv<ErrorReply>(api, {
    file,
    fields: { mapping: ofSheets, reading: { sheet: 'Saab' } },
  })
  expect(none.status).toBe(422)
  expect(none.body.error).toMatch(/^The workbook has no sheet “Saab”\. It has “READ ME”, “Subaru”, /)
})
