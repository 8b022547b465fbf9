import { CronExpressionParser } from 'cron-parser'

const FIELDS = 5

/**
 * When a cron expression (minute, hour, day of month, month, day of week) comes next after a moment, by the clocks of a
 * time zone. A time that a change to summer time leaves out comes an hour later, one that comes twice counts once.
 * Throws an error whose message tells a person what is wrong.
 */
export function nextRunOf(cron: string, timeZone: string, after: Date): Date {
  requireZone(timeZone)
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== FIELDS) {
    throw new Error(
      'Write five fields: minute, hour, day of month, month, day of week. "0 6 * * 1" is Mondays at 6:00.',
    )
  }
  // What the parser takes for "some minute or other" would be another one each time.
  if (fields.some((field) => /(^|[,/])H/i.test(field)))
    throw new Error(unreadable(cron, 'H is not known here'))
  try {
    return CronExpressionParser.parse(fields.join(' '), { currentDate: after, tz: timeZone }).next().toDate()
  } catch (error) {
    throw new Error(unreadable(cron, error instanceof Error ? error.message : String(error)))
  }
}

const unreadable = (cron: string, why: string): string =>
  `"${cron}" is no time that comes: ${why}. Write minute, hour, day of month, month, day of week.`

function requireZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone })
    if (/^[A-Za-z]/.test(timeZone)) return
  } catch {
    // Told below.
  }
  throw new Error(`There is no time zone "${timeZone}". Write one such as UTC or America/New_York.`)
}
