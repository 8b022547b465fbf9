import { expect, test } from 'vitest'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'
import { linesOfLevel, linesWith, linesWithErrors, logText, nextPlace, spansOf } from './log-line.ts'

const line = (text: string, stream = 'stdout', level: JobLine['level'] = 'log'): JobLine => ({
  id: 0,
  stream,
  level,
  text,
  at: '2026-11-21T09:00:00.125Z',
})
const lines = [
  line('Page 1: 48 created'),
  line('year 2019 is not a year', 'stderr'),
  line('the worker stopped', 'system'),
  line('page 2: 46 created'),
  line('worker lost', 'system', 'error'),
]

test('a level shows its lines', () => {
  const shown = (level: 'all' | 'errors' | 'system') => linesOfLevel(lines, level).map(({ text }) => text)
  expect(shown('all')).toHaveLength(5)
  expect(shown('errors')).toEqual(['year 2019 is not a year', 'worker lost'])
  expect(shown('system')).toEqual(['the worker stopped', 'worker lost'])
})

test('search ignores case', () => {
  expect(linesWith(lines, 'PAGE')).toEqual([0, 3])
  expect(linesWith(lines, '')).toEqual([])
  expect(linesWithErrors(lines)).toEqual([1, 4])
})

test.each([
  ['the first', undefined, false, 2],
  ['the last', undefined, true, 9],
  ['the next', 2, false, 5],
  ['the one after a line between', 3, false, 5],
  ['round at the end', 9, false, 2],
  ['the one before', 9, true, 5],
  ['round at the beginning', 2, true, 9],
])('%s', (_what, from, backwards, place) => {
  expect(nextPlace([2, 5, 9], from, backwards)).toBe(place)
})

test('an empty list has no next line', () => {
  expect(nextPlace([], 3)).toBeUndefined()
})

test('all matches in a text', () => {
  expect(spansOf('Anna and ANNE', 'an')).toEqual([
    [0, 2],
    [5, 7],
    [9, 11],
  ])
  expect(spansOf('aaa', 'aa')).toEqual([[0, 2]])
  expect(spansOf('aaa', '')).toEqual([])
})

test('a copy includes time and stream', () => {
  expect(logText(lines.slice(1, 3))).toBe(
    '2026-11-21T09:00:00.125Z stderr year 2019 is not a year\n2026-11-21T09:00:00.125Z system the worker stopped\n',
  )
})
