import type { PartType, Vehicle } from '#db/data/read-data.ts'
import { type ListingColumns, toColumns } from '#server/features/market/listings/listing-columns.ts'
import { generatedSlug } from '#server/features/market/listings/slugs.ts'
import { donorCar } from '#server/features/running/demo/parts/donor-cars.ts'
import { acceptsVehicle, type DonorVehicle } from '#server/features/running/demo/parts/donor-vehicles.ts'
import { openFits } from '#server/features/running/demo/parts/part-fits.ts'
import { type Lot, openLots } from '#server/features/running/demo/parts/popular-lots.ts'
import { type Random, seededRandom, weightedChoice } from '#server/platform/seeded-random.ts'
import { demoParts, guaranteedListings } from './data.ts'
import {
  type DemoListing,
  demoListing,
  donorVehicles,
  drawParts,
  groupsByType,
  listPart,
  stockNumber,
} from './demo-listing.ts'
import { contactText, type DemoSeller, TOTAL_LISTINGS } from './demo-sellers.ts'
import { demoEmails } from './demo-sign-ins.ts'

/* The demo's listings: the first 5,000, and more on request. */

export type GeneratedListing = DemoListing & {
  id: string
  createdAt: Date
  seller: DemoSeller
  hasPicture: boolean
}

type Catalog = { vehicles: readonly Vehicle[]; partTypes: readonly PartType[] }

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
// 8 in the morning to 6 in the evening in the middle of the country, in hours after midnight UTC.
const OPENS = 13
const CLOSES = 22
// The first listings are at most this old.
const OLDEST_DAYS = 180
// How long a yard keeps a part for sale.
const STOCK_DAYS = 730

/** Midnight UTC at the start of the day of loading. Everything in the demo data is before it, nothing in the future. */
export function demoToday(now: Date): number {
  return Math.floor(now.getTime() / DAY_MS) * DAY_MS
}

/** A UUIDv7 for a moment. Lists are sorted by id, newest first, so an id must match the listing's shown time. */
export function idAt(moment: Date, random: Random): string {
  const time = moment.getTime().toString(16).padStart(12, '0')
  const hex = (digits: number) =>
    random
      .whole(0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, '0')
  const variant = '89ab'.charAt(random.whole(0, 3))
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`
}

/** A time within working hours, `daysAgo` days ago. `place` is the time of day, from 0 to 1. */
function workingTime(today: number, daysAgo: number, place: number): Date {
  return new Date(today - daysAgo * DAY_MS + Math.floor((OPENS + place * (CLOSES - OPENS)) * HOUR_MS))
}

/**
 * Generates the first 5,000 listings, oldest first. They are the same on every machine, except that dates are relative
 * to `today`.
 */
export function generateListings(
  sellers: readonly DemoSeller[],
  { vehicles, partTypes }: Catalog,
  today: number,
): GeneratedListing[] {
  const thisYear = new Date(today).getUTCFullYear()
  const groupOf = groupsByType(partTypes)
  const stocking = {
    thisYear,
    groupOf,
    lots: openLots({ vehicles, groupOf, thisYear }),
    donorsOf: donorVehicles(vehicles, thisYear),
    sureOf: sureLots(sellers, vehicles),
  }
  const listFits = openFits(vehicles, thisYear)
  return sellers
    .flatMap((seller) => {
      const random = seededRandom(`listings of ${seller.name}`)
      // Pictures are spread evenly over a seller's listings, exactly as many as it has.
      const picturesBefore = (at: number) => Math.floor((at * seller.pictures) / seller.listings)
      const oldest = Math.min(OLDEST_DAYS, seller.memberForDays - 1)
      return stockOf(seller, stocking, random).map((listing, at) => {
        // More recent listings than old ones.
        const daysAgo = 1 + Math.floor((oldest - 1) * random.next() ** 2)
        const createdAt = workingTime(today, daysAgo, random.next())
        const hasPicture = picturesBefore(at + 1) > picturesBefore(at)
        const text = { ...listing.text, ...listFits(listing.pulled, random) }
        return { ...listing, text, seller, createdAt, id: idAt(createdAt, random), hasPicture }
      })
    })
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

type GivenLot = Lot & { given?: { detail: string; number: string } }

type Stocking = {
  thisYear: number
  groupOf: ReadonlyMap<string, string>
  lots: ReturnType<typeof openLots>
  donorsOf: ReturnType<typeof donorVehicles>
  sureOf: (seller: DemoSeller) => readonly GivenLot[]
}

// The rest is the long tail of all vehicles.
const POPULAR_SHARE = 0.62
const MOST_PARTS_OF_OTHERS = 4

/** The parts of a yard, car by car. */
function stockOf(seller: DemoSeller, stocking: Stocking, random: Random): DemoListing[] {
  const { thisYear, lots, donorsOf, sureOf } = stocking
  const drawVehicle = donorsOf(seller.focus)
  const sure = [...sureOf(seller)]
  const listings: DemoListing[] = []
  const nextLot = (most: number): GivenLot => {
    const popular = sure.pop() ?? (random.chance(POPULAR_SHARE) ? lots.take(seller.focus, most) : undefined)
    if (popular) return popular
    const vehicle = drawVehicle(random)
    return { vehicle, parts: [] }
  }
  for (let number = 0; listings.length < seller.listings; number += 1) {
    const most = seller.listings - listings.length
    const { vehicle, parts, given } = nextLot(most)
    const car = donorCar(vehicle, random, thisYear)
    const count = Math.min(most, random.whole(1, MOST_PARTS_OF_OTHERS))
    const pulled =
      parts.length > 0 ? parts : drawParts(car, { seller, count, random }).map((part) => ({ part }))
    for (const [at, one] of pulled.entries()) {
      const stock = stockNumber(seller, number, at)
      listings.push(
        listPart(
          { ...one, seller, car, stockNumber: stock, ...(given && { given }) },
          { random, ...stocking },
        ),
      )
    }
  }
  return listings
}

/** Deals out the parts that are in stock for certain: to the account that is named, or to yards in turn. */
function sureLots(sellers: readonly DemoSeller[], vehicles: readonly Vehicle[]): Stocking['sureOf'] {
  const yards = sellers.filter(({ email }) => email.startsWith('parts@'))
  const dealt = guaranteedListings.map((row, at): { email: string; lot: GivenLot } => {
    const { account, manufacturer, model, year, type, detail, number } = row
    const known = vehicles.find((one) => one.manufacturer === manufacturer && one.model === model)
    const part = demoParts.find((one) => one.type === type)
    if (!known || !part) throw new Error(`sure-listings.csv has ${manufacturer} ${model} ${type}`)
    const vehicle: DonorVehicle = { manufacturer, model, bodyStyles: known.bodyStyles, year }
    const inTurn = [...yards.slice(at % yards.length), ...yards]
    const yard = inTurn.find(({ focus }) => acceptsVehicle[focus](vehicle))
    const email = account === '' ? (yard?.email ?? '') : (sellers.find(hasAccount(account))?.email ?? '')
    return { email, lot: { vehicle, parts: [{ part, turn: at }], given: { detail, number } } }
  })
  return (seller) => dealt.flatMap(({ email, lot }) => (email === seller.email ? lot : []))
}

const hasAccount = (account: string) => (seller: DemoSeller) =>
  Object.entries(demoEmails).some(([name, email]) => name === account && email === seller.email)

type Span = { from: number; to: number }

/**
 * Generates `size` listings of a marketplace two years old. They belong to the forty yards, so the people who can sign
 * in keep only their own. Generated span by span, oldest first, so that a million are never in memory.
 */
export function demoStock(
  sellers: readonly DemoSeller[],
  { vehicles, partTypes }: Catalog,
  { size, today }: { size: number; today: number },
): (span: Span) => GeneratedListing[] {
  const thisYear = new Date(today).getUTCFullYear()
  const groupOf = groupsByType(partTypes)
  const drawYard = yardChoice(sellers)
  const donorsOf = donorVehicles(vehicles, thisYear)
  const listFits = openFits(vehicles, thisYear)
  return ({ from, to }) => {
    const random = seededRandom(`stock from ${from}`)
    return Array.from({ length: to - from }, (_, offset) => {
      const at = from + offset
      const days = (at / size) * STOCK_DAYS
      const createdAt = workingTime(today, STOCK_DAYS - Math.floor(days), days % 1)
      const seller = drawYard(random, (today - createdAt.getTime()) / DAY_MS)
      const around = { random, thisYear, drawVehicle: donorsOf(seller.focus), groupOf }
      // Numbered after all first listings, so that no stock number repeats.
      const listing = demoListing(seller, TOTAL_LISTINGS + at, around)
      const text = { ...listing.text, ...listFits(listing.pulled, random) }
      return { ...listing, text, seller, createdAt, id: idAt(createdAt, random), hasPicture: false }
    })
  }
}

// The yard with the most listings has a quarter of them, the first five more than half.
const SKEW = 1.15
// Most yards were members the whole time; a yard that was not yet a member is drawn again.
const DRAWS = 100

function yardChoice(sellers: readonly DemoSeller[]) {
  const yards = sellers.filter(({ email }) => email.startsWith('parts@'))
  const byListings = yards.toSorted((a, b) => b.listings - a.listings)
  const draw = weightedChoice(yards, (yard) => 1 / (byListings.indexOf(yard) + 1) ** SKEW)
  return (random: Random, daysAgo: number): DemoSeller => {
    for (let attempt = 0; attempt < DRAWS; attempt += 1) {
      const yard = draw(random)
      if (yard.memberForDays > daysAgo) return yard
    }
    throw new Error(`no yard was a member ${daysAgo} days ago`)
  }
}

/** Ids of lookups by name; of models by "manufacturer/model". */
export type LookupIds = Record<'categories' | 'manufacturers' | 'models', ReadonlyMap<string, string>>

/**
 * Converts generated listings to table rows; `sellerIds` are by email. A lookup that was renamed since stays text. Among
 * hundreds of thousands, many have the same words, and a slug needs the longer `slugTail`.
 */
export function listingRows(
  sellers: readonly DemoSeller[],
  sellerIds: ReadonlyMap<string, string>,
  lookups: LookupIds,
  slugTail: 6 | 12 = 6,
): (listing: GeneratedListing) => ListingColumns & { id: string } {
  // Computed once per yard, because parsing a phone number is slow.
  const yards = new Map(
    sellers.map((seller) => {
      const sellerId = sellerIds.get(seller.email)
      if (sellerId === undefined) throw new Error(`there is no account for ${seller.email}`)
      return [seller, { ...toColumns(contactText(seller)), seller_id: sellerId }] as const
    }),
  )
  return ({ id, kind, createdAt, category, text, seller }) => {
    const yard = yards.get(seller)
    if (!yard) throw new Error(`${seller.email} is not a seller of the demo data`)
    const { partyear, partmanuname, partmodel, partname } = text
    return {
      // Every listing has these, but its type does not show it.
      price_cents: 0,
      year_from: 0,
      year_to: 0,
      ...yard,
      ...toColumns(text),
      id,
      kind,
      slug: generatedSlug([partyear, partmanuname, partmodel, partname], id, slugTail),
      name: partname,
      category_id: lookups.categories.get(category) ?? null,
      manufacturer_id: lookups.manufacturers.get(partmanuname) ?? null,
      manufacturer_name: partmanuname,
      car_model_id: lookups.models.get(`${partmanuname}/${partmodel}`) ?? null,
      model_name: partmodel,
      created_at: createdAt,
      updated_at: createdAt,
    }
  }
}
