import { expect, test } from 'vitest'
import { nextRunOf } from './schedules.ts'

/** The next run times, each computed from the one before, as a schedule does. */
function timesOf(cron: string, timeZone: string, after: string, count: number): string[] {
  let at = new Date(after)
  return Array.from({ length: count }, () => {
    at = nextRunOf(cron, timeZone, at)
    return at.toISOString().replace(':00.000Z', 'Z')
  })
}

test.each([
  ['every quarter of an hour', '*/15 * * * *', 'UTC', ['2026-01-01T00:15Z', '2026-01-01T00:30Z']],
  ['Mondays at 6', '0 6 * * MON', 'UTC', ['2026-01-05T06:00Z', '2026-01-12T06:00Z']],
  ['Thursdays, whose name contains an H', '0 6 * * THU', 'UTC', ['2026-01-01T06:00Z', '2026-01-08T06:00Z']],
  ['extra spaces', '  0  6 * *  1 ', 'UTC', ['2026-01-05T06:00Z', '2026-01-12T06:00Z']],
  ['the last day of the month', '0 0 L * *', 'UTC', ['2026-01-31T00:00Z', '2026-02-28T00:00Z']],
  ['a leap day', '0 0 29 2 *', 'UTC', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
  ['in a time zone', '0 9 * * *', 'Asia/Tokyo', ['2026-01-02T00:00Z', '2026-01-03T00:00Z']],
])('%s', (_what, cron, timeZone, times) => {
  expect(timesOf(cron, timeZone, '2026-01-01T00:00:00Z', 2)).toEqual(times)
})

test.each([
  // March 8, 2026: 2:00 EST is followed by 3:00 EDT.
  [
    'a skipped time runs an hour later',
    '30 2 * * *',
    '2026-03-07T00:00:00Z',
    ['2026-03-07T07:30Z', '2026-03-08T07:30Z', '2026-03-09T06:30Z'],
  ],
  [
    'hourly runs continue in spring',
    '0 * * * *',
    '2026-03-08T05:30:00Z',
    ['2026-03-08T06:00Z', '2026-03-08T07:00Z'],
  ],
  // November 1, 2026: 2:00 EDT is followed by 1:00 EST.
  [
    'a repeated time runs once',
    '30 1 * * *',
    '2026-10-31T00:00:00Z',
    ['2026-10-31T05:30Z', '2026-11-01T05:30Z', '2026-11-02T06:30Z'],
  ],
  [
    'hourly runs continue in fall',
    '0 * * * *',
    '2026-11-01T04:30:00Z',
    ['2026-11-01T05:00Z', '2026-11-01T06:00Z', '2026-11-01T07:00Z'],
  ],
])('when clocks change in New York, %s', (_what, cron, after, times) => {
  expect(timesOf(cron, 'America/New_York', after, times.length)).toEqual(times)
})

test.each([
  ['', 'UTC', 'Write five fields'],
  ['0 6 * *', 'UTC', 'Write five fields'],
  ['*/10 * * * * *', 'UTC', 'Write five fields'],
  ['@daily', 'UTC', 'Write five fields'],
  ['61 * * * *', 'UTC', '"61 * * * *" is not a valid time: Constraint error, got value 61'],
  ['5-1 * * * *', 'UTC', 'Invalid range'],
  ['*/0 * * * *', 'UTC', 'is not a valid time'],
  ['0 0 31 2 *', 'UTC', '"0 0 31 2 *" is not a valid time'],
  ['soon or later but not now', 'UTC', 'Write five fields'],
  ['H 6 * * *', 'UTC', 'H is not supported'],
  ['0 6,H * * *', 'UTC', 'H is not supported'],
  ['0 6 * * *', 'Mars/Olympus', 'There is no time zone "Mars/Olympus". Use one such as'],
  ['0 6 * * *', '', 'There is no time zone ""'],
  ['0 6 * * *', '+05:00', 'There is no time zone "+05:00"'],
])('"%s" in %s is refused with a sentence', (cron, timeZone, sentence) => {
  expect(() => nextRunOf(cron, timeZone, new Date('2026-01-01T00:00:00Z'))).toThrow(sentence)
})
