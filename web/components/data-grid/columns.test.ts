import { expect, test } from 'vitest'
import {
  layoutOf,
  layoutToKeep,
  readLayout,
  resizeColumn,
  shownColumns,
  toggleColumn,
  widthOf,
} from './columns.ts'

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

test('a stored layout is read back', () => {
  const layout = resizeColumn(toggleColumn(usual, 'city'), 'name', 300)
  expect(readLayout(JSON.stringify(layout), columns)).toEqual(layout)
})

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['something else', '[1]'],
  ['a width that is not a number', '{"hidden":[],"widths":{"name":"wide"}}'],
  ['no column left', '{"hidden":["name","city"],"widths":{}}'],
])('%s is the usual layout', (_name, stored) => {
  expect(readLayout(stored, columns)).toEqual(usual)
})

test('unknown columns are ignored', () => {
  const stored = '{"hidden":["gone"],"widths":{"gone":100,"city":9999}}'
  expect(readLayout(stored, columns)).toEqual({ hidden: [], widths: { city: 640 } })
})

test('columns of other files stay remembered when one of these is changed', () => {
  const price = { key: 'price', label: 'Price', width: 80 }
  const other = resizeColumn(toggleColumn(layoutOf([price, name]), 'price'), 'price', 120)
  const kept = layoutToKeep(JSON.stringify(other), columns, resizeColumn(usual, 'name', 300))
  expect(kept).toEqual({ hidden: ['city', 'price'], widths: { name: 300, price: 120 } })
  const reset = layoutToKeep(JSON.stringify(kept), columns, usual)
  expect(reset).toEqual({ hidden: ['city', 'price'], widths: { price: 120 } })
  expect(layoutToKeep('{', columns, usual)).toEqual(usual)
})

test('at most 500 columns are remembered', () => {
  const many = Array.from({ length: 600 }, (_, place) => `column ${place}`)
  const stored = { hidden: many, widths: Object.fromEntries(many.map((key) => [key, 100])) }
  const { hidden, widths } = layoutToKeep(JSON.stringify(stored), columns, usual)
  expect([hidden[0], hidden.length, Object.keys(widths).length]).toEqual(['city', 500, 500])
})
