import { describe, expect, test } from 'vitest'
import type { ImportMapping } from '#contract/import-fields.ts'
import { fieldsOf, issuesOf } from '#tests/support/checked-row.ts'
import { compileRowCheck } from './check-row.ts'

const header = ['Stock', 'Part', 'Category', 'Make', 'Model', 'Year', 'Price', 'Notes']
const mapping: ImportMapping = {
  stocknum: 'Stock',
  partname: 'Part',
  partcategory: 'Category',
  partmanu: 'Make',
  partmodel: 'Model',
  partyear: 'Year',
  partprice: 'Price',
}
const check = compileRowCheck({ header, mapping, defaults: {}, year: 2026 })
const isRemark = (row: string) => issuesOf(check(row.split('|'))).some(({ code }) => code === 'NOT_A_PART')

describe('A20 rows that are no parts', () => {
  test.each([
    'Total||||||1234.50|',
    'TOTAL:|12|||||1,234.50|',
    '|Grand total|||||$1,234.50|',
    'Subtotal||||||9|',
    'Total|||1234',
    'Total parts: 500',
    '500 records',
    '1,204 rows exported',
    '(500 rows affected)',
    'End of report',
    '*** End of file ***',
    'Page 3 of 12',
    'Printed on 11/20/2026 by Joe',
    'Records|500',
    '-----|-----|-----|-----|-----|-----|-----|-----',
    '=====',
  ])('%s', (row) => {
    expect(isRemark(row)).toBe(true)
  })

  test.each([
    'S1|Door||||2015|100|',
    'S1|Total seal ring||Ford|Focus|20l5|100|',
    'Door',
    'S1|Door|Doors',
    'Total|Door|Doors|Ford|Focus|2015',
    '||||||12|',
  ])('%s is a part with mistakes', (row) => {
    expect(isRemark(row)).toBe(false)
  })

  test('a good part whose name begins like a remark is a part', () => {
    expect(fieldsOf(check('S1|Total seal ring|Engine|Ford|Focus|2015|100|'.split('|'))).partname).toBe(
      'Total seal ring',
    )
  })

  test('a remark is told in words, and is no part that a file might lack', () => {
    const checked = check('Total||||||1234.50|'.split('|'))
    expect(issuesOf(checked)).toEqual([
      {
        column: '',
        code: 'NOT_A_PART',
        value: 'Total',
        message: 'The row is no part but a total or a remark, and is left out. Nothing needs to be done',
      },
    ])
    expect(checked).toMatchObject({ said: {} })
  })

  test('a remark is seen where defaults fill most of what a part must have', () => {
    const defaults = { partcategory: 'Doors', partmanu: 'Ford', partmodel: 'Focus' }
    const some = compileRowCheck({ header, mapping, defaults, year: 2026 })
    expect(issuesOf(some('Total||||||1234.50|'.split('|')))[0]?.code).toBe('NOT_A_PART')
  })
})

test.each([
  ['UNCLOSED_QUOTE', 'A quotation mark opens in this row and never closes'],
  ['RECORD_TOO_LONG', 'The row is longer than 16 MB'],
] as const)('A11 a record with %s is an issue of its row, not echoed', (problem, sentence) => {
  const checked = check(['S1', `"${'x'.repeat(1_000_000)}`], problem)
  const [issue] = issuesOf(checked)
  expect(issue?.message.startsWith(sentence)).toBe(true)
  expect(issue?.value.length).toBeLessThanOrEqual(100)
  expect(checked).toHaveProperty('said', undefined)
})
