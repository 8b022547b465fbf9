import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { importFields } from '#contract/import-fields.ts'
import { checkListing } from '#contract/listing-rules.ts'
import { checkCells, fieldsOf, goodRow, issuesOf, YEAR } from '#tests/support/checked-row.ts'
import { compileRowCheck } from './check-row.ts'

test('a good row comes out as it is, its empty fields left out', () => {
  expect(fieldsOf(checkCells({}))).toEqual(goodRow)
  expect(fieldsOf(checkCells({ vin: '', partgrade: ' ', imageUrl: '\u00a0' }))).not.toHaveProperty('vin')
  expect(Object.keys(fieldsOf(checkCells({ partgrade: ' ', imageUrl: '\u00a0' })))).toHaveLength(21)
})

test('everything that is wrong with a row is told', () => {
  const issues = issuesOf(checkCells({ partyear: '19', partprice: 'x', zipcode: '1', partname: '' }))
  expect(issues.map(({ column }) => column)).toEqual(['partname', 'partyear', 'partprice', 'zipcode'])
})

describe('the value that an issue shows', () => {
  test('A10 is cut to 100 characters', () => {
    const [issue] = issuesOf(checkCells({ partname: 'x'.repeat(10 * 1024 * 1024) }))
    expect(issue).toMatchObject({ code: 'TOO_LONG', value: 'x'.repeat(100) })
  })
  test('is never cut within a character', () => {
    const [issue] = issuesOf(checkCells({ partname: `${'x'.repeat(99)}🚗${'x'.repeat(99)}` }))
    expect(issue?.value).toBe('x'.repeat(99))
  })
})

test('what is taken is a listing by the form’s rules too', () => {
  const value = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc
      .array(fc.constantFrom('a', '\u00a0', 'é', '\u200b', '\n', '🚗', '\u202e', '\u0085'))
      .map((of) => of.join('')),
    fc.stringMatching(/^[$ ]?[0-9]{1,4}[,.]?[0-9]{0,3}$/),
    fc.constantFrom('1,299.00', '$5', '2019', 'a', '1,000', 'Free', '74103', 'Flat $20', '007', '1.5'),
  )
  fc.assert(
    fc.property(fc.constantFrom(...importFields), value, (field, changed) => {
      const result = checkCells({ [field]: changed })
      if ('issues' in result) return
      const { imageUrl: _, partcategory: __, partmanu, ...fields } = result.fields
      const text = { ...fields, partmanuname: partmanu ?? '' }
      expect(checkListing('ecommerce', text, { mode: 'edit', year: YEAR })).toBeUndefined()
    }),
    { numRuns: 1_000 },
  )
})

test('A20 rows may lack the columns without a name at the end of the header, and no others', () => {
  const header = ['Part', '', 'Price', '', '']
  const names = header.map((name, at) => name || `Column ${at + 1}`)
  const defaults = { partcategory: 'Door', partmanu: 'Ford', partmodel: 'F-150', partyear: '2012' }
  const mapping = { partname: 'Part', partprice: 'Price' }
  const checkRow = compileRowCheck({ header: names, mapping, defaults, year: YEAR })
  expect(fieldsOf(checkRow(['Door', '', '85']))).toMatchObject({ partname: 'Door', partprice: '85' })
  expect(issuesOf(checkRow(['Door', '']))).toMatchObject([{ code: 'TOO_FEW_CELLS' }])
  const checkNameless = compileRowCheck({
    header: names.map((_, at) => `Column ${at + 1}`),
    mapping: { partname: 'Column 1', partprice: 'Column 3' },
    defaults,
    year: YEAR,
  })
  expect(issuesOf(checkNameless(['Door', '', '85']))).toMatchObject([{ code: 'TOO_FEW_CELLS' }])
})
