import { expect, it } from 'vitest'
import { towns } from './data.ts'
import { demoSellers } from './demo-sellers.ts'

const sellers = demoSellers()

it('are people and yards with unique names, emails, and phones', () => {
  for (const value of ['name', 'person', 'email', 'phone'] as const) {
    expect(new Set(sellers.map((seller) => seller[value])).size, value).toBe(sellers.length)
  }
})

it('cannot be reached: phone numbers and domains are reserved for fiction', () => {
  for (const { phone, email } of sellers) {
    expect(phone).toMatch(/^\(\d{3}\) 555-01\d\d$/)
    expect(email).toMatch(/^[a-z]+@[a-z-]*[a-z]\.example$/)
  }
})

it('include the Pro seller that the dashboard expects', () => {
  expect(sellers.find(({ email }) => email === 'pro@partharbor.example')).toMatchObject({
    name: 'Green Country Salvage',
    tier: 'PAID',
    connectStatus: 'VERIFIED',
    trusted: true,
    listings: 87,
    town: { city: 'Tulsa', state: 'OK' },
  })
})

it('live in real towns of the contiguous states', () => {
  expect(towns.length).toBeGreaterThanOrEqual(50)
  expect(new Set(towns.map(({ city, state }) => `${city}, ${state}`)).size).toBe(towns.length)
  for (const { city, state, zip, latitude, longitude, areaCode } of towns) {
    expect(state, city).toMatch(/^[A-Z]{2}$/)
    expect(zip, city).toMatch(/^\d{5}$/)
    expect(areaCode, city).toMatch(/^[2-9]\d\d$/)
    expect(latitude > 24.5 && latitude < 49.4, city).toBe(true)
    expect(longitude > -124.8 && longitude < -66.9, city).toBe(true)
  }
})
