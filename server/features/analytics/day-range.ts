/** Whole days of a seller's calendar, both ends included, as YYYY-MM-DD. */
export type DayRange = { from: string; to: string }

const DAY_MS = 86_400_000

function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** So many days up to `today`, which counts as one of them. */
export function lastDays(today: string, days: number): DayRange {
  return { from: plusDays(today, 1 - days), to: today }
}

/** The same number of days just before. */
export function daysBefore({ from, to }: DayRange): DayRange {
  return { from: plusDays(from, -eachDay({ from, to }).length), to: plusDays(from, -1) }
}

/** Every day of the range, oldest first. */
export function eachDay({ from, to }: DayRange): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day)
  return days
}

/** The seven days that begin with `monday`. */
export function weekFrom(monday: string): DayRange {
  return { from: monday, to: plusDays(monday, 6) }
}
