import { expect, test } from 'vitest'
import { missingColumns } from './import-fields.ts'

test('lists the columns that a template names and the file lacks', () => {
  const mapping = { partname: 'Part', partprice: 'Cost' }
  expect(missingColumns(mapping, [' part', 'Price'])).toEqual([{ field: 'partprice', header: 'Cost' }])
})
