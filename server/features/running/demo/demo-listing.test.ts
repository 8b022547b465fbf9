import { describe, expect, it } from 'vitest'
import { type FitmentRow, plainFitment, readFitment } from '#contract/listing/fitment.ts'
import { linksParts, plainInterchange, readInterchange } from '#contract/listing/interchange.ts'
import { checkListing } from '#contract/listing/listing-rules.ts'
import { restrictionsOf } from '#contract/listing/restricted-parts.ts'
import { readYearSpan } from '#contract/listing/year-span.ts'
import { pictureMark } from '#contract/pictures.ts'
import { isCheckDigitRight, isVinLike } from '#contract/vehicle/vin-rules.ts'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { type Claim, graphOf } from '#server/features/market/interchange/graph.ts'
import { generatedSlug } from '#server/features/market/listings/slugs.ts'
import { findProfanity } from '#server/features/market/writing/profanity.ts'
import { enginesOf } from './data.ts'
import { picturesOf } from './demo-pictures.ts'
import { contactText, demoSellers, TOTAL_LISTINGS } from './demo-sellers.ts'
import { demoEmails } from './demo-sign-ins.ts'
import { demoToday, type GeneratedListing, generateListings } from './demo-stock.ts'

const catalogue = { vehicles: readVehicles(), partTypes: readPartTypes() }
const now = new Date('2026-03-09T15:20:00Z')
const sellers = demoSellers()
const listings = generateListings(sellers, catalogue, demoToday(now))

const soldYears = new Set(
  catalogue.vehicles.flatMap(({ manufacturer, model, years }) =>
    years.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, at) => `${from + at} ${manufacturer} ${model}`),
    ),
  ),
)

const of = (email: string) => listings.filter(({ seller }) => seller.email === email)
const share = (test: (listing: GeneratedListing) => boolean) => listings.filter(test).length / listings.length
const donorYear = ({ pulled }: GeneratedListing) => pulled.car.year
const spanOf = ({ text }: GeneratedListing) => readYearSpan(text.partyear) ?? { from: 0, to: 0 }
const rowsOf = ({ text }: GeneratedListing) => {
  const read = readFitment(text.fitment ?? '')
  return 'rows' in read ? read.rows : []
}
/** The listings in which something is wrong, short enough to read. */
const wrong = (isWrong: (listing: GeneratedListing) => boolean) =>
  listings.filter(isWrong).map(({ text, category }) => ({ ...text, category }))

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
    const whole = (list: GeneratedListing[]) =>
      JSON.stringify(list.map(({ id, text, hasPicture, seller }) => [id, text, hasPicture, seller.email]))
    expect(whole(again)).toBe(whole(listings))
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
    expect(wrong(({ id, createdAt }) => !version7.test(id) || timeOf(id) !== createdAt.getTime())).toEqual([])
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
    expect(
      wrong((listing) => {
        const { from, to } = spanOf(listing)
        const { partmanuname, partmodel } = listing.text
        const sold = Array.from(
          { length: to - from + 1 },
          (_, at) => `${from + at} ${partmanuname} ${partmodel}`,
        )
        return !types.has(listing.category) || to > 2026 || !sold.every((one) => soldYears.has(one))
      }),
    ).toEqual([])
  })

  it('are realistically skewed: cars aged 5 to 20 years, grades A and B, few quick listings, most with pictures', () => {
    expect(
      share((listing) => 2026 - donorYear(listing) >= 5 && 2026 - donorYear(listing) <= 20),
    ).toBeGreaterThan(0.75)
    expect(share(({ text }) => text.partgrade === 'A' || text.partgrade === 'B')).toBeGreaterThan(0.7)
    expect(share(({ kind }) => kind === 'quick')).toBeLessThan(0.12)
    expect(share(({ hasPicture }) => hasPicture)).toBeGreaterThan(0.85)
    const models = Map.groupBy(listings, ({ text }) => `${text.partmanuname} ${text.partmodel}`)
    const common = [...models.values()].map((list) => list.length).sort((a, b) => b - a)
    expect(common.slice(0, 18).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(TOTAL_LISTINGS * 0.6)
    expect(common.slice(40).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(TOTAL_LISTINGS * 0.1)
    expect(new Set(listings.map(({ category }) => category)).size).toBeGreaterThan(150)
  })

  it('cost less for a worse grade or an older car', () => {
    const average = (list: GeneratedListing[]) =>
      list.reduce((sum, { text }) => sum + Number(text.partprice), 0) / list.length
    const headlamps = listings.filter(({ category }) => category === 'Headlamp Assembly')
    const graded = (grades: string) => headlamps.filter(({ text }) => grades.includes(text.partgrade ?? '?'))
    expect(average(graded('A'))).toBeGreaterThan(average(graded('CD')))
    expect(average(headlamps.filter((listing) => donorYear(listing) >= 2018))).toBeGreaterThan(
      average(headlamps.filter((listing) => donorYear(listing) < 2010)),
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

describe('what the demo listings fit', () => {
  it('is stated for two thirds: years, and other vehicles in years they were sold, as imports store it', () => {
    expect(share(({ text }) => text.fitment !== undefined)).toBeGreaterThan(0.66)
    expect(share((listing) => spanOf(listing).from < spanOf(listing).to)).toBeGreaterThan(0.66)
    expect(wrong(({ text }) => plainFitment(text.fitment ?? '') !== (text.fitment ?? ''))).toEqual([])
    expect(wrong((listing) => (listing.text.fitment !== undefined) !== rowsOf(listing).length > 0)).toEqual(
      [],
    )
    const isSold = ({ from, to, vehicle }: FitmentRow) =>
      Array.from({ length: to - from + 1 }, (_, at) => from + at).every((year) =>
        soldYears.has(`${year} ${vehicle}`),
      )
    expect(wrong((listing) => !rowsOf(listing).every(isSold))).toEqual([])
  })

  it('contains the car that the part is from, and an engine only where it was sold', () => {
    expect(
      wrong((listing) => {
        const { from, to } = spanOf(listing)
        return donorYear(listing) < from || donorYear(listing) > to
      }),
    ).toEqual([])
    const modelOf = new Map(
      catalogue.vehicles.map((vehicle) => [`${vehicle.manufacturer} ${vehicle.model}`, vehicle]),
    )
    const hasEngine = (vehicle: string, engine: string) => {
      const known = modelOf.get(vehicle)
      return known !== undefined && (enginesOf(known)?.sizes.includes(engine) ?? true)
    }
    const engines = listings.filter(({ category }) => category === 'Engine Assembly')
    const limited = engines.flatMap((listing) =>
      rowsOf(listing).map(
        ({ vehicle, engine = '' }) =>
          listing.text.partname.endsWith(` ${engine}`) && hasEngine(vehicle, engine),
      ),
    )
    expect(limited.length).toBeGreaterThan(50)
    expect(limited).not.toContain(false)
  })

  it('answers a year, model and common part of a popular vehicle two to five times, as a rule', () => {
    const answers = new Map<string, number>()
    for (const listing of listings) {
      const { partmanuname, partmodel } = listing.text
      const own = { ...spanOf(listing), vehicle: `${partmanuname} ${partmodel}` }
      const found = new Set(
        [own, ...rowsOf(listing)].flatMap(({ from, to, vehicle }) =>
          Array.from({ length: to - from + 1 }, (_, at) => `${from + at} ${vehicle} ${listing.category}`),
        ),
      )
      for (const one of found) answers.set(one, (answers.get(one) ?? 0) + 1)
    }
    const vehicles = [
      '2013 Ford F-150',
      '2015 Honda Accord',
      '2014 Chevrolet Silverado 1500',
      '2010 Toyota Camry',
    ]
    const popular = [
      ...vehicles,
      '2012 Honda Civic',
      '2014 Nissan Altima',
      '2016 Ford Escape',
      '2011 Toyota Corolla',
    ]
    const parts = [
      'Windshield',
      'Tire',
      'Alloy Wheel',
      'Oxygen Sensor',
      'Headlamp Assembly',
      'Alternator',
      'Door Mirror',
    ]
    const counts = popular.flatMap((vehicle) => parts.map((part) => answers.get(`${vehicle} ${part}`) ?? 0))
    expect(counts.filter((count) => count >= 2 && count <= 5).length).toBeGreaterThan(0.8 * counts.length)
    expect(Math.min(...counts)).toBeGreaterThan(0)
  })
})

describe('the numbers of the demo listings', () => {
  const byNumber = [...Map.groupBy(listings, ({ text }) => text.partnum).values()]
  const numbersWith = (differs: (listing: GeneratedListing) => unknown) =>
    byNumber.filter((list) => new Set(list.map(differs)).size > 1).length

  it('are on parts of several years, models and yards', () => {
    expect(numbersWith(donorYear)).toBeGreaterThan(500)
    expect(numbersWith(({ seller }) => seller.name)).toBeGreaterThan(500)
    expect(numbersWith(({ text }) => text.partmodel)).toBeGreaterThan(200)
  })

  it('replace each other, without a circle, and are the same as others, as sellers state it', () => {
    const stated = listings.flatMap(({ text, seller }) =>
      readInterchange(text.partinterchange ?? '').map((one) => ({ ...one, own: text.partnum ?? '', seller })),
    )
    expect(share(({ text }) => text.partinterchange !== undefined)).toBeGreaterThan(0.18)
    expect(
      wrong(({ text }) => plainInterchange(text.partinterchange ?? '') !== (text.partinterchange ?? '')),
    ).toEqual([])
    expect(stated.filter(({ number }) => !linksParts(number))).toEqual([])
    for (const relation of ['same', 'replaces', 'replaced by'])
      expect(stated.filter((one) => one.relation === relation).length, relation).toBeGreaterThan(200)
    const claims = stated.map(
      ({ relation, number, own, seller }): Claim => ({
        kind: relation === 'same' ? 'same' : 'replaces',
        number: relation === 'replaced by' ? number : own,
        other: relation === 'replaced by' ? own : number,
        sellerId: seller.email,
        seller: seller.name,
        source: 'listing',
        at: now,
      }),
    )
    const graph = graphOf(claims)
    expect(graph.refused).toEqual([])
    // Both ends of a supersession are in stock.
    const numbers = new Set(listings.map(({ text }) => text.partnum))
    const both = stated.filter(({ relation, number }) => relation !== 'same' && numbers.has(number))
    expect(both.length).toBeGreaterThan(200)
  })
})

describe('how the demo listings are sold', () => {
  const text = (listing: GeneratedListing) => `${listing.text.partname}. ${listing.text.partdescription}`

  it('is stated by most, and never against the yard’s policy', () => {
    expect(
      share((listing) => listing.text.warrantydays !== undefined || listing.text.asis !== undefined),
    ).toBeGreaterThan(0.7)
    expect(share((listing) => listing.text.asis !== undefined)).toBeGreaterThan(0.02)
    expect(share((listing) => listing.text.returndays !== undefined)).toBeGreaterThan(0.7)
    expect(share((listing) => listing.text.restockpct !== undefined)).toBeGreaterThan(0.1)
    expect(share((listing) => listing.text.corecharge !== undefined)).toBeGreaterThan(0.1)
    expect(
      wrong(({ text: { warrantydays, returndays, restockpct, asis }, seller: { terms } }) => {
        if (terms === undefined || asis) return warrantydays !== undefined || Number(returndays ?? '0') > 0
        const { warranty, returns } = terms
        const days = [warranty.days, warranty.powertrainDays, warranty.bodyDays, undefined].map(String)
        return (
          !days.includes(String(warrantydays)) ||
          ![String(returns.days), 'undefined'].includes(String(returndays)) ||
          Number(restockpct ?? '0') > returns.restock
        )
      }),
    ).toEqual([])
  })

  it('follows the policy for each kind of part', () => {
    const daysOf = (policy: string, type: string) =>
      new Set(
        listings.flatMap(({ text: { warrantydays }, category, seller: { terms } }) =>
          category === type && terms?.warranty.text.startsWith(policy) && warrantydays ? warrantydays : [],
        ),
      )
    expect(daysOf('90 days on engines', 'Engine Assembly')).toEqual(new Set(['90']))
    expect(daysOf('90 days on engines', 'Alternator')).toEqual(new Set(['30']))
    expect(daysOf('30 days on mechanical', 'Alternator')).toEqual(new Set(['30']))
    expect(daysOf('30 days on mechanical', 'Headlamp Assembly')).toEqual(new Set(['30']))
    expect(daysOf('30 days on mechanical', 'Hood')).toEqual(new Set(['0']))
  })

  it('is not contradicted by a description: its days are those of the listing', () => {
    const said = listings.flatMap((listing) => {
      const warranty = /(\d+)-day (?:exchange )?warranty/.exec(text(listing))?.[1]
      const returns = /(\d+)-day returns/.exec(text(listing))?.[1]
      return warranty || returns ? [{ listing, warranty, returns }] : []
    })
    expect(said.length).toBeGreaterThan(300)
    expect(
      said.filter(({ listing, warranty, returns }) => {
        const { warrantydays, returndays } = listing.text
        return (warranty ?? warrantydays) !== warrantydays || (returns ?? returndays) !== returndays
      }),
    ).toEqual([])
    expect(
      wrong((listing) => /warranty|guarantee/i.test(text(listing)) && listing.text.asis !== undefined),
    ).toEqual([])
    expect(wrong((listing) => /as-is/i.test(text(listing)) !== (listing.text.asis !== undefined))).toEqual([])
    expect(wrong((listing) => /[{}]|undefined/.test(text(listing)))).toEqual([])
  })

  it('fits its shipping: quoted, by pickup or at a price; and several of what yards have several of', () => {
    expect(
      wrong(({ kind, text: { partshipping } }) => (kind === 'quick') !== (partshipping === undefined)),
    ).toEqual([])
    expect(share(({ text: { partshipping } }) => partshipping === undefined)).toBeGreaterThan(0.04)
    expect(share(({ text: { partshipping } }) => partshipping === 'Pickup only')).toBeGreaterThan(0.04)
    expect(share(({ text: { partquantity } }) => Number(partquantity) > 1)).toBeGreaterThan(0.02)
    expect(
      wrong(
        (listing) => /Pickup only|Too big/.test(text(listing)) && listing.text.partshipping !== 'Pickup only',
      ),
    ).toEqual([])
    expect(
      wrong((listing) => /Ships within/.test(text(listing)) && listing.text.partshipping === 'Pickup only'),
    ).toEqual([])
  })

  it('is allowed: no air bag without a VIN, and none in New York', () => {
    const restricted = listings.flatMap(({ text, category, seller }) =>
      restrictionsOf({ ...text, ...contactText(seller), category }, { license: true, certified: true }),
    )
    expect(restricted).toEqual([])
    expect(listings.some(({ category }) => category === 'Steering Wheel Air Bag')).toBe(true)
    expect(
      wrong(({ text: { vin } }) => vin !== undefined && (!isVinLike(vin) || !isCheckDigitRight(vin))),
    ).toEqual([])
  })
})

describe('the pictures of the demo listings', () => {
  const pictured = listings.map((listing) => ({ listing, pictures: picturesOf(listing) }))

  it('are two or more for most, each of another side, and mark the damage that the text tells of', () => {
    expect(pictured.filter(({ pictures }) => pictures.length > 1).length).toBeGreaterThan(
      0.7 * TOTAL_LISTINGS,
    )
    for (const { listing, pictures } of pictured) {
      expect(pictures.length > 0).toBe(listing.hasPicture)
      expect(new Set(pictures.map(({ name }) => name)).size).toBe(pictures.length)
      const marks = pictures.flatMap(({ marks: all }) => all)
      expect(marks.length > 0).toBe(listing.isMarked && listing.hasPicture)
      expect(
        marks.every((mark) => pictureMark.safeParse(mark).success && mark.note === listing.text.partdamage),
      ).toBe(true)
    }
    expect(
      pictured.filter(({ pictures }) => pictures.some(({ marks }) => marks.length > 0)).length,
    ).toBeGreaterThan(500)
  })
})
