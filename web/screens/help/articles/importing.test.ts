import { expect, test } from 'vitest'
import { importFieldLabels, requiredImportFields } from '#contract/csv/import-fields.ts'
import { columns } from './importing.tsx'

test('the article names the import’s fields as the import does, and stars the required ones', () => {
  const named = columns.map(([field, label]) => [field, label])
  const expected = columns.map(([field]) => [
    field,
    importFieldLabels[field] + (requiredImportFields.includes(field) ? ' *' : ''),
  ])
  expect(named).toEqual(expected)
  expect(requiredImportFields.filter((field) => !columns.some(([named]) => named === field))).toEqual([])
})
