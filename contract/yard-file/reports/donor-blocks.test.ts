import { expect, test } from 'vitest'
import { carsOnceFolder, hasCarsOnce, hasDonorLines } from './donor-blocks.ts'

const header = ['Year', 'Make', 'Model', 'Part', 'Price']
const car = (make: string, part: string) => ['2012', make, 'Any', part, '10.00']
const none = (part: string) => ['', '', '', part, '10.00']

test('a car is filled down only if no car is named twice in a row, and most rows lack it', () => {
  const once = [car('Ford', 'Hood'), none('Door'), none('Seat'), car('Mazda', 'Hood'), none('Radio')]
  expect(hasCarsOnce(header, once)).toBe(true)
  // Parts of a car each name it; some fit any car, or lack it by mistake.
  const some = [
    car('Ford', 'Hood'),
    car('Ford', 'Door'),
    none('Tire'),
    none('Jack'),
    none('Rim'),
    none('Lug'),
  ]
  expect(hasCarsOnce(header, some)).toBe(false)
  expect(hasCarsOnce(header, [none('Tire'), ...once])).toBe(false)
  expect(hasCarsOnce(['Part', 'Price'], [['Hood', '10']])).toBe(false)
})

test('tires of no car are not filled with the car above them, but a wheel of a car is', () => {
  const tires = [
    car('Ford', 'Wheel 17x7.5'),
    none('Tire 205/55R16'),
    none('Michelin 225/65R17'),
    none('Steel rim'),
    car('Kia', 'Wheel 16x6.5'),
    none('Tires, set of 4'),
  ]
  expect(hasCarsOnce(header, tires)).toBe(false)
  const once = [
    car('Ford', 'Hood'),
    none('Steering wheel'),
    none('Wheel'),
    none('Wheel bearing'),
    car('Mazda', 'Hood'),
    none('Radio'),
  ]
  expect(hasCarsOnce(header, once)).toBe(true)
})

test('rows that name a car beside their part are no lines above parts', () => {
  const columns = ['Stock', 'Vehicle', 'Part', 'Price']
  const rows = [
    ['10234', '2012 Ford Focus', 'Sway link', '120'],
    ['10235', '2013 Ford Focus', 'Hood', '90'],
    ['10236', '2014 Mazda 3', 'Hood', '75.50'],
  ]
  expect(hasDonorLines(columns, rows)).toBe(false)
  const lines = [
    ['2012 Ford Focus', '', '', ''],
    ['', '', 'Sway link', '120'],
    ['2014 Mazda 3', '', '', ''],
    ['', '', 'Hood', '75.50'],
  ]
  expect(hasDonorLines(columns, lines)).toBe(true)
  expect(hasDonorLines([...columns, 'Year', 'Make'], lines)).toBe(false)
})

test.each([
  ['columns without names', ['Column 1', 'Column 2', 'Column 3', 'Column 4', 'Column 5', 'Column 6']],
  ['columns with names', ['Lot', 'Yr', 'Mk', 'Mdl', 'What', 'Amt']],
])('rows that each have their own car are no lines above parts: %s', (_, columns) => {
  const rows = [
    ['Y1', '2013', 'Chevrolet', 'Impala', 'Front door, RH', '290'],
    ['Y2', '2006', 'Honda', 'Civic', 'Alt', '60'],
    ['Y3', '2006', 'Toyota', 'Tundra', 'Radiator', '90'],
    ['Y4', '2016', 'Honda', 'Accord EX-L', 'Engine 2.5L', '1230'],
  ]
  expect(hasDonorLines(columns, rows)).toBe(false)
  const titles = rows.map(([lot = '', year, make, model, part, price = '']) => [
    lot,
    `${year} ${make} ${model} ${part}`.toUpperCase(),
    price,
  ])
  expect(hasDonorLines(['Lot', 'Description', 'Amt'], titles)).toBe(false)
})

test('the count and sum of a car’s parts are no part of it', () => {
  const folder = carsOnceFolder(header)
  const rows = [car('Ford', 'Hood'), none('Door'), ['', '', '', '2 parts', '20.00'], none('2 row radiator')]
  expect(folder.push(rows).map((cells) => cells[3] ?? '')).toEqual(['Hood', 'Door', '', '2 row radiator'])
  expect(folder.notes().at(-1)).toBe('1 line is not a part. We skip it.')
})
