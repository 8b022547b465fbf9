import { expect, test } from 'vitest'
import { standardDialect } from '#contract/yard-file/reading.ts'
import { recordReader } from '#contract/yard-file/records.ts'
import { failedRowsCsv } from './failed-rows.ts'

test('B7 failed_rows.csv has its header, is safe against formulas and reads back', () => {
  const csv = failedRowsCsv([
    { key: 'id', value: '0199', errors: ['Price: Digits only, "129.95"', 'Grade is A, B, C or D'] },
    { key: 'partnum', value: '=1+1', errors: ['@ambiguous part number'] },
  ])
  expect(csv.startsWith('key,value,errors\r\n')).toBe(true)
  expect(
    recordReader(standardDialect)
      .push(csv)
      .map(({ cells }) => cells),
  ).toEqual([
    ['key', 'value', 'errors'],
    ['id', '0199', 'Price: Digits only, "129.95"; Grade is A, B, C or D'],
    ['partnum', "'=1+1", "'@ambiguous part number"],
  ])
})
