import { expect, test } from 'vitest'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { ListingRecord } from '#server/features/market/listings/write-queries.ts'
import { checkItem, chooseListing, readItem } from './bulk-items.ts'

const ID = '01a1fce7-bf91-74d9-b83f-74bddb5ce983'
const known = new Map([
  ['A-1', ['one']],
  ['B-2', ['one', 'two']],
])

test.each([
  [{ id: ID }, ID],
  [{ id: ID.toUpperCase() }, ID],
  [{ id: ID, partnum: 'B-2' }, ID],
  [{ partnum: 'A-1' }, 'one'],
  [{ id: '', partnum: 'A-1' }, 'one'],
  [{ partnum: 'B-2' }, 'AMBIGUOUS'],
  [{ partnum: 'C-3' }, 'NOT_FOUND'],
  [{ id: 'nonsense' }, 'NOT_FOUND'],
  [{ partprice: 5 }, 'VALIDATION_FAILED'],
  [{ partnum: '' }, 'VALIDATION_FAILED'],
])('the listing chosen by %j', (sent, chosen) => {
  const found = chooseListing(readItem(sent), known)
  expect(typeof found === 'string' ? found : found.code).toBe(chosen)
})

test('a part number is either a key or a change, never both', () => {
  expect(readItem({ partnum: 'A-1', partprice: 5 })).toMatchObject({
    key: { partnum: 'A-1' },
    text: { partprice: '5' },
  })
  expect(readItem({ id: ID, partnum: 'A-1' })).toMatchObject({ key: { id: ID }, text: { partnum: 'A-1' } })
})

test('fields that a bulk save may not change are ignored', () => {
  expect(readItem({ id: ID, partslug: 'x', partmanuname: 'Kia', vin: '1', partcity: 'Ada' }).text).toEqual({
    partcity: 'Ada',
  })
})

const listing = { kind: 'quick', version: 4, deleted_at: null } as ListingRecord
const now = new Date('2026-06-01')

test.each([
  [{ partprice: '5' }, undefined],
  [{ partprice: '5', version: 4 }, undefined],
  [{ partprice: '5', version: '3' }, 'stale'],
  [{ version: 'x' }, ['Version must be the whole number that the listing was loaded with.']],
  [{ status: 'GONE' }, ['Status must be ACTIVE or HIDDEN']],
  [{ status: null }, ['Status must be ACTIVE or HIDDEN']],
  [{ partyear: '2030' }, ['Year: A year from 1900 to 2026, or two such as 2012-2015']],
  [
    { partmiles: 'many', partname: '' },
    ['Miles must be a whole number from 0 to 9,999,999', 'Title is required'],
  ],
])('problems of %j', (sent, wrong) => {
  const found = checkItem(readItem({ id: ID, ...sent }), listing, { now })
  expect(typeof found === 'object' ? found.errors : found).toEqual(wrong)
})

test('an item with values of the wrong type is read, and fails alone', () => {
  const sent = [
    { id: ID, phonea: [1], status: 5, version: true },
    { id: ID, partprice: true, partgrade: ['A'], partname: 'Lamp' },
    { id: 77 },
    { id: ID, partprice: 5, latitude: true, partcategory: 5 },
  ]
  const [marks, odd, number, good] = adminListingEndpoints.bulkUpdate.body
    .parse({ items: sent })
    .items.map(readItem)
  if (!marks || !odd || !number || !good) throw new Error('an item is missing')
  expect(checkItem(marks, listing, { now })).toMatchObject({
    errors: [
      'phonea must be text or a number',
      'Version must be the whole number that the listing was loaded with.',
      'Status must be ACTIVE or HIDDEN',
    ],
  })
  expect(checkItem(odd, listing, { now })).toMatchObject({
    errors: ['Grade: This must be text or a number', 'Price: This must be text or a number'],
  })
  expect(chooseListing(number, known)).toMatchObject({ errors: ['There is no listing with the id 77'] })
  expect(checkItem(good, listing, { now })).toBeUndefined()
})
