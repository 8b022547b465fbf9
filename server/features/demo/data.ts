import type { Grade } from '#contract/listing/listing-rules.ts'
import type { PolicyKind } from '#contract/pages/yard-words.ts'
import { readCsv, readJson } from '#db/data/read-data.ts'
import type { demoEmails } from './demo-sign-ins.ts'

/* The sources of the demo data: the files in data/, read once. `;` separates the values of a cell. */

export type Town = {
  city: string
  state: string
  zip: string
  latitude: number
  longitude: number
  areaCode: string
  timeZone: string
}

/** What a yard takes in. */
export type Focus = 'any' | 'domestic' | 'import' | 'european' | 'truck'

/**
 * A part that yards list often. `type` is a name in part-types.csv; `dollars` is the price of a good one from a
 * ten-year-old car.
 */
export type DemoPart = {
  type: string
  /** The name that sellers write in a title. */
  title: string
  dollars: number
  weight: number
  size: 'small' | 'medium' | 'large' | 'freight'
  detail: 'none' | 'side' | 'corner' | 'ends' | 'amps' | 'engine' | 'inches' | 'color' | 'drive'
  /** Which cars have the part. */
  needs:
    | 'any'
    | 'engine'
    | 'automatic'
    | 'pickup'
    | 'four-doors'
    | 'sliding-door'
    | 'trunk'
    | 'hatch'
    | 'soft-top'
    | 'third-row'
    | 'four-by-four'
    | 'diesel'
    | 'hybrid'
    | 'electric'
  /** First and last model year of cars that have it. */
  from: number
  to: number
}

/** Manufacturers that share engineering, and so a part number format. */
export type Maker = {
  name: string
  manufacturers: string[]
  region: string
  trims: string[]
  truckEngines: string[]
  carEngines: string[]
  /** The column of part-roots.csv that its numbers follow. */
  numberSystem: string
  /** The pattern of its part numbers (demo-listing.ts), and the older pattern for generations before a year. */
  number: string
  oldNumberBefore: number
  oldNumber: string
}

type Surface = 'painted' | 'inside' | 'electric' | 'wheel' | 'metal'

type Texts = {
  wear: Record<Surface, Record<Grade, string[]>>
  shipping: Record<DemoPart['size'], string[]>
  service: string[]
  firstNames: string[]
  lastNames: string[]
  mailboxes: string[]
  shops: string[]
  /** Made-up street names. */
  streets: string[]
  policies: Record<PolicyKind, string[]>
}

type SignIn = Record<'name' | 'person' | 'city', string> &
  Record<'line' | 'memberForDays' | 'listings' | 'pictures', number> & { account: keyof typeof demoEmails }

const fileAt = (name: string) => new URL(`data/${name}`, import.meta.url)

type Columns<Row> = readonly (keyof Row & string)[]

/** Reads the rows of a file, with some columns as numbers and some as lists. */
function table<Row>(name: string, numbers: Columns<Row> = [], lists: Columns<Row> = []): readonly Row[] {
  const isNumber = new Set<string>(numbers)
  const isList = new Set<string>(lists)
  const read = ([column, cell]: [string, string]) => {
    if (isNumber.has(column)) return [column, Number(cell)]
    return [column, isList.has(column) ? cell.split(';') : cell]
  }
  return readCsv(fileAt(name)).map((row) => Object.fromEntries(Object.entries(row).map(read)) as Row)
}

export const signIns = table<SignIn>('sign-ins.csv', ['line', 'memberForDays', 'listings', 'pictures'])

/** Real towns with a ZIP code in each. The first is the demo Pro seller's. */
export const towns = table<Town>('towns.csv', ['latitude', 'longitude'])

/** Made-up yards, in the order of the regions in towns.csv. */
export const yards = table<{ name: string; person: string; focus: Focus }>('yards.csv')

/** How common cars are in American yards, by prefix of the model's name; roughly by sales. */
export const popularModels = table<{ manufacturer: string; model: string; weight: number }>('models.csv', [
  'weight',
])

export const demoParts = table<DemoPart>('parts.csv', ['dollars', 'weight', 'from', 'to'])

/** Engine sizes of common models. */
export const modelEngines = table<{ manufacturer: string; model: string; sizes: string[] }>(
  'engines.csv',
  [],
  ['sizes'],
)

const makers = table<Maker>(
  'makers.csv',
  ['oldNumberBefore'],
  ['manufacturers', 'trims', 'truckEngines', 'carEngines'],
)

export function makerOf(manufacturer: string): Maker {
  const maker = [manufacturer, ''].flatMap(
    (name) => makers.find(({ manufacturers }) => manufacturers.includes(name)) ?? [],
  )[0]
  if (!maker) throw new Error('makers.csv has no row for other makers')
  return maker
}

/** The root of a part number that identifies the kind of part in each maker's system; two roots are right and left. */
export const partRoots = new Map(
  table<Record<string, string>>('part-roots.csv').map((row) => [row.type ?? '', row]),
)

type PartGroup = Record<'group' | 'root' | 'ford' | 'volkswagen' | 'bmw', string> & {
  surface: Surface
  checks: string[]
}

/** For each part group: how it wears, the prefix of its numbers by system, and what a yard checks. */
export const partGroups = new Map(
  table<PartGroup>('part-groups.csv', [], ['checks']).map((row) => [row.group, row]),
)

export const texts = readJson(fileAt('texts.json')) as Texts

/** Questions of buyers and replies of yards. Those without `parts` (a pattern of part types) fit any part. */
export const questions = table<Record<'parts' | 'question' | 'answer', string>>('questions.csv')
