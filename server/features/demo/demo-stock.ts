import type { PartType, Vehicle } from '#db/data/read-data.ts'
import { demoListing, groupsByType } from './demo-listing.ts'
import { idAt, stockedAt } from './demo-moment.ts'
import { type DemoSeller, TOTAL_LISTINGS } from './demo-sellers.ts'
import { type DonorVehicle, donorVehicles, type Focus } from './donor-vehicle.ts'
import type { GeneratedListing } from './listing-generator.ts'
import { type Random, seededRandom, weightedChoice } from './random.ts'

type Catalogue = { vehicles: readonly Vehicle[]; partTypes: readonly PartType[] }
type Span = { from: number; to: number }

/** How many of the demo data's listings there shall be beside the first 5,000, on which day. */
type Stock = { size: number; today: number }

// The yards with the most listings have nearly all: the first a quarter, the first five more than half.
const SKEW = 1.1
// Most yards are members for as long as the stock goes back; one that is not yet is drawn again.
const DRAWS = 100

/**
 * The listings of a marketplace that has been full for two years, as many as one asks for: the forty yards' only, so that
 * the people who sign in keep theirs. Made span by span, so that a million never stand in memory; each span comes oldest
 * first and after the one before it.
 */
export function demoStock(
  sellers: readonly DemoSeller[],
  { vehicles, partTypes }: Catalogue,
  { size, today }: Stock,
): (span: Span) => GeneratedListing[] {
  const thisYear = new Date(today).getUTCFullYear()
  const groupOf = groupsByType(partTypes)
  const drawYard = yardChoice(sellers)
  const drawVehicle = vehicleChoices(donorVehicles(vehicles, thisYear))
  return ({ from, to }) => {
    const random = seededRandom(`stock from ${from}`)
    return Array.from({ length: to - from }, (_, offset) => {
      const at = from + offset
      const createdAt = stockedAt(today, at / size)
      const seller = drawYard(random, (today - createdAt.getTime()) / 86_400_000)
      const around = { random, thisYear, drawVehicle: drawVehicle(seller.focus), groupOf }
      // Numbered behind all that the yard can have, so that none of its stock numbers comes twice.
      const listing = demoListing(seller, TOTAL_LISTINGS + at, around)
      return { ...listing, seller, createdAt, id: idAt(createdAt, random), hasPicture: false }
    })
  }
}

function yardChoice(sellers: readonly DemoSeller[]) {
  const yards = sellers.filter(({ email }) => email.startsWith('parts@'))
  const ranks = new Map(
    yards.toSorted((a, b) => b.listings - a.listings).map((yard, rank) => [yard, rank + 1]),
  )
  const draw = weightedChoice(yards, (yard) => 1 / (ranks.get(yard) ?? yards.length) ** SKEW)
  return (random: Random, daysAgo: number): DemoSeller => {
    for (let attempt = 0; attempt < DRAWS; attempt += 1) {
      const yard = draw(random)
      if (yard.memberForDays > daysAgo) return yard
    }
    throw new Error(`no yard was a member ${daysAgo} days ago`)
  }
}

/** The weights of a focus are summed up once. */
function vehicleChoices(choiceOf: (focus: Focus) => (random: Random) => DonorVehicle) {
  const known = new Map<Focus, (random: Random) => DonorVehicle>()
  return (focus: Focus) => {
    const choice = known.get(focus) ?? choiceOf(focus)
    known.set(focus, choice)
    return choice
  }
}
