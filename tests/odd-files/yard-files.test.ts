import { describe, expect, test } from 'vitest'
import { fitMapping, shippedMapping, shippedTemplateFor } from '#contract/column-mapping/shipped-templates.ts'
import { suggestColumns } from '#contract/column-mapping/suggest-columns.ts'
import { sampledDecimals } from '#contract/yard-file/decimals.ts'
import { compileRowCheck } from '#server/features/stock-files/read/check-row.ts'
import { catalogueDictionary } from '#tests/support/yard-stock.ts'
import { bytesOf } from './made-files.ts'
import { readOnPage, readOnServer } from './odd-file.ts'
import { type YardFile, yardFiles } from './yard-files.ts'

/* Files as yards have them go from the file to good rows with what is suggested, and say what is wrong with the others. */

const dictionary = catalogueDictionary()
const THIS_YEAR = 2026

test('there are at least sixteen', () => {
  expect(yardFiles.length).toBeGreaterThanOrEqual(16)
})

describe.each(yardFiles.map((file): [string, YardFile] => [`${file.name}: ${file.about}`, file]))(
  '%s',
  (_, { name, make, ...expected }) => {
    test('the server and the page read it alike', async () => {
      const bytes = await bytesOf(make())
      const [onServer, onPage] = [await readOnServer(bytes), await readOnPage(bytes, name)]
      expect(onServer.reading).toMatchObject(expected.reading)
      expect(onServer.rows.length).toBe(expected.rows)
      expect(onServer.notes).toEqual(expected.notes.map((words) => expect.stringContaining(words)))
      expect(onPage.reading).toEqual(onServer.reading)
      expect(onPage.header).toEqual(onServer.header)
      expect(onPage.rows).toEqual(onServer.rows)
      expect(onPage.notes.toSorted()).toEqual(onServer.notes.toSorted())
    })

    test('its columns are mapped, and its rows checked', async () => {
      const { header, rows, file } = await readOnPage(await bytesOf(make()), name)
      const shipped = shippedMapping(shippedTemplateFor(header) ?? '')
      const suggested = suggestColumns(header, file.samples, dictionary)
      const mapping = shipped
        ? fitMapping(header, shipped)
        : Object.fromEntries(Object.entries(suggested).map(([field, found]) => [field, found.header]))
      expect(mapping).toMatchObject(expected.mapped)
      expect(Object.values(mapping)).not.toContain('Vendor')
      const decimals = sampledDecimals({ header, rows: rows.map(({ cells }) => cells) }, expected.mapped)
      const { mapped, defaults = {} } = expected
      const check = compileRowCheck({ header, mapping: mapped, defaults, year: THIS_YEAR, decimals })
      const checked = rows.map(({ row, cells, problem }) => ({ row, found: check(cells, problem) }))
      const errors = checked.flatMap(({ row, found }) =>
        'issues' in found ? found.issues.map(({ column, message }) => [row, column, message]) : [],
      )
      expect(errors).toEqual(
        expected.errors.map(([row, column, words]) => [row, column, expect.stringContaining(words)]),
      )
      expect(checked.filter(({ found }) => 'fields' in found)).toHaveLength(expected.good)
      for (const [row, values] of Object.entries(expected.values)) {
        expect(checked.find((one) => one.row === Number(row))?.found).toMatchObject({ fields: values })
      }
    })
  },
)
