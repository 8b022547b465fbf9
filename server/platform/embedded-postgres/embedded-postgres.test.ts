import { expect, test } from 'vitest'
import { pauseBeforeRestart } from './embedded-postgres.ts'

test('a database that keeps crashing is started again after longer and longer pauses, at random, for ever', () => {
  const longest = [1, 2, 3, 4, 5, 6, 12, 1_000].map((crashes) => pauseBeforeRestart(crashes, 1))
  expect(longest).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 300_000, 300_000])
  expect(pauseBeforeRestart(5, 0)).toBe(4_000)
})
