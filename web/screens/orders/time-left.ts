import { useEffect, useState } from 'react'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** "2 days 5 hours", "3 hours 12 minutes", "24 minutes": rounded up to the minute, so that nobody is too late. */
export function timeLeft(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS)) * MINUTE_MS
  const [days, hours, rest] = [
    Math.floor(minutes / DAY_MS),
    Math.floor((minutes % DAY_MS) / HOUR_MS),
    (minutes % HOUR_MS) / MINUTE_MS,
  ]
  const units = [days > 0 && counted(days, 'day'), hours > 0 && counted(hours, 'hour')]
  return [...units, days === 0 && rest > 0 && counted(rest, 'minute')].filter(Boolean).join(' ')
}

/** The present time, renewed this often; undefined on the server and until hydration. */
export function useNow(everyMs: number): number | undefined {
  const [now, setNow] = useState<number>()
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
