import type { PartType, Vehicle } from '#db/data/read-data.ts'
import { type DemoListing, demoListing, groupsByType } from './demo-listing.ts'
import { idAt, listedAt } from './demo-moment.ts'
import type { DemoSeller } from './demo-sellers.ts'
import { donorVehicles } from './donor-vehicle.ts'
import { seededRandom } from './random.ts'

export type GeneratedListing = DemoListing & {
  id: string
  createdAt: Date
  seller: DemoSeller
  hasPicture: boolean
}

type Catalogue = { vehicles: readonly Vehicle[]; partTypes: readonly PartType[] }

/**
 * Every listing of the demo data, the same on every machine but for the dates, which count back from `today`. Oldest
 * first, as if they had come one after the other.
 */
export function generateListings(
  sellers: readonly DemoSeller[],
  { vehicles, partTypes }: Catalogue,
  today: number,
): GeneratedListing[] {
  const thisYear = new Date(today).getUTCFullYear()
  const groupOf = groupsByType(partTypes)
  const donorsOf = donorVehicles(vehicles, thisYear)
  return sellers
    .flatMap((seller) => {
      const random = seededRandom(`listings of ${seller.name}`)
      const drawVehicle = donorsOf(seller.focus)
      return Array.from({ length: seller.listings }, (_, at) => {
        const listing = demoListing(seller, at, { random, thisYear, drawVehicle, groupOf })
        const createdAt = listedAt(today, seller.memberForDays, random)
        const hasPicture = pictured(at, seller)
        return { ...listing, seller, createdAt, id: idAt(createdAt, random), hasPicture }
      })
    })
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

/** Spreads a seller's pictures evenly over its listings, exactly as many as it has. */
function pictured(at: number, { listings, pictures }: DemoSeller): boolean {
  return Math.floor(((at + 1) * pictures) / listings) > Math.floor((at * pictures) / listings)
}
