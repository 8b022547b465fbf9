import { describe, expect, it } from 'vitest'
import { checkListing } from '#contract/listing/listing-rules.ts'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { findProfanity } from '#server/features/market/writing/profanity.ts'
import { contactText, demoSellers } from './demo-sellers.ts'
import { demoStock, demoToday } from './demo-stock.ts'

const catalogue = { vehicles: readVehicles(), partTypes: readPartTypes() }
const today = demoToday(new Date('2026-03-09T15:20:00Z'))
const sellers = demoSellers()
const size = 1_000_000
const stock = demoStock(sellers, catalogue, { size, today })
const spans = [0, 250_000, 500_000, 998_000].map((from) => stock({ from, to: from + 2_000 }))
const listings = spans.flat()

describe('the stock of a big marketplace', () => {
  it('is the same for the same span, regardless of earlier calls', () => {
    const again = demoStock(demoSellers(), catalogue, { size, today })({ from: 500_000, to: 502_000 })
    expect(JSON.stringify(again)).toBe(JSON.stringify(spans[2]))
  })

  it('comes oldest first within and across spans, over two years, with none in the future', () => {
    const ids = listings.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(listings.length)
    const days = listings.map(({ createdAt }) => (today - createdAt.getTime()) / 86_400_000)
    expect(Math.max(...days)).toBeGreaterThan(729)
    expect(Math.max(...days)).toBeLessThan(730)
    expect(Math.min(...days)).toBeGreaterThan(0)
    expect(Math.min(...days)).toBeLessThan(1)
  })

  it('belongs only to the forty yards, mostly to a few, and never predates their membership', () => {
    const counts = new Map<string, number>()
    for (const { seller, createdAt } of listings) {
      expect(seller.memberForDays).toBeGreaterThan((today - createdAt.getTime()) / 86_400_000)
      counts.set(seller.email, (counts.get(seller.email) ?? 0) + 1)
    }
    expect([...counts.keys()].filter((email) => email.endsWith('@partharbor.example'))).toEqual([])
    const shares = [...counts.values()].map((count) => count / listings.length).toSorted((a, b) => b - a)
    expect(counts.size).toBe(40)
    expect(shares[0]).toBeGreaterThan(0.15)
    expect(shares.slice(0, 5).reduce((sum, share) => sum + share, 0)).toBeGreaterThan(0.5)
    expect(shares.at(-1)).toBeLessThan(0.02)
  })

  it('never repeats a stock number', () => {
    const numbers = listings.flatMap(({ seller, text }) =>
      text.stocknum ? [`${seller.email} ${text.stocknum}`] : [],
    )
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('follows the listing rules', () => {
    const problems = listings.slice(0, 1_000).flatMap(({ kind, text, seller }) => {
      const resolved = { ...text, ...contactText(seller), partcategoryId: 'by name', partmodelId: 'by name' }
      const profane = findProfanity(`${text.partname} ${text.partdescription}`)
      return [checkListing(kind, resolved, { mode: 'create', year: 2026 }), profane].filter(Boolean)
    })
    expect(problems).toEqual([])
  })
})
