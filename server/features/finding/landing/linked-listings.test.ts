import { expect, test } from 'vitest'
import { listingBatches } from './linked-listings.ts'

const models = [
  { modelId: 'a', count: 600 },
  { modelId: 'b', count: 500 },
  { modelId: 'c', count: 2_500 },
  { modelId: null, count: 3 },
]
const all = (from: number, to: number) => [...listingBatches(models, { from, to })]

test('small models share a batch, large ones are split, through to the end', () => {
  expect(all(0, 3_603)).toEqual([
    { modelIds: ['a', 'b'], offset: 0, limit: 1_000 },
    { modelIds: ['b', 'c'], offset: 400, limit: 1_000 },
    { modelIds: ['c'], offset: 900, limit: 1_000 },
    { modelIds: ['c', null], offset: 1_900, limit: 603 },
  ])
})

test('a range covers only its own listings', () => {
  expect(all(599, 601)).toEqual([{ modelIds: ['a', 'b'], offset: 599, limit: 2 }])
  expect(all(3_600, 3_603)).toEqual([{ modelIds: [null], offset: 0, limit: 3 }])
  expect(all(5, 5)).toEqual([])
})
