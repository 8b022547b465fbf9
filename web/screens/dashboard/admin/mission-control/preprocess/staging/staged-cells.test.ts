import { expect, test } from 'vitest'
import { cellText, cellValue, fieldsFrom, readTable } from './staged-cells.ts'

test.each([
  ['an unchanged value stays as it was', '{"a":[1]}', { a: [1] }, { a: [1] }],
  ['a number stays a number', '12.5', 10, 12.5],
  ['a text of digits stays a text', '0012', '0011', '0012'],
  ['a number with a leading zero becomes text', '012', 12, '012'],
  ['a switch', 'false', true, false],
  ['an emptied cell has no value', '', 'Camry', undefined],
  ['a nested value that was edited', '["L","R"]', ['L'], ['L', 'R']],
  ['a bracket that is not JSON', '[used]', undefined, '[used]'],
  ['null is kept while the cell stays empty', '', null, null],
])('the value of a cell: %s', (_what, text, before, after) => {
  expect(cellValue(text, before)).toEqual(after)
})

test('a nested value survives the grid', () => {
  const before = { partname: 'Hood', fits: [{ make: 'Toyota', years: [2012, 2013] }], partprice: 80 }
  const cells = new Map(Object.entries(before).map(([name, value]) => [name, cellText(value)]))
  expect(fieldsFrom(cells, before)).toEqual(before)
  cells.set('partname', 'Bonnet')
  expect(Object.keys(fieldsFrom(cells, before))).toEqual(['partname', 'fits', 'partprice'])
})

test.each([
  ['{"rows": []}', 'CSV needs a list of objects, but this text is an object. Put the rows in [ … ].'],
  ['[{"a": 1}, 7]', 'CSV needs a list of objects, but item 2 is a number.'],
  ['[{"a": 1}, null]', 'CSV needs a list of objects, but item 2 is null.'],
  ['[[1, 2]]', 'CSV needs a list of objects, but item 1 is a list.'],
])('why %s is not a table', (text, sentence) => {
  expect(readTable(text)).toBe(sentence)
})

test('invalid JSON is reported with its line', () => {
  expect(readTable('[\n  {"a": 1}\n  {"b": 2}\n]')).toMatch(/^Line 3 is not valid JSON: .* at column 3/)
})

test('columns are those of all rows, each once', () => {
  expect(readTable('[{"a": 1, "b": 2}, {"c": 3, "a": 4}]')).toMatchObject({ columns: ['a', 'b', 'c'] })
})
