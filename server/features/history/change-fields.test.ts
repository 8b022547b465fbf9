import { expect, test } from 'vitest'
import { categoriesIn, changedFields, type RecordedChange } from './change-fields.ts'

const told = (changes: RecordedChange) =>
  changedFields(changes, (id) => `name of ${id}`).map(
    ({ label, before, after }) => `${label}: ${String(before)} → ${String(after)}`,
  )

test.each<[RecordedChange, string[]]>([
  [{ price_cents: [9550, 8000] }, ['Price: 95.5 → 80']],
  [{ year_from: [2010, 2012], year_to: [2010, 2012] }, ['Year: 2010 → 2012']],
  [{ year_from: [2010, 2011], year_to: [2012, 2013] }, ['Year: 2010-2012 → 2011-2013']],
  [{ year_to: [2012, 2015] }, ['Year: to 2012 → to 2015']],
  [{ category_id: ['c1', null] }, ['Category: name of c1 → null']],
  // The name beside an id says it.
  [{ manufacturer_id: ['m1', 'm2'], manufacturer_name: ['Ford', 'Kia'] }, ['Manufacturer: Ford → Kia']],
  [{ car_model_id: ['x', null], model_name: ['F-150', 'Wyvern'] }, ['Model: F-150 → Wyvern']],
  [{ dealer_phone: ['1', null], dealer_phone_e164: ['+1', null] }, ['Phone (primary): 1 → null']],
  [{ shipping_kind: ['flat', 'free'], shipping_cents: [2000, null] }, ['Shipping: $20.00 → Free']],
  [{ shipping_cents: [2000, 2550] }, ['Shipping: $20.00 → $25.50']],
  [{ shipping_kind: ['pickup', 'quote'] }, ['Shipping: Pickup only → On request']],
  // In the order of the form, whatever the order of the columns.
  [{ status: ['ACTIVE', 'HIDDEN'], name: ['a', 'b'] }, ['Title: a → b', 'Status: ACTIVE → HIDDEN']],
])('%j', (changes, words) => {
  expect(told(changes)).toEqual(words)
})

test('categories of several changes', () => {
  expect(categoriesIn([{ category_id: ['a', null] }, {}, { category_id: ['b', 'a'] }])).toEqual([
    'a',
    'b',
    'a',
  ])
})
