import {
  checkDigitOf,
  hasCheckDigit,
  hasFiller,
  isCheckDigitRight,
  isNorthAmerican,
  isSince2010,
  MAX_SUGGESTED,
  modelYears,
  nearVins,
  withCheckDigit,
  yearsElsewhere,
} from '#contract/vehicle/vin-rules.ts'
import { RecentValues } from '#server/platform/recent-values.ts'
import type { Maker, PatternField, SchemaMatch, VinPatterns } from './vin-patterns.ts'

/* The facts in a VIN: who built the car, its model year, and, from the maker's patterns, what it is. */

/** A value, and how sure it is, from 0 to 1. */
type Sure<T> = { readonly value: T; readonly certainty: number }

export type VinField =
  | 'year'
  | 'make'
  | 'model'
  | 'series'
  | 'trim'
  | 'body'
  | 'doors'
  | 'engine'
  | 'fuel'
  | 'drive'
  | 'transmission'

/** What is known of a car; other fields are absent. */
type Car = { readonly [F in Exclude<VinField, 'year' | 'doors'>]?: Sure<string> } & {
  readonly year?: Sure<number>
  readonly doors?: Sure<number>
  readonly engineParts?: Engine
}

type Engine = {
  liters: number | null
  cylinders: number | null
  layout: string | null
  model: string | null
  turbo: boolean | null
}

export type DecodedVin = {
  readonly vin: string
  /** Its check digit is right, or it is for a market without one. */
  readonly valid: boolean
  /** Sentences. */
  readonly problems: readonly string[]
  readonly car: Car
}

export type VinDecoder = {
  /** `vin`: 17 characters that a VIN may have. Never throws. */
  decode(vin: string): DecodedVin
  /** VINs that may have been meant by one with a wrong check digit, the likeliest first. */
  suggest(vin: string): string[]
}

// Several cars of a maker share all but their serial numbers. 1 kB each.
const CARS_KEPT = 2_000
// Next year's cars are sold this year, and their patterns come before them.
const YEARS_AHEAD = 2

/** `now` decides which of two model years, 30 years apart, is still to come. */
export function openVinDecoder(patterns: VinPatterns, now: () => Date): VinDecoder {
  const cars = new RecentValues<ReadCar>(CARS_KEPT)
  const carOf = (vin: string): ReadCar => {
    const lastYear = now().getUTCFullYear() + YEARS_AHEAD
    const mayBeElsewhere = !hasCheckDigit(vin) && !isCheckDigitRight(vin)
    const key = `${lastYear}${mayBeElsewhere ? '~' : ''}${keyOfCar(vin)}`
    const known = cars.get(key)
    if (known) return known
    const car = readCar(vin, { patterns, lastYear, mayBeElsewhere })
    cars.set(key, car)
    return car
  }
  return {
    decode(vin) {
      const { car, isElsewhere } = carOf(vin)
      const checked = isElsewhere ? ELSEWHERE : checkProblem(vin)
      const others = isElsewhere ? yearProblems(vin, car) : carProblems(vin, car, patterns)
      const problems = [checked?.problem ?? [], others].flat()
      return { vin, valid: checked?.valid ?? true, problems, car: lessSure(car, checked?.certainty ?? 1) }
    },
    suggest(vin) {
      if (carOf(vin).isElsewhere || checkProblem(vin)?.valid !== false) return []
      const near = nearVins(vin).filter((one) => carOf(one).car.model !== undefined)
      return [...new Set([...near, withCheckDigit(vin)])].slice(0, MAX_SUGGESTED)
    },
  }
}

/** `isElsewhere`: the car was built for a market without check digits, where our patterns do not hold. */
type ReadCar = { readonly car: Car; readonly isElsewhere: boolean }

/** Everything that patterns can look at: not the check digit nor the last three digits. */
const keyOfCar = (vin: string) => vin.slice(0, 8) + vin.slice(9, 14)

/* How sure anything is if one of the characters is wrong, by whether the car must have a check digit. */
const WRONG_DIGIT = 0.5
const ODD_DIGIT = 0.7

function checkProblem(vin: string): { problem: string; valid: boolean; certainty: number } | undefined {
  if (isCheckDigitRight(vin)) return undefined
  const expected = checkDigitOf(vin)
  if (isNorthAmerican(vin)) {
    const problem = `The check digit (9th character) should be ${expected}.`
    return { problem, valid: false, certainty: WRONG_DIGIT }
  }
  const problem = `The check digit (9th character) should be ${expected}, unless the car was built for a market outside North America.`
  return { problem, valid: false, certainty: ODD_DIGIT }
}

const ELSEWHERE = {
  problem:
    'This VIN has no check digit (9th character): the car was built for a market outside North America, and our patterns may not fit it.',
  valid: true,
  certainty: ODD_DIGIT,
}

function yearProblems(vin: string, { year }: Car): string[] {
  if (year) return []
  const [first, second] = yearsElsewhere(vin)
  return first === undefined
    ? ['Its 10th character is not a model year.']
    : [`Its 10th character means ${second === undefined ? first : `${first} or ${second}`}.`]
}

function carProblems(vin: string, car: Car, patterns: VinPatterns): string[] {
  if (!patterns.makerOf(vin)) return [`We don’t know the maker ${vin.slice(0, 3)} (first three characters).`]
  if (modelYears(vin).length === 0) return [`No model year is written ${vin.charAt(9)} (10th character).`]
  if (!car.year) return ['The model year (10th character) is in the future.']
  if (!car.model)
    return ['We know the maker, but these characters (4th to 8th) do not match a model of that year.']
  return []
}

function lessSure(car: Car, factor: number): Car {
  if (factor === 1) return car
  const less = Object.entries(car).map(([field, known]) => [
    field,
    'certainty' in known ? { ...known, certainty: rounded(known.certainty * factor) } : known,
  ])
  return Object.fromEntries(less)
}

const rounded = (share: number) => Math.round(share * 100) / 100

type Reading = { patterns: VinPatterns; lastYear: number; mayBeElsewhere: boolean }

function readCar(vin: string, { patterns, lastYear, mayBeElsewhere }: Reading): ReadCar {
  const maker = patterns.makerOf(vin)
  const years = modelYears(vin).filter((year) => year <= lastYear)
  const readings = maker
    ? years.map((year) => ({ year, fields: fieldsOf(patterns.match(vin, maker, year)) }))
    : []
  // A car that our patterns know was built for North America, where a wrong check digit is a typo.
  if (mayBeElsewhere && (hasFiller(vin) || readings.every(({ fields }) => !fields.model))) {
    return { car: carElsewhere(vin, { maker, lastYear }), isElsewhere: true }
  }
  const car = maker ? knownCar(vin, { maker, readings, patterns }) : unknownMaker(vin, years)
  return { car, isElsewhere: false }
}

/** Outside of North America, neither patterns nor position 7 decide between two possible years. */
function carElsewhere(vin: string, { maker, lastYear }: { maker: Maker | undefined; lastYear: number }): Car {
  const [year, ...others] = yearsElsewhere(vin).filter((one) => one <= lastYear)
  const isSure = year !== undefined && others.length === 0
  return { ...(isSure && { year: { value: year, certainty: 1 } }), ...(maker && soleMake(maker)) }
}

type KnownMaker = { maker: Maker; readings: readonly YearReading[]; patterns: VinPatterns }

function knownCar(vin: string, { maker, readings, patterns }: KnownMaker): Car {
  const reading = likeliestYear(vin, readings, maker)
  if (!reading) return soleMake(maker)
  const { fields, year, certainty } = reading
  return {
    year: { value: year, certainty },
    ...madeBy(maker, { model: fields.model?.value, year, patterns }),
    ...textOf('model', fields.model),
    ...textOf('series', fields.series),
    ...textOf('trim', fields.trim),
    ...textOf('body', fields.body && { ...fields.body, value: plainBody(fields.body.value) }),
    ...(fields.doors && { doors: { ...fields.doors, value: Number(fields.doors.value) } }),
    ...engineOf(fields),
    ...textOf('fuel', fuelOf(fields)),
    ...textOf('drive', fields.drive && { ...fields.drive, value: fields.drive.value.replace(/\/.*/, '') }),
    ...textOf('transmission', transmissionOf(fields)),
  }
}

const textOf = <F extends VinField>(field: F, known: Sure<string> | undefined) =>
  (known ? { [field]: known } : {}) as { [K in F]?: Sure<string> }

/** Most such makers build trucks, where position 7 may mean something else. */
function unknownMaker(vin: string, years: readonly number[]): Car {
  const [only] = years
  if (years.length > 1 && !isNorthAmerican(vin)) return {}
  const said = years.find((year) => year >= 2010 === isSince2010(vin)) ?? only
  return said === undefined ? {} : { year: { value: said, certainty: years.length === 1 ? 1 : 0.6 } }
}

type YearReading = { year: number; fields: Fields }

/*
 * Position 7 decides between the 30-year cycles of cars and light trucks. Heavy trucks need not follow it, and we do
 * not know a truck's weight: there, patterns that name a model in one of the years only decide.
 */
function likeliestYear(
  vin: string,
  readings: readonly YearReading[],
  { isTruck }: Maker,
): (YearReading & { certainty: number }) | undefined {
  const [only, ...more] = readings
  if (!only) return undefined
  const [said = only] = readings.filter(({ year }) => year >= 2010 === isSince2010(vin))
  if (more.length === 0) return { ...only, certainty: 1 }
  const named = readings.filter(({ fields }) => fields.model)
  const [model = said] = named
  if (named.length === 1 && model !== said) return { ...model, certainty: isTruck ? 0.8 : 0.6 }
  if (isTruck && named.length === 0) return { ...said, certainty: 0.6 }
  return { ...said, certainty: isTruck && named.length !== 1 ? 0.75 : 1 }
}

/** With several makes, those that have had the model. Below this share a make would be a guess. */
const LOWEST_SHARE = 0.3

function madeBy(
  { makes }: Maker,
  { model, year, patterns }: { model: string | undefined; year: number; patterns: VinPatterns },
): Pick<Car, 'make'> {
  const having = (of?: number) =>
    model === undefined ? [] : makes.filter((make) => patterns.hasModel(make, model, of))
  const inYear = having(year)
  const likely = inYear.length > 0 ? inYear : having()
  const among = likely.length > 0 ? likely : makes
  const [first] = among
  const certainty = rounded(1 / among.length)
  return first !== undefined && certainty >= LOWEST_SHARE ? { make: { value: first, certainty } } : {}
}

const soleMake = ({ makes: [make, ...others] }: Maker): Car =>
  make !== undefined && others.length === 0 ? { make: { value: make, certainty: 1 } } : {}

type Fields = { readonly [F in PatternField]?: Sure<string> }

/*
 * A maker has several schemas in a year, often one for each model line. The one whose model matches with the fewest wildcards
 * is the car's; the others add what it leaves out, unless they are about another model.
 */
function fieldsOf(schemas: readonly SchemaMatch[]): Fields {
  const best = Math.max(...schemas.map(({ model }) => model?.fixed ?? -1))
  const ofModel = schemas
    .filter(({ model }) => model?.fixed === best)
    .toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)
  const names = new Set(ofModel.flatMap(({ model }) => model?.values ?? []))
  const [main] = ofModel
  const name = main?.model?.values[0]
  const beside = schemas.filter(
    (one) => one !== main && (one.model === undefined || one.model.values.includes(name ?? '')),
  )
  const fields: { [F in PatternField]?: Sure<string> } = {}
  for (const one of [...(main ? [main] : []), ...beside]) {
    for (const [field, { values }] of Object.entries(one) as [
      PatternField,
      { values: readonly string[] },
    ][]) {
      const [value] = values
      if (value === undefined || value === 'TBD') continue
      fields[field] ??= { value, certainty: rounded(1 / values.length) }
    }
  }
  return fields.model ? { ...fields, model: { ...fields.model, certainty: rounded(1 / names.size) } } : fields
}

/** As people say it: "Sedan", "SUV", "Chassis Cab". */
function plainBody(body: string): string {
  if (/^Sport Utility/.test(body)) return 'SUV'
  const [plain = body] = body.replace(/^Incomplete - /, '').split(/ ?[/(]/)
  return plain
}

function engineOf(fields: Fields): Pick<Car, 'engine' | 'engineParts'> {
  const { displacement_l, cylinders, engine_layout, engine_model, turbo, fuel } = fields
  const known = [displacement_l, cylinders, engine_layout, engine_model, turbo].filter(
    (one) => one !== undefined,
  )
  if (known.length === 0) return {}
  const parts: Engine = {
    liters: displacement_l ? Number(displacement_l.value) : null,
    cylinders: cylinders ? Number(cylinders.value) : null,
    layout: engine_layout ? plainLayout(engine_layout.value) : null,
    model: engine_model?.value ?? null,
    turbo: turbo ? turbo.value === 'Yes' : null,
  }
  const value = engineText(parts, fuel?.value === 'Diesel')
  const certainty = Math.min(...known.map((one) => one.certainty))
  return { engineParts: parts, ...(value !== '' && { engine: { value, certainty } }) }
}

/** "3.5L V6 turbo", "2.4L I4 (K24Z3)". */
function engineText({ liters, cylinders, layout, model, turbo }: Engine, isDiesel: boolean): string {
  const words: string[] = []
  if (liters !== null) words.push(`${Number.isInteger(liters) ? liters.toFixed(1) : liters}L`)
  const letter = LETTERS[layout ?? '']
  if (cylinders !== null) words.push(letter ? `${letter}${cylinders}` : `${cylinders}-cylinder`)
  const isSized = words.length > 0
  if (turbo) words.push('turbo')
  if (isDiesel) words.push('diesel')
  if (model !== null) words.push(isSized ? `(${model})` : model)
  return words.join(' ')
}

const LETTERS: Readonly<Record<string, string>> = { V: 'V', 'in-line': 'I', flat: 'H', W: 'W' }

function plainLayout(layout: string): string {
  if (/^V/.test(layout)) return 'V'
  if (/^W/.test(layout)) return 'W'
  if (/^In-Line/.test(layout)) return 'in-line'
  return /^Horizontally/.test(layout) ? 'flat' : layout.toLowerCase()
}

/** "Gasoline", "Gasoline/Electric". */
function fuelOf({ fuel, fuel_2 }: Fields): Sure<string> | undefined {
  if (!fuel || !fuel_2) return fuel
  return {
    value: `${fuel.value}/${fuel_2.value}`,
    certainty: Math.min(fuel.certainty, fuel_2.certainty),
  }
}

function transmissionOf({ transmission, speeds }: Fields): Sure<string> | undefined {
  if (!transmission) return undefined
  return speeds ? { ...transmission, value: `${speeds.value}-speed ${transmission.value}` } : transmission
}
