const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat('en-US')

/** "March 3, 2026", in the user's time zone. */
export const longDate = (iso: string): string => long.format(new Date(iso))

/** "Nov 21, 2026, 6:38 AM", in the user's time zone. */
export const momentWords = (iso: string): string => moment.format(new Date(iso))

const zoned = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

/** "Nov 21, 2026, 6:38 AM CST", in the user's time zone: beside deadlines, which are in the yard's. */
export const zonedMomentWords = (iso: string): string => zoned.format(new Date(iso))

/** "6:38 AM", in the user's time zone. */
export const clockWords = (iso: string): string => clock.format(new Date(iso))

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** "3 days ago"; a moment ahead of this clock is "just now" too. */
export function timeAgo(iso: string, now: Date): string {
  const seconds = (now.getTime() - new Date(iso).getTime()) / 1000
  const step = steps.find(([, length]) => seconds >= length)
  if (!step) return 'just now'
  const [unit, length] = step
  return relative.format(-Math.floor(seconds / length), unit)
}
