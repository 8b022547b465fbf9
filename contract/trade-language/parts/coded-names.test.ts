import { expect, test } from 'vitest'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'
import { isCodeColumn, nameByCode } from './coded-names.ts'

const { roles } = testVocabulary.language

test.each([
  ['ENG', '2.4L VIN B 8th digit', 'Engine', 'Engine Assembly'],
  ['E', 'R18Z1', 'Engine', 'Engine Assembly'],
  ['TRN', '5 spd MT', 'Manual Transmission', 'Manual Transmission'],
  ['T', '6 spd AT 4x4', 'Automatic Transmission', 'Automatic Transmission'],
  ['TRN', '8HP70 AWD', 'Automatic Transmission', 'Automatic Transmission'],
  ['Trans', '6L80', 'Automatic Transmission', 'Automatic Transmission'],
  ['TRN', 'CVT', 'CVT Transmission', 'CVT Transmission'],
])('%s with %s is a %s', (name, code, called, category) => {
  expect(nameByCode(name, code, roles)).toBe(called)
  expect(testVocabulary.partNames.match(called, '').verdict).toMatchObject({ kind: 'known', name: category })
})

test('what the code leaves open stays open, and other names are not read by codes', () => {
  expect(nameByCode('TRN', 'JF015', roles)).toBe('Transmission')
  expect(nameByCode('Engine cover', 'N55B30', roles)).toBeUndefined()
})

test.each([
  'Code / Size',
  'Engine Code',
  'Eng Code',
  'Trans code',
  'VIN 8th digit',
  'VIN Digit',
  'Size',
  'Liters',
])('“%s” has codes', (header) => expect(isCodeColumn(header)).toBe(true))
test.each(['Zip code', 'Status code', 'Color', 'Bin', 'Body type'])('“%s” has none', (header) =>
  expect(isCodeColumn(header)).toBe(false),
)
