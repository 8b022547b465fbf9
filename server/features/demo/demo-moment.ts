import type { Random } from './random.ts'

const DAY_MS = 86_400_000
const OLDEST_DAYS = 180
// 8 in the morning to 6 in the evening in the middle of the country, in hours after midnight UTC.
const OPENING_HOURS = [13, 22] as const

/** Midnight UTC at the beginning of the day of loading. Everything in the demo data lies before it: nothing is to come. */
export function demoToday(now: Date): number {
  return Math.floor(now.getTime() / DAY_MS) * DAY_MS
}

export function daysBefore(today: number, days: number): Date {
  return new Date(today - days * DAY_MS)
}

// For as long as a yard leaves a part on offer.
const STOCK_DAYS = 730

/** When a part of the big stock was listed, by its place in it from 0 (two years ago) to 1: evenly, in working hours. */
export function stockedAt(today: number, place: number): Date {
  const days = place * STOCK_DAYS
  const [opens, closes] = OPENING_HOURS
  const hours = opens + (days % 1) * (closes - opens)
  return new Date(today - (STOCK_DAYS - Math.floor(days)) * DAY_MS + Math.floor(hours * 3_600_000))
}

/** When something was listed: in working hours, more of it lately, at most half a year ago and never before joining. */
export function listedAt(today: number, memberForDays: number, random: Random): Date {
  const oldest = Math.min(OLDEST_DAYS, memberForDays - 1)
  const days = 1 + Math.floor((oldest - 1) * random.next() ** 2)
  const [opens, closes] = OPENING_HOURS
  const hours = opens + random.next() * (closes - opens)
  return new Date(today - days * DAY_MS + Math.floor(hours * 3_600_000))
}

/** A UUIDv7 of that moment: lists are ordered by id, newest first, so an id must tell the time that the listing shows. */
export function idAt(moment: Date, random: Random): string {
  const time = moment.getTime().toString(16).padStart(12, '0')
  const hex = (digits: number) =>
    random
      .whole(0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, '0')
  const variant = '89ab'.charAt(random.whole(0, 3))
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`
}
