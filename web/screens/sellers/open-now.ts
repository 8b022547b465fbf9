import {
  clockTime,
  nameOfDay,
  type OpeningHours,
  type OpenTimes,
  type Weekday,
  weekdays,
} from '#contract/pages/yard-words.ts'

/* Whether a yard is open, by its local time: daylight saving time does not shift opening hours. */

const DAY_MINUTES = 24 * 60

type WallClock = { day: number; minutes: number }

/** The weekday (0 is Monday) and the minutes since midnight in a time zone. */
export function wallClock(now: Date, timeZone: string): WallClock {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  const day = weekdays.indexOf(read('weekday').toLowerCase() as Weekday)
  return { day, minutes: Number(read('hour')) * 60 + Number(read('minute')) }
}

/** "Open now · closes 5 PM", "Closed now · opens Monday at 8 AM" */
export function openInWords(hours: OpeningHours, timeZone: string, now: Date): string {
  const { day, minutes } = wallClock(now, timeZone)
  const at = (ahead: number): OpenTimes | null => hours[dayAt(day + ahead)]
  // Yesterday's hours may last until today.
  const began = [-1, 0].find((ahead) => {
    const span = spanOf(at(ahead), ahead)
    return span && span.from <= minutes && minutes < span.until
  })
  if (began !== undefined) return openUntil(at, began, day)
  for (let ahead = 0; ahead <= 7; ahead++) {
    const span = spanOf(at(ahead), ahead)
    if (span && span.from > minutes)
      return `Closed now · opens ${whenInWords(ahead, day)}${timeOf(span.from)}`
  }
  return 'Closed now'
}

/** A day's opening hours, in minutes since today's midnight. */
function spanOf(times: OpenTimes | null, ahead: number): { from: number; until: number } | undefined {
  if (!times) return undefined
  const [opens, closes] = [minutesOf(times.opens), minutesOf(times.closes)]
  const start = ahead * DAY_MINUTES
  return { from: start + opens, until: start + closes + (closes <= opens ? DAY_MINUTES : 0) }
}

/** Days that follow each other without a break count as one. */
function openUntil(at: (ahead: number) => OpenTimes | null, began: number, day: number): string {
  let ahead = began
  let until = spanOf(at(began), began)?.until ?? 0
  for (let next = spanOf(at(ahead + 1), ahead + 1); next?.from === until; ) {
    until = next.until
    ahead += 1
    if (ahead > began + 7) return 'Open 24 hours'
    next = spanOf(at(ahead + 1), ahead + 1)
  }
  const closingDay = Math.floor(until / DAY_MINUTES)
  // Closing in the coming night needs no day: "closes 2 AM".
  const isSoon = closingDay === 0 || (closingDay === 1 && ahead === began)
  return `Open now · closes ${isSoon ? '' : whenInWords(closingDay, day)}${timeOf(until)}`
}

const dayAt = (index: number): Weekday => weekdays[(index + 7) % 7] ?? 'monday'

function whenInWords(ahead: number, day: number): string {
  if (ahead === 0) return ''
  return ahead === 1 ? 'tomorrow at ' : `${nameOfDay(dayAt(day + ahead))} at `
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

function timeOf(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60) % 24, minutes % 60]
  return clockTime(`${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
}
