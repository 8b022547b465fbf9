import { type ImportField, vinFields } from '#contract/csv/import-fields.ts'
import { readFitment } from '#contract/listing/fitment.ts'
import { interpret } from '#contract/trade-language/interpret.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import { missingMessage } from '#contract/trade-language/parts/universal-parts.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { checkDigitOf, plainVin, vinFault } from '#contract/vehicle/vin-rules.ts'
import { language } from '#server/features/finding/vocabulary/built-in.ts'
import type { VinFields } from '#server/features/market/vin/vehicles.ts'
import { remembering } from '#server/platform/recent-values.ts'
import { type FoundIssue, issueOf, shownValue, type ValueProblem } from './field-text.ts'

/* What the catalog knows about a row's make and model: a make that only its model shows, cells that name several, and vehicles whose parts are not sold here. */

/** The make that a model has, or why it is unclear; undefined if the catalog lacks the model. */
function makeOfModel(
  model: string,
  { vocabulary, year }: { vocabulary: Vocabulary; year: number },
): { make: string } | { makes: readonly string[] } | undefined {
  const key = nameKey(model)
  const owners = LETTERED.test(key) ? vocabulary.models.makersOf(key) : []
  const [only, ...others] = owners
  if (others.length > 0) return { makes: owners.map(({ name }) => name) }
  const make = only?.name ?? (JOINED.test(model) ? undefined : vehicleIn(model, vocabulary, year).partmanu)
  return make === undefined ? undefined : { make }
}

const vehicleIn = (text: string, vocabulary: Vocabulary, year: number) =>
  interpret(text, vocabulary, 'cell', { year, of: 'vehicle' }).read.fields

/** A number alone, or one letter, could be a model of any make. */
const LETTERED = /^(?=.*[a-z])..+/

/** Makes or models joined in one cell. Commas are refused before, known or not. */
const JOINED = /[/&+]|\b(?:and|or|y|und)\b/iu

/**
 * Refuses "Ford/Chevrolet": it would be the wrong make for one of two parts. A known name with such a character is one
 * name.
 */
function severalMakes(text: string, { makes }: Vocabulary): ValueProblem | undefined {
  if (!JOINED.test(text) || makes.find(nameKey(text)) !== undefined) return undefined
  const found = new Map<string, string>()
  for (const piece of piecesOf(text)) {
    const make = makes.find(nameKey(piece))?.name
    if (make !== undefined && !found.has(make)) found.set(make, piece)
  }
  return severalNames('Manufacturer', 'makes', [...found.values()])
}

/**
 * Refuses "Camry/Corolla" likewise. If one name begins with the other, they may be one model: "Camry & Camry Solara".
 */
function severalModels(
  { make, model }: { readonly make: string; readonly model: string },
  { makes, models }: Vocabulary,
): ValueProblem | undefined {
  const maker = JOINED.test(model) ? makes.find(nameKey(make)) : undefined
  const isModel = (key: string) => maker !== undefined && models.makersOf(key).includes(maker)
  if (
    maker === undefined ||
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

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/* A row's vehicle as a whole. */

type RowFields = Partial<Record<ImportField, string>>

type VehicleTerms = {
  readonly vocabulary: Vocabulary | undefined
  /** The current year. */
  readonly year: number
  readonly columnOf: (field: ImportField) => string
  /** The car of the row's VIN. */
  readonly car: VinFields | undefined
}

/** For a field that every part has. */
export const missing = (field: ImportField): ValueProblem => ({
  code: 'REQUIRED',
  message: missingMessage(field),
})

/** Fills a missing make from the model, and refuses cells with several makes or models. Returns what it filled. */
export function checkVehicle(fields: RowFields, issues: FoundIssue[], terms: VehicleTerms): ImportField[] {
  const { vocabulary, columnOf, car } = terms
  if (car?.isMistyped && issues.length > 0) nameTypo(fields, issues, columnOf)
  const { partmanu = '', partmodel = '' } = fields
  if (!vocabulary || partmodel === '') return []
  if (partmanu === '') return fillMake({ ...terms, vocabulary }, fields, issues)
  for (const [field, problem] of [
    ['partmanu', severalMakes(partmanu, vocabulary)],
    ['partmodel', severalModels({ make: partmanu, model: partmodel }, vocabulary)],
  ] as const) {
    const isKnown = problem && issues.some((issue) => issue.column === columnOf(field))
    if (problem && !isKnown) issues.push(issueOf(columnOf(field), fields[field] ?? '', problem))
  }
  return []
}

/** If only the VIN could identify the car, its typo is the row's problem. */
function nameTypo(fields: RowFields, issues: FoundIssue[], columnOf: VehicleTerms['columnOf']): void {
  const vin = plainVin(fields.vin ?? '')
  const lacking = new Set(vinFields.map((field) => missing(field).message))
  const others = issues.filter(({ code, message }) => code !== 'REQUIRED' || !lacking.has(message))
  if (vin === '' || others.length === issues.length) return
  const fault = vinFault(vin)?.sentence ?? `the 9th character should be ${checkDigitOf(vin)}`
  const message = `This VIN has a typo: ${fault.charAt(0).toLowerCase()}${fault.slice(1)}${/[.?]$/.test(fault) ? '' : '.'}`
  issues.splice(0, issues.length, ...others, issueOf(columnOf('vin'), vin, { code: 'INVALID_VIN', message }))
}

/** The vehicles of a list that we don't know, so that no search for a vehicle finds the part by them. */
export function unknownFits(
  fitment: string | undefined,
  { vocabulary, year }: Pick<VehicleTerms, 'vocabulary' | 'year'>,
): string[] {
  const read = fitment === undefined || !vocabulary ? undefined : readFitment(fitment)
  if (!vocabulary || !read || !('rows' in read)) return []
  return read.rows.flatMap(({ vehicle }) => {
    const { partmanu = '', partmodel = '' } = vehicleIn(vehicle, vocabulary, year)
    const make = vocabulary.makes.find(nameKey(partmanu))
    const isKnown =
      make !== undefined &&
      vocabulary.models.isModel(make.id, nameKey(partmodel), partmodel.split(/\s+/).length)
    return isKnown ? [] : vehicle
  })
}

function fillMake(
  { vocabulary, year, columnOf }: VehicleTerms & { vocabulary: Vocabulary },
  fields: RowFields,
  issues: FoundIssue[],
): ImportField[] {
  const { message: noMake } = missing('partmanu')
  const at = issues.findIndex(({ code, message }) => code === 'REQUIRED' && message === noMake)
  const found =
    at === -1 || fields.listingid ? undefined : makeOfModel(fields.partmodel ?? '', { vocabulary, year })
  if (!found) return []
  if ('makes' in found) {
    const message = `${noMake}: “${shownValue(fields.partmodel ?? '')}” is a model of ${listed(found.makes)}`
    issues[at] = issueOf(columnOf('partmanu'), '', { code: 'REQUIRED', message })
    return []
  }
  issues.splice(at, 1)
  fields.partmanu = found.make
  return ['partmanu']
}

/* Vehicles that are not cars or light trucks. */

type OtherVehicle = 'motorcycle' | 'heavy truck'

const { roles } = language
const others = (['motorcycle', 'heavy truck'] as const).map((vehicle) => ({
  vehicle,
  makes: new Set(roles.list(`${vehicle} make`).map((make) => nameKey(make))),
  models: Map.groupBy(
    roles
      .meanings(`${vehicle} model`)
      .map(([model, make]) => ({ model: nameKey(model), make: nameKey(make) })),
    ({ make }) => make,
  ),
}))
/** At the beginning of a title or a vehicle, after its years. */
const MADE_BY = new RegExp(
  `^(?:['’]?\\d{2,4}\\W+)*(${others
    .flatMap(({ vehicle }) => roles.list(`${vehicle} make`))
    .map((make) => make.replaceAll(' ', '[\\s-]+'))
    .join('|')})\\b`,
  'i',
)

/** The kind of vehicle of a make and model, or of a text that begins with them; undefined for cars and light trucks. */
export function otherVehicle(
  make: string,
  model: string,
  lines: readonly string[],
): OtherVehicle | undefined {
  const said = make || lines.map((line) => MADE_BY.exec(line)?.[1] ?? '').find((found) => found !== '') || ''
  const kinds = said === '' ? [] : kindsOf(said)
  if (kinds.length === 0) return undefined
  const modelKey = nameKey(model)
  return kinds.find(
    ({ isWhole, models }) =>
      isWhole || models.some(({ model: known }) => modelKey === known || isNumbered(modelKey, known)),
  )?.vehicle
}

/** The other vehicles that a make builds; nearly all makes build none. */
const kindsOf = remembering((make) => {
  const key = nameKey(make)
  return others.flatMap(({ vehicle, makes, models }) => {
    const kind = { vehicle, isWhole: makes.has(key), models: models.get(key) ?? [] }
    return kind.isWhole || kind.models.length > 0 ? kind : []
  })
}, 500)

/** "CBR600RR" and "R1200 GS", but not a "Shadowline". */
const isNumbered = (model: string, known: string): boolean =>
  model.startsWith(known) && (/\d$/.test(known) || /^\d|^r/.test(model.slice(known.length)))

/** The same for every row, so that they are counted together. */
export const otherVehicles: Record<OtherVehicle, ValueProblem> = {
  motorcycle: {
    code: 'NOT_A_CAR',
    message:
      'This part is from a motorcycle or powersports vehicle. We list parts of cars and light trucks, so it is left out',
  },
  'heavy truck': {
    code: 'NOT_A_CAR',
    message: 'This part is from a heavy truck. We list parts of cars and light trucks, so it is left out',
  },
}
