import { expect, test } from 'vitest'
import { pagesAround, withPage } from './page-links.tsx'

test.each([
  [1, 2, '1 2'],
  [1, 9, '1 2 … 9'],
  [3, 9, '1 2 3 4 … 9'],
  [5, 9, '1 … 4 5 6 … 9'],
  [4, 6, '1 2 3 4 5 6'],
  [9, 9, '1 … 8 9'],
])('page %i of %i', (page, lastPage, words) => {
  expect(
    pagesAround(page, lastPage)
      .map((each) => each ?? '…')
      .join(' '),
  ).toBe(words)
})

test('another page keeps the search; the first has no number', () => {
  expect(withPage('?q=door&page=3', 4)).toBe('?q=door&page=4')
  expect(withPage('?q=door&page=3', 1)).toBe('?q=door')
  expect(withPage('?page=2', 1)).toBe('')
})
