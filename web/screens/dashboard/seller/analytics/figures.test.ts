import { expect, test } from 'vitest'
import { changeOf, chartWords, dayName, isEmpty, percent, periodIn, pointsOf } from './figures.ts'

test.each([
  ['', 30],
  ['?days=7', 7],
  ['?days=90', 90],
  ['?days=31', 30],
  ['?days=7.0', 30],
])('the period for %j is %d days', (search, days) => {
  expect(periodIn(new URLSearchParams(search))).toBe(days)
})

test.each([
  [112, 100, 'up', '12% more', 'than in the previous 30 days (100)'],
  [900, 1200, 'down', '25% fewer', 'than in the previous 30 days (1,200)'],
  [0, 40, 'down', '100% fewer', 'than in the previous 30 days (40)'],
  [1000, 1001, 'same', 'As many', 'as in the previous 30 days (1,001)'],
  [5, 0, 'up', 'New', 'none in the previous 30 days'],
  [0, 0, 'same', 'None', 'none in the previous 30 days'],
])('%d after %d', (now, before, ...words) => {
  expect(Object.values(changeOf(now, before, 30))).toEqual(words)
})

test.each([
  [14, 12, 'up', '2 points more', 'than in the previous 7 days (12%)'],
  [11, 12, 'down', '1 point less', 'than in the previous 7 days (12%)'],
  [12, 12, 'same', 'Unchanged', 'from the previous 7 days'],
])('%d%% after %d%%', (now, before, ...words) => {
  expect(Object.values(pointsOf(now, before, 7) ?? {})).toEqual(words)
})

test('a conversion without views shows a dash and is not compared', () => {
  expect(percent(null)).toBe('–')
  expect(percent(14)).toBe('14%')
  expect(pointsOf(14, null, 7)).toBeUndefined()
})

test('a day keeps its date in every time zone', () => {
  expect(dayName('2026-11-01')).toBe('Nov 1')
})

test('a chart is described in words', () => {
  const days = [
    { day: '2026-10-31', value: 3 },
    { day: '2026-11-01', value: 1200 },
    { day: '2026-11-02', value: 0 },
  ]
  expect(chartWords('Views', days)).toBe('Views by day, Oct 31 to Nov 2: 1,203 total, most on Nov 1: 1,200')
  expect(chartWords('Leads', [{ day: '2026-11-01', value: 0 }])).toBe('Leads by day, Nov 1 to Nov 1: 0 total')
})

test('a seller has nothing to show only without any views, past or present', () => {
  const none = { views: 0, leads: 0, conversionPercent: null }
  expect(isEmpty({ totals: none, previous: none })).toBe(true)
  expect(isEmpty({ totals: none, previous: { ...none, views: 1 } })).toBe(false)
})
