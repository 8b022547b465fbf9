import type { ListingKind } from '#contract/listing-fields.ts'
import type { ListingText } from '#contract/listing-rules.ts'
import type { PartType } from '#db/data/read-data.ts'
import { type DemoPart, demoParts } from './demo-parts.ts'
import type { DemoSeller } from './demo-sellers.ts'
import type { DonorVehicle } from './donor-vehicle.ts'
import { fits } from './fitment.ts'
import { drawCondition } from './part-condition.ts'
import { describePart } from './part-description.ts'
import { partNumber } from './part-numbers.ts'
import { askingPrice } from './part-pricing.ts'
import { shippingFor } from './part-shipping.ts'
import { trimOf, wordPart } from './part-wording.ts'
import { type Random, weightedChoice } from './random.ts'

/** A listing as its seller would type it, with the names of its lookups; the yard's own lines are `contactText`. */
export type DemoListing = {
  kind: ListingKind
  text: ListingText & { partname: string; partyear: string; partmodel: string; partmanuname: string }
  category: string
  group: string
}

type Surroundings = {
  random: Random
  thisYear: number
  drawVehicle: (random: Random) => DonorVehicle
  groupOf: ReadonlyMap<string, string>
}

const chooseByWeight = weightedChoice(demoParts, ({ weight }) => weight)
// Rare needs (soft tops, hybrids) find their car seldom; those who never do are no loss.
const ATTEMPTS = 40
const QUICK_SHARE = 0.07

/** The group of every part type by its name. */
export function groupsByType(partTypes: readonly PartType[]): Map<string, string> {
  return new Map(partTypes.map(({ name, group }) => [name, group]))
}

/** One listing of a yard: a car it took in, a part of it, and what a counterman types. */
export function demoListing(seller: DemoSeller, at: number, around: Surroundings): DemoListing {
  const { random, thisYear, groupOf } = around
  const { vehicle, part } = drawPartOfVehicle(around)
  const group = groupOf.get(part.type) ?? ''
  const wording = wordPart(part, vehicle, random)
  const condition = drawCondition(group, thisYear - vehicle.year, random)
  const cents = askingPrice(part, vehicle, condition.grade, { random, thisYear })
  const kind = random.chance(QUICK_SHARE) ? 'quick' : 'ecommerce'
  const numbered = { type: part.type, group, detail: wording.detail }
  return {
    kind,
    category: part.type,
    group,
    text: {
      partname: wording.name,
      partdescription: describePart({ name: wording.name, group }, vehicle, condition, random),
      partmanuname: vehicle.manufacturer,
      partmodel: vehicle.model,
      partyear: String(vehicle.year),
      partgrade: condition.grade,
      partnum: partNumber(vehicle, numbered),
      partprice: (cents / 100).toFixed(2),
      partshipping: shippingFor(part.size, random),
      partmiles: String(condition.miles),
      partdamage: condition.damage,
      ...(kind === 'quick' || random.chance(0.4) ? { parttrim: trimOf(vehicle, random) } : {}),
      ...(random.chance(0.7) ? { stocknum: stockNumber(seller, at) } : {}),
      ...(isSoldInSets(part) && random.chance(0.3) ? { partquantity: String(random.whole(2, 4)) } : {}),
    },
  }
}

function drawPartOfVehicle({ random, drawVehicle }: Surroundings): { vehicle: DonorVehicle; part: DemoPart } {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const vehicle = drawVehicle(random)
    const part = chooseByWeight(random)
    if (fits(part, vehicle)) return { vehicle, part }
  }
  throw new Error('no part fits any car of this yard')
}

/** The yard's own number: its letters, the vehicle it came in as, the part of it. */
function stockNumber({ name }: DemoSeller, at: number): string {
  const letters = name
    .split(' ')
    .map((word) => word.charAt(0))
    .filter((first) => /[A-Z]/.test(first))
    .slice(0, 2)
    .join('')
  return `${letters}${2_400 + Math.floor(at / 6)}-${String((at % 6) + 1).padStart(2, '0')}`
}

const isSoldInSets = ({ type }: DemoPart) => /Wheel|Ignition Coil|Fuel Injector|Parking Sensor/.test(type)
