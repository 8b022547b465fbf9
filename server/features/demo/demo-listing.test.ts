import { describe, expect, it } from 'vitest'
import { checkListing } from '#contract/listing/listing-rules.ts'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { generatedSlug } from '#server/features/listings/slugs.ts'
import { findProfanity } from '#server/features/listings/text-check.ts'
import { contactText, demoSellers, TOTAL_LISTINGS } from './demo-sellers.ts'
import { demoEmails } from './demo-sign-ins.ts'
import { demoToday, type GeneratedListing, generateListings } from './demo-stock.ts'

const catalogue = { vehicles: readVehicles(), partTypes: readPartTypes() }
const now = new Date('2026-03-09T15:20:00Z')
const sellers = demoSellers()
const listings = generateListings(sellers, catalogue, demoToday(now))

const of = (email: string) => listings.filter(({ seller }) => seller.email === email)
const share = (test: (listing: GeneratedListing) => boolean) => listings.filter(test).length / listings.length
const year = ({ text }: GeneratedListing) => Number(text.partyear)

describe('the demo listings', () => {
  it('are 5,000 from 43 sellers, 87 from the Pro seller and 12 from the free one', () => {
    expect(listings).toHaveLength(TOTAL_LISTINGS)
    expect(sellers).toHaveLength(43)
    expect(of(demoEmails.pro)).toHaveLength(87)
    expect(of(demoEmails.free)).toHaveLength(12)
    expect(of(demoEmails.admin)).toHaveLength(0)
    expect(new Set(listings.map(({ seller }) => seller.email)).size).toBe(42)
  })

  it('are the same every time, dated back from the day of loading', () => {
    const again = generateListings(demoSellers(), catalogue, demoToday(new Date('2026-03-09T04:00:00Z')))
    // As text: comparing 5,000 records one by one takes seconds.
    expect(JSON.stringify(again)).toBe(JSON.stringify(listings))
    const nextDay = generateListings(demoSellers(), catalogue, demoToday(new Date('2026-03-10T04:00:00Z')))
    const texts = (list: GeneratedListing[]) => JSON.stringify(list.map(({ text }) => text))
    expect(texts(nextDay)).toBe(texts(listings))
    const times = (list: GeneratedListing[]) => list.map(({ createdAt }) => createdAt.getTime())
    const oneDayEarlier = times(nextDay).map((time) => time - 86_400_000)
    expect(JSON.stringify(oneDayEarlier)).toBe(JSON.stringify(times(listings)))
  })

  it('come oldest first, all in the past, none from before the seller joined', () => {
    const times = listings.map(({ createdAt }) => createdAt.getTime())
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(Math.max(...times)).toBeLessThan(demoToday(now))
    const joined = ({ seller }: GeneratedListing) => demoToday(now) - seller.memberForDays * 86_400_000
    expect(listings.filter((listing) => listing.createdAt.getTime() <= joined(listing))).toEqual([])
  })

  it('have ids that contain their time, and unique addresses', () => {
    expect(new Set(listings.map(({ id }) => id)).size).toBe(TOTAL_LISTINGS)
    const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
    const wrong = listings.filter(
      ({ id, createdAt }) => !version7.test(id) || timeOf(id) !== createdAt.getTime(),
    )
    expect(wrong).toEqual([])
    const slugs = listings.map(({ id, text }) =>
      generatedSlug([text.partyear, text.partmanuname, text.partmodel, text.partname], id),
    )
    expect(new Set(slugs).size).toBe(TOTAL_LISTINGS)
  })

  it('pass every rule for typed listings', () => {
    const problems = listings.flatMap(({ kind, text, seller }) => {
      const resolved = { ...text, ...contactText(seller), partcategoryId: 'by name', partmodelId: 'by name' }
      const profane = findProfanity(`${text.partname} ${text.partdescription}`)
      return [checkListing(kind, resolved, { mode: 'create', year: 2026 }), profane].filter(Boolean)
    })
    expect(problems).toEqual([])
  })

  it('are for real vehicles in years they were sold, and for known part types', () => {
    const types = new Set(catalogue.partTypes.map(({ name }) => name))
    const sold = new Set(
      catalogue.vehicles.flatMap(({ manufacturer, model, years }) =>
        years.flatMap(([from, to]) =>
          Array.from({ length: to - from + 1 }, (_, at) => `${from + at} ${manufacturer} ${model}`),
        ),
      ),
    )
    const vehicleOf = ({ text }: GeneratedListing) =>
      `${text.partyear} ${text.partmanuname} ${text.partmodel}`
    const wrong = listings.filter(
      (listing) => !types.has(listing.category) || !sold.has(vehicleOf(listing)) || year(listing) > 2026,
    )
    expect(wrong).toEqual([])
  })

  it('are realistically skewed: cars aged 5 to 20 years, grades A and B, few quick listings, 60% with a picture', () => {
    expect(share((listing) => 2026 - year(listing) >= 5 && 2026 - year(listing) <= 20)).toBeGreaterThan(0.75)
    expect(share(({ text }) => text.partgrade === 'A' || text.partgrade === 'B')).toBeGreaterThan(0.7)
    expect(share(({ kind }) => kind === 'quick')).toBeLessThan(0.12)
    expect(share(({ hasPicture }) => hasPicture)).toBeCloseTo(0.6, 1)
    const models = Map.groupBy(listings, ({ text }) => `${text.partmanuname} ${text.partmodel}`)
    const common = [...models.values()].map((list) => list.length).sort((a, b) => b - a)
    expect(common.slice(0, 40).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(TOTAL_LISTINGS * 0.35)
    expect(new Set(listings.map(({ category }) => category)).size).toBeGreaterThan(150)
  })

  it('cost less for a worse grade or an older car', () => {
    const average = (list: GeneratedListing[]) =>
      list.reduce((sum, { text }) => sum + Number(text.partprice), 0) / list.length
    const headlamps = listings.filter(({ category }) => category === 'Headlamp Assembly')
    const graded = (grades: string) => headlamps.filter(({ text }) => grades.includes(text.partgrade ?? '?'))
    expect(average(graded('A'))).toBeGreaterThan(average(graded('CD')))
    expect(average(headlamps.filter((listing) => year(listing) >= 2018))).toBeGreaterThan(
      average(headlamps.filter((listing) => year(listing) < 2010)),
    )
  })

  it('reuse one part number for parts that fit the same car, in the format of its maker', () => {
    const numbers = (make: string) =>
      listings.filter(({ text }) => text.partmanuname === make).map(({ text }) => text.partnum ?? '')
    expect(numbers('Toyota').every((text) => /^\w{5}-\w{5}$/.test(text))).toBe(true)
    expect(numbers('Ford').every((text) => /^\w{2,4}Z-\w{4,6}-\w{1,2}$/.test(text))).toBe(true)
    expect(numbers('BMW').every((text) => /^\d{11}$/.test(text))).toBe(true)
    const shared = Map.groupBy(listings, ({ text }) => text.partnum)
    expect([...shared.values()].filter((list) => list.length > 1).length).toBeGreaterThan(100)
    const mixed = [...shared.values()].filter(
      (list) => new Set(list.map(({ category }) => category)).size > 1,
    )
    expect(mixed).toEqual([])
  })
})
