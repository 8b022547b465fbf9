import { describe, expect, test } from 'vitest'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import { compileRowCheck } from '#server/features/stock-files/read/check-row.ts'
import { fieldsOf, issuesOf } from '#tests/support/checked-row.ts'

const YEAR = 2026

describe('columns', () => {
  const mapping: ImportMapping = {
    partname: 'Title',
    partcategory: 'part type',
    partmanu: ' Make ',
    partmodel: 'Model',
    partyear: 'year',
    partprice: 'Retail',
  }
  const header = ['Bin', 'Title', 'Part Type', 'Make', 'Model', 'Year', 'Retail', 'Column 8']
  const cells = ['A1', 'Door', 'Front Door', 'Ford', 'F-150', '2015', '10', 'x']

  test('are found by name, ignoring case and spaces; other columns are left out', () => {
    const checkRow = compileRowCheck({ header, mapping, defaults: {}, year: YEAR })
    expect(checkRow(cells)).toEqual({
      fields: {
        partname: 'Door',
        partcategory: 'Front Door',
        partmanu: 'Ford',
        partmodel: 'F-150',
        partyear: '2015',
        partprice: '10',
      },
    })
  })

  test('an issue names the file’s header, or the field if none is mapped', () => {
    const { partmodel: _, ...rest } = mapping
    const checkRow = compileRowCheck({ header, mapping: rest, defaults: {}, year: YEAR })
    expect(issuesOf(checkRow(cells.with(6, 'call')))).toMatchObject([
      { column: 'partmodel', code: 'REQUIRED', value: '' },
      { column: 'Retail', code: 'INVALID_PRICE', value: 'call' },
    ])
  })

  test('missing columns are reported before any row', () => {
    const wrong = { ...mapping, partnum: 'OEM No', partgrade: '__proto__' }
    const error = expect(() => compileRowCheck({ header, mapping: wrong, defaults: {}, year: YEAR }))
    error.toThrow(
      'The mapping names columns that the file does not have: “__proto__” (Grade), “OEM No” (Part number). The file’s columns are “Bin”, “Title”,',
    )
  })

  test('defaults fill empty values and are checked like values', () => {
    const defaults = { partprice: '$5.00', partgrade: 'c', dealername: ' Joe ', partcity: '' }
    const checkRow = compileRowCheck({ header, mapping, defaults, year: YEAR })
    expect(fieldsOf(checkRow(cells.with(6, '')))).toMatchObject({
      partprice: '5.00',
      partgrade: 'C',
      dealername: 'Joe',
    })
    expect(fieldsOf(checkRow(cells))).toMatchObject({ partprice: '10' })
    expect(fieldsOf(checkRow(cells))).not.toHaveProperty('partcity')
  })

  test('an invalid default is refused for the whole file', () => {
    const compile = () => compileRowCheck({ header, mapping, defaults: { partyear: '190' }, year: YEAR })
    expect(compile).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        fields: { defaults: expect.stringContaining('Write the year like 2012') },
      }),
    )
  })

  test('a column may be called __proto__', () => {
    const checkRow = compileRowCheck({
      header: header.with(1, '__proto__'),
      mapping: { ...mapping, partname: '__proto__' },
      defaults: {},
      year: YEAR,
    })
    const fields = fieldsOf(checkRow(cells))
    expect(fields.partname).toBe('Door')
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
  })

  test.each([
    [
      'too few cells',
      ['A1', 'Door', 'Front Door'],
      'TOO_FEW_CELLS',
      'This line has 3 cells and the header 8.',
    ],
    ['one cell', ['A1'], 'TOO_FEW_CELLS', 'This line has 1 cell and the header 8.'],
    ['too many cells', [...cells, '', 'y'], 'TOO_MANY_CELLS', 'This line has 10 cells and the header 8.'],
  ])('%s', (_, row, code, sentence) => {
    const checkRow = compileRowCheck({ header, mapping, defaults: {}, year: YEAR })
    const issues = issuesOf(checkRow(row))
    expect(issues).toMatchObject([{ column: '', code, value: row.slice(0, 5).join(',') }])
    expect(issues[0]?.message).toContain(sentence)
  })

  test('extra empty cells are allowed', () => {
    const checkRow = compileRowCheck({ header, mapping, defaults: {}, year: YEAR })
    expect(fieldsOf(checkRow([...cells, '', ' ']))).toMatchObject({ partname: 'Door' })
  })
})
