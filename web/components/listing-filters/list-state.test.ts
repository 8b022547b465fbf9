import { expect, test } from 'vitest'
import {
  changeListState,
  isCapped,
  isFiltered,
  type ListChange,
  productCount,
  readListState,
} from './list-state.ts'

const defaults = { q: '', state: 'active' }
const read = (query: string) => readListState(new URLSearchParams(query), defaults)
const change = (query: string, patch: ListChange) =>
  changeListState(new URLSearchParams(query), patch, defaults).toString()

test('the list’s state is in the URL', () => {
  expect(read('q=door+mirror&state=sold&page=3&perPage=48')).toEqual({
    filters: { q: 'door mirror', state: 'sold' },
    page: 3,
    perPage: 48,
  })
})

test.each(['', 'page=0&perPage=13', 'page=-1&perPage=x', 'page=1.5', 'page=1e99'])(
  '"%s" reads as the first page of twelve',
  (query) => {
    expect(read(query)).toEqual({ filters: defaults, page: 1, perPage: 12 })
  },
)

test('a list may have its own page sizes, the first being the default', () => {
  const sizes = [4, 8, 12, 24] as const
  const perPage = (query: string) => readListState(new URLSearchParams(query), defaults, sizes).perPage
  expect([perPage(''), perPage('perPage=8'), perPage('perPage=48')]).toEqual([4, 8, 4])
  const resized = (size: number) =>
    changeListState(new URLSearchParams('page=3'), { perPage: size }, defaults, sizes).toString()
  expect([resized(24), resized(4)]).toEqual(['perPage=24', ''])
})

test('a malformed id is dropped', () => {
  const id = '01a1fbb6-8e30-72de-bc18-36be9b3a62ea'
  const filtersOf = (query: string) => readListState(new URLSearchParams(query), { categoryId: '' }).filters
  expect(filtersOf('categoryId=abc')).toEqual({ categoryId: '' })
  expect(filtersOf(`categoryId=${id}`)).toEqual({ categoryId: id })
})

test('changing a filter goes back to page 1, and changing the page keeps the filters', () => {
  expect(change('q=door&page=3', { q: 'mirror' })).toBe('q=mirror')
  expect(change('q=door&page=3', { page: 4 })).toBe('q=door&page=4')
  expect(change('q=door&page=3', { perPage: 24 })).toBe('q=door&perPage=24')
})

test('default values are left out of the URL', () => {
  expect(change('q=door&state=sold&perPage=24', { q: '', state: 'active', perPage: 12, page: 1 })).toBe('')
  expect(isFiltered(defaults, defaults)).toBe(false)
  expect(isFiltered({ ...defaults, q: 'door' }, defaults)).toBe(true)
})

test('a capped total is shown as such', () => {
  expect(productCount({ total: 1 })).toBe('1 product(s)')
  expect(productCount({ total: 10_000, totalIsAtLeast: true })).toBe('10,000+ product(s)')
})

test('a search capped at its first 10,000 results differs from a long list', () => {
  const found = { total: 10_000, totalIsAtLeast: true, perPage: 12 } as const
  expect([isCapped({ ...found, lastPage: 834 }), isCapped({ ...found, lastPage: 83_334 })]).toEqual([
    true,
    false,
  ])
  expect(isCapped({ total: 9_999, perPage: 12, lastPage: 834 })).toBe(false)
})
