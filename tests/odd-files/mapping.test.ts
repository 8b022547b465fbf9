import { describe, expect, test } from 'vitest'
import { fitMapping, shippedMapping, shippedTemplateFor } from '#contract/column-mapping/shipped-templates.ts'
import {
  MIN_CERTAINTY,
  type SuggestedColumns,
  suggestColumns,
} from '#contract/column-mapping/suggest-columns.ts'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import { catalogueDictionary } from '#tests/support/yard-stock.ts'
import { madeFiles } from './made-files.ts'
import { keptFiles, type OddFile, ofLastFile, readOnPage, titleOf } from './odd-file.ts'

/* Which column of an odd file is which field, by name and, with the names removed, by values alone. */

const LARGE_MS = 60_000
const MOST_WANTED = 10
const dictionary = catalogueDictionary()
const specFields = importFields.slice(0, 15)
const files = [...keptFiles(), ...madeFiles].filter(
  ({ expected }) => expected.pageRefuses === undefined && !expected.large,
)

const onPageOf = ofLastFile(async ({ content, name }) => readOnPage(await content(), name))

type Names = Partial<Record<ImportField, string>>

const namesOf = (found: SuggestedColumns): Names =>
  Object.fromEntries(Object.entries(found).map(([field, { header }]) => [field, header]))
const sureOf = (found: SuggestedColumns): Names =>
  namesOf(
    Object.fromEntries(Object.entries(found).filter(([, { confidence }]) => confidence >= MIN_CERTAINTY)),
  )

/** Fields that the expectations leave out, with what their columns are called. */
const besides: Partial<Record<ImportField, RegExp>> = {
  partinterchange: /interchange|hollander/i,
  corecharge: /core/i,
}
const withoutBesides = (names: Names, mapping: Names): Names =>
  Object.fromEntries(
    Object.entries(names).filter(
      ([field, name]) =>
        mapping[field as ImportField] !== undefined || !besides[field as ImportField]?.test(name),
    ),
  )

describe.each(files.map((file): [string, OddFile] => [titleOf(file), file]))(
  '%s',
  { timeout: LARGE_MS },
  (_, odd) => {
    const { expected } = odd
    const { mapping, unclear = [] } = expected
    const inFile = specFields.filter((field) => mapping[field] !== undefined)

    test('by column names', async () => {
      const { file } = await onPageOf(odd)
      if (expected.byTemplate) {
        const shipped = shippedMapping(shippedTemplateFor(file.headers) ?? '') ?? {}
        expect(fitMapping(file.headers, shipped)).toEqual(mapping)
        return
      }
      const found = suggestColumns(file.headers, file.samples, dictionary)
      // No confident match is wrong, not even for columns beyond the spec’s fields.
      expect(mapping).toMatchObject(withoutBesides(sureOf(found), mapping))
      const clear = inFile.filter((field) => !unclear.includes(field))
      expect(namesOf(found)).toMatchObject(Object.fromEntries(clear.map((field) => [field, mapping[field]])))
    })

    test('by values alone, with columns named Column1 and so on', async () => {
      const { file } = await onPageOf(odd)
      const renamed = file.headers.map((_, at) => `Column${at + 1}`)
      const own = (found: Names): Names =>
        Object.fromEntries(
          Object.entries(found).map(([field, column]) => [field, file.headers[renamed.indexOf(column)]]),
        )
      const found = suggestColumns(renamed, file.samples, dictionary)
      const columns = { ...mapping, ...expected.ownColumns }
      expect(columns).toMatchObject(own(sureOf(found)))
      // eBay files have fewer as columns: the rest is in fitment rows.
      if (expected.fewValues || expected.byTemplate) return
      const names = own(namesOf(found))
      const right = inFile.filter((field) => names[field] === columns[field])
      expect(right.length).toBeGreaterThanOrEqual(Math.min(MOST_WANTED, inFile.length))
    })
  },
)
