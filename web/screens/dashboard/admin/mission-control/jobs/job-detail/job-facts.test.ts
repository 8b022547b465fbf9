import { expect, test } from 'vitest'
import { spanInWords, timelineSteps } from './job-facts.tsx'

test.each([
  [-3, '0 ms'],
  [40, '40 ms'],
  [3_240, '3.2 s'],
  [59_600, '1 min 0 s'],
  [125_000, '2 min 5 s'],
  [3_840_000, '1 h 4 min'],
])('%i ms reads %s', (ms, words) => {
  expect(spanInWords(ms)).toBe(words)
})

test('a status lasts until the next one; the last has no duration', () => {
  const steps = timelineSteps([
    { status: 'queued', at: '2026-11-21T10:00:00.000Z', runNo: null },
    { status: 'running', at: '2026-11-21T10:00:02.500Z', runNo: 1 },
  ])
  expect(steps.map(({ lasted }) => lasted)).toEqual(['2.5 s', undefined])
})
