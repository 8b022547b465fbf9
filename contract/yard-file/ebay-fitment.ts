/** A vehicle that a part fits, as one row of eBay's fitment names it; '' for what it does not say. */
export type Fitment = { make: string; model: string; trim: string; years: number[] }

const LONGEST_RANGE = 60

/** "2012", "2012-2015" and "2012,2014" as years; what is none is left out. */
function readYears(text: string): number[] {
  return text.split(/[,/]/).flatMap((piece) => {
    const [, from, to] = /^\s*((?:19|20)\d\d)(?:\s*[-–]\s*((?:19|20)\d\d))?\s*$/.exec(piece) ?? []
    if (from === undefined) return []
    const first = Math.min(Number(from), Number(to ?? from))
    const last = Math.max(Number(from), Number(to ?? from))
    return Array.from({ length: Math.min(last - first + 1, LONGEST_RANGE) }, (_, at) => first + at)
  })
}

type Properties = Map<string, string[]>

const firstOf = (properties: Properties, ...names: string[]) =>
  names.map((name) => properties.get(name)?.[0]?.trim()).find((value) => value) ?? ''

function fitmentOf(properties: Properties): Fitment | undefined {
  const years = (properties.get('year') ?? []).flatMap(readYears)
  const fitment = {
    make: firstOf(properties, 'make'),
    model: firstOf(properties, 'model'),
    trim: firstOf(properties, 'trim', 'submodel'),
    years,
  }
  return fitment.make === '' && fitment.model === '' ? undefined : fitment
}

/**
 * The vehicles in a cell of “Relationship details”: "Year=2012|Make=Ford|Model=F-150|Trim=XLT" in any order, several of
 * them divided by semicolons, a property's further values likewise ("Year=2012;2013|Make=Ford|…").
 */
export function readFitments(details: string): Fitment[] {
  const vehicles: Properties[] = []
  let vehicle: Properties = new Map()
  for (const { name, value, isLater } of propertiesOf(details)) {
    if (isLater && vehicle.has(name)) {
      vehicles.push(vehicle)
      vehicle = new Map()
    }
    vehicle.set(name, [...(vehicle.get(name) ?? []), value])
  }
  return [...vehicles, vehicle].flatMap((properties) => fitmentOf(properties) ?? [])
}

/** `isLater`: named behind a semicolon, where a name that was there before begins the next vehicle. */
type Property = { name: string; value: string; isLater: boolean }

function propertiesOf(details: string): Property[] {
  return details.split('|').flatMap((property) => {
    let name = ''
    return property.split(/[;\r\n]+/).flatMap((piece, place) => {
      const equals = piece.indexOf('=')
      if (equals !== -1) name = piece.slice(0, equals).trim().toLowerCase()
      const value = piece.slice(equals + 1).trim()
      return name === '' || value === '' ? [] : [{ name, value, isLater: equals !== -1 && place > 0 }]
    })
  })
}

const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const isSameCar = (a: Fitment, b: Fitment) => sameName(a.make, b.make) && sameName(a.model, b.model)

type Run = [first: number, last: number]

/** Years that follow one another, ascending. */
function runsOf(years: readonly number[]): Run[] {
  const runs: Run[] = []
  for (const year of [...new Set(years)].toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && run[1] === year - 1) run[1] = year
    else runs.push([year, year])
  }
  return runs
}

const sayRun = ([first, last]: Run) => (first === last ? `${first}` : `${first}-${last}`)

/** What our columns say of a part's fitment. */
export type FitmentSummary = Record<'make' | 'model' | 'year' | 'trim' | 'all', string>

/** Of the first car that is named, with the years around the first one of it, and all cars. */
export function summariseFitments(fitments: readonly Fitment[]): FitmentSummary {
  const [first] = fitments
  if (!first) return { make: '', model: '', year: '', trim: '', all: '' }
  const ofCar = fitments.filter((fitment) => isSameCar(fitment, first))
  const [firstYear] = ofCar.flatMap(({ years }) => years)
  const run = runsOf(ofCar.flatMap(({ years }) => years)).find(
    ([from, to]) => firstYear !== undefined && from <= firstYear && firstYear <= to,
  )
  const trims = new Set(ofCar.map(({ trim }) => trim))
  return {
    make: first.make,
    model: first.model,
    year: run ? sayRun(run) : '',
    // A part that fits several trims is of none.
    trim: trims.size === 1 ? first.trim : '',
    all: sayAll(fitments),
  }
}

// A cell of 3,000 vehicles would be too long to import; nobody reads more than a page of them.
const LONGEST_LIST = 5_000

/** "2012-2014, 2016 Ford F-150 XLT; 2014 Lincoln Navigator", in the order of the file; a long list ends in "and 45 more". */
function sayAll(fitments: readonly Fitment[]): string {
  const cars = new Map<string, { name: string; years: number[] }>()
  for (const { make, model, trim, years } of fitments) {
    const name = [make, model, trim].filter(Boolean).join(' ')
    const car = cars.get(name.toLowerCase()) ?? { name, years: [] }
    car.years.push(...years)
    cars.set(name.toLowerCase(), car)
  }
  let length = 0
  const said: string[] = []
  for (const { name, years } of cars.values()) {
    const car = [runsOf(years).map(sayRun).join(', '), name].filter(Boolean).join(' ')
    length += car.length
    if (length > LONGEST_LIST) break
    said.push(car)
  }
  if (said.length < cars.size) said.push(`and ${(cars.size - said.length).toLocaleString('en-US')} more`)
  return said.join('; ')
}
