import { nameColumns } from '#contract/csv/csv-header.ts'
import { headerName, matchHeader } from '#contract/csv/field-headers.ts'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { type Donor, readDonor } from './donor-line.ts'
import { isRemarkLine } from './remark-lines.ts'

/*
 * Lists that name a car once, above its parts or in the first of their rows. The car's values are copied down to each
 * of its parts.
 */

/** The columns that a car's line becomes, by what lists call them. */
const donorColumns = [
  ['year', 'Year', 'partyear'],
  ['make', 'Make', 'partmanu'],
  ['model', 'Model', 'partmodel'],
  ['trim', 'Trim', 'parttrim'],
  ['stock', 'Stock number', 'stocknum'],
  ['miles', 'Miles', 'partmiles'],
  ['vin', 'VIN', 'vin'],
] as const satisfies readonly [keyof Donor, string, ImportField][]

const NAMES_IT = 0.9
/** Finds the column of a field, or -1. */
function columnsOf(header: readonly string[]): (field: ImportField) => number {
  const names = header.map(headerName)
  return (field) => names.findIndex((name) => (matchHeader(field, name)?.score ?? 0) > NAMES_IT)
}

/** A column of the same meaning keeps its name. */
const donorHeader = (header: readonly string[]): string[] => {
  const columnOf = columnsOf(header)
  return nameColumns([
    ...header,
    ...donorColumns.map(([, name, field]) =>
      columnOf(field) === -1 ? name : `Vehicle ${name.toLowerCase()}`,
    ),
  ])
}

export const DONOR_COLUMNS = donorColumns.length

type Row = readonly string[]
const filledOf = (cells: Row) => cells.map((cell) => cell.trim()).filter((cell) => cell !== '')

// A car's line may have its stock number, miles and VIN in cells of their own.
const MOST_FILLED = 7

const MONEY = /^(?:US)?\$ ?\d[\d,]*(?:\.\d\d)?$|^\d[\d,]*\.\d\d$/

/** The car that a row names, if the row is not a part. */
function donorIn(cells: Row, price: number): Donor | undefined {
  const filled = filledOf(cells)
  if (filled.length === 0 || filled.length > MOST_FILLED) return undefined
  // A car has no price; "196,838 mi" may be in that column.
  if (filled.length > 1 && /^\$?[\d,]+(?:\.\d+)?$/.test(cells[price]?.trim() ?? '')) return undefined
  if (filled.length > 1 && filled.some((cell) => MONEY.test(cell))) return undefined
  return readDonor(filled.join('   '))
}

const FEWEST_LINES = 2
const SAMPLED = 200

/** Whether cars are named in lines above their parts, and no column names them. */
export function hasDonorLines(header: Row, rows: readonly Row[]): boolean {
  if (header.length < 2) return false
  const columnOf = columnsOf(header)
  if (columnOf('partyear') !== -1 && columnOf('partmanu') !== -1) return false
  const price = columnOf('partprice')
  const sample = rows.slice(0, SAMPLED)
  const lines = sample.filter((cells) => filledOf(cells).length <= MOST_FILLED && donorIn(cells, price))
  const parts = sample.filter((cells) => !lines.includes(cells))
  if (lines.length === 0 || parts.length < lines.length || haveYears(parts)) return false
  // A single line may be a title of a part in a list of many parts.
  return lines.length >= FEWEST_LINES || lines[0] === sample[0]
}

const YEAR = /^(?:19|20)\d\d\b/
const MOST_YEARS = 0.5
/** Whether a column has the year of each part, alone or before its name: a row of such a list is no car. */
const haveYears = (parts: readonly Row[]): boolean =>
  (parts[0] ?? []).some(
    (_, at) => parts.filter((cells) => YEAR.test(cells[at]?.trim() ?? '')).length > MOST_YEARS * parts.length,
  )

type Folder = {
  readonly header: readonly string[]
  push(rows: readonly Row[]): string[][]
  finish(): string[][]
  notes(): string[]
}

/**
 * Fills the cars in lines of their own down to the parts below. Their lines become blank.
 * @param above the rows above the header, where the first car may be
 */
export function donorFolder(header: Row, above: readonly Row[]): Folder {
  const price = columnsOf(header)('partprice')
  let car: string[] = donorColumns.map(() => '')
  let cars = 0
  let skipped = 0
  const begin = (donor: Donor) => {
    car = donorColumns.map(([key]) => donor[key])
    cars += 1
  }
  for (const cells of above) {
    const donor = donorIn(cells, price)
    if (donor) begin(donor)
  }
  const take = (cells: Row): string[] => {
    const filled = filledOf(cells)
    if (filled.length === 0) return []
    const donor = donorIn(cells, price)
    if (donor) {
      begin(donor)
      return []
    }
    if ((filled.length === 1 && header.length > 3) || (filled.length <= 3 && isRemarkLine(filled[0] ?? ''))) {
      skipped += 1
      return []
    }
    const padding = Array.from({ length: Math.max(header.length - cells.length, 0) }, () => '')
    return [...cells.slice(0, header.length), ...padding, ...car, ...cells.slice(header.length)]
  }
  return {
    header: donorHeader(header),
    push: (rows) => rows.map(take),
    finish: () => [],
    notes: () => [
      `${counted(cars, 'line')} ${cars === 1 ? 'names a vehicle' : 'name vehicles'}: year, make, model, stock number and miles are filled in for the parts below.`,
      ...skippedNote(skipped),
    ],
  }
}

const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

const skippedNote = (skipped: number): string[] =>
  skipped === 0
    ? []
    : [
        `${counted(skipped, 'line')} ${skipped === 1 ? 'is not a part. We skip it.' : 'are not parts. We skip them.'}`,
      ]

/* Lists with columns for the car that are filled in the first row of each car only. */

const carFields = ['partyear', 'partmanu', 'partmodel', 'stocknum', 'partmiles', 'vin', 'parttrim'] as const
const FEWEST_BLANK = 0.5

function carColumns(header: Row): number[] {
  const [year, make, model, ...others] = carFields.map(columnsOf(header))
  if (year === undefined || make === undefined || model === undefined) return []
  return year === -1 || make === -1 || model === -1
    ? []
    : [year, make, model, ...others.filter((at) => at !== -1)]
}

const isBlankIn = (cells: Row, columns: readonly number[]) =>
  columns.every((at) => (cells[at] ?? '').trim() === '')

/**
 * Whether a car is named only where it changes: most rows lack year, make and model, and no car is named twice in a row.
 * A list in which some parts just lack their car is not one.
 */
export function hasCarsOnce(header: Row, rows: readonly Row[]): boolean {
  const columns = carColumns(header)
  if (columns.length === 0) return false
  const car = columns.slice(0, 3)
  const sample = rows.slice(0, SAMPLED).filter((cells) => filledOf(cells).length > 1)
  const named = sample.filter((cells) => !isBlankIn(cells, car))
  if (named.length < FEWEST_LINES || sample[0] !== named[0]) return false
  const blank = sample.filter((cells) => isBlankIn(cells, car))
  if (blank.length < FEWEST_BLANK * sample.length) return false
  // Tires and wheels of no car, below one that names its own.
  if (blank.filter((cells) => isTire(cells)).length >= MOST_TIRES * blank.length) return false
  const keys = named.map((cells) => columns.map((at) => cells[at] ?? '').join('\n'))
  return keys.every((key, at) => key !== keys[at - 1])
}

const MOST_TIRES = 0.5
const TIRE =
  /\b(?:tires?|tyres?|rims?)\b|(?<!steering )\bwheels?\b(?! (?:bearing|hub|cover|well|cylinder|speed|opening|house))|\b\d{3}\/\d{2}\s?z?r\s?\d{2}\b/i
const isTire = (cells: Row): boolean => cells.some((cell) => TIRE.test(cell))

const MOST_IN_SUM = 3

/** "5 parts" and their sum, below a car. */
function isSum(cells: Row): boolean {
  const [first = '', ...others] = filledOf(cells)
  return others.length < MOST_IN_SUM && isRemarkLine(first)
}

/** Fills the car of a row down to the rows below that name none. A row with a car and no part becomes blank. */
export function carsOnceFolder(header: Row): Folder {
  const columns = carColumns(header)
  const car = columns.slice(0, 3)
  const part = ['partname', 'partcategory', 'partprice', 'partnum'] as const
  const partColumns = part.map(columnsOf(header)).filter((at) => at !== -1)
  let last: Row = []
  let filledRows = 0
  let skipped = 0
  const take = (cells: Row): string[] => {
    const filled = filledOf(cells).length
    if (filled === 0) return []
    if (isBlankIn(cells, car) && isSum(cells)) {
      skipped += 1
      return []
    }
    if (!isBlankIn(cells, car)) {
      last = cells
      return partColumns.length > 0 && isBlankIn(cells, partColumns) ? [] : [...cells]
    }
    // A total or a heading has no part, either.
    if (last.length === 0 || filled < 2) return [...cells]
    filledRows += 1
    return filledIn(cells)
  }
  const filledIn = (cells: Row): string[] =>
    Array.from({ length: Math.max(cells.length, header.length) }, (_, at) => {
      const own = cells[at] ?? ''
      return columns.includes(at) && own.trim() === '' ? (last[at] ?? '') : own
    })
  return {
    header,
    push: (rows) => rows.map(take),
    finish: () => [],
    notes: () => [
      `The vehicle is filled in for ${counted(filledRows, 'row')} from the row above that names it.`,
      ...skippedNote(skipped),
    ],
  }
}
