import { describe, expect, test } from 'vitest'
import type { OpeningHours } from '#contract/pages/yard-words.ts'
import { openInWords, wallClock } from './open-now.ts'

const never: OpeningHours = {
  monday: null,
  tuesday: null,
  wednesday: null,
  thursday: null,
  friday: null,
  saturday: null,
  sunday: null,
}
const day = { opens: '08:00', closes: '17:00' }
const yard: OpeningHours = {
  ...never,
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: day,
  saturday: { opens: '09:00', closes: '12:30' },
}
const allDay = { opens: '00:00', closes: '00:00' }
const CHICAGO = 'America/Chicago'
/** 2026-11-23 is a Monday; in winter Chicago is 6 hours behind UTC. */
const words = (hours: OpeningHours, utc: string, timeZone = CHICAGO) =>
  openInWords(hours, timeZone, new Date(`${utc}:00Z`))

describe('a yard that is open in the daytime', () => {
  test.each([
    ['2026-11-23T13:59', 'Closed now · opens 8 AM'],
    ['2026-11-23T14:00', 'Open now · closes 5 PM'],
    ['2026-11-23T22:59', 'Open now · closes 5 PM'],
    ['2026-11-23T23:00', 'Closed now · opens tomorrow at 8 AM'],
    ['2026-11-28T16:00', 'Open now · closes 12:30 PM'],
    ['2026-11-28T18:30', 'Closed now · opens Monday at 8 AM'],
    ['2026-11-29T18:00', 'Closed now · opens tomorrow at 8 AM'],
    // Sunday noon in UTC is still Saturday evening in Honolulu.
    ['2026-11-29T06:00', 'Closed now · opens Monday at 8 AM', 'Pacific/Honolulu'],
  ])('%s UTC: %s', (utc, expected, timeZone?: string) => expect(words(yard, utc, timeZone)).toBe(expected))

  test('one day a week', () => {
    const mondays = { ...never, monday: day }
    expect(words(mondays, '2026-11-23T23:30')).toBe('Closed now · opens Monday at 8 AM')
    expect(words(never, '2026-11-23T23:30')).toBe('Closed now')
  })
})

describe('over midnight', () => {
  const late: OpeningHours = { ...never, friday: { opens: '18:00', closes: '02:00' } }
  test.each([
    ['2026-11-27T23:59', 'Closed now · opens 6 PM'],
    ['2026-11-28T00:00', 'Open now · closes 2 AM'],
    ['2026-11-28T07:59', 'Open now · closes 2 AM'],
    ['2026-11-28T08:00', 'Closed now · opens Friday at 6 PM'],
  ])('%s UTC: %s', (utc, expected) => expect(words(late, utc)).toBe(expected))

  test('until midnight, from Sunday to Monday, and without a break', () => {
    const sunday = { ...never, sunday: { opens: '20:00', closes: '03:00' } }
    expect(words(sunday, '2026-11-23T08:00')).toBe('Open now · closes 3 AM')
    expect(words({ ...never, monday: { opens: '08:00', closes: '00:00' } }, '2026-11-23T20:00')).toBe(
      'Open now · closes midnight',
    )
    const weekend = { ...never, saturday: allDay, sunday: { opens: '00:00', closes: '15:00' } }
    expect(words(weekend, '2026-11-28T18:00')).toBe('Open now · closes tomorrow at 3 PM')
  })

  test('around the clock, all days or some', () => {
    const always = Object.fromEntries(Object.keys(never).map((name) => [name, allDay])) as OpeningHours
    expect(words(always, '2026-11-25T09:12')).toBe('Open 24 hours')
    const workdays = { ...always, saturday: null, sunday: null }
    expect(words(workdays, '2026-11-25T18:00')).toBe('Open now · closes Saturday at midnight')
    expect(words(workdays, '2026-11-28T18:00')).toBe('Closed now · opens Monday at midnight')
  })
})

describe('daylight saving time', () => {
  // It ends on Sunday 2026-11-01 at 2 AM and begins on Sunday 2026-03-08 at 2 AM.
  test.each([
    ['the last Saturday of summer', '2026-10-31T13:59', 'Closed now · opens 9 AM'],
    ['an hour later it is open', '2026-10-31T14:00', 'Open now · closes 12:30 PM'],
    ['the first Monday of winter', '2026-11-02T13:59', 'Closed now · opens 8 AM'],
    ['an hour later it is open', '2026-11-02T14:00', 'Open now · closes 5 PM'],
    ['the first Monday of summer', '2026-03-09T12:59', 'Closed now · opens 8 AM'],
    ['an hour later it is open', '2026-03-09T13:00', 'Open now · closes 5 PM'],
  ])('%s: %s UTC', (_, utc, expected) => expect(words(yard, utc)).toBe(expected))

  test('the night with an extra hour, and the one with an hour less', () => {
    const night: OpeningHours = { ...never, saturday: { opens: '20:00', closes: '03:00' } }
    // 1:30 AM for the second time.
    expect(words(night, '2026-11-01T07:30')).toBe('Open now · closes 3 AM')
    expect(words(night, '2026-11-01T09:00')).toMatch(/^Closed/)
    // After 1:59 the clock jumps to 3:00.
    expect(words(night, '2026-03-08T07:59')).toBe('Open now · closes 3 AM')
    expect(words(night, '2026-03-08T08:00')).toMatch(/^Closed/)
  })

  test('Arizona has none', () => {
    expect(wallClock(new Date('2026-07-06T14:30:00Z'), 'America/Phoenix')).toEqual({ day: 0, minutes: 450 })
    expect(wallClock(new Date('2026-12-07T14:30:00Z'), 'America/Phoenix')).toEqual({ day: 0, minutes: 450 })
  })
})
