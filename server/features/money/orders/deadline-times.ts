import { BEFORE_CAPTURE_ENDS_MS, CONFIRM_MS, DAY_MS } from '#contract/order/order-steps.ts'
import { type OpeningHours, weekdays } from '#contract/pages/yard-words.ts'

/* Deadlines in the yard's time zone, with daylight saving. */

type WallDay = { year: number; month: number; day: number; weekday: number }

function wallDay(at: Date, timeZone: string): WallDay {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    weekday: 'long',
  })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return {
    year: Number(parts.year),
    month: Number(parts.month),
    day: Number(parts.day),
    weekday: weekdays.indexOf((parts.weekday ?? '').toLowerCase() as (typeof weekdays)[number]),
  }
}

/** How far a time zone is ahead of UTC at an instant. */
function offsetMs(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1_000) * 1_000
}

/** The instant of a wall clock time; in the hour that daylight saving skips, an hour later. */
function instantAt({ year, month, day }: WallDay, minutes: number, timeZone: string): Date {
  const utc = Date.UTC(year, month - 1, day, 0, minutes)
  const first = utc - offsetMs(new Date(utc), timeZone)
  return new Date(utc - offsetMs(new Date(first), timeZone))
}

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

// A yard that is closed for longer did not mean it.
const DAYS_AHEAD = 14

/** When the first opening that begins after an instant ends; undefined without hours. */
function endOfNextOpening(hours: OpeningHours | null, timeZone: string, after: Date): Date | undefined {
  if (!hours) return undefined
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    const wall = wallDay(new Date(after.getTime() + ahead * DAY_MS), timeZone)
    const times = hours[weekdays[wall.weekday] ?? 'monday']
    if (!times) continue
    const [opens, closes] = [minutesOf(times.opens), minutesOf(times.closes)]
    if (instantAt(wall, opens, timeZone) < after) continue
    return instantAt(wall, closes + (closes <= opens ? 24 * 60 : 0), timeZone)
  }
  return undefined
}

type ConfirmTimes = { now: Date; hours: OpeningHours | null; timeZone: string; captureBefore: Date | null }

/** Until when a yard confirms: 72 hours with a full opening day in them, and while the money can still be taken. */
export function confirmDeadline({ now, hours, timeZone, captureBefore }: ConfirmTimes): Date {
  const plain = now.getTime() + CONFIRM_MS
  const opening = endOfNextOpening(hours, timeZone, now)?.getTime() ?? 0
  const latest =
    captureBefore === null ? Number.POSITIVE_INFINITY : captureBefore.getTime() - BEFORE_CAPTURE_ENDS_MS
  return new Date(Math.min(Math.max(plain, opening), latest))
}

export const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS)
