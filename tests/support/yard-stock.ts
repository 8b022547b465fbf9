import type { Dictionary } from '#contract/column-mapping/value-shapes.ts'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { positionsOf } from '#server/features/finding/vocabulary/built-in.ts'
import { towns } from '#server/features/running/demo/data.ts'
import { donorVehicles } from '#server/features/running/demo/demo-listing.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'

/*
 * Parts on a yard's shelves with all that yard systems keep about them, from which files are written in many systems' ways.
 * The same seed gives the same parts.
 */

const THIS_YEAR = 2026

const VIN_LETTERS = [...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789']
const YEAR_LETTERS = 'ABCDEFGHJKLMNPRSTVWXY123456789'
const VALUES = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ'
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** A vehicle's number with the check digit it must have. */
function drawVin(random: Random, year: number): string {
  const some = (length: number) => Array.from({ length }, () => random.pick(VIN_LETTERS)).join('')
  const letter = YEAR_LETTERS.charAt((year - 1980) % YEAR_LETTERS.length)
  const vin = `${random.pick(['1', '2', '3', '4', '5', 'J', 'K', 'W'])}${some(7)}0${letter}${some(1)}${digits(random, 6)}`
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * (VALUES.indexOf(vin.charAt(at)) % 10), 0)
  return `${vin.slice(0, 8)}${'0123456789X'.charAt(sum % 11)}${vin.slice(9)}`
}

const digits = (random: Random, length: number) => Array.from({ length }, () => random.whole(0, 9)).join('')
/** "?" is a letter, "#" a digit, anything else itself. */
const drawLike = (random: Random, form: string) =>
  form.replaceAll(/[?#]/g, (mark) =>
    mark === '#' ? digits(random, 1) : random.pick([...'ABCDEFGHJKLMNPRSTUVWXYZ']),
  )

/** How the makers of cars write the numbers of their parts. */
const partNumberForms: Record<string, string> = {
  Ford: '??#Z-#####-?',
  Toyota: '#####-##?##',
  Honda: '#####-?##-A##',
  Nissan: '#####-#??#A',
  Chevrolet: '2#######',
  GMC: '8#######',
  Dodge: '5#######??',
  Volkswagen: '1K0 ### ### ?',
  BMW: '6##########',
}
const OTHER_FORM = '#####-??###'

const trims = ['LE', 'SE', 'XLE', 'LX', 'EX', 'LT', 'LS', 'Limited', 'Sport', 'Base', 'SXT', 'XLT']
const findings = [
  'Tested good before the car was parted out, small scratch on the back side.',
  'Pulled from a front end hit, plug and bracket are intact.',
  'Runs quiet, no leaks seen, comes with the mounting hardware shown.',
  'Some surface rust, works as it should, see the pictures.',
  'Clean with all tabs there, one corner has a light scuff.',
]

const sideWords = { L: ' Left', R: ' Right', '': '' }

const drawVehicle = donorVehicles(readVehicles(), THIS_YEAR)('any')
const partTypes = readPartTypes()

export type StockedPart = ReturnType<typeof drawPart>
type Surroundings = {
  random: Random
  drawVehicle: (random: Random) => { manufacturer: string; model: string; year: number }
  partTypes: ReturnType<typeof readPartTypes>
}

function drawPart(at: number, { random, drawVehicle, partTypes }: Surroundings) {
  const { manufacturer: make, model, year } = drawVehicle(random)
  const { group, name: type, aliases } = random.pick(partTypes)
  const price = random.whole(15, 900) + random.pick([0, 0.5, 0.95, 0.99])
  const oem = drawLike(random, partNumberForms[make] ?? OTHER_FORM)
  const side = random.pick(['L', 'R', ''] as const)
  const finding = random.pick(findings)
  return {
    at,
    make,
    model,
    year,
    lastYear: Math.min(THIS_YEAR, year + random.whole(0, 4)),
    group,
    type,
    alias: random.pick([type, ...aliases]),
    price,
    cost: Math.round(price * random.whole(25, 60)) / 100,
    list: Math.round(price * random.whole(150, 250)) / 100,
    core: random.pick([0, 0, 0, 25, 50, 75]),
    freight: random.pick([0, 15, 20, 35, 95]),
    oem,
    interchange: `${random.whole(100, 699)}-${digits(random, 5)}${random.pick(['', 'L', 'R', 'A'])}`,
    grade: random.pick(['A', 'A', 'B', 'B', 'C', 'D']),
    miles: random.whole(18, 215) * 1_000 + random.whole(0, 999),
    quantity: random.chance(0.9) ? 1 : random.whole(2, 6),
    vin: drawVin(random, year),
    trim: random.pick(trims),
    color: random.pick(['Silver', 'Black', 'White', 'Red', 'Blue', 'Gray']),
    side,
    bin: `${random.pick([...'ABCDEF'])}${random.whole(1, 40)}-${random.whole(1, 12)}`,
    dateIn: `${random.whole(1, 12)}/${random.whole(1, 28)}/${random.whole(2024, 2026)}`,
    weight: random.whole(2, 180),
    engine: random.pick(['2.0L', '2.5L', '3.5L', '5.3L', '1.8L']),
    cylinders: random.pick([4, 4, 6, 8]),
    itemId: `2${digits(random, 11)}`,
    finding,
    picture: `https://pictures.yard.example/${240_000 + at}/${random.whole(1, 9)}.jpg`,
    title: `${year} ${make} ${model} ${type}${sideWords[side]} OEM ${oem}`,
  }
}

/** So many parts of one yard. */
export function stockOf(count: number, seed: string): StockedPart[] {
  const surroundings = { random: seededRandom(seed), drawVehicle, partTypes }
  return Array.from({ length: count }, (_, at) => drawPart(at, surroundings))
}

export type Yard = { name: string; city: string; state: string; zip: string; phone: string }

const yardNames = [
  'Green Country Salvage',
  'Ozark Auto Recyclers',
  'Bluff City Used Parts',
  'Lake Effect Auto Parts LLC',
]

/** Where the parts of a file stand. */
export function yardsOf(count: number, seed: string): Yard[] {
  const random = seededRandom(`yards ${seed}`)
  return Array.from({ length: count }, (_, at): Yard => {
    const { city, state, zip, areaCode } = random.pick(towns)
    const name = yardNames[(at + random.whole(0, 3)) % yardNames.length] ?? ''
    return { name, city, state, zip, phone: `${areaCode}555${digits(random, 4)}` }
  })
}

/** What the lookups of an installation know. */
export function catalogueDictionary(): Dictionary {
  const vehicles = readVehicles()
  const plain = (names: string[]) => new Set(names.map((name) => name.toLowerCase()))
  return {
    manufacturers: plain(vehicles.map(({ manufacturer }) => manufacturer)),
    models: plain(vehicles.map(({ model }) => model)),
    categories: plain(readPartTypes().flatMap(({ name, aliases }) => [name, ...aliases])),
    positionsOf,
  }
}
