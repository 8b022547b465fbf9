import { expect, test } from 'vitest'
import {
  changeListState,
  countLine,
  isFiltered,
  type ListChange,
  pageCount,
  readListState,
} from './filter-state.ts'

const defaults = { q: '', state: 'active' }
const read = (query: string) => readListState(new URLSearchParams(query), defaults)
const change = (query: string, patch: ListChange) =>
  changeListState(new URLSearchParams(query), patch, defaults).toString()

test('the address holds the list’s state', () => {
  expect(read('q=door+mirror&state=sold&page=3&perPage=48')).toEqual({
    filters: { q: 'door mirror', state: 'sold' },
    page: 3,
    perPage: 48,
  })
})

test.each(['', 'page=0&perPage=13', 'page=-1&perPage=x', 'page=1.5', 'page=1e99'])(
  'B14 "%s" reads as the first page of twelve',
  (query) => {
    expect(read(query)).toEqual({ filters: defaults, page: 1, perPage: 12 })
  },
)

test('B14 an id that cannot be one is dropped', () => {
  const id = '01a1fbb6-8e30-72de-bc18-36be9b3a62ea'
  const filtersOf = (query: string) => readListState(new URLSearchParams(query), { categoryId: '' }).filters
  expect(filtersOf('categoryId=abc')).toEqual({ categoryId: '' })
  expect(filtersOf(`categoryId=${id}`)).toEqual({ categoryId: id })
})

test('a changed filter begins at page 1, a changed page keeps the filters', () => {
  expect(change('q=door&page=3', { q: 'mirror' })).toBe('q=mirror')
  expect(change('q=door&page=3', { page: 4 })).toBe('q=door&page=4')
  expect(change('q=door&page=3', { perPage: 24 })).toBe('q=door&perPage=24')
})

test('what is usual is left out of the address', () => {
  expect(change('q=door&state=sold&perPage=24', { q: '', state: 'active', perPage: 12, page: 1 })).toBe('')
  expect(isFiltered(defaults, defaults)).toBe(false)
  expect(isFiltered({ ...defaults, q: 'door' }, defaults)).toBe(true)
})

test('pages and the count line', () => {
  expect([pageCount(0, 12), pageCount(12, 12), pageCount(13, 12)]).toEqual([1, 1, 2])
  expect(countLine(1, undefined)).toBe('1 product(s) found')
  expect(countLine(10_000, true)).toBe('10,000+ product(s) found')
})
