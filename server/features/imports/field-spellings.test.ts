import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImportField, ImportMapping } from '#contract/import-fields.ts'
import { brokenRule, type ListingField, toWholeNumber } from '#contract/listing-rules.ts'
import { fieldsOf } from '#tests/support/checked-row.ts'
import { compileRowCheck } from './check-row.ts'

/*
 * A row's hash, by which a file sent again changes nothing, is made of its fields: a spelling that was understood once must
 * never come out differently. Here stands how values were read before years had spans and prices their column's mark.
 */

const YEAR = 2026
const AMOUNT = /^(?:\$\s*)?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?$/

type Field = Extract<
  ImportField & ListingField,
  'partyear' | 'partprice' | 'partgrade' | 'partquantity' | 'partmiles' | 'zipcode' | 'partshipping'
>

const asTyped = (text: string) => text
const wholeNumber = (text: string) => (text.includes(',') ? String(toWholeNumber(text)) : text)
const readBefore: Record<Field, (text: string) => string> = {
  partyear: (text) => (/^\d{4}$/.test(text) ? text : ''),
  partprice: (text) => {
    const [, whole, cents = ''] = AMOUNT.exec(text) ?? []
    return whole === undefined ? '' : whole.replaceAll(',', '') + cents
  },
  partgrade: (text) => text.toUpperCase(),
  partquantity: wholeNumber,
  partmiles: wholeNumber,
  zipcode: asTyped,
  partshipping: asTyped,
}

const required = {
  partname: 'Door',
  partcategory: 'Doors',
  partmanu: 'Ford',
  partmodel: 'F-150',
  partyear: '2015',
  partprice: '10',
}

test('A31 what was understood before gives the same fields', () => {
  const columns = [...new Set([...Object.keys(required), ...Object.keys(readBefore)])] as ImportField[]
  const mapping = Object.fromEntries(columns.map((field) => [field, field])) as ImportMapping
  const check = compileRowCheck({ header: columns, mapping, defaults: {}, year: YEAR })
  const pieces = ['0', '1', '2', '9', '20', '19', '5', ',', '.', '$', ' ', '-', 'k', 'a', 'B', '000', 'Flat ']
  const value = fc.oneof(
    fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join('').trim()),
    fc.stringMatching(/^\$?[0-9]{1,4}[,.]?[0-9]{0,3}$/),
    fc.constantFrom('Free', 'free shipping', 'Pickup only', 'local pick-up', 'Flat rate $20', '74103-1234'),
  )
  let understood = 0
  fc.assert(
    fc.property(fc.constantFrom(...(Object.keys(readBefore) as Field[])), value, (field, text) => {
      const before = readBefore[field](text)
      if (before === '' || brokenRule(field, before, YEAR)) return
      understood += 1
      const row: Record<string, string> = { ...required, [field]: text }
      expect(fieldsOf(check(columns.map((column) => row[column] ?? '')))[field]).toBe(before)
    }),
    { numRuns: 5_000 },
  )
  expect(understood).toBeGreaterThan(500)
})
