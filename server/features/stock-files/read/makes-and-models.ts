import { readYearSpan } from '#contract/listing/year-span.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import type { TitleNames } from '#contract/trade-language/vehicles/title-names.ts'
import {
  type SplitRules,
  splitVehicle,
  type TitleVocabulary,
} from '#contract/trade-language/vehicles/titles.ts'
import type { VinFields } from '#server/features/vin/vehicles.ts'
import type { ValueProblem } from './field-text.ts'

/*
 * What the catalog and a VIN know about a row's make and model: a make that only its model shows, cells that name several, and
 * those of another car.
 */

/** The make that a model has, or why it is unclear; undefined if the catalog lacks the model. */
export function makeOfModel(
  model: string,
  rules: SplitRules,
): { make: string } | { makes: readonly string[] } | undefined {
  const key = nameKey(model)
  const owners = LETTERED.test(key) ? rules.vocabulary.titles.owners(key) : []
  const [only, ...others] = owners
  if (others.length > 0) return { makes: owners }
  const make = only ?? (JOINED.test(model) ? undefined : splitVehicle(model, rules).fields.partmanu)
  return make === undefined ? undefined : { make }
}

/** A number alone, or one letter, could be a model of any make. */
const LETTERED = /^(?=.*[a-z])..+/

/** Makes or models joined in one cell. Commas are refused before, known or not. */
const JOINED = /[/&+]|\b(?:and|or|y|und)\b/iu

/**
 * Refuses "Ford/Chevrolet": it would be the wrong make for one of two parts. A known name with such a character is one
 * name.
 */
export function severalMakes(text: string, names: TitleNames): ValueProblem | undefined {
  if (!JOINED.test(text) || names.make(nameKey(text)) !== undefined) return undefined
  const found = new Map<string, string>()
  for (const piece of piecesOf(text)) {
    const make = names.make(nameKey(piece))
    if (make !== undefined && !found.has(make)) found.set(make, piece)
  }
  return severalNames('Manufacturer', 'makes', [...found.values()])
}

/**
 * Refuses "Camry/Corolla" likewise. If one name begins with the other, they may be one model: "Camry & Camry Solara".
 */
export function severalModels(
  { make, model }: { readonly make: string; readonly model: string },
  names: TitleNames,
): ValueProblem | undefined {
  const makeName = JOINED.test(model) ? names.make(nameKey(make)) : undefined
  const isModel = (key: string) => makeName !== undefined && names.owners(key).includes(makeName)
  if (
    makeName === undefined ||
    [nameKey(model), keyWithoutAnd(model)].some((key) => isModel(key) || PAIRS.has(key))
  )
    return undefined
  const found = new Map<string, string>()
  for (const piece of piecesOf(model)) {
    const key = nameKey(piece)
    const isOther = [...found.keys()].every((one) => !one.startsWith(key) && !key.startsWith(one))
    if (isModel(key) && isOther) found.set(key, piece)
  }
  return severalNames('Model', 'models', [...found.values()])
}

/** Each is one vehicle in the government's catalog, which decodes VINs. */
const PAIRS = new Set(['caravangrandcaravan', 'concordelhs', 'rodeoamigo', 'c70c30'])

/** "Town and Country" as the catalog's "Town & Country". */
const keyWithoutAnd = (text: string) => nameKey(text.replaceAll(/\band\b/gi, ''))

const piecesOf = (text: string): string[] =>
  text
    .split(JOINED)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')

const COUNTS = ['two', 'three', 'four', 'five']

function severalNames(label: string, noun: string, pieces: readonly string[]): ValueProblem | undefined {
  if (pieces.length < 2) return undefined
  const count = COUNTS[pieces.length - 2] ?? 'several'
  const message = `${label} names ${count} ${noun}, ${listed(pieces)}. Keep the one the part came from`
  return { code: 'SEVERAL_NAMES', message }
}

export const listed = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** What a row's VIN shows: another year or make than its cells, or a typo in the VIN. */
export const vinFindings = ['vin year', 'vin make', 'vin typo'] as const
export type VinFinding = (typeof vinFindings)[number]

/** A year outside of the row's, or another make. Models have too many names to compare. */
export function compareVin(
  fields: Readonly<Partial<Record<'partyear' | 'partmanu', string>>>,
  car: VinFields | undefined,
  vocabulary: TitleVocabulary | undefined,
): VinFinding[] {
  if (!car) return []
  if (car.isMistyped) return ['vin typo']
  const found: VinFinding[] = []
  const span = readYearSpan(fields.partyear ?? '')
  const year = Number(car.partyear ?? Number.NaN)
  if (span && (year < span.from || year > span.to)) found.push('vin year')
  const makeKey = (make = '') => nameKey(vocabulary?.titles.make(nameKey(make)) ?? make)
  if (car.partmanu !== undefined && makeKey(fields.partmanu) !== makeKey(car.partmanu)) found.push('vin make')
  return found
}
