import { expect, test } from 'vitest'
import { shiftScore } from './web-vitals.ts'

test.each<[title: string, shifts: [at: number, value: number][], worst: number]>([
  [
    'shifts within a second of each other are one movement',
    [
      [0, 1],
      [900, 2],
      [1_700, 4],
    ],
    7,
  ],
  [
    'a pause of a second starts another movement',
    [
      [0, 1],
      [1_000, 2],
      [2_500, 4],
    ],
    4,
  ],
  [
    'the worst movement counts',
    [
      [0, 8],
      [5_000, 2],
    ],
    8,
  ],
  [
    'no movement lasts longer than five seconds',
    [0, 900, 1_800, 2_700, 3_600, 4_500, 5_400].map((at) => [at, 1]),
    6,
  ],
])('%s', (_title, shifts, worst) => {
  const add = shiftScore()
  expect(shifts.map(([at, value]) => add(at, value)).at(-1)).toBe(worst)
})
