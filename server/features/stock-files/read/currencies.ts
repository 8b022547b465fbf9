import {
  currencyIn,
  currencyName,
  currencyOfCell,
  currencyOfHeader,
  findCurrencyColumn,
  inDollars,
  withoutCurrency,
} from '#contract/column-questions/currencies.ts'
import type { ColumnAnswer, RateChoice } from '#contract/column-questions/questions.ts'
import { findColumn } from '#contract/csv/csv-header.ts'
import type { ImportField, ImportMapping } from '#contract/csv/import-fields.ts'
import type { ReadValue, ValueProblem } from './field-text.ts'

/*
 * Amounts in other currencies: converted at the rate that the seller gave, or left out, and never read as dollars. A row's
 * column of currencies decides, then the cell, then the column's name; shipping and core charge follow the price.
 */

const moneyFields = ['partprice', 'partshipping', 'corecharge'] as const
type MoneyField = (typeof moneyFields)[number]
const isMoneyField = (field: string): field is MoneyField =>
  (moneyFields as readonly string[]).includes(field)

/** Where an amount's currency is said: the header of that column, and the currency. */
type Said = { readonly column: string; readonly code: string }

/** Reads a column's amounts, and amounts in dollars as defaults are written. */
type MoneyReaders = { readonly read: ReadValue; readonly readDollars: ReadValue }

/** How a row's cells of a field are read. */
export type CellReading = {
  readonly read: ReadValue
  /** For a row whose other cells say its currency; undefined for any other row. */
  readonly readRow?: ((cells: readonly string[]) => ReadValue | undefined) | undefined
  /** Columns of the same price, best first: the first that has one counts. */
  readonly paidAt?: readonly number[] | undefined
}

type FileTerms = {
  header: readonly string[]
  mapping: ImportMapping
  answers: readonly ColumnAnswer[]
}

/** How the cells of each field are read, as far as currencies matter; other fields keep their reader. */
export function moneyReadings({
  header,
  mapping,
  answers,
}: FileTerms): (field: ImportField, readers: MoneyReaders) => CellReading {
  const rateOf = rates(answers)
  const at = (field: MoneyField) => findColumn(header, mapping[field] ?? '')
  const currencyAt = findCurrencyColumn(header)
  const priceAt = at('partprice')
  const saidBy = (column: number): Said | undefined => {
    const code = column === -1 ? undefined : currencyOfHeader(header[column] ?? '')
    return code === undefined ? undefined : { column: header[column] ?? '', code }
  }
  const readAs = (field: MoneyField, readers: MoneyReaders, said: Said | undefined) =>
    currencyReader({ ...readers, said, column: header[at(field)] ?? '', rateOf, label: labels[field] })
  const saidInRow = (cells: readonly string[]): Said | undefined => {
    const sayingAt = currencyAt === -1 ? priceAt : currencyAt
    const cell = cells[sayingAt] ?? ''
    if (currencyAt === -1 && PLAIN.test(cell)) return undefined
    const code = currencyAt === -1 ? currencyIn(cell) : currencyOfCell(cell)
    return code === undefined ? undefined : { column: header[sayingAt] ?? '', code }
  }
  const rowReader = (field: MoneyField, readers: MoneyReaders): CellReading['readRow'] => {
    // A price says its own currency.
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
          paidAt: field === 'partprice' ? pricesInOrder(header, priceAt) : undefined,
        }
      : { read: readers.read }
}

// A file has a few; a column of other words must not fill the memory.
const MOST_CURRENCIES = 100

/** Columns that shops write beside each other: what a buyer pays if it is filled, and what it costs otherwise. */
const SALE_PRICES: readonly (readonly [sale: string, regular: string])[] = [
  ['saleprice', 'regularprice'],
  ['onlinesaleprice', 'price'],
  ['specialprice', 'price'],
]

function pricesInOrder(header: readonly string[], priceAt: number): number[] | undefined {
  const names = header.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ''))
  const pair = SALE_PRICES.map(([sale, regular]) => [names.indexOf(sale), names.indexOf(regular)]).find(
    (columns) => columns.includes(priceAt) && !columns.includes(-1),
  )
  return priceAt === -1 ? undefined : pair
}

/** The cell of the first of these columns that has an amount. */
export function paidCell(cells: readonly string[], columns: readonly number[]): string {
  const filled = columns.map((column) => (cells[column] ?? '').trim()).filter((cell) => cell !== '')
  return filled.find((cell) => /[1-9]/.test(cell)) ?? filled[0] ?? ''
}

const labels: Record<MoneyField, string> = {
  partprice: 'Price',
  partshipping: 'Shipping',
  corecharge: 'Core charge',
}
const PLAIN = /^[\s\d.,$]*$/

/**
 * The rate for a currency said in a column. An answer for that column comes first; one without a currency also goes for
 * other columns if it is the only one, since the last chunk refuses a file with more currencies than answers.
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

type ReaderTerms = MoneyReaders & {
  /** What the column's name or the row says. */
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
    const amount = read(withoutCurrency(text))
    // “Free” and “Pickup only” are the same in every currency.
    if (typeof amount !== 'string' || !/\d/.test(amount)) return amount
    const rate = rateOf(currency)
    if (typeof rate !== 'number') return otherCurrency(label, currency.code, rate)
    return readDollars(amount.replace(NUMBER, (digits) => inDollars(digits.replaceAll(',', ''), rate)))
  }
}

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

/** One sentence is enough for a row whose price and shipping are in the same currency. */
export const isToldOnce = ({ code }: ValueProblem, issues: readonly { code: string }[]): boolean =>
  code === 'OTHER_CURRENCY' && issues.some((issue) => issue.code === code)
