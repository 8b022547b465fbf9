import { expect, it } from 'vitest'
import { viewsOfSignIns } from './demo-leads.ts'

const DAY_MS = 86_400_000
const today = Date.UTC(2026, 2, 9)
const seller = { email: 'pro@partharbor.example' }
const listings = Array.from({ length: 87 }, (_, at) => ({
  id: `listing ${at}`,
  seller,
  createdAt: new Date(today - (1 + at * 2) * DAY_MS),
}))
const views = viewsOfSignIns(listings, today)
const daysAgo = (day: string) => (today - Date.parse(day)) / DAY_MS

it('adds up to 300 views in the last 30 days, so that 42 leads make a conversion of 14%', () => {
  const recent = views.filter(({ day }) => daysAgo(day) < 30)
  expect(recent.reduce((sum, entry) => sum + entry.views, 0)).toBe(300)
  expect(views.every(({ day }) => daysAgo(day) >= 1)).toBe(true)
})

it('has one row per listing and day, and none from before the listing existed', () => {
  expect(new Set(views.map(({ listingId, day }) => `${listingId} ${day}`)).size).toBe(views.length)
  const listed = new Map(listings.map(({ id, createdAt }) => [id, createdAt.getTime()]))
  const early = views.filter(({ listingId, day }) => Date.parse(day) < (listed.get(listingId) ?? 0))
  expect(early).toEqual([])
})

it('varies by day, and some listings draw far more views than others', () => {
  const byListing = Map.groupBy(views, ({ listingId }) => listingId)
  const sums = [...byListing.values()].map((list) => list.reduce((sum, entry) => sum + entry.views, 0))
  expect(Math.max(...sums)).toBeGreaterThan(3 * (sums.reduce((a, b) => a + b, 0) / sums.length))
})
