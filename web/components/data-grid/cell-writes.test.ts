import { expect, test } from 'vitest'
import { clearWrites, fillDownWrites, fillToWrites, pasteWrites } from './cell-writes.ts'

const size = { rows: 6, columns: 4 }
const range = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right })
const shown = (writes: { row: number; column: number; text: string }[]) =>
  writes.map(({ row, column, text }) => `${row},${column}=${text}`)
const textAt = (row: number, column: number) => `r${row}c${column}`

test.each([
  {
    what: 'a block where one cell is selected',
    block: [
      ['a', 'b'],
      ['c', 'd'],
    ],
    at: range(1, 1),
    written: ['1,1=a', '1,2=b', '2,1=c', '2,2=d'],
  },
  {
    what: 'one value into a range',
    block: [['x']],
    at: range(0, 0, 1, 1),
    written: ['0,0=x', '0,1=x', '1,0=x', '1,1=x'],
  },
  {
    what: 'a row twice into a range of two',
    block: [['a', 'b']],
    at: range(0, 0, 1, 1),
    written: ['0,0=a', '0,1=b', '1,0=a', '1,1=b'],
  },
  {
    what: 'a block once where the range does not hold it',
    block: [['a'], ['b']],
    at: range(0, 0, 2, 0),
    written: ['0,0=a', '1,0=b'],
  },
  {
    what: 'rows of different length',
    block: [['a', 'b'], ['c']],
    at: range(0, 0),
    written: ['0,0=a', '0,1=b', '1,0=c'],
  },
])('pastes $what', ({ block, at, written }) => {
  const plan = pasteWrites(block, at, size)
  expect(shown(plan.writes)).toEqual(written)
  expect(plan.rowsLeftOut).toBe(0)
})

test('pastes what fits at the corner, and says what did not', () => {
  const block = [
    ['a', 'b'],
    ['c', 'd'],
  ]
  const plan = pasteWrites(block, range(5, 3), size)
  expect(shown(plan.writes)).toEqual(['5,3=a'])
  expect(plan.range).toEqual(range(5, 3))
  expect(plan.rowsLeftOut).toBe(1)
})

test('fills down from the first row of the range', () => {
  expect(shown(fillDownWrites(range(1, 2, 3, 2), textAt))).toEqual(['2,2=r1c2', '3,2=r1c2'])
})

test('fills one row from the row above, and the first row from nothing', () => {
  expect(shown(fillDownWrites(range(4, 0, 4, 1), textAt))).toEqual(['4,0=r3c0', '4,1=r3c1'])
  expect(fillDownWrites(range(0, 0), textAt)).toEqual([])
})

test.each([
  ['down', 5, ['3,0=r1c0', '4,0=r2c0', '5,0=r1c0']],
  ['up', 0, ['0,0=r2c0']],
])('the handle repeats the range %s', (_name, toRow, written) => {
  expect(shown(fillToWrites(range(1, 0, 2, 0), toRow, textAt))).toEqual(written)
})

test('clears every cell', () => {
  expect(shown(clearWrites(range(0, 0, 0, 1)))).toEqual(['0,0=', '0,1='])
})
