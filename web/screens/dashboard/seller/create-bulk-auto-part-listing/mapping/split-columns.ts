import {
  type ColumnSplit,
  type ImportField,
  type ImportMapping,
  splitFields,
  splitsOf,
  vehicleImportFields,
  withSplits,
} from '#contract/csv/import-fields.ts'
import { interpret } from '#contract/trade-language/interpret.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import type { SplitCell } from '#contract/trade-language/vehicles/titles.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { isOfBuildDates, isPlainYears } from '#contract/trade-language/years.ts'
import { ebayAddedColumns } from '#contract/yard-file/ebay-columns.ts'
import type { ColumnChoice } from './column-choice.ts'

type Example = { text: string; fields: SplitCell['fields'] }

/** A column that can be split, or is. */
export type SplitOffer = {
  split: ColumnSplit
  isOn: boolean
  /** The number of sampled values that can be split. */
  clear: number
  of: number
  examples: {
    /** The fields that the values have. */
    fields: readonly (keyof SplitCell['fields'])[]
    rows: Example[]
    /** A value that is not clear. */
    unclear: string | undefined
  }
}

type File = { headers: readonly string[]; samples: readonly (readonly string[])[] }

export type SplitTerms = File & { vocabulary: Vocabulary; mapping: ImportMapping; year: number }

/** The share of clear values in a column of titles or vehicles; other columns are parts, notes or numbers. */
const CLEAR_FROM = 0.6
const MOST_VALUES = 200
const MOST_EXAMPLES = 4
const FEWEST_OFFERED = 1

/** Splits in use, and those that would add fields no column has. */
export function splitOffers(terms: SplitTerms): SplitOffer[] {
  const { mapping, headers } = terms
  const on = splitsOf(mapping).map((split) => offerOf(split, terms, true))
  const used = new Set(splitsOf(mapping).map(({ from }) => from))
  const open = headers.flatMap((from): SplitOffer[] => {
    if (used.has(from) || isNumbered(from, mapping) || !lacksVehicle(from, terms)) return []
    const [vehicle, title] = (['vehicle', 'title'] as const).map((as) => offerOf({ from, as }, terms, false))
    if (!vehicle || !title) return []
    // A title is a vehicle with a part; a vehicle's trim could look like one.
    const isTitle =
      title.clear >= FEWEST_OFFERED && title.clear / title.of >= CLEAR_FROM && !isTrimmed(from, terms)
    const best = isTitle ? withPrices(title, terms) : vehicle
    return best.clear >= FEWEST_OFFERED && best.clear / best.of >= CLEAR_FROM ? [best] : []
  })
  // Prefer the title: if another column were split, the part's name would still contain its vehicle.
  const isName = ({ split }: SplitOffer) =>
    Number(split.as.endsWith('title') && split.from === mapping.partname)
  const best = open
    .toSorted((one, other) => isName(other) - isName(one) || other.clear / other.of - one.clear / one.of)
    .slice(0, 1)
  return [...on, ...best, ...yearOffer(terms)]
}

const numbered: readonly ImportField[] = [
  'stocknum',
  'partnum',
  'vin',
  'partprice',
  'partquantity',
  'zipcode',
]

/** A stock number “X1” is also a BMW, and no vehicle. */
const isNumbered = (from: string, mapping: ImportMapping): boolean =>
  numbered.some((field) => mapping[field] === from)

/** The same with the price, if the file has no column for it and most of the titles have one. */
function withPrices(title: SplitOffer, terms: SplitTerms): SplitOffer {
  if (terms.mapping.partprice !== undefined) return title
  const { from } = title.split
  const texts = valuesOf(terms, from)
  const priced = texts.filter(
    (text) => split(text, { from, as: 'priced title' }, terms).fields.partprice !== undefined,
  )
  return priced.length < CLEAR_FROM * texts.length
    ? title
    : offerOf({ from, as: 'priced title' }, terms, false)
}

/**
 * Whether make and model come only from this column, or from columns that are mostly empty; or no column has the model or
 * the year. A shop's vendor, or the path of an item, may name the make alone.
 */
function lacksVehicle(from: string, terms: SplitTerms): boolean {
  const { mapping } = terms
  if (!splitsOf(mapping).every(({ as }) => as === 'years')) return false
  const lacks = (field: 'partmanu' | 'partmodel' | 'partyear', otherwise: string | undefined) => {
    const column = mapping[field] ?? otherwise
    return column === undefined || column === otherwise || isMostlyEmpty(column, terms)
  }
  if (lacks('partmanu', from) && lacks('partmodel', from)) return true
  const isOfVehicle = [mapping.partmanu, mapping.partmodel, mapping.partyear].includes(from)
  return !isOfVehicle && (lacks('partmodel', undefined) || lacks('partyear', undefined))
}

/** The report of eBay's active listings has a title and no fitment. */
function isMostlyEmpty(column: string, { headers, samples }: File): boolean {
  const at = headers.indexOf(column)
  const filled = samples.filter((row) => (row[at] ?? '').trim() !== '').length
  return filled < (ofFitment.has(column) ? NEARLY : MOSTLY) * samples.length
}

const MOSTLY = 0.5
/** Of eBay's listings, those without fitment rows name their car in the title. */
const NEARLY = 0.95
const ofFitment: ReadonlySet<string> = new Set(ebayAddedColumns)

/** Whether another column names the parts, so that this one is a vehicle with its trim. */
const isTrimmed = (from: string, { mapping }: SplitTerms): boolean =>
  mapping.partname !== undefined && mapping.partname !== from

/** A column of years that the import could not read as it is. */
function yearOffer(terms: SplitTerms): SplitOffer[] {
  const from = terms.mapping.partyear
  if (from === undefined || isOfBuildDates(from)) return []
  const offer = offerOf({ from, as: 'years' }, terms, false)
  const odd = valuesOf(terms, from).filter(
    (text) => !isPlainYears(text) && split(text, { from, as: 'years' }, terms).problem === undefined,
  )
  return odd.length > 0 && offer.clear / offer.of >= CLEAR_FROM
    ? [
        {
          ...offer,
          examples: {
            ...offer.examples,
            rows: odd.slice(0, MOST_EXAMPLES).map((text) => example(text, terms)),
          },
        },
      ]
    : []
}

const example = (text: string, terms: SplitTerms): Example => ({
  text,
  fields: split(text, { from: terms.mapping.partyear ?? '', as: 'years' }, terms).fields,
})

function offerOf(split: ColumnSplit, terms: SplitTerms, isOn: boolean): SplitOffer {
  const values = valuesOf(terms, split.from)
  const carOf = carsBeside(terms, split)
  const read = values.map((text) => ({ text, ...readBeside(split, { text, car: carOf(text) }, terms) }))
  const clear = read.filter((cell) => cell.problem === undefined && isWhole(split, cell.fields))
  const rows = clear.slice(0, MOST_EXAMPLES)
  const fields = splitFields[split.as].filter(
    (field): field is keyof SplitCell['fields'] =>
      field !== 'partcategory' && clear.some((cell) => isIn(cell.fields, field)),
  )
  const unclear = read.find(({ problem }) => problem !== undefined)?.text
  return {
    split,
    isOn,
    clear: clear.length,
    of: Math.max(values.length, 1),
    examples: { fields, rows, unclear },
  }
}

const isIn = (fields: SplitCell['fields'], field: ImportField): boolean =>
  (fields as Partial<Record<ImportField, string>>)[field] !== undefined

const isWhole = ({ as }: ColumnSplit, fields: SplitCell['fields']): boolean =>
  as === 'years' || (fields.partmanu !== undefined && fields.partmodel !== undefined)

const split = (text: string, { as, from }: ColumnSplit, { vocabulary, year }: SplitTerms): SplitCell =>
  interpret(text, vocabulary, 'cell', { year, of: as, header: from }).read

const readCell = (of: ColumnSplit, text: string, terms: SplitTerms): SplitCell =>
  of.as === 'vehicle' ? knownVehicle(text, terms) : split(text, of, terms)

/** Make and model from other columns, by the values of this one: titles of a shop or an item list may leave them out. */
function carsBeside({ headers, samples, mapping }: SplitTerms, { from, as }: ColumnSplit) {
  const [at, makeAt, modelAt] = [from, mapping.partmanu ?? '', mapping.partmodel ?? ''].map((name) =>
    name === from && as !== 'title' ? -1 : headers.indexOf(name),
  )
  const cars = new Map(
    samples.flatMap((row) => {
      const car = [makeAt, modelAt]
        .map((other) => row[other ?? -1]?.trim() ?? '')
        .join(' ')
        .trim()
      return car === '' ? [] : [[row[at ?? -1]?.trim().slice(0, 200) ?? '', car] as const]
    }),
  )
  return (text: string) => cars.get(text) ?? ''
}

/** If no column has the year, a title provides it with the car. */
function readBeside(
  split: ColumnSplit,
  { text, car }: { text: string; car: string },
  terms: SplitTerms,
): SplitCell {
  const own = readCell(split, text, terms)
  if (own.problem === undefined || split.as !== 'title' || car === '') return own
  const found = readCell(split, `${car} ${text}`, terms)
  return found.problem === undefined && found.fields.partyear !== undefined ? found : own
}

/** For an offer, a new model doesn't count: "Ford tough" would be one, and so would the rest of a URL. */
function knownVehicle(text: string, terms: SplitTerms): SplitCell {
  const cell = split(text, { from: '', as: 'vehicle' }, terms)
  const { partmanu = '', partmodel = '', parttrim = '' } = cell.fields
  const { makes, models } = terms.vocabulary
  const make = makes.find(nameKey(partmanu))
  if (!make || !models.isModel(make.id, nameKey(partmodel), partmodel.split(' ').length)) {
    return { fields: {}, problem: cell.problem ?? `“${text}” has no model we know` }
  }
  return parttrim.split(' ').length > LONGEST_TRIM
    ? { fields: {}, problem: `“${text}” has more than a vehicle` }
    : cell
}

const LONGEST_TRIM = 4

function valuesOf({ headers, samples }: File, header: string): string[] {
  const at = headers.indexOf(header)
  const values = samples.flatMap((row) => row[at]?.trim().slice(0, 200) || [])
  return [...new Set(values)].slice(0, MOST_VALUES)
}

/**
 * Uses the split; fields mapped to this column now come from it, and so do those of a car whose own column was only a guess: the
 * brand of a tire, or a wheel's finish.
 */
export function withSplit(choice: ColumnChoice, split: ColumnSplit): ColumnChoice {
  const others = splitsOf(choice.mapping).filter(({ from }) => from !== split.from)
  const given = new Set<ImportField>(splitFields[split.as])
  const mapping = { ...choice.mapping }
  const reasons = { ...choice.reasons }
  for (const field of given) {
    const isGuess = split.as === 'vehicle' && vehicleImportFields.has(field) && reasons[field]?.sure === false
    if (mapping[field] !== split.from && !isGuess) continue
    delete mapping[field]
    delete reasons[field]
  }
  return {
    ...choice,
    mapping: withSplits(mapping, [...others, split]),
    reasons,
    first: choice.first.filter((field) => !given.has(field) || mapping[field] !== undefined),
    touched: true,
  }
}

const splitColumnOf = {
  title: 'partname',
  'priced title': 'partname',
  vehicle: undefined,
  years: 'partyear',
} as const

/** Maps the column back to the field it mainly contains. */
export function withoutSplit(choice: ColumnChoice, { from, as }: ColumnSplit): ColumnChoice {
  const rest = splitsOf(choice.mapping).filter((split) => split.from !== from)
  const field = splitColumnOf[as]
  const back = field && choice.mapping[field] === undefined ? { [field]: from } : {}
  return { ...choice, mapping: withSplits({ ...choice.mapping, ...back }, rest), touched: true }
}
