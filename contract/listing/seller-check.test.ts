import { expect, test } from 'vitest'
import { type CheckedListing, checkForSeller } from './seller-check.ts'

const picture = { id: '', url: '', alt: '', width: 1, height: 1, marks: [] }
const complete: CheckedListing = {
  kind: 'quick',
  partdescription: 'Tested at 130 A for half an hour, runs quietly and charges well.',
  partdamage: null,
  partgrade: 'A',
  partmiles: 90_000,
  partnum: '27060-0V210',
  damagecode: '000',
  termsInWords: ['90-day warranty'],
  shippingKind: 'free',
  images: [picture, picture, picture],
  vin: '4T1BF1FK5EU345678',
}

test('a complete listing has 100 points', () => {
  expect(checkForSeller(complete, false)).toEqual({ score: 100, missing: [] })
})

test.each<[Partial<CheckedListing>, number, string]>([
  [{ images: [] }, 75, 'a picture'],
  [{ images: [picture] }, 90, '3 pictures or more'],
  [{ partmiles: null }, 90, 'the miles'],
  [{ termsInWords: [] }, 90, 'warranty or returns'],
  [
    { partdescription: `${complete.partdescription} Scratched.` },
    80,
    'the right damage code: 000 contradicts the description',
  ],
])('%j: %d, add %s', (changes, score, add) => {
  const found = checkForSeller({ ...complete, ...changes }, false)
  expect([found.score, found.missing[0]?.add]).toEqual([score, add])
})

test('what the form of its kind cannot add, or its yard states for all parts, is not asked for', () => {
  const shop: CheckedListing = { ...complete, kind: 'ecommerce' }
  expect(checkForSeller(shop, false).score).toBe(100)
  expect(checkForSeller({ ...shop, shippingKind: 'quote' }, false).score).toBe(95)
  expect(checkForSeller({ ...complete, shippingKind: 'quote' }, false).score).toBe(100)
  expect(checkForSeller({ ...complete, termsInWords: [] }, true).score).toBe(100)
})

test('nothing falls below 0', () => {
  const bare = { ...complete, images: [], partdescription: 'dent', partgrade: null, partnum: null, vin: null }
  expect(checkForSeller({ ...bare, partmiles: null, termsInWords: [] }, false).score).toBe(0)
})
