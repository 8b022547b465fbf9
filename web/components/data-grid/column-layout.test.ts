import { expect, test } from 'vitest'
import { layoutOf, readLayout, resizeColumn, shownColumns, toggleColumn, widthOf } from './column-layout.ts'

const name = { key: 'name', label: 'Name', width: 200 }
const city = { key: 'city', label: 'City', width: 100, hiddenAtFirst: true }
const columns = [name, city]
const usual = layoutOf(columns)

test('columns are hidden, shown and resized', () => {
  expect(shownColumns(columns, usual.hidden)).toEqual([name])
  expect(shownColumns(columns, toggleColumn(usual, 'city').hidden)).toEqual(columns)
  expect(toggleColumn(toggleColumn(usual, 'name'), 'name').hidden).toEqual(['city'])
  expect(widthOf(name, resizeColumn(usual, 'name', 250.4))).toBe(250)
  expect(widthOf(name, resizeColumn(usual, 'name', 3))).toBe(48)
  expect(widthOf(city, usual)).toBe(100)
})

test('what is kept is read back', () => {
  const layout = resizeColumn(toggleColumn(usual, 'city'), 'name', 300)
  expect(readLayout(JSON.stringify(layout), columns)).toEqual(layout)
})

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['something else', '[1]'],
  ['no column left', '{"hidden":["name","city"],"widths":{}}'],
])('%s is the usual layout', (_name, stored) => {
  expect(readLayout(stored, columns)).toEqual(usual)
})

test('a column that there is no more is passed over', () => {
  const stored = '{"hidden":["gone"],"widths":{"gone":100,"name":"wide","city":9999}}'
  expect(readLayout(stored, columns)).toEqual({ hidden: [], widths: { city: 640 } })
})
