import { expect, test } from 'vitest'
import { taxBack } from './sales-tax.ts'

const none = { part: 0, shipping: 0, core: 0 }
const paid = { part: 10_000, shipping: 1_500, core: 5_000, tax: 1_320 }

test.each([
  ['a part’s share', { part: 2_500 }, 'TX', 200],
  ['with shipping', { part: 10_000, shipping: 1_500 }, 'TX', 920],
  ['a core alone: none', { core: 5_000 }, 'TX', 0],
  ['where the old part lowers it', { core: 5_000 }, 'WA', 400],
  ['a core with its part: of both', { part: 10_000, core: 5_000 }, 'TX', 1_200],
  ['everything', { part: 10_000, shipping: 1_500, core: 5_000 }, 'TX', 1_320],
  ['nothing', {}, 'TX', 0],
])('%s', (_what, now, state, tax) => {
  expect(taxBack({ paid, left: paid, now: { ...none, ...now }, state })).toBe(tax)
})

test('never more than is left, and all of that with the last cent', () => {
  const left = { part: 10_000, shipping: 1_500, core: 0, tax: 100 }
  expect(taxBack({ paid, left, now: { ...none, part: 9_000 }, state: null })).toBe(100)
  const last = { part: 1, shipping: 0, core: 0, tax: 77 }
  expect(taxBack({ paid, left: last, now: { ...none, part: 1 }, state: null })).toBe(77)
})
