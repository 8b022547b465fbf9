/* Wording of the yard profile. Has no schemas, which would load zod on public pages. */

export const policyKinds = ['shipping', 'returns', 'warranty'] as const
export type PolicyKind = (typeof policyKinds)[number]
export const policyLabels: Record<PolicyKind, string> = {
  shipping: 'Shipping',
  returns: 'Returns',
  warranty: 'Warranty',
}

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof weekdays)[number]

/** Local time, "08:00" to "17:00". If it closes at or before it opens, that is on the next day. */
export type OpenTimes = { opens: string; closes: string }

/** Null: closed on that day. */
export type OpeningHours = Record<Weekday, OpenTimes | null>

/** American time zones from east to west, by IANA name. */
export const timeZones = {
  'America/Puerto_Rico': 'Atlantic time',
  'America/New_York': 'Eastern time',
  'America/Indiana/Indianapolis': 'Eastern time (Indiana)',
  'America/Chicago': 'Central time',
  'America/Denver': 'Mountain time',
  'America/Phoenix': 'Arizona time',
  'America/Los_Angeles': 'Pacific time',
  'America/Anchorage': 'Alaska time',
  'Pacific/Honolulu': 'Hawaii time',
} as const
export type TimeZone = keyof typeof timeZones

/** "Monday" */
export const nameOfDay = (day: Weekday): string => day.charAt(0).toUpperCase() + day.slice(1)

/** "8 AM", "5:30 PM", "midnight" */
export function clockTime(time: string): string {
  if (time === '00:00') return 'midnight'
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`
  return `${hour % 12 || 12}${minutes} ${hour < 12 ? 'AM' : 'PM'}`
}

/** "8 AM to 5 PM", "Open 24 hours", "Closed" */
export function timesInWords(times: OpenTimes | null): string {
  if (!times) return 'Closed'
  if (isAroundTheClock(times)) return 'Open 24 hours'
  return `${clockTime(times.opens)} to ${clockTime(times.closes)}`
}

/** From midnight to midnight. */
export const isAroundTheClock = ({ opens, closes }: OpenTimes): boolean =>
  opens === '00:00' && closes === '00:00'
