import { expect, test } from 'vitest'
import type { Actor } from '#server/platform/actor.ts'
import {
  categoriesIn,
  changedBy,
  changedFields,
  type LastChange,
  type RecordedChange,
  whoChanged,
} from './changes.ts'

const words = (changes: RecordedChange) =>
  changedFields(changes, (id) => `name of ${id}`).map(
    ({ label, before, after }) => `${label}: ${String(before)} → ${String(after)}`,
  )

test.each<[RecordedChange, string[]]>([
  [{ price_cents: [9550, 8000] }, ['Price: 95.5 → 80']],
  [{ year_from: [2010, 2012], year_to: [2010, 2012] }, ['Year: 2010 → 2012']],
  [{ year_from: [2010, 2011], year_to: [2012, 2013] }, ['Year: 2010-2012 → 2011-2013']],
  [{ year_to: [2012, 2015] }, ['Year: to 2012 → to 2015']],
  [{ category_id: ['c1', null] }, ['Category: name of c1 → null']],
  // The name changes with the id.
  [{ manufacturer_id: ['m1', 'm2'], manufacturer_name: ['Ford', 'Kia'] }, ['Manufacturer: Ford → Kia']],
  [{ car_model_id: ['x', null], model_name: ['F-150', 'Wyvern'] }, ['Model: F-150 → Wyvern']],
  [{ dealer_phone: ['1', null], dealer_phone_e164: ['+1', null] }, ['Phone (primary): 1 → null']],
  [{ shipping_kind: ['flat', 'free'], shipping_cents: [2000, null] }, ['Shipping: $20.00 → Free']],
  [{ shipping_cents: [2000, 2550] }, ['Shipping: $20.00 → $25.50']],
  [{ shipping_kind: ['pickup', 'quote'] }, ['Shipping: Pickup only → On request']],
  // In the form's order, regardless of column order.
  [{ status: ['ACTIVE', 'HIDDEN'], name: ['a', 'b'] }, ['Title: a → b', 'Status: ACTIVE → HIDDEN']],
])('%j', (changes, expected) => {
  expect(words(changes)).toEqual(expected)
})

test('lists the categories of several changes', () => {
  expect(categoriesIn([{ category_id: ['a', null] }, {}, { category_id: ['b', 'a'] }])).toEqual([
    'a',
    'b',
    'a',
  ])
})

const at = new Date('2026-11-21T06:38:40Z')
const change: LastChange = {
  userId: 'dana',
  by: 'dana@example.com',
  kind: 'user',
  how: 'edit listing',
  at,
  isOfSeller: false,
}
const seller = { userId: 'sam', role: 0 } as Actor
const admin = { userId: 'ada', role: 1 } as Actor

test.each<[string, Partial<LastChange>, Actor, string]>([
  ['an admin, to the seller', {}, seller, 'an administrator'],
  ['a colleague, to the seller', { isOfSeller: true }, seller, 'a colleague'],
  ['a job that an admin started, to the seller', { kind: 'job', how: 'rename' }, seller, 'an administrator'],
  ['the system, to the seller', { userId: null, by: null, kind: 'job' }, seller, 'the system (edit listing)'],
  ['a deleted account, to the seller', { userId: null, by: null }, seller, 'someone whose account is gone'],
  ['themselves, to the seller', { userId: 'sam' }, seller, 'you, in another window'],
  ['their own import, to the seller', { userId: 'sam', kind: 'job', how: 'import' }, seller, 'you (import)'],
  ['a seller, to an admin', { by: 'Dana Whitfield', isOfSeller: true }, admin, 'Dana Whitfield'],
  ['themselves, to an admin', { userId: 'ada' }, admin, 'you, in another window'],
])('who made the change: %s', (_title, facts, viewer, expected) => {
  expect(whoChanged({ ...change, ...facts }, viewer)).toBe(expected)
})

test('admins see one sentence, with the minute', () => {
  expect(changedBy({ ...change, by: 'Dana Whitfield' })).toBe(
    'Dana Whitfield changed it on Nov 21, 2026, 6:38 AM UTC',
  )
  expect(changedBy({ ...change, userId: null, by: null, how: 'import' })).toBe(
    'The system (import) changed it on Nov 21, 2026, 6:38 AM UTC',
  )
  expect(changedBy(undefined)).toBe('Someone else changed it')
})
