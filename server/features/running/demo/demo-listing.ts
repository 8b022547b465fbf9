import type { ListingKind } from '#contract/listing/listing-fields.ts'
import type { ListingText } from '#contract/listing/listing-rules.ts'
import { restrictionsOf } from '#contract/listing/restricted-parts.ts'
import { VIN_LENGTH } from '#contract/vehicle/vin-rules.ts'
import type { PartType, Vehicle } from '#db/data/read-data.ts'
import { askingPrice, type Condition, drawCondition } from '#server/features/running/demo/parts/condition.ts'
import { type DonorCar, detailOf, donorCar, titleOf } from '#server/features/running/demo/parts/donor-cars.ts'
import {
  acceptsVehicle,
  type DonorVehicle,
  fits,
  weighVehicles,
} from '#server/features/running/demo/parts/donor-vehicles.ts'
import type { PulledPart } from '#server/features/running/demo/parts/part-fits.ts'
import { stampedNumberOf } from '#server/features/running/demo/parts/part-numbers.ts'
import { type Random, weightedChoice } from '#server/platform/seeded-random.ts'
import { type DemoPart, demoParts, type Focus, partGroups, sentences, texts, vinStarts } from './data.ts'
import type { DemoSeller } from './demo-sellers.ts'
import { sentenceKindsOf, termsOf, withTerms } from './sale-terms.ts'

/** A listing as its seller would type it, with names of lookups; `contactText` adds the yard's contact fields. */
export type DemoListing = {
  kind: ListingKind
  text: ListingText & { partname: string; partyear: string; partmodel: string; partmanuname: string }
  category: string
  group: string
  /** Whether a picture can show the damage. */
  isMarked: boolean
  pulled: PulledPart
}

/** Returns a choice of donor vehicles for each focus, with realistic frequencies and ages for `thisYear`. */
export function donorVehicles(vehicles: readonly Vehicle[], thisYear: number) {
  const { sold, weightOf } = weighVehicles(vehicles, thisYear)
  const choices = new Map<Focus, (random: Random) => DonorVehicle>()
  return (focus: Focus) => {
    const choice = choices.get(focus) ?? weightedChoice(sold.filter(acceptsVehicle[focus]), weightOf)
    choices.set(focus, choice)
    return choice
  }
}

type DemoContext = {
  random: Random
  thisYear: number
  drawVehicle: (random: Random) => DonorVehicle
  groupOf: ReadonlyMap<string, string>
}

const choosePart = weightedChoice(demoParts, ({ weight }) => weight)
// Rare parts (soft tops, hybrid parts) may not find a car in these attempts; that does not matter.
const ATTEMPTS = 40

/** The group of every part type by its name. */
export function groupsByType(partTypes: readonly PartType[]): Map<string, string> {
  return new Map(partTypes.map(({ name, group }) => [name, group]))
}

/** Generates one listing of a yard: a donor car, a part of it, and a description. */
export function demoListing(seller: DemoSeller, at: number, around: DemoContext): DemoListing {
  const { random, thisYear } = around
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const vehicle = around.drawVehicle(random)
    const part = choosePart(random)
    if (!fits(part, vehicle) || isForbidden(part, vehicle, seller)) continue
    const car = donorCar(vehicle, random, thisYear)
    return listPart(
      { seller, car, part, stockNumber: stockNumber(seller, Math.floor(at / 6), at % 6) },
      around,
    )
  }
  throw new Error('no part fits any car of this yard')
}

/** Picks random parts of a car, each once. */
export function drawParts(
  car: DonorCar,
  { seller, count, random }: { seller: DemoSeller; count: number; random: Random },
): DemoPart[] {
  const parts = new Set<DemoPart>()
  for (let attempt = 0; attempt < ATTEMPTS && parts.size < count; attempt += 1) {
    const part = choosePart(random)
    if (fits(part, car) && !isForbidden(part, car, seller)) parts.add(part)
  }
  return [...parts]
}

const KNOWN_VIN = '1'.repeat(VIN_LENGTH)

/** Whether the yard may not sell the part, such as an air bag in New York or one off a car without a VIN. */
function isForbidden(
  { title, type }: DemoPart,
  { manufacturer }: DonorVehicle,
  { town }: DemoSeller,
): boolean {
  const vin = vinStarts.has(manufacturer) ? KNOWN_VIN : ''
  const part = { partname: title, category: type, partstate: town.state, vin, neverdeployed: 'Yes' }
  return restrictionsOf(part, { license: true, certified: true }).length > 0
}

type NewPart = {
  seller: DemoSeller
  car: DonorCar
  part: DemoPart
  stockNumber: string
  /** Which copy of a part that several cars of a model give; decides its side. */
  turn?: number
  /** Instead of a random value. */
  given?: { detail?: string; number?: string }
}

// A quick listing states no shipping: it is quoted. What does not fit in a box often is.
const QUICK_SHARE: Record<DemoPart['size'], number> = {
  small: 0.03,
  medium: 0.04,
  large: 0.13,
  freight: 0.26,
}
const STOCK_NUMBER_SHARE = 0.7
const TRIM_SHARE = 0.4
const SEVERAL = /Wheel|Tire$|Ignition Coil|Fuel Injector|Parking Sensor|Oxygen Sensor|Key Fob|Horn/
const SEVERAL_SHARE = 0.4

/** Describes and prices a part of a car. */
export function listPart(
  { seller, car, part, stockNumber: stock, turn, given }: NewPart,
  { random, thisYear, groupOf }: Pick<DemoContext, 'random' | 'thisYear' | 'groupOf'>,
): DemoListing {
  const group = groupOf.get(part.type) ?? ''
  const detail = given?.detail || detailOf(part, car, random, turn)
  const name = titleOf(part, detail)
  const condition = drawCondition(part, { group, age: thisYear - car.year }, random)
  const cents = askingPrice({ part, car, grade: condition.grade, thisYear }, random)
  const kind = random.chance(QUICK_SHARE[part.size]) ? 'quick' : 'ecommerce'
  const numbered = { type: part.type, group, detail: part.detail === 'color' ? '' : detail }
  const stamp = given?.number ? { number: given.number } : stampedNumberOf(car, numbered)
  const text: DemoListing['text'] = {
    partname: name,
    partmanuname: car.manufacturer,
    partmodel: car.model,
    partyear: String(car.year),
    partgrade: condition.grade,
    partnum: stamp.number,
    partprice: (cents / 100).toFixed(2),
    partmiles: String(car.miles),
    partdamage: condition.damage,
    ...(kind === 'ecommerce' && { partshipping: random.pick(texts.shipping[part.size]) }),
    ...(kind === 'quick' || random.chance(TRIM_SHARE) ? { parttrim: car.trim } : {}),
    ...(random.chance(STOCK_NUMBER_SHARE) ? { stocknum: stock } : {}),
    ...(SEVERAL.test(part.type) && random.chance(SEVERAL_SHARE)
      ? { partquantity: String(random.whole(2, 4)) }
      : {}),
    ...(car.vin !== '' && { vin: car.vin }),
    ...(part.surface === 'airbag' && { neverdeployed: 'Yes' }),
    ...termsOf({ part, group, condition, yard: seller.terms }, random),
  }
  text.partdescription = describePart({ name, part, group, car, condition }, text, random)
  return {
    kind,
    text,
    category: part.type,
    group,
    isMarked: condition.isMarked,
    pulled: { car: part.detail === 'engine' ? { ...car, engine: detail } : car, part, numbered, stamp },
  }
}

/** The yard's stock number: its letters, the car's number, the part's number. */
export function stockNumber({ name }: DemoSeller, car: number, part: number): string {
  const letters = name
    .split(' ')
    .map((word) => word.charAt(0))
    .filter((first) => /[A-Z]/.test(first))
    .slice(0, 2)
    .join('')
  return `${letters}${2_400 + car}-${String(part + 1).padStart(2, '0')}`
}

const CLOSING_SHARE = 0.8

type DescriptionFacts = {
  name: string
  part: DemoPart
  group: string
  car: DonorCar
  condition: Condition
}

/** A few sentences as a seller would type them; every fact is also in the listing's fields. */
function describePart(
  { name, part, group, car, condition }: DescriptionFacts,
  text: ListingText,
  random: Random,
): string {
  const { manufacturer, model, year, miles } = car
  // Abbreviations keep their capitals: "A/C compressor", "ABS pump".
  const lowerName = /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
  const opening = random.pick([
    `${name} from a ${year} ${manufacturer} ${model}.`,
    `Pulled from a ${year} ${manufacturer} ${model} with ${miles.toLocaleString('en-US')} miles.`,
    `Used ${lowerName} off a ${year} ${manufacturer} ${model}.`,
  ])
  const wearSentence = condition.damage === 'None' ? '' : `${condition.damage}.`
  // Praise would not fit a worn or broken part.
  const isGood = condition.grade === 'A' || condition.grade === 'B'
  const checks = part.checks.length > 0 ? part.checks : (partGroups.get(group)?.checks ?? [])
  const check = isGood ? random.pick(checks) : ''
  return [opening, check, wearSentence, closing(text, random)].filter((one) => one !== '').join(' ')
}

/** Other sentences of yards: always the terms if a part is sold as is, and often other remarks. */
function closing(text: ListingText, random: Random): string {
  const occasions = sentenceKindsOf(text)
  const sayable = sentences.filter(({ when }) => (text.asis ? when === 'asis' : occasions.has(when)))
  if (!text.asis && !random.chance(CLOSING_SHARE)) return ''
  return withTerms(random.pick(sayable).text, text)
}
