import type { Grade } from '#contract/listing/listing-rules.ts'
import { readCsv, readJson } from '#db/data/read-data.ts'

/*
 * What the demo data is drawn from: the files in data/, read once. `;` separates the values of a cell, `|` sentences.
 */

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

/** A part that yards list often. `type` is a name of part-types.csv; `dollars` what a good one of a ten-year-old car costs. */
export type DemoPart = {
  type: string
  /** As sellers write it in a title. */
  title: string
  dollars: number
  weight: number
  size: 'small' | 'medium' | 'large' | 'freight'
  detail: 'none' | 'side' | 'corner' | 'ends' | 'amps' | 'engine' | 'inches' | 'color' | 'drive'
  /** Which cars have one. */
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
  years: readonly [from: number, to: number]
}

/** Manufacturers that share engineering, and with it the way they number parts. */
export type Maker = {
  name: string
  region: string
  trims: string[]
  engines: { truck: string[]; car: string[] }
  /** The column of part-roots.csv that its numbers follow. */
  numberSystem: string
  /** The pattern of its part numbers (part-number.ts), and the older one of generations before a year. */
  number: string
  oldNumber: { before: number; pattern: string } | undefined
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
}

const fileAt = (name: string) => new URL(`data/${name}`, import.meta.url)
const rows = <Column extends string>(name: string) => readCsv(fileAt(name)) as Record<Column, string>[]

/** Real towns with a ZIP code in each. The first is the demo Pro seller's. */
export const towns: readonly Town[] = rows<
  'city' | 'state' | 'zip' | 'latitude' | 'longitude' | 'area_code' | 'time_zone'
>('towns.csv').map(({ area_code: areaCode, time_zone: timeZone, latitude, longitude, ...town }) => ({
  ...town,
  latitude: Number(latitude),
  longitude: Number(longitude),
  areaCode,
  timeZone,
}))

/** Made-up yards in the order of the regions of towns.csv. */
export const yards = rows<'name' | 'person'>('yards.csv') as { name: string; person: string; focus: Focus }[]

/** How common cars are in American yards, by the beginning of the model's name; roughly what was sold. */
export const popularModels = rows<'manufacturer' | 'model' | 'weight'>('models.csv').map((row) => ({
  ...row,
  weight: Number(row.weight),
}))

export const demoParts: readonly DemoPart[] = readCsv(fileAt('parts.csv')).map(
  ({ dollars, weight, from, to, ...part }) => ({
    ...(part as Pick<DemoPart, 'type' | 'title' | 'size' | 'detail' | 'needs'>),
    dollars: Number(dollars),
    weight: Number(weight),
    years: [Number(from), Number(to)],
  }),
)

/** Engine sizes of common models. */
export const modelEngines = rows<'manufacturer' | 'model' | 'sizes'>('engines.csv')

const makers = new Map<string, Maker>(
  rows<
    | 'maker'
    | 'manufacturers'
    | 'region'
    | 'trims'
    | 'truck_engines'
    | 'car_engines'
    | 'number_system'
    | 'number'
    | 'old_number_before'
    | 'old_number'
  >('makers.csv').flatMap((row) => {
    const maker: Maker = {
      name: row.maker,
      region: row.region,
      trims: row.trims.split(';'),
      engines: { truck: row.truck_engines.split(';'), car: row.car_engines.split(';') },
      numberSystem: row.number_system,
      number: row.number,
      oldNumber: row.old_number
        ? { before: Number(row.old_number_before), pattern: row.old_number }
        : undefined,
    }
    return row.manufacturers.split(';').map((name) => [name, maker] as const)
  }),
)

export function makerOf(manufacturer: string): Maker {
  const maker = makers.get(manufacturer) ?? makers.get('')
  if (!maker) throw new Error('makers.csv has no row for other makers')
  return maker
}

/** The part of a number that names the kind of part in each maker's system; two roots are right and left. */
export const partRoots = new Map(readCsv(fileAt('part-roots.csv')).map((row) => [row.type ?? '', row]))

/** Of each group of parts: how it wears, the start of its numbers by system, and what a yard checks. */
export const partGroups = new Map(
  rows<'group' | 'surface' | 'root' | 'ford' | 'volkswagen' | 'bmw' | 'checks'>('part-groups.csv').map(
    (row) => [row.group, { ...row, surface: row.surface as Surface, checks: row.checks.split('|') }],
  ),
)

export const texts = readJson(fileAt('texts.json')) as Texts

/** What buyers ask and yards answer. Those without `parts` (a pattern of part types) fit any part. */
export const questions = rows<'parts' | 'question' | 'answer'>('questions.csv')
