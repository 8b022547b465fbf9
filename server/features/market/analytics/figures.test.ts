import { expect, test } from 'vitest'
import { daysBefore, eachDay, lastDays, weekFrom, withConversion } from './figures.ts'

test.each([
  [300, 42, 14],
  [0, 0, null],
  [0, 3, null],
  [7, 0, 0],
  [3, 2, 67],
  [200, 1, 1],
  [1, 2, 200],
])('%i views and %i leads make %j percent', (views, leads, conversionPercent) => {
  expect(withConversion({ views, leads })).toEqual({ views, leads, conversionPercent })
})

test.each([
  ['2026-03-09', 7, { from: '2026-03-03', to: '2026-03-09' }, { from: '2026-02-24', to: '2026-03-02' }],
  ['2024-03-01', 30, { from: '2024-02-01', to: '2024-03-01' }, { from: '2024-01-02', to: '2024-01-31' }],
  ['2026-01-01', 1, { from: '2026-01-01', to: '2026-01-01' }, { from: '2025-12-31', to: '2025-12-31' }],
])('the days up to %s, %i in all, and the same number before them', (today, days, range, before) => {
  expect(lastDays(today, days)).toEqual(range)
  expect(daysBefore(range)).toEqual(before)
  expect(eachDay(range)).toHaveLength(days)
})

test('every day appears once, across the end of a month and a clock change', () => {
  expect(eachDay({ from: '2026-02-27', to: '2026-03-02' })).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ])
  expect(eachDay({ from: '2026-03-07', to: '2026-03-09' })).toHaveLength(3)
})

test('a week ends on Sunday', () => {
  expect(weekFrom('2026-03-02')).toEqual({ from: '2026-03-02', to: '2026-03-08' })
})
