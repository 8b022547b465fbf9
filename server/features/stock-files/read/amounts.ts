import {
  currencyIn,
  currencyName,
  currencyOfCell,
  currencyOfHeader,
  inDollars,
  isInCents,
  withoutCurrency,
} from '#contract/column-questions/currencies.ts'
import { findCurrencyColumn } from '#contract/column-questions/currency-columns.ts'
import type { ColumnAnswer, RateChoice } from '#contract/column-questions/questions.ts'
import { findColumn } from '#contract/csv/csv-header.ts'
import type { ImportField, ImportMapping } from '#contract/csv/import-fields.ts'
import { specOf, type TermField } from '#contract/listing/listing-fields.ts'
import { brokenRule, parseShipping, toWholeNumber } from '#contract/listing/listing-rules.ts'
import { readTerm, termRule, termText } from '#contract/listing/listing-terms.ts'
import { readPricedUnit } from '#contract/trade-language/set-prices.ts'
import { MILES_PER_KILOMETER, type MileUnit } from '#contract/vehicle/mile-units.ts'
import type { DecimalMark } from '#contract/yard-file/reading.ts'
import { saleStates } from '#server/features/finding/vocabulary/sale-states.ts'
import { remembering } from '#server/platform/recent-values.ts'
import type { ReadValue, RowIssueCode, ValueProblem } from './field-text.ts'

/*
 * Prices, quantities, miles and terms of sale as people write them. The decimal mark is decided for the whole column
 * (`yard-file/decimals.ts`), never guessed from a single value.
 */

const { stateOfSale } = saleStates

type Fault = 'none' | 'negative' | 'currency' | 'guess' | 'comma' | 'contradiction'
type Read = { readonly amount: string } | { readonly fault: Fault }

/** Nearly every price: digits, commas between thousands, a point before cents. */
const USUAL = /^(?:\$\s*)?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?$/
const LONGEST = 60

/** An amount as digits and a point, the form that listing rules require. */
function readAmount(text: string, mark: DecimalMark | undefined): Read {
  if (text.length > LONGEST) return { fault: 'none' }
  if (mark !== 'comma') {
    const [, whole, cents = ''] = USUAL.exec(text) ?? []
    if (whole !== undefined)
      return { amount: (whole.includes(',') ? whole.replaceAll(',', '') : whole) + cents }
  }
  if (!/\d/.test(text)) return { fault: 'none' }
  const priced = LETTERS.test(text) ? readPricedUnit(text) : undefined
  return priced ? readAmount(priced.amount, mark) : readUnusual(text, mark)
}

function readUnusual(text: string, mark: DecimalMark | undefined): Read {
  if (OTHER_CURRENCY.test(text)) return { fault: 'currency' }
  const bare = text.replace(CURRENCY_BEFORE, '').replace(AFTER, '').replace(NO_CENTS, '').trim()
  const [, thousands, rest = ''] = (mark !== 'comma' && IN_THOUSANDS.exec(bare)) || []
  if (thousands !== undefined) return { amount: String(Number(thousands + rest.padEnd(3, '0'))) }
  if (NEGATIVE.test(text) || NEGATIVE.test(bare)) return { fault: 'negative' }
  return readDigits(
    bare.replace(SPACED, (groups) => groups.replace(SPACES, '')),
    mark,
  )
}

const LETTERS = /\p{L}/u
const OTHER_CURRENCY = /[€£¥]|(?:^|[^a-z])(?:EUR|GBP|CAD|AUD|MXN|CHF)(?:[^a-z]|$)|[ACM]\$/i
const CURRENCY_BEFORE = /^(?:USD?\s*\$?|\$)\s*/i
const AFTER =
  /[\s,]*(?:(?:\$|USD?\s*\$?|dollars?)|(?:\/\s*|per\s+)?(?:pcs?|piece|unit)\.?|\(?(?:obo|o\.b\.o\.|or best offer|firm|neg(?:otiable|\.)?)\)?)$/i
/** "$1.4k" */
const IN_THOUSANDS = /^(\d{1,3})(?:\.(\d{1,2}))?\s?k$/i
/** "45.-" and "45,--" */
const NO_CENTS = /[.,]\s?[-–—]{1,2}$/
/** "-125", "(125)", and as accounting programs write it: "125.00-", "125.00 CR". */
const NEGATIVE = /^[-–−(]|\d\s*(?:[-–−]|CR)$/i
const SPACED = /^\d{1,3}(?:[ '\u00a0\u2009\u202f’]\d{3})+(?=$|[.,])/
const SPACES = /[ '\u00a0\u2009\u202f’]/g

const forms = {
  point: /^(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?$/,
  comma: /^(\d{1,3}(?:\.\d{3})+|\d*)(?:,(\d*))?$/,
} as const

function readDigits(digits: string, mark: DecimalMark | undefined): Read {
  const [, whole, cents = ''] = forms[mark ?? 'point'].exec(digits) ?? []
  if (whole === undefined) return { fault: faultOfOther(digits, mark) }
  const fault = faultOfCents(whole, cents, mark)
  if (fault) return { fault }
  const dollars = whole.replace(/[.,]/g, '') || '0'
  return { amount: cents === '' ? dollars : `${dollars}.${cents.slice(0, 2)}` }
}

function faultOfOther(digits: string, mark: DecimalMark | undefined): Fault {
  if (!forms[mark === 'comma' ? 'point' : 'comma'].test(digits)) return 'none'
  return mark === undefined ? 'comma' : 'contradiction'
}

/** Three digits after the mark are thousands with the other mark, or cents with more digits than needed. */
function faultOfCents(whole: string, cents: string, mark: DecimalMark | undefined): Fault | undefined {
  if (cents.length <= 2) return whole === '' && cents === '' ? 'none' : undefined
  if (cents.length === 3 && whole.length <= 3 && mark === undefined) return 'guess'
  if (/^0*$/.test(cents.slice(2))) return undefined
  return cents.length === 3 ? 'contradiction' : 'none'
}

type Amounts = { readonly label: string; readonly code: RowIssueCode; readonly rule: string }

/** The message for each fault, the same for every value, so that rows with the same mistake are counted together. */
function faultsOf(
  { label, code, rule }: Amounts,
  mark: DecimalMark | undefined,
): Record<Fault, ValueProblem> {
  const where = '(in the wizard, or with reading.decimals in the API)'
  const [marked, like, other] =
    mark === 'comma' ? ['commas', '1.299,50', 'point'] : ['points', '1,299.50', 'comma']
  const problem = (message: string): ValueProblem => ({ code, message })
  return {
    none: problem(rule),
    negative: problem(`${label} is below zero. ${rule}`),
    currency: problem(
      `${label} is in US dollars, but this value names another currency. Convert it, or remove the currency`,
    ),
    guess: problem(
      `${label} could be in thousands or have three decimals. Choose whether the column has decimal points or commas ${where}`,
    ),
    comma: problem(
      `${label} has a decimal comma. Choose decimal commas for the column ${where}, or use a decimal point, such as 1299.50`,
    ),
    contradiction: problem(
      `${label} is read with decimal ${marked} like the rest of its column, such as ${like}, but this value seems to have a decimal ${other}`,
    ),
  }
}

const PRICE: Amounts = {
  label: 'Price',
  code: 'INVALID_PRICE',
  rule: 'Price must be an amount in dollars from 0 to 99,999,999.99, such as 1299.50 or $1,299.50',
}

/** Yard programs write 0.00 where there is no price; only a word makes a part free. */
const NO_PRICE: ValueProblem = {
  code: 'INVALID_PRICE',
  message: 'Price is 0, which usually means that it is missing. Enter the price, or “free”',
}

/** "$1,299.00", "USD 1299", "1 299" and "1299.-" are 1299; "free" is 0. */
export function priceReader(mark: DecimalMark | undefined): ReadValue {
  const faults = faultsOf(PRICE, mark)
  return (text) => {
    const read = readAmount(text, mark)
    if ('fault' in read) return read.fault === 'none' && FREE.test(text) ? '0' : faults[read.fault]
    if (Number(read.amount) === 0) return NO_PRICE
    return brokenRule('partprice', read.amount, 0) ? faults.none : read.amount
  }
}

const SHIPPING: Amounts = {
  label: 'Shipping',
  code: 'INVALID_SHIPPING',
  rule: 'Shipping must be an amount such as 20, “Free”, “Flat $20” or “Pickup only”; an empty cell is shown as “Shipping on request”',
}
const FREE = /^(?:free|no charge|(?:free )?shipping included|included|free (?:shipping|s&h|delivery))[!.]?$/i
const PICKUP = /^(?:(?:local )?pick(?:-|\s)?up(?: only)?|will call|no shipping|not shipped|local only)[!.]?$/i
const FLAT = /^flat(?: ?rate)?\s*[:-]?\s*|\s*flat(?: ?rate)?$/gi

/** Values that the listing rule accepts stay as typed; other spellings become one that it accepts. */
export function shippingReader(mark: DecimalMark | undefined): ReadValue {
  const faults = faultsOf(SHIPPING, mark)
  return (text) => {
    if (text.length > LONGEST) return faults.none
    if (parseShipping(text) && !(mark === 'comma' && text.includes('.'))) return text
    if (FREE.test(text)) return 'Free'
    if (PICKUP.test(text)) return 'Pickup only'
    const read = readAmount(text.replace(FLAT, ''), mark)
    if ('fault' in read) return faults[read.fault]
    return brokenRule('partshipping', read.amount, 0) ? faults.none : read.amount
  }
}

const invalidQuantity: ValueProblem = {
  code: 'INVALID_NUMBER',
  message: 'Quantity must be a whole number from 0 to 1,000,000',
}
const PIECES = /\s*(?:ea|each|pcs?|pieces?|units?|in stock|on hand|available|avail|left|qty)\.?$/i
const SPACED_COUNT = /^\d{1,3}(?:[ '\u00a0\u2009\u202f’]\d{3})+(?=\D|$)/

/** "1 ea", "1.0" and "In stock" are 1, "2+" is 2. What was sold before it came in, -1, is 0. */
export const quantityReader: ReadValue = (text) => {
  if (text.length > LONGEST) return invalidQuantity
  const inStock = stockInWords(text)
  if (inStock !== undefined) return inStock
  const plain = text.includes(',') ? String(toWholeNumber(text)) : text
  if (!brokenRule('partquantity', plain, 0)) return plain
  const bare = text
    .replace(PIECES, '')
    .replace(SPACED_COUNT, (groups) => groups.replace(/\D/g, ''))
    .replace(/^(?:[>≥]|qty:?)\s*|\s*\+$/gi, '')
    .replace(/\.0+$/, '')
  if (/^-\d{1,6}$/.test(bare)) return '0'
  const value = toWholeNumber(bare)
  return Number.isNaN(value) || brokenRule('partquantity', String(value), 0) ? invalidQuantity : String(value)
}

/** A column "In stock?" has check boxes or words. */
function stockInWords(text: string): '0' | '1' | undefined {
  if (/^(?:true|yes|y|in[ -]?stock|available|low stock|last one|one)$/i.test(text)) return '1'
  if (/^(?:false|no|n|out of stock|oos|none|zero)$/i.test(text)) return '0'
  const state = stateOfSale('Status', text)
  return state === 'not for sale' ? '0' : undefined
}

const invalidMiles: ValueProblem = {
  code: 'INVALID_NUMBER',
  message: 'Miles must be a whole number from 0 to 9,999,999',
}
/** A number, "k" or "t" for thousands, and a unit: "87k", "98.5 k mi", "160 tkm", "160.000 km". */
const DISTANCE =
  /^(\d[\d.,' \u00a0\u2009\u202f’]*?)\s*(?:(k|t|thousand|tsd\.?)(?=\s|$|km|mi))?\s*(mi(?:les?|llas|\.)?|km?s?\.?|kilomet\p{L}*\.?|klms?)?$/iu

/**
 * Miles in the column's unit, unless the cell names its own: "150K miles" and "150,000 mi" are 150000, "160000 km" are
 * 99419.
 */
export function milesReader(unit: MileUnit | undefined): ReadValue {
  const isPlain = unit === undefined || unit === 'miles'
  const read = remembering((text) => {
    const miles = readMiles(text, unit)
    return miles === undefined || brokenRule('partmiles', String(miles), 0) ? invalidMiles : String(miles)
  }, MILES_REMEMBERED)
  return (text) => {
    // Yards write 0 where nobody knows.
    if (NO_MILES.test(text)) return ''
    if (isPlain && PLAIN_COUNT.test(text) && !brokenRule('partmiles', text, 0)) return text
    return text.length > LONGEST ? invalidMiles : read(text)
  }
}

/** The parts of a car are next to each other. */
const MILES_REMEMBERED = 500

const PLAIN_COUNT = /^\d{1,7}$/
const NO_MILES = /^0+(?:\.0+)?$/

function readMiles(text: string, unit: MileUnit = 'miles'): number | undefined {
  const [, digits = '', thousand, named = ''] = DISTANCE.exec(withK(text)) ?? []
  const isKilometers = named === '' ? unit.endsWith('kilometers') : /^k/i.test(named)
  const value = countIn(digits, isKilometers)
  if (value === undefined) return undefined
  // "98,213" in a column of thousands is in full.
  const ofColumn = unit.startsWith('thousand') && named === '' && value < 1_000
  const count = value * (thousand !== undefined || ofColumn ? 1_000 : 1)
  return Math.round(count * (isKilometers ? MILES_PER_KILOMETER : 1))
}

/** "98k km" has a thousand before its unit, "98 k" has one and no unit. */
const withK = (text: string): string => text.replace(/(\d)\s*k\s*(?=$|km\b|mi)/i, '$1 thousand ')

/** "98,213", "98 213" and "98213.4"; three digits after a point are thousands in countries that use kilometers. */
function countIn(digits: string, pointsGroup: boolean): number | undefined {
  const text = digits.trim().replaceAll(/[' \u00a0\u2009\u202f’]/g, '')
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/.test(text)) return Number(text.replaceAll(',', ''))
  if (pointsGroup && /^\d{1,3}(?:\.\d{3})+$/.test(text)) return Number(text.replaceAll('.', ''))
  return /^(?:\d{1,10}(?:[.,]\d{1,2})?|\d{4,7}\.0+)$/.test(text) ? Number(text.replace(',', '.')) : undefined
}

/* The terms of a sale as yards write them: "90 Day", "6 mo", "1 YR", "none", "20%", "$75.00", "AS IS". */

const daysIn: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 }
const DAYS = /^(\d{1,4})[ -]*(d|w|m|y)[a-z.]*(?: +(?:warranty|guarantee|returns?|money back.*))?$/i
const NONE = /^(?:none|no|no (?:warranty|returns?|core)|not accepted|returns ?not ?accepted)$/i
const EBAY_DAYS = /^days_(\d{1,3})$/i

/** A number of days or percent as digits. Months count 30 days and years 365, as warranties do. */
function digitsOf(field: TermField, text: string): string {
  if (NONE.test(text)) return field === 'coredays' ? '' : '0'
  if (field === 'restockpct') return text.replace(/\s*(?:%|percent|pct\.?)$/i, '')
  const [, count = '', unit = ''] = DAYS.exec(text) ?? []
  if (unit !== '') return String(Number(count) * (daysIn[unit.toLowerCase()] ?? 1))
  return EBAY_DAYS.exec(text)?.[1] ?? text
}

/** "Core $200" */
const LABELED = /^(?:core(?: charge| deposit)?|deposit)\s*[:=-]?\s*(?=\$|\d)/i
const amountOf = (text: string) =>
  NONE.test(text)
    ? '0'
    : text
        .replace(LABELED, '')
        .replace(/^(?:USD?\s*)?\$?\s*/i, '')
        .replaceAll(/,(?=\d{3}(?:\D|$))/g, '')

const plainTerm = {
  number: digitsOf,
  amount: (_: TermField, text: string) => amountOf(text),
  yes: (_: TermField, text: string) => text,
}

/** The reader of a term's column in a file. */
export function termReader(field: TermField): ReadValue {
  const problem: ValueProblem = { code: 'INVALID_TERM', message: termRule(field) }
  const asIs: ValueProblem = {
    code: 'INVALID_TERM',
    message: `${termRule(field)}. For “as is”, map a column to AS-IS and leave this cell empty`,
  }
  const read = plainTerm[specOf(field).type as keyof typeof plainTerm]
  return (text) => {
    if (text.length > 60) return problem
    const value = readTerm(field, read(field, text))
    if (value !== undefined) return termText(field, value)
    return /^as[ -]?is\b/i.test(text) ? asIs : problem
  }
}

/*
 * Amounts in other currencies: converted at the rate that the seller gave, or left out, and never read as dollars. A row's
 * column of currencies decides, then the cell, then the column's name; shipping and core charge follow the price.
 */

const moneyFields = ['partprice', 'partshipping', 'corecharge'] as const
type MoneyField = (typeof moneyFields)[number]
const isMoneyField = (field: string): field is MoneyField =>
  (moneyFields as readonly string[]).includes(field)

/** The source of an amount's currency: the header of its column, and the currency. */
type Said = { readonly column: string; readonly code: string }

/** Reads a column's amounts, and amounts in dollars as defaults are written. */
type MoneyReaders = { readonly read: ReadValue; readonly readDollars: ReadValue }

/** How to read a row's cells for a field. */
export type CellReading = {
  readonly read: ReadValue
  /** For a row whose other cells name its currency; undefined for other rows. */
  readonly readRow?: ((cells: readonly string[]) => ReadValue | undefined) | undefined
}

type FileTerms = {
  header: readonly string[]
  mapping: ImportMapping
  answers: readonly ColumnAnswer[]
  /** By its name if not given. */
  currencyColumn?: string | undefined
  /** Of amounts without one. */
  amounts?: string | undefined
}

/** How the cells of each field are read, as far as currencies matter; other fields keep their reader. */
export function moneyReadings({
  header,
  mapping,
  answers,
  currencyColumn,
  amounts,
}: FileTerms): (field: ImportField, readers: MoneyReaders) => CellReading {
  const rateOf = rates(answers)
  const at = (field: MoneyField) => findColumn(header, mapping[field] ?? '')
  const currencyAt = findCurrencyColumn(header, currencyColumn)
  const priceAt = at('partprice')
  const saidBy = (column: number): Said | undefined => {
    const code = column === -1 ? undefined : (currencyOfHeader(header[column] ?? '') ?? amounts)
    return code === undefined ? undefined : { column: header[column] ?? '', code }
  }
  const readAs = (field: MoneyField, readers: MoneyReaders, said: Said | undefined) => {
    const column = header[at(field)] ?? ''
    const read = isInCents(column) ? centsReader(readers.read) : readers.read
    return currencyReader({ ...readers, read, said, column, rateOf, label: labels[field] })
  }
  const saidInRow = (cells: readonly string[]): Said | undefined => {
    const sayingAt = currencyAt === -1 ? priceAt : currencyAt
    const cell = cells[sayingAt] ?? ''
    if (currencyAt === -1 && PLAIN_MONEY.test(cell)) return undefined
    const code = currencyAt === -1 ? currencyIn(cell) : currencyOfCell(cell)
    return code === undefined ? undefined : { column: header[sayingAt] ?? '', code }
  }
  const rowReader = (field: MoneyField, readers: MoneyReaders): CellReading['readRow'] => {
    // A price may name its currency itself.
    if (currencyAt === -1 && (field === 'partprice' || priceAt === -1)) return undefined
    const made = new Map<string, ReadValue>()
    return (cells) => {
      const said = saidInRow(cells)
      if (!said) return undefined
      const known = made.get(said.code) ?? readAs(field, readers, said)
      if (made.size < MOST_CURRENCIES) made.set(said.code, known)
      return known
    }
  }
  return (field, readers) =>
    isMoneyField(field)
      ? {
          read: readAs(field, readers, saidBy(at(field)) ?? saidBy(priceAt)),
          readRow: rowReader(field, readers),
        }
      : { read: readers.read }
}

// A file has a few; a column of other words must not fill the memory.
const MOST_CURRENCIES = 100

const labels: Record<MoneyField, string> = {
  partprice: 'Price',
  partshipping: 'Shipping',
  corecharge: 'Core charge',
}
const PLAIN_MONEY = /^[\s\d.,$]*$/

/**
 * The rate for a currency named in a column. An answer for that column comes first; one without a currency also
 * applies to other columns if it is the only one, since the last chunk refuses a file with more currencies than
 * answers.
 */
function rates(answers: readonly ColumnAnswer[]): (said: Said) => RateChoice | undefined {
  const given = answers.flatMap((answer) => (answer.kind === 'currency' ? [answer] : []))
  return ({ column, code }) => {
    const own = given.filter((answer) => answer.column === column)
    const found =
      own.find((answer) => answer.currency === code) ??
      own.find((answer) => answer.currency === undefined) ??
      given.find((answer) => answer.currency === code) ??
      (given.length === 1 ? given.find((answer) => answer.currency === undefined) : undefined)
    return found?.use
  }
}

/** 8500 under “Price (cents)” is 85.00; an amount with cents or a sign contradicts the name. */
function centsReader(read: ReadValue): ReadValue {
  return (text) => {
    const amount = read(text)
    if (typeof amount !== 'string' || !/[1-9]/.test(amount)) return amount
    return /^\d+$/.test(amount) && !text.includes('$') ? (Number(amount) / 100).toFixed(2) : NO_CENTS_READ
  }
}

const NO_CENTS_READ: ValueProblem = {
  code: 'INVALID_PRICE',
  message:
    'By its name the column is in cents, but this is no whole number. Choose dollars or cents for all rows',
}

type ReaderTerms = MoneyReaders & {
  /** The currency in the column's name or in the row. */
  said: Said | undefined
  column: string
  rateOf: (said: Said) => RateChoice | undefined
  label: string
}

function currencyReader({ read, readDollars, said, column, rateOf, label }: ReaderTerms): ReadValue {
  return (text) => {
    const own = currencyIn(text)
    const currency = own === undefined ? said : { column, code: own }
    if (currency === undefined || currency.code === 'USD') return read(text)
    const amount = readEither(read, withoutCurrency(text))
    // “Free” and “Pickup only” are the same in every currency.
    if (typeof amount !== 'string' || !/\d/.test(amount)) return amount
    const rate = rateOf(currency)
    if (typeof rate !== 'number') return otherCurrency(label, currency.code, rate)
    return readDollars(amount.replace(NUMBER, (digits) => inDollars(digits.replaceAll(',', ''), rate)))
  }
}

/** “184,95 €” typed between the numbers of a workbook: two digits behind the last mark can only be cents. */
function readEither(read: ReadValue, amount: string): ReturnType<ReadValue> {
  const found = read(amount)
  // “1.130 €” is a thousand and more to who wrote it, whatever mark the column's numbers have.
  if (THREE_DIGITS.test(amount) && typeof found === 'string' && Number(found) < MOST_WITH_THREE) return GUESS
  if (typeof found === 'string') return found
  const [, whole, cents] = COMMA_CENTS.exec(amount) ?? []
  const [, dollars, other] = POINT_CENTS.exec(amount) ?? []
  const digits = (whole ?? dollars ?? '').replaceAll(/\D/g, '')
  const again = whole === undefined ? `${digits},${other}` : `${digits}.${cents}`
  const turned = digits === '' ? found : read(again)
  return typeof turned === 'string' ? turned : found
}

const THREE_DIGITS = /^\d{1,3}[.,]\d{3}$/
const MOST_WITH_THREE = 1_000
const GUESS: ValueProblem = {
  code: 'INVALID_PRICE',
  message: 'Price could be in thousands or have three decimals. Write it with its cents, such as 1130.00',
}
const COMMA_CENTS = /^(\d{1,3}(?:[.' ]\d{3})*|\d+),(\d\d)$/
const POINT_CENTS = /^(\d{1,3}(?:[,' ]\d{3})*|\d+)\.(\d\d)$/
const NUMBER = /\d[\d,]*(?:\.\d+)?/

/** The same for every value, so that rows are counted together. */
function otherCurrency(label: string, code: string, choice: 'leave-out' | undefined): ValueProblem {
  const what = `${label} is in ${currencyName(code)}`
  const message =
    choice === 'leave-out'
      ? `${what}. You chose to leave these parts out`
      : `${what}, and we list in US dollars. Enter a rate for the column, or leave these parts out`
  return { code: 'OTHER_CURRENCY', message }
}
