import { readFileSync } from 'node:fs'

/** A model as sold in the US. `years` holds inclusive ranges, oldest first; `bodyStyles` may be empty. */
export type Vehicle = {
  manufacturer: string
  model: string
  years: [from: number, to: number][]
  bodyStyles: string[]
  otherNames: OtherName[]
}

/** Another name of a model, and what that name says beside the model: "F150 Regular Cab" is an F-150 with a Regular Cab. */
export type OtherName = { name: string; bodyStyle: string; trim: string }

/** A category a part can be listed under. Names and aliases are unique over the whole tree. */
export type PartType = {
  group: string
  name: string
  aliases: string[]
  /** It needs no vehicle. */
  universal: boolean
}

type NameRow = OtherName & { manufacturer: string; model: string; years: string }

const readNames = (): NameRow[] =>
  readCsv(new URL('model-names.csv', import.meta.url)).map((row) => ({
    manufacturer: cell(row, 'manufacturer'),
    name: cell(row, 'name'),
    model: cell(row, 'model'),
    bodyStyle: cell(row, 'body_style'),
    trim: cell(row, 'trim'),
    years: cell(row, 'model_years'),
  }))

/** Lookup names are unique ignoring case and spaces. */
const modelKey = (manufacturer: string, model: string) =>
  `${manufacturer}/${model}`.toLowerCase().replaceAll(' ', '')

/**
 * Every manufacturer's models under the names people say, with their years, by manufacturer, then model. `vehicles.csv`
 * has a row for each cab and body ("F150 Regular Cab"), and spells a few models in two ways over the years
 * ("TrailBlazer", "Trailblazer"); these are one model here, under its newest spelling.
 */
export function readVehicles(): Vehicle[] {
  const names = readNames()
  const spoken = new Map(names.map((row) => [modelKey(row.manufacturer, row.name), row]))
  const byModel = new Map<string, Vehicle>()
  for (const row of readCsv(new URL('vehicles.csv', import.meta.url))) {
    const vehicle = toVehicle(row)
    const model = spoken.get(modelKey(vehicle.manufacturer, vehicle.model))?.model ?? vehicle.model
    const key = modelKey(vehicle.manufacturer, model)
    const other = byModel.get(key)
    const named = { ...vehicle, model }
    byModel.set(key, other ? mergeSpellings(other, named) : named)
  }
  for (const { manufacturer, model, name, bodyStyle, trim, years } of names) {
    if (years === '') byModel.get(modelKey(manufacturer, model))?.otherNames.push({ name, bodyStyle, trim })
  }
  return [...byModel.values()]
}

/** Names that cover several models, for parts whose yard says no more: "Silverado", "Sprinter". */
export function readModelFamilies(): Vehicle[] {
  return readNames()
    .filter(({ years }) => years !== '')
    .map(({ manufacturer, model, years }) => ({
      manufacturer,
      model,
      years: years.split(' ').map(toYearRange),
      bodyStyles: [],
      otherNames: [],
    }))
}

/** Our tree of part types, grouped as the file is: a group's types follow one another. */
export function readPartTypes(): PartType[] {
  return readCsv(new URL('part-types.csv', import.meta.url)).map((row) => ({
    group: cell(row, 'group'),
    name: cell(row, 'name'),
    aliases: toList(cell(row, 'aliases')),
    universal: cell(row, 'universal') === 'yes',
  }))
}

/** The key of a part group in file names and addresses: "Seats & Restraints" is `seats-restraints`. */
export function groupKey(group: string): string {
  return group
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** The line drawing (SVG text) of a part group. Throws when the group has none. */
export function readDrawing(group: string): string {
  return readFileSync(new URL(`./drawings/${groupKey(group)}.svg`, import.meta.url), 'utf8')
}

function toVehicle(row: Record<string, string>): Vehicle {
  return {
    manufacturer: cell(row, 'manufacturer'),
    model: cell(row, 'model'),
    years: cell(row, 'model_years').split(' ').map(toYearRange),
    bodyStyles: toList(cell(row, 'body_styles')),
    otherNames: [],
  }
}

function mergeSpellings(a: Vehicle, b: Vehicle): Vehicle {
  const lastYear = (vehicle: Vehicle) => Math.max(...vehicle.years.flat())
  const newest = lastYear(a) > lastYear(b) ? a : b
  const bodyStyles = [...new Set([...a.bodyStyles, ...b.bodyStyles])].sort()
  return { ...newest, years: joinRanges([...a.years, ...b.years]), bodyStyles }
}

/** Sorts ranges and joins those that overlap or follow one another: 2022-2023 and 2024 are 2022-2024. */
function joinRanges(ranges: [number, number][]): [number, number][] {
  const joined: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** The content of a JSON file of our own. */
export function readJson(file: URL): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The rows of a CSV file of our own by its header, cells trimmed. */
export function readCsv(file: URL): Record<string, string>[] {
  const [header, ...rows] = cellsOf(readFileSync(file, 'utf8'))
  return rows.map((cells) =>
    Object.fromEntries((header ?? []).map((column, at) => [column, cells[at]?.trim() ?? ''])),
  )
}

/** The rows of a text of our own. Not the reader of yards' files: ours have commas and quotes, and a row is a line. */
export const cellsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (line.includes('"') ? quotedCells(line) : line.split(',')))

const quotedCells = (line: string): string[] =>
  Array.from(line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g), ([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  )

function cell(row: Record<string, string>, column: string): string {
  const value = row[column]
  if (value === undefined) throw new Error(`Catalog data: column "${column}" is missing`)
  return value
}

function toList(text: string): string[] {
  return text
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** `1997-1999` or, for a single model year, `2003`. */
function toYearRange(text: string): [number, number] {
  const years = text.split('-').map(Number)
  const from = years[0] ?? Number.NaN
  const to = years[1] ?? from
  if (!(from <= to) || years.length > 2) throw new Error(`Catalog data: "${text}" is not a range of years`)
  return [from, to]
}
