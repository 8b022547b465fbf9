import { expect, test } from 'vitest'
import { fitted, joinedWithNext, withCellInserted, withCellRemoved } from './cell-shifts.ts'

test('a name that a comma had cut is one cell again', () => {
  expect(joinedWithNext(['2012', 'Door', 'left', '85'], 1)).toEqual(['2012', 'Door left', '85'])
  expect(joinedWithNext(['2012', '', 'Door'], 1)).toEqual(['2012', 'Door'])
  expect(joinedWithNext(['2012', 'Door'], 1)).toEqual(['2012', 'Door'])
})

test('cells move to the right or to the left', () => {
  expect(withCellInserted(['a', 'b'], 1)).toEqual(['a', '', 'b'])
  expect(withCellRemoved(['a', '', 'b'], 1)).toEqual(['a', 'b'])
})

test.each([
  [['a'], ['a', '', '']],
  [
    ['a', 'b', 'c', ' ', ''],
    ['a', 'b', 'c'],
  ],
  [
    ['a', 'b', 'c', '', 'd'],
    ['a', 'b', 'c', '', 'd'],
  ],
])('%j has the cells of three columns', (cells, wanted) => {
  expect(fitted(cells, 3)).toEqual(wanted)
})
