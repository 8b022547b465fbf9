import { expect, test } from 'vitest'
import { shownOf, uniqueById } from './admin-dashboard-screen.tsx'

test('a repeated listing is shown once, at its first position', () => {
  const items = ['a', 'b', 'b', 'c'].map((id) => ({ id }))
  expect(uniqueById(items).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

test('the line shows the loaded and total counts', () => {
  expect(shownOf(8, { total: 5000 })).toBe('8 of 5,000 products shown')
  expect(shownOf(1008, { total: 10_000, totalIsAtLeast: true })).toBe('1,008 of 10,000+ products shown')
})
