import { expect, test } from 'vitest'
import { isSameCity, looksAlike } from './alike-names.ts'

test.each([
  ['Southside Auto Parts', 'SOUTHSIDE AUTOPARTS'],
  ['Southside Auto Parts', 'South-Side Auto Parts, LLC'],
  ['Southside Auto Parts', 'The Southside Auto Parts Co.'],
  ['Southside Auto Parts', 'S\u043euthside Auto P\u0430rts'],
  ['Southside Auto Parts', 'Souths1de Aut0 Parts'],
  ['Southside Auto Parts', '\uff33\uff4f\uff55\uff54\uff48\uff53\uff49\uff44\uff45 Auto Parts'],
  ['Southside Auto Parts', 'Sou\u200bthside Auto Parts'],
  ['Southside Auto Parts', 'Soutshide Auto Parts'],
  ['Southside Auto Parts', 'Southside Auto Part'],
  ['Harmon & Sons', 'Harrnon and Sons'],
  ['Tulsa Salvage', 'TuIsa Salvage'],
  ['A1 Auto', 'A1 AUTO!'],
])('%s looks like %s', (one, other) => {
  expect(looksAlike(one, other)).toBe(true)
  expect(looksAlike(other, one)).toBe(true)
})

test.each([
  ['Southside Salvage', 'Southside Salvage of Tulsa'],
  ['Southside Salvage', 'Official Southside Salvage, Tulsa OK'],
  ['Southside Salvage', 'SOUTHSIDE SALVAGE ONLINE STORE'],
  ['Tulsa Southside Salvage', 'Southside Salvage'],
])('%s looks like %s in its city', (one, other) => {
  expect(looksAlike(one, other, ['Tulsa', 'OK'])).toBe(true)
  expect(looksAlike(other, one, ['Tulsa', 'OK'])).toBe(true)
})

test.each([
  ['A1 Auto', 'A2 Auto'],
  ['Southside Auto Parts', 'Northside Auto Parts'],
  ['Southside Auto Parts', 'Southside Salvage'],
  ['Bob’s Parts', 'Rob’s Parts'],
  ['Auto Parts', 'Used Auto Parts'],
  ['Tulsa Auto Parts', 'Tulsa Truck Parts'],
  ['', ''],
  ['!!!', '???'],
])('%s does not look like %s', (one, other) => {
  expect(looksAlike(one, other, ['Tulsa', 'OK'])).toBe(false)
})

test('a city is the same however it is written', () => {
  expect(isSameCity('St. Louis', 'SAINT LOUIS')).toBe(true)
  expect(isSameCity('Tulsa', 'Dallas')).toBe(false)
})
