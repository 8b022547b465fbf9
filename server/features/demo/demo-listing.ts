import type { ListingKind } from '#contract/listing/listing-fields.ts'
import type { Grade, ListingText } from '#contract/listing/listing-rules.ts'
import type { PartType, Vehicle } from '#db/data/read-data.ts'
import { type Random, seededRandom, weightedChoice } from '#server/platform/seeded-random.ts'
import {
  type DemoPart,
  demoParts,
  type Focus,
  type Maker,
  makerOf,
  modelEngines,
  partGroups,
  partRoots,
  popularModels,
  texts,
} from './data.ts'
import type { DemoSeller } from './demo-sellers.ts'

/** The car a part came from. */
type DonorVehicle = Pick<Vehicle, 'manufacturer' | 'model' | 'bodyStyles'> & { year: number }

const has = ({ bodyStyles }: DonorVehicle, ...styles: string[]) =>
  bodyStyles.some((style) => styles.includes(style))
const regionOf = ({ manufacturer }: DonorVehicle) => makerOf(manufacturer).region
const takesIn: Record<Focus, (vehicle: DonorVehicle) => boolean> = {
  any: () => true,
  domestic: (vehicle) => regionOf(vehicle) === 'domestic',
  import: (vehicle) => regionOf(vehicle) !== 'domestic',
  european: (vehicle) => regionOf(vehicle) === 'european',
  truck: (vehicle) => has(vehicle, 'Pickup', 'SUV'),
}

// Cars come to a yard when a repair costs more than they are worth: seldom new, mostly at 8 to 16 years.
const AGE_WEIGHTS: readonly (readonly [upToAge: number, weight: number])[] = [
  [2, 0.06],
  [4, 0.3],
  [7, 0.8],
  [12, 1.15],
  [16, 1],
  [20, 0.7],
  [25, 0.25],
  [40, 0.06],
]
// Weights of models outside the list; makers that sold a few thousand cars are rare in yards.
const OTHER_WEIGHT = 0.9
const RARE_WEIGHT = 0.01
const RARE =
  /^(Aston Martin|Bentley|Ferrari|Lamborghini|Lotus|Maserati|McLaren|Panoz|Rolls-Royce|Maybach|Fisker|Lucid|VinFast|Freightliner)$/
// Parts are listed for the plain model far more often than for its special variant.
const VARIANT = /Hybrid|Plug-in|Energi|\bEV\b|\(|Prime|Limited|Cargo|Regular Cab| HD |Lightning|Sport\b/
const VARIANT_SHARE = 0.25

type ModelYear = DonorVehicle & { family: string; weight: number; share: number }

/** Returns a choice of donor vehicles for each focus, with realistic frequencies and ages for `thisYear`. */
export function donorVehicles(vehicles: readonly Vehicle[], thisYear: number) {
  const sold = vehicles.flatMap((vehicle) => modelYears(vehicle, thisYear))
  // A family's weight is split among its variants of a year: Silverado 1500 and Silverado 1500 HD.
  const shares = new Map<string, number>()
  const familyYear = ({ family, year }: ModelYear) => `${family} ${year}`
  for (const entry of sold) shares.set(familyYear(entry), (shares.get(familyYear(entry)) ?? 0) + entry.share)
  const weigh = (entry: ModelYear) =>
    entry.weight * (entry.share / (shares.get(familyYear(entry)) ?? 1)) * ageWeight(thisYear - entry.year)
  const choices = new Map<Focus, (random: Random) => DonorVehicle>()
  return (focus: Focus) => {
    const choice = choices.get(focus) ?? weightedChoice(sold.filter(takesIn[focus]), weigh)
    choices.set(focus, choice)
    return choice
  }
}

function modelYears({ years, manufacturer, model, bodyStyles }: Vehicle, thisYear: number): ModelYear[] {
  const [known] = popularModels
    .filter((popular) => popular.manufacturer === manufacturer && `${model} `.startsWith(`${popular.model} `))
    .sort((a, b) => b.model.length - a.model.length)
  const family = `${manufacturer} ${known?.model ?? model}`
  const weight = known?.weight ?? (RARE.test(manufacturer) ? RARE_WEIGHT : OTHER_WEIGHT)
  const share = VARIANT.test(model) ? VARIANT_SHARE : 1
  return years.flatMap(([from, to]) =>
    Array.from({ length: Math.max(0, Math.min(to, thisYear) - from + 1) }, (_, offset) => ({
      manufacturer,
      model,
      bodyStyles,
      year: from + offset,
      family,
      weight,
      share,
    })),
  )
}

function ageWeight(age: number): number {
  return AGE_WEIGHTS.find(([upToAge]) => age <= upToAge)?.[1] ?? 0
}

const ELECTRIC_MAKERS = /^(Tesla|Rivian|Lucid|Polestar|Fisker|VinFast)$/
const ELECTRIC_MODELS =
  /\bEV\d?\b|Bolt|LEAF|e-tron|ID\.|IONIQ|Electric|Lightning|E-Transit|MACH-E|e-Golf|\bi3\b|\bi[457X]|500e|EQ[BES]|Taycan|I-PACE|Recharge|bZ4X|Solterra|Ariya|LYRIQ|OPTIQ|Vistiq|Celestiq|Prologue|i-MiEV|EX[39]0|eSprinter|RZ$|GV60|\bREV\b/
const HYBRID_MODELS =
  /Hybrid|Prius|Prime|Plug-in|Energi|4xe|PHEV|^Insight$|^CR-Z$|^Volt$|^CT$|^Niro|ELR|Clarity/
const DIESEL_MODELS = /(2500|3500|F-250|F-350|F-450) ?/
const TWO_DOORS = /Regular Cab|Single Cab|2 Door|Coupe|Miata/

const isElectric = ({ manufacturer, model }: DonorVehicle) =>
  ELECTRIC_MAKERS.test(manufacturer) || ELECTRIC_MODELS.test(model)
const isTruck = (vehicle: DonorVehicle) => has(vehicle, 'Pickup')

const needs: Record<DemoPart['needs'], (vehicle: DonorVehicle) => boolean> = {
  any: () => true,
  engine: (vehicle) => !isElectric(vehicle),
  automatic: (vehicle) => !isElectric(vehicle),
  electric: isElectric,
  hybrid: (vehicle) => !isElectric(vehicle) && HYBRID_MODELS.test(vehicle.model),
  diesel: ({ model }) => DIESEL_MODELS.test(model),
  pickup: isTruck,
  'four-by-four': (vehicle) => has(vehicle, 'Pickup', 'SUV') && !isElectric(vehicle),
  'four-doors': (vehicle) =>
    !TWO_DOORS.test(vehicle.model) && has(vehicle, 'Sedan', 'SUV', 'Wagon', 'Pickup', 'Hatchback'),
  'sliding-door': (vehicle) => has(vehicle, 'Van/Minivan'),
  trunk: (vehicle) => has(vehicle, 'Sedan', 'Coupe'),
  hatch: (vehicle) => has(vehicle, 'SUV', 'Hatchback', 'Wagon', 'Van/Minivan'),
  'soft-top': (vehicle) => has(vehicle, 'Convertible'),
  'third-row': (vehicle) => has(vehicle, 'Van/Minivan', 'SUV'),
}

/**
 * Whether a car of this kind and year has such a part. Coarse on purpose: demo data must be plausible, not a catalog.
 */
function fits(part: DemoPart, vehicle: DonorVehicle): boolean {
  return vehicle.year >= part.from && vehicle.year <= part.to && needs[part.needs](vehicle)
}

function engineSizes(vehicle: DonorVehicle): string[] {
  const { manufacturer, model } = vehicle
  const own = modelEngines.find((row) => row.manufacturer === manufacturer && model.startsWith(row.model))
  const { truckEngines, carEngines } = makerOf(manufacturer)
  return own?.sizes ?? (isTruck(vehicle) ? truckEngines : carEngines)
}

type NumberedPart = { type: string; group: string; detail: string }

/**
 * A made-up part number in the maker's format, the same for every car of a model's generation, so that a search for it
 * finds what fits. Sides differ in the root (Toyota: 81110 right, 81150 left), as in reality.
 */
function partNumber(vehicle: DonorVehicle, part: NumberedPart): string {
  const maker = makerOf(vehicle.manufacturer)
  const generation = firstYearOfGeneration(vehicle)
  const { manufacturer, model } = vehicle
  const random = seededRandom(`${manufacturer}/${model}/${generation}/${part.type}/${part.detail}`)
  const pattern = generation < maker.oldNumberBefore ? maker.oldNumber : maker.number
  const values = {
    root: rootOf(maker, part),
    model: modelMark(vehicle, generation),
    year: fordYear(generation),
  }
  return fillPattern(pattern, values, random)
}

const LETTERS = 'ABCDEFGHJKLMNPRSTVWXYZ'
const letter = (random: Random) => LETTERS[random.whole(0, LETTERS.length - 1)] ?? 'A'

/** `#` is a digit, `@` a letter, `{1-9}` a digit of a range, `{A B .}` one of these (`.` is nothing), `{root}` a value. */
function fillPattern(pattern: string, values: Record<string, string>, random: Random): string {
  return pattern.replaceAll(/#|@|\{([^}]*)\}/g, (token, choice: string | undefined) => {
    if (token === '#') return String(random.whole(0, 9))
    if (token === '@' || choice === undefined) return letter(random)
    if (choice in values) return values[choice] ?? ''
    const range = /^(\d)-(\d)$/.exec(choice)
    if (range) return String(random.whole(Number(range[1]), Number(range[2])))
    return random.pick(choice.split(' ')).replace('.', '')
  })
}

const GENERATION_YEARS = 6

function firstYearOfGeneration({ manufacturer, model, year }: DonorVehicle): number {
  const shift = seededRandom(`${manufacturer}/${model}`).whole(0, GENERATION_YEARS - 1)
  return year - ((year + shift) % GENERATION_YEARS)
}

/** The characters for a model in the maker's numbers: Honda's TBA or Ford's L3. */
function modelMark({ manufacturer, model }: DonorVehicle, generation: number): string {
  const random = seededRandom(`mark ${model} ${generation}`)
  if (makerOf(manufacturer).name !== 'ford') return fillPattern('{S T T T}@{A 0 1 2}', {}, random)
  const mark = fillPattern('@{1-9}', {}, random)
  return generation < 1999 ? mark.charAt(0) : mark
}

// Ford's year codes: F2 to F8 until 1998, X and Y, digits until 2009, then letters from A, without I, O and Q.
const FORD_LETTERS = 'ABCDEFGHJKLMNPRS'

function fordYear(year: number): string {
  if (year < 1999) return `F${year % 10}`
  if (year < 2001) return year === 1999 ? 'X' : 'Y'
  return year < 2010 ? String(year % 10) : (FORD_LETTERS[year - 2010] ?? 'S')
}

/** The root of a part number in a maker's system; if unknown, a stable one with the group's prefix. */
function rootOf({ name, numberSystem: system }: Maker, { type, group, detail }: NumberedPart): string {
  const [right, left] = partRoots.get(type)?.[system]?.split(' ') ?? []
  if (right) return left && detail.includes('left') ? left : right
  const random = seededRandom(`${system} ${type} ${detail}`)
  const { root, ford, volkswagen, bmw } = partGroups.get(group) ?? {
    root: '90',
    ford: '9',
    volkswagen: '800',
    bmw: '51',
  }
  const fill = (start: string, length: number) =>
    start + fillPattern('#'.repeat(Math.max(0, length - start.length)), {}, random)
  if (name === 'mazda') return fill(root, 2)
  if (name === 'mercedes') return fill(bmw, 3)
  if (system === 'ford') return fill(ford, ford.length > 1 ? 5 : 4)
  if (system === 'volkswagen') return volkswagen
  return system === 'bmw' ? fill(bmw, 4) : fill(root, 5)
}

/** A listing as its seller would type it, with names of lookups; `contactText` adds the yard's contact fields. */
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
// Rare parts (soft tops, hybrid parts) may not find a car in these attempts; that does not matter.
const ATTEMPTS = 40
const QUICK_SHARE = 0.07

/** The group of every part type by its name. */
export function groupsByType(partTypes: readonly PartType[]): Map<string, string> {
  return new Map(partTypes.map(({ name, group }) => [name, group]))
}

/** Generates one listing of a yard: a donor car, a part of it, and a description. */
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

/** The yard's stock number: its letters, the vehicle's number, the part's number. */
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

/** Title suffixes that distinguish a part from others of its type: " 130A", ", left front", " 3.5L V6". */
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

/** Parts of an old donor are a grade lower more often, and every grade has its own wear. */
function drawCondition(group: string, age: number, random: Random): Condition {
  const first = chooseGrade(random)
  const grade = random.chance(Math.min(0.5, Math.max(0, age - 12) * 0.045)) ? worse[first] : first
  const surface = partGroups.get(group)?.surface ?? 'metal'
  return { grade, miles: drawMiles(age, random), damage: random.pick(texts.wear[surface][grade]) }
}

// About 12,000 miles a year, less as a car gets old.
function drawMiles(age: number, random: Random): number {
  const yearly = 11_800 * (0.55 + random.next() * 0.9) * (age > 14 ? 0.82 : 1)
  return Math.round(Math.max(1_200, yearly * Math.max(0.4, age)) + random.whole(0, 999))
}

const GRADE_FACTOR: Record<Grade, number> = { A: 1.18, B: 1, C: 0.7, D: 0.42 }
const LUXURY = /^(Acura|Lexus|INFINITI|Cadillac|Lincoln|Genesis|Tesla)$/
const EXOTIC =
  /^(Aston Martin|Bentley|Ferrari|Lamborghini|Lotus|Maserati|McLaren|Rolls-Royce|Maybach|Porsche)$/

type PriceFacts = { part: DemoPart; vehicle: DonorVehicle; condition: Condition; thisYear: number }

/** The asking price in cents, derived from the price of a good part of an ordinary ten-year-old car. */
function askingPrice({ part, vehicle, condition, thisYear }: PriceFacts, random: Random): number {
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

type DescriptionFacts = { name: string; group: string; vehicle: DonorVehicle; condition: Condition }

/** A few sentences as a seller would type them; every fact is also in the listing's fields. */
function describePart({ name, group, vehicle, condition }: DescriptionFacts, random: Random): string {
  const { manufacturer, model, year } = vehicle
  // Abbreviations keep their capitals: "A/C compressor", "ABS pump".
  const lowerName = /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
  const opening = random.pick([
    `${name} from a ${year} ${manufacturer} ${model}.`,
    `Removed from a ${year} ${manufacturer} ${model} with ${condition.miles.toLocaleString('en-US')} miles.`,
    `Used ${lowerName}, original equipment, from a ${year} ${manufacturer} ${model}.`,
  ])
  const wear = condition.damage === 'None' ? '' : `${condition.damage}.`
  // Praise would not fit a worn or broken part.
  const isGood = condition.grade === 'A' || condition.grade === 'B'
  const check = isGood ? random.pick(partGroups.get(group)?.checks ?? ['Checked before removal.']) : ''
  const closing = random.chance(0.75) ? random.pick(texts.service) : ''
  return [opening, check, wear, closing].filter((sentence) => sentence !== '').join(' ')
}
