import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { cellsOf } from '#db/data/read-data.ts'

/*
 * NHTSA's patterns, which identify a car by its VIN. In memory of each process that decodes a VIN: one text of 9 MB,
 * of which a decode reads the few hundred lines of its schemas. Nothing is built per decode that stays.
 */

const patternFields = [
  'model',
  'trim',
  'series',
  'body',
  'displacement_l',
  'cylinders',
  'engine_layout',
  'engine_model',
  'fuel',
  'fuel_2',
  'turbo',
  'doors',
  'drive',
  'transmission',
  'speeds',
] as const
export type PatternField = (typeof patternFields)[number]

type Schema = { readonly id: string; readonly from: number; readonly to: number }

/** Who built a car, by the first three characters of its VIN (six of a small maker). */
export type Maker = {
  readonly wmi: string
  readonly makes: readonly string[]
  readonly isTruck: boolean
  readonly schemas: readonly Schema[]
}

/** The values of a field that match with the fewest wildcards. */
type Match = { readonly values: readonly string[]; readonly fixed: number }
/** The facts from one schema. */
export type SchemaMatch = Partial<Record<PatternField, Match>>

export type VinPatterns = {
  makerOf(vin: string): Maker | undefined
  /** The facts about the VIN from each schema of that maker and year; schemas without a match are left out. */
  match(vin: string, maker: Maker, year: number): SchemaMatch[]
  /** Whether a make has had a model of that name, in that year if one is given. */
  hasModel(make: string, model: string, year?: number): boolean
}

const DATA = new URL('../../../../db/data/vpic/', import.meta.url)

let read: Promise<VinPatterns> | undefined

/** Read once a process, which takes 0.1 s, most of it outside of the main thread. */
export function readVinPatterns(): Promise<VinPatterns> {
  read ??= openVinPatterns()
  return read
}

async function openVinPatterns(): Promise<VinPatterns> {
  const [patterns, wmis, models] = await Promise.all([
    unpack('patterns.csv.gz'),
    unpack('wmi.csv.gz'),
    readFile(new URL('models.csv', DATA)),
  ])
  return new PatternTables(patterns.toString('latin1'), {
    wmis: wmis.toString('utf8'),
    models: models.toString('utf8'),
  })
}

const inflate = promisify(gunzip)
const unpack = async (name: string) => inflate(await readFile(new URL(name, DATA)))

class PatternTables implements VinPatterns {
  readonly #text: string
  /** Where each schema's lines begin and end. */
  readonly #places = new Map<string, readonly [number, number]>()
  readonly #makers = new Map<string, Maker>()
  /** Model years by make and model. */
  readonly #models = new Map<string, (readonly [number, number])[]>()

  constructor(patterns: string, { wmis, models }: { wmis: string; models: string }) {
    this.#text = patterns
    this.#findSchemas()
    this.#readMakers(wmis)
    for (const [make, model, years] of records(models))
      this.#models.set(modelKey(make, model), yearRanges(years))
  }

  makerOf(vin: string): Maker | undefined {
    const small = vin.charAt(2) === '9' ? this.#makers.get(vin.slice(0, 3) + vin.slice(11, 14)) : undefined
    return small ?? this.#makers.get(vin.slice(0, 3))
  }

  match(vin: string, maker: Maker, year: number): SchemaMatch[] {
    return maker.schemas.flatMap(({ id, from, to }) => {
      if (year < from || year > to) return []
      const place = this.#places.get(id)
      const found = place && matchLines(this.#text, place, vin)
      return found ? [found] : []
    })
  }

  hasModel(make: string, model: string, year?: number): boolean {
    const years = this.#models.get(modelKey(make, model))
    return (
      years !== undefined && (year === undefined || years.some(([from, to]) => from <= year && year <= to))
    )
  }

  /** The lines of a schema follow one another. */
  #findSchemas(): void {
    const text = this.#text
    let from = text.indexOf('\n') + 1
    while (from > 0 && from < text.length) {
      const id = text.slice(from, text.indexOf(',', from))
      let end = from
      while (end < text.length && text.startsWith(`${id},`, end)) end = nextLine(text, end)
      this.#places.set(id, [from, end])
      from = end
    }
  }

  #readMakers(wmis: string): void {
    for (const [wmi = '', makes = '', type, id = '', from, to] of records(wmis)) {
      const maker = this.#makers.get(wmi) ?? {
        wmi,
        makes: makes.split('|'),
        isTruck: type === 'Truck',
        schemas: [],
      }
      const schemas = [
        ...maker.schemas,
        { id, from: Number(from), to: to ? Number(to) : Number.POSITIVE_INFINITY },
      ]
      this.#makers.set(wmi, { ...maker, schemas })
    }
  }
}

const records = (csv: string): (readonly string[])[] => cellsOf(csv).slice(1)

const modelKey = (make = '', model = '') => `${make}/${model}`.toLowerCase()

const yearRanges = (text = ''): [number, number][] =>
  text.split(' ').map((range) => {
    const [from, to = from] = range.split('-')
    return [Number(from), Number(to)]
  })

function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end + 1
}

/** The best matches of each field in these lines, or undefined if nothing matches. */
function matchLines(
  text: string,
  [from, to]: readonly [number, number],
  vin: string,
): SchemaMatch | undefined {
  const best: Best = {}
  for (let at = from; at < to; at = nextLine(text, at)) {
    const keysAt = text.indexOf(',', at) + 1
    const keysEnd = text.indexOf(',', keysAt)
    const fixed = fixedMatches(text, [keysAt, keysEnd], vin)
    if (fixed !== undefined) noteMatch(best, text.slice(keysEnd + 1, nextLine(text, keysEnd)), fixed)
  }
  return Object.keys(best).length > 0 ? best : undefined
}

type Best = { [F in PatternField]?: { values: string[]; fixed: number } }

/** `said`: the field and its value, as in the file. */
function noteMatch(best: Best, said: string, fixed: number): void {
  const comma = said.indexOf(',')
  const field = said.slice(0, comma) as PatternField
  const known = best[field]
  if (known && fixed < known.fixed) return
  const value = plainValue(said.slice(comma + 1))
  if (!known || fixed > known.fixed) best[field] = { values: [value], fixed }
  else if (!known.values.includes(value)) known.values.push(value)
}

function plainValue(cell: string): string {
  const value = cell.trimEnd()
  return value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value
}

const [STAR, HASH, BAR, OPEN, DASH] = Array.from('*#|[-', (sign) => sign.charCodeAt(0))
const isDigit = (code: number) => code >= 48 && code <= 57
// Positions 4 and 10 of a VIN, counted from 0.
const FIRST_KEY = 3
const BEHIND_BAR = 9

/**
 * Counts the non-wildcard positions of a pattern's keys, or undefined if they do not match: characters, `#` for a digit,
 * `[A-C5]` for a set, `*` for any, first those from position 4 on, then, after a `|`, those from position 10 on.
 */
export function fixedMatches(
  text: string,
  [from, to]: readonly [number, number],
  vin: string,
): number | undefined {
  let place = FIRST_KEY
  let fixed = 0
  for (let at = from; at < to; ) {
    const sign = text.charCodeAt(at)
    const end = sign === OPEN ? text.indexOf(']', at) + 1 : at + 1
    if (sign === BAR) place = BEHIND_BAR - 1
    else if (sign !== STAR) {
      if (!isMatch(text, [at, end], vin.charCodeAt(place))) return undefined
      fixed += 1
    }
    place += 1
    at = end
  }
  return fixed
}

/** Whether a character is the one, or in the set, that the key between these places stands for. */
function isMatch(text: string, [from, end]: readonly [number, number], code: number): boolean {
  const sign = text.charCodeAt(from)
  if (sign === HASH) return isDigit(code)
  if (sign !== OPEN) return sign === code
  for (let at = from + 1; at < end - 1; at += 1) {
    const first = text.charCodeAt(at)
    const isRange = at + 3 < end && text.charCodeAt(at + 1) === DASH
    if (isRange ? code >= first && code <= text.charCodeAt(at + 2) : code === first) return true
    if (isRange) at += 2
  }
  return false
}
