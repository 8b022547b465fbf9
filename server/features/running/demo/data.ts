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

/** The kinds of cars a yard takes in. */
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
  detail:
    | 'none'
    | 'side'
    | 'corner'
    | 'ends'
    | 'stream'
    | 'amps'
    | 'engine'
    | 'inches'
    | 'tire'
    | 'color'
    | 'drive'
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
  /** Core charge in dollars; 0 for none. */
  core: number
  /** How many of it the yards have for a popular vehicle (`deep` in generations.csv); 0 for a random number. */
  common: number
  /** Middle of the number under which replacements are sold; two are left and right. */
  partslink: string[]
  /** How it wears and what a yard checks, if that differs from its group. */
  surface: Surface | ''
  checks: string[]
}

/**
 * Model years of a vehicle with the same parts. Vehicles with the same `mechanics` share drivetrain, chassis and electrical
 * parts, those with the same `body` also the rest. With `deep` (1: all that is common), yards have many parts of it.
 */
export type Generation = Record<'manufacturer' | 'model' | 'mechanics' | 'body', string> &
  Record<'from' | 'to' | 'deep', number>

/** A part that is in stock for certain: of one car, with a given detail and number, or any if empty. */
type SureListing = Record<'account' | 'manufacturer' | 'model' | 'type' | 'detail' | 'number', string> & {
  year: number
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
  /** How the numbers of replacements begin. */
  partslink: string
}

type Surface = 'painted' | 'glass' | 'inside' | 'electric' | 'wheel' | 'tire' | 'metal' | 'airbag'

type Texts = {
  shipping: Record<DemoPart['size'], string[]>
  firstNames: string[]
  lastNames: string[]
  mailboxes: string[]
  shops: string[]
  /** Made-up street names. */
  streets: string[]
}

type SignIn = Record<'name' | 'person' | 'city', string> &
  Record<'line' | 'memberForDays' | 'listings' | 'pictures', number> & { account: keyof typeof demoEmails }

const fileAt = (name: string) => new URL(`data/${name}`, import.meta.url)

type Columns<Row> = readonly (keyof Row & string)[]

/** Reads the rows of a file, with some columns as numbers (0 if empty) and some as lists. */
function table<Row>(name: string, numbers: Columns<Row> = [], lists: Columns<Row> = []): readonly Row[] {
  const isNumber = new Set<string>(numbers)
  const isList = new Set<string>(lists)
  const read = ([column, cell]: [string, string]) => {
    if (isNumber.has(column)) return [column, Number(cell)]
    if (!isList.has(column)) return [column, cell]
    return [column, cell === '' ? [] : cell.split(';')]
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

export const demoParts = table<DemoPart>(
  'parts.csv',
  ['dollars', 'weight', 'from', 'to', 'core', 'common'],
  ['partslink', 'checks'],
)

export const generations = table<Generation>('generations.csv', ['from', 'to', 'deep'])

/** The search tests use it, too. */
export const guaranteedListings = table<SureListing>('sure-listings.csv', ['year'])

type OfModels = { manufacturer: string; model: string }

/** The row whose model begins the model's name, the longest first; one without a model is for all of a make. */
function findByModel<Row extends OfModels>(rows: readonly Row[]): (vehicle: OfModels) => Row | undefined {
  const longestFirst = rows.toSorted((a, b) => b.model.length - a.model.length)
  const byMake = Map.groupBy(longestFirst, ({ manufacturer }) => manufacturer)
  return ({ manufacturer, model }) => byMake.get(manufacturer)?.find((row) => model.startsWith(row.model))
}

/** Engine sizes of common models. */
export const enginesOf = findByModel(table<OfModels & { sizes: string[] }>('engines.csv', [], ['sizes']))

/** Trims of common models and makes. */
export const trimsOf = findByModel(table<OfModels & { trims: string[] }>('trims.csv', [], ['trims']))

const makers = table<Maker>(
  'makers.csv',
  ['oldNumberBefore'],
  ['manufacturers', 'trims', 'truckEngines', 'carEngines'],
)

const makerByManufacturer = new Map(
  makers.flatMap((maker) => maker.manufacturers.map((name) => [name, maker])),
)
const otherMaker = makers.find(({ name }) => name === 'other')

export function makerOf(manufacturer: string): Maker {
  const maker = makerByManufacturer.get(manufacturer) ?? otherMaker
  if (!maker) throw new Error('makers.csv has no row for other makers')
  return maker
}

/** How the VINs of a manufacturer begin. */
export const vinStarts = new Map(
  table<Record<'manufacturer' | 'start', string>>('vin-starts.csv').map((row) => [
    row.manufacturer,
    row.start,
  ]),
)

/** The root of a part number that identifies the kind of part in each maker's system; two roots are right and left. */
export const partRoots = new Map(
  table<Record<string, string>>('part-roots.csv').map((row) => [row.type ?? '', row]),
)

type PartGroup = Record<'group' | 'root' | 'ford' | 'volkswagen' | 'bmw', string> & {
  surface: Surface
  /** Which vehicles have the same part. */
  shares: 'mechanics' | 'body'
  /** Which attribute of its car may limit the fit. */
  limits: 'engine' | 'trim' | 'body' | ''
  checks: string[]
}

/** For each part group: how it wears, the prefix of its numbers by system, and what a yard checks. */
export const partGroups = new Map(
  table<PartGroup>('part-groups.csv', [], ['checks']).map((row) => [row.group, row]),
)

export const texts = readJson(fileAt('texts.json')) as Texts

/** Damage by surface and grade; `marked` if a picture can show the place. */
export const wear = Map.groupBy(
  table<{ surface: Surface; grade: Grade; text: string; marked: string }>('wear.csv'),
  ({ surface, grade }) => `${surface} ${grade}`,
)

export const tireSizes = new Map(
  table<{ kind: string; sizes: string[] }>('tires.csv', [], ['sizes']).map((row) => [row.kind, row.sizes]),
)

/**
 * What yards promise. Days are those of a warranty (of engines and transmissions, of body and interior parts) or of returns;
 * `restock` is the percentage of the fee.
 */
export type Policy = { kind: PolicyKind; text: string } & Record<
  'days' | 'powertrainDays' | 'bodyDays' | 'restock',
  number
>
export const policies = Map.groupBy(
  table<Policy>('policies.csv', ['days', 'powertrainDays', 'bodyDays', 'restock']),
  ({ kind }) => kind,
)

/** Sentences about a sale or an answer, for all sales or only with these terms. */
export type Occasion =
  | 'any'
  | 'warranty'
  | 'returns'
  | 'ships'
  | 'pickup'
  | 'quote'
  | 'core'
  | 'several'
  | 'asis'
  | 'replaced'

/** Ends of descriptions. */
export const sentences = table<{ when: Occasion; text: string }>('sentences.csv')

/** Questions of buyers and replies of yards. Those without `parts` (a pattern of part types) fit any part. */
export const questions = table<Record<'parts' | 'question' | 'answer', string> & { when: Occasion | '' }>(
  'questions.csv',
)

/**
 * The messages after a seller's first answer. `percent` is of the asking price; `live` conversations are ongoing, the
 * others have ended.
 */
export type Bargain = Record<'story' | 'body', string> & {
  time: 'live' | 'past'
  sender: 'buyer' | 'seller'
  kind: 'text' | 'offer' | 'accept' | 'decline'
  percent: number
}
export const bargains = Map.groupBy(table<Bargain>('bargains.csv', ['percent']), ({ story }) => story)
