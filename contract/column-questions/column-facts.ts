import { suggestColumns } from '#contract/column-mapping/suggest-columns.ts'
import type { SaleStates } from '#contract/column-questions/sale-states.ts'
import { findColumn } from '#contract/csv/csv-header.ts'
import { type ImportMapping, importFields } from '#contract/csv/import-fields.ts'
import { currencyIn, currencyOfCell } from './currencies.ts'
import { findCurrencyColumn } from './currency-columns.ts'
import { type MoneyColumn, moneyColumns, namesPrice } from './money-columns.ts'

/*
 * Facts about the columns of a whole file that may be misread, counted row by row in each chunk and merged at the
 * end. Their size is bounded, however long the file is. Only columns that may raise a question are examined, with
 * cheap tests: a million rows take a third of a second more.
 */

type Counted = [value: string, rows: number][]

/** How the numbers of the price's column look. */
export type PriceFacts = {
  rows: number
  /** Digits alone, without cents or a sign. */
  whole: number
  /** Prices that also begin another cell of their row: 638 and 638-66387. */
  prefixes: number
  /** One more than in the row before. */
  next: number
  /** Five digits. */
  five: number
  /** Repeats the amount that this kind of part had before. */
  ofKind: number
  sameAsKind: number
  first: string[]
}

/** Amounts of a column by the currency in their cell or row; '' if there is none. */
type CurrencyFacts = Record<string, { rows: number; first: string[] }>

export type MilesFacts = {
  kilometers: number
  miles: number
  /** Numbers without a unit, and how many of them are from 1 to 400 or more. */
  bare: number
  low: number
  high: number
  first: string[]
  firstLow: string[]
  firstHigh: string[]
  /** Such as 145000, which cannot be a number of thousands. */
  firstFull: string[]
}

export type ColumnFacts = {
  rows: number
  /** Rows whose columns without a name for states were looked at. */
  looked: number
  /** By the header of the price's column; two if an answer chose another one. */
  prices: Record<string, PriceFacts>
  /** By the header of a column of money or of currencies. */
  currencies: Record<string, CurrencyFacts>
  miles: MilesFacts | null
  /** Words by the header of a column that may contain sale states; null if it has too many different words. */
  states: Record<string, Counted | null>
  /** Columns of amounts, in the first rows of the file. */
  money: MoneyColumn[] | null
  /** The column that by those rows is most likely the price, and how likely; undefined if there is none. */
  likelyPrice?: { column: string; confidence: number } | undefined
}

// A column of states has a few words; more are towns, colors or notes.
const MOST_STATES = 30
const LONGEST_STATE = 40
/** For a column whose header does not suggest sale states. */
export const MAX_UNNAMED_STATES = 8
const MOST_FIRST = 3
const MOST_KINDS = 100
/** Looked at for the other columns of money. */
const SAMPLE_ROWS = 200
/** The first rows of each chunk, to find sale states below headers that do not suggest them. */
const LOOKED_ROWS = 5_000

export type FactTerms = {
  header: readonly string[]
  /** As it is read, and as it was before an answer chose another column. */
  mapping: ImportMapping
  asMapped: ImportMapping
  saleStates: Pick<SaleStates, 'columnOf'>
  /** As the file is read; by its name if not given. */
  currencyColumn?: string | undefined
  /** Whether these are the first rows of the file. */
  isFirst: boolean
}

export type FactCounter = {
  add(cells: readonly string[]): void
  facts(): ColumnFacts
}

/** Counts the facts of a file, or of one of its chunks. */
export function countFacts(terms: FactTerms): FactCounter {
  const { header, mapping, asMapped, isFirst } = terms
  const at = (name: string | undefined) => (name === undefined ? -1 : findColumn(header, name))
  const columns = (names: readonly (string | undefined)[]) =>
    [...new Set(names.map(at))].filter((column) => column !== -1)
  const nameAt = at(mapping.partname ?? mapping.partcategory)
  const prices = columns([mapping.partprice, asMapped.partprice]).map(
    (column) => new PriceCounter(header, { column, nameAt }),
  )
  const money = columns([mapping.partprice, asMapped.partprice, mapping.partshipping, mapping.corecharge])
  const currencyAt = money.length === 0 ? -1 : findCurrencyColumn(header, terms.currencyColumn)
  const currencies = [
    ...money.map((column) => ({ column, isAmount: true })),
    ...(currencyAt === -1 ? [] : [{ column: currencyAt, isAmount: false }]),
  ].map((column) => new CurrencyCounter(header, column))
  const miles = new MilesCounter(at(mapping.partmiles))
  const states = new StateCounters(terms)
  const sample: (readonly string[])[] = []
  let rows = 0
  return {
    add(cells) {
      rows += 1
      for (const counter of prices) counter.add(cells)
      for (const counter of currencies) counter.add(cells)
      miles.add(cells)
      states.add(cells)
      if (isFirst && sample.length < SAMPLE_ROWS) sample.push(cells)
    },
    facts: () => ({
      rows,
      looked: states.looked,
      prices: Object.fromEntries(prices.map(({ name, facts }) => [name, facts])),
      currencies: Object.fromEntries(currencies.map(({ name, facts }) => [name, facts])),
      miles: miles.facts,
      states: states.facts,
      money: isFirst ? moneyColumns(header, sample) : null,
      ...(isFirst && prices.length > 0 && { likelyPrice: likelyPrice(header, sample) }),
    }),
  }
}

function likelyPrice(header: readonly string[], rows: readonly (readonly string[])[]) {
  const found = suggestColumns(header, rows).partprice
  return found && { column: found.header, confidence: found.confidence }
}

const pushFirst = (first: string[], text: string) => {
  if (first.length < MOST_FIRST && !first.includes(text)) first.push(text.slice(0, LONGEST_STATE))
}

const WHOLE = /^\d{1,9}$/
/** How far a number that begins with the code may be from it. */
const NEAR = 6
const DASH = 0x2d
const SEARCHED_ROWS = 500

class PriceCounter {
  readonly name: string
  readonly facts: PriceFacts = {
    ...{ rows: 0, whole: 0, prefixes: 0, next: 0, five: 0, ofKind: 0, sameAsKind: 0 },
    first: [],
  }
  readonly #column: number
  readonly #nameAt: number
  /** Below a price header, numbers that do not begin another number are not codes. */
  readonly #isNamed: boolean
  readonly #kinds = new Map<string, string>()
  #before = Number.NaN

  constructor(header: readonly string[], { column, nameAt }: { column: number; nameAt: number }) {
    this.name = header[column] ?? ''
    this.#column = column
    this.#nameAt = nameAt
    this.#isNamed = namesPrice(this.name)
  }

  add(cells: readonly string[]): void {
    const cell = cells[this.#column] ?? ''
    if (cell === '') return
    const { facts } = this
    facts.rows += 1
    // After this many rows, the amounts below a price header are clearly not codes.
    if (this.#isNamed && facts.rows > SEARCHED_ROWS && facts.prefixes === 0) return
    const text = cell.trim()
    if (facts.first.length < MOST_FIRST) pushFirst(facts.first, text)
    if (WHOLE.test(text)) this.#addWhole(text, cells)
    else this.#before = Number.NaN
  }

  #addWhole(text: string, cells: readonly string[]): void {
    const { facts } = this
    facts.whole += 1
    if (text.length > 1 && text.length < 5 && this.#isPrefix(text, cells)) facts.prefixes += 1
    if (this.#isNamed) return
    if (text.length === 5) facts.five += 1
    const number = Number(text)
    if (number === this.#before + 1) facts.next += 1
    this.#before = number
    if (this.#nameAt !== -1) this.#addKind(cells[this.#nameAt] ?? '', text)
  }

  #isPrefix(code: string, cells: readonly string[]): boolean {
    const to = Math.min(cells.length, this.#column + NEAR + 1)
    for (let other = Math.max(0, this.#column - NEAR); other < to; other++) {
      const cell = cells[other]
      if (cell?.startsWith(code) && cell.charCodeAt(code.length) === DASH) return true
    }
    return false
  }

  #addKind(kind: string, amount: string): void {
    const known = this.#kinds.get(kind)
    if (known === undefined) {
      if (this.#kinds.size < MOST_KINDS) this.#kinds.set(kind, amount)
      return
    }
    this.facts.ofKind += 1
    if (known === amount) this.facts.sameAsKind += 1
  }
}

const DOLLAR = 0x24
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Whether an amount begins and ends with digits, apart from a dollar sign. A currency would be before or after it. */
function isPlainAmount(text: string): boolean {
  const first = text.charCodeAt(0) === DOLLAR ? 1 : 0
  return isDigit(text.charCodeAt(first)) && isDigit(text.charCodeAt(text.length - 1))
}

class CurrencyCounter {
  readonly name: string
  readonly #column: number
  readonly #isAmount: boolean
  readonly #counts = new Map<string, CurrencyFacts[string]>()

  /** For a column of amounts or currencies. */
  constructor(header: readonly string[], { column, isAmount }: { column: number; isAmount: boolean }) {
    this.name = header[column] ?? ''
    this.#column = column
    this.#isAmount = isAmount
  }

  get facts(): CurrencyFacts {
    return Object.fromEntries(this.#counts)
  }

  add(cells: readonly string[]): void {
    const text = cells[this.#column] ?? ''
    if (text !== '') this.#addAs(this.#currencyOf(text) ?? '', text)
  }

  /** Almost no amount names its currency. */
  #currencyOf(text: string): string | undefined {
    if (!this.#isAmount) return currencyOfCell(text)
    return isPlainAmount(text) ? undefined : currencyIn(text)
  }

  #addAs(currency: string, text: string): void {
    let known = this.#counts.get(currency)
    if (!known) {
      if (this.#counts.size > MOST_STATES) return
      known = { rows: 0, first: [] }
      this.#counts.set(currency, known)
    }
    known.rows += 1
    if (known.first.length < MOST_FIRST) pushFirst(known.first, text.trim())
  }
}

const BARE = /^(?:\d{1,3}(?:[,. ]\d{3})+|\d{1,7})(?:\.0+)?$/
const KILOMETERS = /\d\s*k(?:m|ms|ilomet\w*|il[óo]metros?)\.?$/i
const MILES = /\d\s*k?\s*(?:mi|miles?|millas?)\.?$/i
/** No car has more, if a yard counts in thousands. */
const MOST_THOUSANDS = 400
const LEAST_FULL = 1_000
const POINT = 0x2e

/** "98213" and "98,213", as almost every cell is. */
const isFull = (text: string): boolean =>
  text.length > 3 &&
  text.length < 9 &&
  isDigit(text.charCodeAt(0)) &&
  isDigit(text.charCodeAt(text.length - 1)) &&
  text.charCodeAt(text.length - 2) !== POINT

class MilesCounter {
  readonly #column: number
  readonly #facts: MilesFacts = {
    ...{ kilometers: 0, miles: 0, bare: 0, low: 0, high: 0 },
    ...{ first: [], firstLow: [], firstHigh: [], firstFull: [] },
  }

  constructor(column: number) {
    this.#column = column
  }

  get facts(): MilesFacts | null {
    return this.#column === -1 ? null : this.#facts
  }

  add(cells: readonly string[]): void {
    const cell = this.#column === -1 ? '' : (cells[this.#column] ?? '')
    if (cell === '') return
    const facts = this.#facts
    if (facts.first.length < MOST_FIRST) pushFirst(facts.first, cell.trim())
    if (facts.firstFull.length === MOST_FIRST && isFull(cell)) {
      facts.bare += 1
      facts.high += 1
    } else this.#addText(cell.trim())
  }

  #addText(text: string): void {
    if (BARE.test(text)) this.#addBare(text)
    else if (KILOMETERS.test(text)) this.#facts.kilometers += 1
    else if (MILES.test(text)) this.#facts.miles += 1
  }

  #addBare(text: string): void {
    const facts = this.#facts
    facts.bare += 1
    const number = Number(text.replace(/\.0+$/, '').replaceAll(/\D/g, ''))
    if (number > MOST_THOUSANDS) {
      facts.high += 1
      pushFirst(facts.firstHigh, text)
      if (number >= LEAST_FULL) pushFirst(facts.firstFull, text)
    } else if (number > 0) {
      facts.low += 1
      pushFirst(facts.firstLow, text)
    }
  }
}

type StateColumn = {
  readonly name: string
  readonly column: number
  readonly counts: Map<string, { rows: number }>
  /** A column with more distinct words does not contain sale states. */
  readonly most: number
  readonly isNamed: boolean
  isFull: boolean
}

/** The words of columns that may contain sale states. A column with too many is dropped. */
class StateCounters {
  /** Rows whose unnamed columns were looked at. */
  looked = 0
  #isPast = false
  readonly #all: StateColumn[]
  #open: StateColumn[]

  constructor({ header, mapping, saleStates }: FactTerms) {
    const fields = new Map(
      importFields.flatMap((field) => {
        const name = mapping[field]
        return name === undefined ? [] : [[findColumn(header, name), field] as const]
      }),
    )
    this.#all = header.flatMap((name, column) => {
      const says = saleStates.columnOf(name)
      const field = fields.get(column)
      const isRead = field !== undefined && (says === undefined || field === 'partquantity')
      // Notes may have a few words only.
      const isOther =
        (isRead && field !== 'partdescription') ||
        says === 'place' ||
        says === 'sold date' ||
        says === 'customer'
      const isNamed = says !== undefined
      const most = isNamed ? MOST_STATES : MAX_UNNAMED_STATES
      return isOther ? [] : [{ name, column, counts: new Map(), most, isNamed, isFull: false }]
    })
    this.#open = this.#all
  }

  add(cells: readonly string[]): void {
    this.looked += Number(this.looked < LOOKED_ROWS)
    if (this.looked === LOOKED_ROWS && !this.#isPast) {
      this.#isPast = true
      this.#open = this.#open.filter(({ isNamed }) => isNamed)
    }
    for (const state of this.#open) {
      const text = cells[state.column] ?? ''
      if (text === '') continue
      const known = state.counts.get(text)
      if (known) known.rows += 1
      else this.#addWord(state, text)
    }
  }

  #addWord(state: StateColumn, text: string): void {
    if (text.length > LONGEST_STATE || state.counts.size >= state.most) {
      state.isFull = true
      this.#open = this.#open.filter(({ isFull }) => !isFull)
    } else state.counts.set(text, { rows: 1 })
  }

  get facts(): ColumnFacts['states'] {
    return Object.fromEntries(
      this.#all
        .filter(({ counts }) => counts.size > 0)
        .map(({ name, counts, isFull }) => [
          name,
          isFull ? null : trimmedCounts([...counts].map(([value, { rows }]) => [value, rows])),
        ]),
    )
  }
}

function trimmedCounts(counts: Counted): Counted {
  const sums = new Map<string, number>()
  for (const [value, rows] of counts) {
    const text = value.trim()
    if (text !== '') sums.set(text, (sums.get(text) ?? 0) + rows)
  }
  return [...sums]
}

/* Joining. */

const joinFirst = (one: readonly string[], other: readonly string[]) =>
  [...new Set([...one, ...other])].slice(0, MOST_FIRST)

/** Adds up numbers, and keeps the first of the texts. */
function joinRecords<T extends object>(one: T, other: T): T {
  const joined = Object.entries(one).map(([name, value]) => {
    const added = (other as Record<string, unknown>)[name]
    if (Array.isArray(value)) return [name, joinFirst(value, Array.isArray(added) ? added : [])]
    return [name, Number(value) + Number(added ?? 0)]
  })
  return Object.fromEntries(joined) as T
}

/** Keys are headers, which may be the names of properties that every object has. */
function joinByName<T>(
  one: Record<string, T>,
  other: Record<string, T>,
  join: (a: T, b: T) => T,
): Record<string, T> {
  const joined = new Map(Object.entries(one))
  for (const [name, value] of Object.entries(other)) {
    const before = joined.get(name)
    joined.set(name, before === undefined ? value : join(before, value))
  }
  return Object.fromEntries(joined)
}

/** The facts found below a header. */
export const factOf = <T>(facts: Readonly<Record<string, T>>, column: string): T | undefined =>
  Object.hasOwn(facts, column) ? facts[column] : undefined

function joinStates(one: Counted | null, other: Counted | null): Counted | null {
  if (one === null || other === null) return null
  const sums = trimmedCounts([...one, ...other])
  return sums.length > MOST_STATES ? null : sums
}

/** The facts of two parts of a file, in its order. */
export const joinFacts = (one: ColumnFacts, other: ColumnFacts): ColumnFacts => ({
  rows: one.rows + other.rows,
  looked: one.looked + other.looked,
  prices: joinByName(one.prices, other.prices, joinRecords),
  currencies: joinByName(one.currencies, other.currencies, (a, b) => joinByName(a, b, joinRecords)),
  miles: one.miles && other.miles ? joinRecords(one.miles, other.miles) : (one.miles ?? other.miles),
  states: joinByName(one.states, other.states, joinStates),
  money: one.money ?? other.money,
  ...((one.likelyPrice ?? other.likelyPrice) && { likelyPrice: one.likelyPrice ?? other.likelyPrice }),
})
