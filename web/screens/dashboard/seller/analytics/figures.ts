import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analyticsEndpoints, analyticsPeriods } from '#contract/analytics.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'

export type Analytics = Answer<typeof analyticsEndpoints.sellerAnalytics>
export type Sums = Analytics['totals']
export type Day = Analytics['byDay'][number]
type Period = (typeof analyticsPeriods)[number]

/** The period in the URL, or 30 days if it is missing or not offered. */
export const periodIn = (params: URLSearchParams): Period =>
  analyticsPeriods.find((days) => String(days) === params.get('days')) ?? 30

export const count = (value: number): string => value.toLocaleString('en-US')

/** "14%", or a dash where there were no views. */
export const percent = (value: number | null): string => (value === null ? '–' : `${count(value)}%`)

export type Change = { trend: 'up' | 'down' | 'same'; short: string; rest: string }

const trendOf = (difference: number): Change['trend'] => {
  if (difference === 0) return 'same'
  return difference > 0 ? 'up' : 'down'
}

/** A count compared with the previous period: "12% more", "than in the previous 30 days (1,204)". */
export function changeOf(now: number, before: number, days: number): Change {
  const period = `the previous ${days} days`
  if (before === 0) {
    const trend = trendOf(now)
    return { trend, short: trend === 'up' ? 'New' : 'None', rest: `none in ${period}` }
  }
  const share = Math.round((Math.abs(now - before) / before) * 100)
  if (share === 0) return { trend: 'same', short: 'As many', rest: `as in ${period} (${count(before)})` }
  const words = now > before ? 'more' : 'fewer'
  return {
    trend: trendOf(now - before),
    short: `${count(share)}% ${words}`,
    rest: `than in ${period} (${count(before)})`,
  }
}

/** The same for a percentage, compared in points. */
export function pointsOf(now: number | null, before: number | null, days: number): Change | undefined {
  if (now === null || before === null) return undefined
  const points = Math.abs(now - before)
  const rest = `than in the previous ${days} days (${percent(before)})`
  if (points === 0) return { trend: 'same', short: 'Unchanged', rest: `from the previous ${days} days` }
  const words = points === 1 ? 'point' : 'points'
  return { trend: trendOf(now - before), short: `${points} ${words} ${now > before ? 'more' : 'less'}`, rest }
}

// The server sends dates without a time. Reading them as UTC keeps the day the same in every time zone.
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
export const dayName = (day: string): string => shortDay.format(new Date(`${day}T00:00:00Z`))

/** A chart's text alternative. */
export function chartWords(name: string, days: readonly { day: string; value: number }[]): string {
  const [first] = days
  const last = days.at(-1)
  if (!first || !last) return `${name} by day`
  const total = days.reduce((sum, { value }) => sum + value, 0)
  const most = days.reduce((best, day) => (day.value > best.value ? day : best), first)
  const peak = most.value > 0 ? `, most on ${dayName(most.day)}: ${count(most.value)}` : ''
  return `${name} by day, ${dayName(first.day)} to ${dayName(last.day)}: ${count(total)} total${peak}`
}

export const isEmpty = ({ totals, previous }: Pick<Analytics, 'totals' | 'previous'>): boolean =>
  [totals, previous].every(({ views, leads }) => views === 0 && leads === 0)

export function useAnalytics(days: Period) {
  return useQuery({
    queryKey: ['analytics', days],
    queryFn: ({ signal }) => call(analyticsEndpoints.sellerAnalytics, { query: { days }, signal }),
    // Keeps the old numbers visible while a new period loads.
    placeholderData: keepPreviousData,
  })
}

/** The seller's active listings, leads and conversion of the last 30 days. */
export function useSellerFigures() {
  const { user } = useSession()
  return useQuery({
    queryKey: ['figures', user?.id],
    queryFn: ({ signal }) => call(analyticsEndpoints.sellerFigures, { signal }),
  })
}
