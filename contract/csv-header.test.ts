import { expect, test } from 'vitest'
import { findColumn, nameColumns } from './csv-header.ts'

test.each([
  ['plain ones', ['a', 'b'], ['a', 'b']],
  ['spaces and line breaks', [' Part\n name ', 'b'], ['Part name', 'b']],
  [
    'A17 the same twice and thrice',
    ['partname', 'partname', 'partname'],
    ['partname', 'partname (2)', 'partname (3)'],
  ],
  ['A17 another case is another name', ['partname', 'PartName'], ['partname', 'PartName']],
  ['A17 blank ones', ['a', '', ' '], ['a', 'Column 2', 'Column 3']],
  [
    'A17 a made-up name that is there',
    ['a', 'a (2)', 'a', 'Column 5', ''],
    ['a', 'a (2)', 'a (3)', 'Column 5', 'Column 5 (2)'],
  ],
  [
    'A17 names of every object',
    ['__proto__', 'constructor', '__proto__'],
    ['__proto__', 'constructor', '__proto__ (2)'],
  ],
])('columns are named: %s', (_, cells, names) => {
  expect(nameColumns(cells)).toEqual(names)
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
])('the column %j is at %i', (name, at) => {
  expect(findColumn(['a', 'b', 'Part Name', 'B'], name)).toBe(at)
})
