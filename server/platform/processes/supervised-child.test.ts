import { expect, test } from 'vitest'
import { pauseBeforeStart } from './supervised-child.ts'

/** The pauses of a process that is ready for so many milliseconds each time, or never. */
function pauses(healthyMs: readonly (number | undefined)[]): number[] {
  let last: number | undefined
  return healthyMs.map((ms) => {
    last = pauseBeforeStart(last, ms)
    return last
  })
}

test('a process that is killed ten times in four minutes is started again within 2 s each time', () => {
  expect(pauses(Array(10).fill(24_000))).toEqual([500, 1_000, ...Array(8).fill(2_000)])
})

test('30 s of health make the next crash a first one', () => {
  expect(pauses([0, 0, 29_999, 30_000, 0])).toEqual([500, 1_000, 2_000, 500, 1_000])
})

test('a process that cannot start is tried less and less often, and soon again once it could', () => {
  const never = Array(8).fill(undefined)
  expect(pauses(never)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(pauses([...never, 0]).at(-1)).toBe(2_000)
})
