import { nameReader, shapesOf } from '#contract/column-mapping/value-shapes.ts'
import { headerName, matchHeader, nameSays } from '#contract/csv/field-headers.ts'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import type { CellKind } from './ruler.ts'

/* How well some words fit a kind of column. Above zero they belong in it, below zero they do not. */

const kindOfField: Partial<Record<ImportField, CellKind>> = {
  stocknum: 'stock',
  partyear: 'year',
  partmanu: 'make',
  partmodel: 'model',
  partname: 'part',
  partcategory: 'part',
  partside: 'side',
  partgrade: 'grade',
  partmiles: 'miles',
  partnum: 'number',
  partprice: 'price',
  partshipping: 'price',
  partquantity: 'quantity',
  vin: 'vin',
  damagecode: 'code',
}

const CODES =
  /interchange|hollander|\bic\b|intch|bin|shelf|loc|row|aisle|damage|dmg|code|status|stat|upc|sku/i
const MONEY = /price|cost|core|list|retail|wholesale|amount/i
const DATES = /date|dismantled|\bin\b/i

export function kindOfName(name: string): CellKind {
  const prepared = headerName(name)
  let best: { field: ImportField; score: number } | undefined
  for (const field of importFields) {
    const score = matchHeader(field, prepared)?.score ?? 0
    if (score > (best?.score ?? 0)) best = { field, score }
  }
  const kind = best && best.score >= 0.45 ? kindOfField[best.field] : undefined
  if (kind) return kind
  if (MONEY.test(name)) return 'price'
  if (DATES.test(name)) return 'date'
  return CODES.test(name) ? 'code' : 'text'
}

/** Whether a name is one that yards give to columns. */
export const isColumnName = (name: string): boolean => {
  const says = nameSays(name)
  return says === 'field' || says === 'other'
}

const readNames = nameReader(undefined)
const YEAR = /^(?:(?:19[2-9]\d|20[0-4]\d)(?:\s?[-–/]\s?(?:(?:19|20)?\d\d))?|['’]?\d\d(?:-\d\d)?)$/
const SIDE =
  /^(?:l|r|lh|rh|left|right|lf|rf|lr|rr|l\/h|r\/h|n|n\/a|both|pair|set|driver|pass|passenger|front|rear|frt|ctr|center|upper|lower|inner|outer|izq(?:uierda)?|der(?:echa)?)\.?$/i
const GRADE = /^(?:[a-dx][+-]?|grade\s?[a-d]|good|fair|poor|excellent|vg|exc|new|used|n\/a)$/i
const MILES =
  /^(?:\d{1,3}(?:,\d{3})+|\d{2,6}|\d{1,3}\s?k|tmu|exempt|unknown|n\/a)(?:\s?(?:mi|miles|km))?\.?$/i
const MONEY_VALUE = /^(?:us)?\$\s?[\d,]*\d(?:\.\d{1,2})?$|^\d{1,3}(?:,\d{3})*\.\d\d$|^\d+\.\d\d$/i
const PLAIN_AMOUNT = /^\d{1,5}$|^\d{1,3}(?:,\d{3})+$/
const NO_PRICE = /^(?:call|tbd|ask|sold|free|n\/a|poa)$/i
const PLACES =
  /^(?:front|rear|left|right|upper|lower|inner|outer|driver|passenger|frt|rr|lh|rh|lf|rf|side|center)$/i
const NOTHING = /^(?:-+|n\/a|none|\.)$/i

/** Whether a word may belong to a model's name: it names no place and no part. */
export const isOfModel = (word: string): boolean =>
  !PLACES.test(word) && !readNames(word).includes('partWords')

type Fit = (text: string, words: readonly string[]) => number
const single =
  (read: (text: string) => number): Fit =>
  (text, words) =>
    words.length === 1 ? read(text) : -5

/** Prices, miles and numbers of parts, which are not words of a name. */
const NO_WORD = /^\$|\d{5}|\d[.,]\d\d|^[A-Z0-9]*\d[A-Z0-9]*-\d/i

/** A year, or a span of years written as several words. */
const SPANS = [4, 3, 3]

const readers: Record<CellKind, Fit> = {
  stock: (text, words) => {
    if (words.length > 2) return -5
    const isCode = /^[A-Z0-9][A-Z0-9\-_/.#]*$/i.test(text) && /\d/.test(text)
    return words.length === 1 && isCode ? 3 : -4
  },
  year: (text, words) => (words.length <= 3 && YEAR.test(text) ? (SPANS[words.length - 1] ?? 3) : -6),
  make: (text, words) => {
    if (/\d/.test(text)) return -4
    if (readNames(text).includes('make')) return 4 + words.length / 10
    return words.length === 1 && /^\p{L}/u.test(text) ? 0 : -3
  },
  model: (text, words) => {
    if (words.some((word) => NO_WORD.test(word))) return -5
    const known = knownModelWords(words)
    if (words.some((word, at) => at >= known && PLACES.test(word))) return -4
    if (known === words.length) return 3 + words.length / 10
    if (known > 0) return 2.6 - restOfModel(words.slice(known))
    if (words.length > 1 && readNames(text).includes('partWords')) return -3
    return 0.5 - 0.7 * (words.length - 1)
  },
  part: (text, words) => {
    const odd = words.filter(
      (word) => /^\$|^\d{3,}$/.test(word) || NO_WORD.test(word) || NOTHING.test(word),
    ).length
    const isPart = odd === 0 && readNames(text).includes('partWords')
    return (isPart ? 3 : 0.3 - 0.1 * words.length) - 2 * odd - lonelySide(words)
  },
  side: single((text) => (SIDE.test(text) ? 2.5 : -4)),
  grade: (text, words) => (words.length <= 2 && GRADE.test(text) ? 2 : -4),
  miles: (text, words) => (words.length <= 2 && MILES.test(text) ? 2 + Number(text.includes(',')) : -5),
  number: (text, words) => {
    if (!/\d\D*\d\D*\d\D*\d/.test(text) || text.length > 24) return -3
    if (shapesOf(text).includes('partNumber')) return 3
    const isCode = words.length === 1 && /^[A-Z0-9][A-Z0-9\-./]{3,}$/i.test(text) && /\d/.test(text)
    return isCode ? 1.5 : -3
  },
  price: (text, words) => {
    if (words.length > 2) return -5
    if (MONEY_VALUE.test(text)) return 4
    if (PLAIN_AMOUNT.test(text)) return 1.5
    return NO_PRICE.test(text) ? 1 : -5
  },
  quantity: single((text) => (/^\d{1,3}(?:\.0+)?$/.test(text) ? 1.5 : -4)),
  vin: single((text) => (/^[A-HJ-NPR-Z0-9]{17}$/i.test(text) ? 5 : -5)),
  code: single((text) => (/^[A-Z0-9][A-Z0-9\-_/.#]*$/i.test(text) ? 0.5 : -2)),
  date: single((text) => (/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/.test(text) ? 3 : -4)),
  text: (_, words) => 0.2 - 0.05 * words.length,
}

/** How many of the first words form a known model. */
function knownModelWords(words: readonly string[]): number {
  for (let count = words.length; count > 0; count--) {
    if (readNames(words.slice(0, count).join(' ')).includes('model')) return count
  }
  return 0
}

/** "1500" after Silverado and "2.5 S" after Altima belong to the model; a part's name does not. */
const restOfModel = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + costInModel(word), 0)

function costInModel(word: string): number {
  if (/^\d|^[A-Z]{1,3}$|^\d?[A-Z]+-?\d/.test(word)) return 0.2
  return readNames(word).includes('partWords') ? 4 : 1.2
}

/** A side at the end of a part's name belongs in the sides column, if there is one. */
const lonelySide = (words: readonly string[]): number =>
  words.length > 1 && /^[LRN]$/.test(words.at(-1) ?? '') ? 1.5 : 0

const EMPTY: Partial<Record<CellKind, number>> = {
  stock: -6,
  year: -4,
  make: -4,
  model: -3,
  part: -5,
  price: -2,
  text: -0.1,
  side: -0.4,
}
/** The penalty for a column that is empty in a line. */
export const emptyFit = (kind: CellKind): number => EMPTY[kind] ?? -1

/** A dash or N/A in place of a value. */
const nothingFit = (kind: CellKind): number => (kind === 'make' || kind === 'year' ? -2 : 0)

/** The most words that a cell of a kind has. */
export const mostWords: Readonly<Record<CellKind, number>> = {
  stock: 1,
  year: 3,
  make: 3,
  model: 4,
  part: 9,
  side: 1,
  grade: 2,
  miles: 2,
  number: 5,
  price: 2,
  quantity: 1,
  vin: 1,
  code: 1,
  date: 1,
  text: 12,
}

// The words of a list repeat: makes, models, names of parts.
const known = new Map<CellKind, Map<string, number>>()
const MAX_KNOWN = 20_000

/** How well words fit a kind of column. */
export function fitOf(kind: CellKind, words: readonly string[]): number {
  const text = words.length === 1 ? (words[0] ?? '') : words.join(' ')
  const ofKind = known.get(kind) ?? new Map<string, number>()
  const before = ofKind.get(text)
  if (before !== undefined) return before
  const fit = NOTHING.test(text) ? nothingFit(kind) : readers[kind](text, words)
  if (ofKind.size >= MAX_KNOWN) ofKind.clear()
  known.set(kind, ofKind.set(text, fit))
  return fit
}
