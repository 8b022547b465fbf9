import { expect, test } from 'vitest'
import { hasCarsOnce, hasDonorLines } from './donor-blocks.ts'

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
