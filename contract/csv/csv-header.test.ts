import { expect, test } from 'vitest'
import { findColumn, headerWarnings, nameColumns } from './csv-header.ts'

test.each([
  ['plain names', ['a', 'b'], ['a', 'b']],
  ['spaces and line breaks', [' Part\n name ', 'b'], ['Part name', 'b']],
  [
    'the same name two and three times',
    ['partname', 'partname', 'partname'],
    ['partname', 'partname (2)', 'partname (3)'],
  ],
  ['names that differ in case are different', ['partname', 'PartName'], ['partname', 'PartName']],
  ['blank names', ['a', '', ' '], ['a', 'Column 2', 'Column 3']],
  [
    'a generated name that is already taken',
    ['a', 'a (2)', 'a', 'Column 5', ''],
    ['a', 'a (2)', 'a (3)', 'Column 5', 'Column 5 (2)'],
  ],
  [
    'names that every object has',
    ['__proto__', 'constructor', '__proto__'],
    ['__proto__', 'constructor', '__proto__ (2)'],
  ],
])('column names: %s', (_, cells, names) => {
  expect(nameColumns(cells)).toEqual(names)
})

test('200,000 columns with the same name all get unique names', () => {
  const names = nameColumns(Array.from({ length: 200_000 }, () => 'a'))
  expect(names.at(-1)).toBe('a (200000)')
  expect(new Set(names).size).toBe(200_000)
})

test.each([
  ['b', 1],
  [' b ', 1],
  ['part name', 2],
  ['PARTNAME', 2],
  ['Part  Name', 2],
  ['B', 3],
  ['c', -1],
  ['__proto__', -1],
  ['', -1],
])('column %j is at index %i', (name, at) => {
  expect(findColumn(['a', 'b', 'Part Name', 'B'], name)).toBe(at)
})

test.each([
  ['nothing unusual', ['a', 'b (2)', 'Column 9'], []],
  [
    'the same name twice',
    ['Price', 'Year', 'Price', 'Price'],
    [
      'More than one column is called “Price”: the first of each keeps its name, the others are “Price (2)”, “Price (3)” here. Check that each field has the column you mean.',
    ],
  ],
  ['a blank name', ['a', ''], ['A column has no name in the first row: “Column 2” here.']],
  [
    'many blank names',
    ['a', ...Array.from({ length: 7 }, () => '')],
    [
      '7 columns have no name in the first row: “Column 2”, “Column 3”, “Column 4”, “Column 5”, “Column 6”, … here.',
    ],
  ],
])('column warnings: %s', (_, cells, warnings) => {
  expect(headerWarnings(nameColumns(cells))).toEqual(warnings)
})
