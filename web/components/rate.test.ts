import { expect, test } from 'vitest'
import { rateOf, type Sample, withSample } from './rate.ts'

const follow = (all: Sample[]) => all.reduce<Sample[]>((samples, now) => withSample(samples, now), [])
const at = (seconds: number, done: number): Sample => ({ atMs: seconds * 1_000, done })

test('the rate covers the last 15 seconds', () => {
  expect(rateOf(follow([at(0, 0), at(1, 1_000), at(2, 2_000)]))).toBe(1_000)
  expect(rateOf(follow([at(0, 0), at(10, 100), at(20, 1_100), at(24, 1_500)]))).toBe(100)
})

test('too few samples have no rate', () => {
  expect(rateOf([])).toBeUndefined()
  expect(rateOf(follow([at(0, 0), at(1, 500)]))).toBeUndefined()
  expect(rateOf(follow([at(0, 7), at(9, 7)]))).toBeUndefined()
})

test('an undo restarts the count', () => {
  expect(follow([at(0, 900), at(1, 1_000), at(2, 10)])).toEqual([at(2, 10)])
})

test('the same moment counts once', () => {
  expect(follow([at(0, 1), at(0, 1)])).toEqual([at(0, 1)])
})
