import type { ListingKind } from '#contract/listing-fields.ts'
import type { Grade, ListingText } from '#contract/listing-rules.ts'
import type { PartType } from '#db/data/read-data.ts'
import { type Random, weightedChoice } from '#server/platform/seeded-random.ts'
import { type DemoPart, demoParts, makerOf, partGroups, texts } from './data.ts'
import type { DemoSeller } from './demo-sellers.ts'
import { type DonorVehicle, engineSizes, fits, isTruck } from './donor-vehicle.ts'
import { partNumber } from './part-number.ts'

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

const choosePart = weightedChoice(demoParts, ({ weight }) => weight)
// Rare needs (soft tops, hybrids) seldom find their car; it does not matter which never do.
const ATTEMPTS = 40
const QUICK_SHARE = 0.07

/** The group of every part type by its name. */
export function groupsByType(partTypes: readonly PartType[]): Map<string, string> {
  return new Map(partTypes.map(({ name, group }) => [name, group]))
}

/** One listing of a yard: a car it took in, a part of it, and what the counter types. */
export function demoListing(seller: DemoSeller, at: number, around: Surroundings): DemoListing {
  const { random, thisYear, groupOf } = around
  const { vehicle, part } = drawPartOfVehicle(around)
  const group = groupOf.get(part.type) ?? ''
  const detail = details[part.detail](vehicle, random)
  const name = `${part.title}${detail}`
  const condition = drawCondition(group, thisYear - vehicle.year, random)
  const cents = askingPrice({ part, vehicle, condition, thisYear }, random)
  const kind = random.chance(QUICK_SHARE) ? 'quick' : 'ecommerce'
  return {
    kind,
    category: part.type,
    group,
    text: {
      partname: name,
      partdescription: describePart({ name, group, vehicle, condition }, random),
      partmanuname: vehicle.manufacturer,
      partmodel: vehicle.model,
      partyear: String(vehicle.year),
      partgrade: condition.grade,
      partnum: partNumber(vehicle, { type: part.type, group, detail: detail.replace(/^,? /, '') }),
      partprice: (cents / 100).toFixed(2),
      partshipping: random.pick(texts.shipping[part.size]),
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
    const part = choosePart(random)
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

const paints = ['white', 'black', 'silver', 'gray', 'red', 'blue', 'dark blue', 'gold', 'green', 'charcoal']
const corners = ['left front', 'right front', 'left front', 'right front', 'left rear', 'right rear']

/** What distinguishes a piece from others of its type, as the title adds it: " 130A", ", left front", " 3.5L V6". */
const details: Record<DemoPart['detail'], (vehicle: DonorVehicle, random: Random) => string> = {
  none: () => '',
  side: (_, random) => `, ${random.pick(['left', 'right'])}`,
  corner: (_, random) => `, ${random.pick(corners)}`,
  ends: (_, random) => `, ${random.pick(['front', 'rear'])}`,
  amps: (_, random) => ` ${random.pick([80, 90, 100, 110, 120, 130, 130, 150, 160, 180])}A`,
  engine: (vehicle, random) => ` ${random.pick(engineSizes(vehicle))}`,
  inches: (vehicle, random) =>
    ` ${random.pick(isTruck(vehicle) ? [16, 17, 17, 18, 20] : [15, 16, 16, 17, 17, 18, 19])} in`,
  color: (_, random) => `, ${random.pick(paints)}`,
  drive: (vehicle, random) => {
    if (isTruck(vehicle)) return `, ${random.pick(['4WD', 'RWD'])}`
    return vehicle.bodyStyles.includes('SUV') ? `, ${random.pick(['AWD', 'FWD'])}` : ''
  },
}

function trimOf(vehicle: DonorVehicle, random: Random): string {
  const { name, trims } = makerOf(vehicle.manufacturer)
  return random.pick(name === 'ford' && isTruck(vehicle) ? ['XL', 'XLT', 'Lariat'] : trims)
}

type Condition = { grade: Grade; miles: number; damage: string }

const chooseGrade = weightedChoice(
  ['A', 'B', 'C', 'D'] as const,
  (grade) => ({ A: 41, B: 41, C: 14, D: 4 })[grade],
)
const worse: Record<Grade, Grade> = { A: 'B', B: 'C', C: 'D', D: 'D' }

/** An old donor's parts are a grade lower more often, and every grade has its own wear. */
function drawCondition(group: string, age: number, random: Random): Condition {
  const first = chooseGrade(random)
  const grade = random.chance(Math.min(0.5, Math.max(0, age - 12) * 0.045)) ? worse[first] : first
  const surface = partGroups.get(group)?.surface ?? 'metal'
  return { grade, miles: drawMiles(age, random), damage: random.pick(texts.wear[surface][grade]) }
}

// Americans drive about 12,000 miles a year, less as a car grows old; wrecked cars are no different.
function drawMiles(age: number, random: Random): number {
  const yearly = 11_800 * (0.55 + random.next() * 0.9) * (age > 14 ? 0.82 : 1)
  return Math.round(Math.max(1_200, yearly * Math.max(0.4, age)) + random.whole(0, 999))
}

const GRADE_FACTOR: Record<Grade, number> = { A: 1.18, B: 1, C: 0.7, D: 0.42 }
const LUXURY = /^(Acura|Lexus|INFINITI|Cadillac|Lincoln|Genesis|Tesla)$/
const EXOTIC =
  /^(Aston Martin|Bentley|Ferrari|Lamborghini|Lotus|Maserati|McLaren|Rolls-Royce|Maybach|Porsche)$/

type Asked = { part: DemoPart; vehicle: DonorVehicle; condition: Condition; thisYear: number }

/** What a yard asks, in cents, from the price of a good one of a ten-year-old ordinary car. */
function askingPrice({ part, vehicle, condition, thisYear }: Asked, random: Random): number {
  const spread = 0.78 + random.next() * 0.5
  // Parts of a two-year-old car bring nearly twice the price, those of a twenty-year-old about two thirds.
  const ageFactor = 0.55 + 1.25 * Math.exp(-(thisYear - vehicle.year) / 9.8)
  const factor = ageFactor * makeFactor(vehicle.manufacturer) * GRADE_FACTOR[condition.grade]
  return toPriceTag(Math.max(part.dollars * factor * spread, 8), random)
}

function makeFactor(manufacturer: string): number {
  if (EXOTIC.test(manufacturer)) return 3.2
  if (makerOf(manufacturer).region === 'european') return 1.35
  return LUXURY.test(manufacturer) ? 1.4 : 1
}

/** The usual endings: .95, .99, whole and round dollars. */
function toPriceTag(dollars: number, random: Random): number {
  if (dollars >= 300) return Math.round(dollars / 25) * 2500
  if (dollars >= 60) return random.chance(0.5) ? Math.round(dollars / 5) * 500 : Math.round(dollars) * 100 - 5
  return random.chance(0.7) ? Math.ceil(dollars) * 100 - random.pick([1, 5, 50]) : Math.ceil(dollars) * 100
}

type Described = { name: string; group: string; vehicle: DonorVehicle; condition: Condition }

/** A few sentences as the counter would type them; every fact in them is in the listing's fields too. */
function describePart({ name, group, vehicle, condition }: Described, random: Random): string {
  const { manufacturer, model, year } = vehicle
  // Abbreviations keep their capitals: "A/C compressor", "ABS pump".
  const lowerName = /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
  const opening = random.pick([
    `${name} from a ${year} ${manufacturer} ${model}.`,
    `Removed from a ${year} ${manufacturer} ${model} with ${condition.miles.toLocaleString('en-US')} miles.`,
    `Used ${lowerName}, original equipment, from a ${year} ${manufacturer} ${model}.`,
  ])
  const wear = condition.damage === 'None' ? '' : `${condition.damage}.`
  // Praise beside what is worn or broken would sound false.
  const isGood = condition.grade === 'A' || condition.grade === 'B'
  const check = isGood ? random.pick(partGroups.get(group)?.checks ?? ['Checked before removal.']) : ''
  const closing = random.chance(0.75) ? random.pick(texts.service) : ''
  return [opening, check, wear, closing].filter((sentence) => sentence !== '').join(' ')
}
