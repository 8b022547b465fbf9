import { expect, test } from 'vitest'
import {
  formatBytes,
  isMoving,
  isWaiting,
  listingsInWords,
  rowsInWords,
  stateWords,
  timeInWords,
} from './import-words.ts'

test('a plan with a question waits for the seller, one with new names for an administrator', () => {
  expect(stateWords({ state: 'review', canConfirm: true, rest: null }).label).toBe('Needs your answer')
  expect(stateWords({ state: 'review', canConfirm: false, rest: null }).label).toBe('In review')
})

test('moving imports are polled, waiting and ended ones are not', () => {
  expect(isMoving({ state: 'applying', rest: null })).toBe(true)
  expect(isMoving({ state: 'applied', rest: null })).toBe(false)
  expect(isWaiting({ state: 'planned', rest: null })).toBe(true)
  expect(isWaiting({ state: 'undone', rest: null })).toBe(false)
})

test('numbers in words', () => {
  expect(rowsInWords(1)).toBe('1 row')
  expect(rowsInWords(2_000)).toBe('2,000 rows')
  expect(listingsInWords(0)).toBe('0 listings')
})

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [412_345, '412 KB'],
  [1_500_000, '1.5 MB'],
  [314_000_000, '314 MB'],
  [2_000_000_000, '2 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [3, 'a few seconds'],
  [42, 'about 40 s'],
  [100, 'about 2 min'],
  [9_000, 'about 3 hours'],
])('%i s are %s', (seconds, text) => {
  expect(timeInWords(seconds)).toBe(text)
})
