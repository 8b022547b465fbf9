import { expect, test } from 'vitest'
import type { ListingRecord } from '#server/features/market/listings/write-queries.ts'
import { formerLookup, type Undo, withCurrentLookups } from './undo-page.ts'

const listing = {
  category_id: 'lamps',
  manufacturer_id: 'honda',
  manufacturer_name: 'Honda',
  car_model_id: 'civic',
  model_name: 'Civic',
  heading: null,
  price_cents: 700,
} as ListingRecord

const price: [number, number] = [700, 900]
const toToyota = {
  price_cents: price,
  manufacturer_id: ['honda', 'toyota'],
  manufacturer_name: ['Honda', 'Toyota'],
  car_model_id: ['civic', 'camry'],
  model_name: ['Civic', 'Camry'],
} as const

const restore = (columns: object) => ({ kind: 'restore', listing, columns, pictures: undefined }) as Undo

const currentLookups = (changes: { makes?: object; models?: object } = {}) => {
  const asMap = (names: object) =>
    new Map(Object.entries(names).map(([asked, [id, name]]) => [asked, { id, name }]))
  return {
    category: asMap({}),
    manufacturer: asMap({ toyota: ['toyota', 'Toyota'], ...changes.makes }),
    car_model: asMap({ camry: ['camry', 'Camry'], ...changes.models }),
  }
}

const columnsOf = (undo: Undo) => (undo.kind === 'restore' ? undo.columns : undo.kind)

test('unchanged lookups are restored', () => {
  expect(columnsOf(withCurrentLookups(restore(toToyota), currentLookups()))).toEqual(toToyota)
})

test('a lookup renamed or merged since is restored under its current name, also in the heading', () => {
  const undo = restore({ ...toToyota, heading: [null, 'Toyota Camry lamp'] })
  const makes = { toyota: ['lexus', 'Lexus'] }
  expect(columnsOf(withCurrentLookups(undo, currentLookups({ makes })))).toEqual({
    ...toToyota,
    manufacturer_id: ['honda', 'lexus'],
    manufacturer_name: ['Honda', 'Lexus'],
    heading: [null, 'Lexus Camry lamp'],
  })
})

test('if the former lookup was merged into the imported one, only the rest is restored', () => {
  const made = { makes: { toyota: ['honda', 'Honda'] }, models: { camry: ['civic', 'Civic'] } }
  expect(columnsOf(withCurrentLookups(restore(toToyota), currentLookups(made)))).toEqual({
    price_cents: price,
  })
})

test.each([
  ['make', { manufacturer_id: ['honda', 'gone'], manufacturer_name: ['Honda', 'Gone'] }],
  ['model of the same name', { car_model_id: ['civic', 'gone'] }],
  ['category', { category_id: ['lamps', 'gone'] }],
])('a listing whose former %s was deleted is kept as a whole', (_what, columns) => {
  expect(withCurrentLookups(restore({ price_cents: price, ...columns }), currentLookups())).toEqual({
    kind: 'keep',
    listing,
    why: 'deleted',
  })
})

test('a name without a lookup is restored as text, and unchanged columns are not looked up', () => {
  const undo = restore({ manufacturer_id: ['honda', null], manufacturer_name: ['Honda', 'Hnda'] })
  const kinds = ['category', 'manufacturer', 'car_model'] as const
  expect(kinds.map((kind) => formerLookup(undo, kind))).toEqual([null, null, null])
  expect(withCurrentLookups(undo, currentLookups())).toEqual(undo)
})
