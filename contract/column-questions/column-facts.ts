import { findColumn } from '#contract/csv/csv-header.ts'
import { type ImportMapping, importFields } from '#contract/csv/import-fields.ts'
import type { SaleStates } from '#contract/trade-language/sale-states.ts'
import { currencyIn, currencyOfCell, findCurrencyColumn } from './currencies.ts'
import { type MoneyColumn, moneyColumns } from './money-columns.ts'

/*
 * What the values of a whole file say of the columns that may be misread: counted row by row in each chunk, joined when all
 * are in. Bounded, however long the file is. Only columns that may be asked about are looked at, and with cheap tests: a
 * million rows take a third of a second more.
 */

type Counted = [value: string, rows: number][]

/** How the numbers of the price's column look. */
export type PriceFacts = {
  rows: number
  /** Digits alone, without cents or a sign. */
  whole: number
  /** Also the beginning of another cell of their row: 638 beside 638-66387. */
  prefixes: number
  /** One more than in the row before. */
  next: number
  /** Five digits. */
  five: number
  /** Of a kind of part that was seen before, and with the amount that it had. */
  ofKind: number
  sameAsKind: number
  first: string[]
}

/** Amounts of a column by the currency that their cells or rows say; '' where they say none. */
export type CurrencyFacts = Record<string, { rows: number; first: string[] }>

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
  /** Such as 145000, which is no number of thousands. */
  firstFull: string[]
}

export type ColumnFacts = {
  rows: number
  /** By the header of the price's column; two if an answer chose another one. */
  prices: Record<string, PriceFacts>
  /** By the header of a column of money or of currencies. */
  currencies: Record<string, CurrencyFacts>
  miles: MilesFacts | null
  /** Words by the header of a column that may say states of sale; null if it has too many for that. */
  states: Record<string, Counted | null>
  /** Columns of amounts, in the first rows of the file. */
  money: MoneyColumn[] | null
}

// A column of states has a few words; more are towns, colors or notes.
const MOST_STATES = 30
const LONGEST_STATE = 40
const MOST_FIRST = 3
const MOST_KINDS = 100
/** Looked at for the other columns of money. */
const SAMPLE_ROWS = 200

export type FactTerms = {
  header: readonly string[]
  /** As it is read, and as it was before an answer chose another column. */
  mapping: ImportMapping
  asMapped: ImportMapping
  saleStates: Pick<SaleStates, 'columnOf'>
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
  const prices = columns([mapping.partprice, asMapped.partprice]).map((column) =>
    priceCounter(header, { column, nameAt }),
  )
  const currencyAt = findCurrencyColumn(header)
  const money = columns([mapping.partprice, asMapped.partprice, mapping.partshipping, mapping.corecharge])
  const currencies = [
    ...money.map((column) => currencyCounter(header, { column, read: currencyIn })),
    ...(currencyAt === -1 || money.length === 0
      ? []
      : [currencyCounter(header, { column: currencyAt, read: currencyOfCell })]),
  ]
  const miles = milesCounter(at(mapping.partmiles))
  const states = stateCounters(terms)
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
      prices: Object.fromEntries(prices.map(({ name, facts }) => [name, facts])),
      currencies: Object.fromEntries(currencies.map(({ name, facts }) => [name, facts])),
      miles: miles.facts,
      states: states.facts(),
      money: isFirst ? moneyColumns(header, sample) : null,
    }),
  }
}

const pushFirst = (first: string[], text: string) => {
  if (first.length < MOST_FIRST && !first.includes(text)) first.push(text.slice(0, LONGEST_STATE))
}

const WHOLE = /^\d{1,9}$/
/** How far a number that begins with the code may be from it. */
const NEAR = 6

function priceCounter(header: readonly string[], { column, nameAt }: { column: number; nameAt: number }) {
  const facts: PriceFacts = {
    ...{ rows: 0, whole: 0, prefixes: 0, next: 0, five: 0, ofKind: 0, sameAsKind: 0 },
    first: [],
  }
  const from = Math.max(0, column - NEAR)
  const to = Math.min(header.length, column + NEAR + 1)
  const kinds = new Map<string, string>()
  let before = Number.NaN
  const isPrefix = (code: string, cells: readonly string[]) => {
    for (let other = from; other < to; other++) {
      const cell = cells[other]
      if (other !== column && cell?.startsWith(code) && cell.charCodeAt(code.length) === DASH) return true
    }
    return false
  }
  const addKind = (kind: string, amount: string) => {
    const known = kinds.get(kind)
    if (known === undefined) {
      if (kinds.size < MOST_KINDS) kinds.set(kind, amount)
      return
    }
    facts.ofKind += 1
    if (known === amount) facts.sameAsKind += 1
  }
  return {
    name: header[column] ?? '',
    facts,
    add(cells: readonly string[]) {
      const text = (cells[column] ?? '').trim()
      if (text === '') return
      facts.rows += 1
      if (facts.first.length < MOST_FIRST) pushFirst(facts.first, text)
      if (!WHOLE.test(text)) {
        before = Number.NaN
        return
      }
      facts.whole += 1
      if (text.length === 5) facts.five += 1
      const number = Number(text)
      if (number === before + 1) facts.next += 1
      before = number
      if (text.length > 1 && text.length < 5 && isPrefix(text, cells)) facts.prefixes += 1
      if (nameAt !== -1) addKind(cells[nameAt] ?? '', text)
    },
  }
}

const DASH = 0x2d
const PLAIN_AMOUNT = /^\$?[\d.,]*$/

type CurrencyTerms = { column: number; read: (cell: string) => string | undefined }

function currencyCounter(header: readonly string[], { column, read }: CurrencyTerms) {
  const facts: CurrencyFacts = {}
  const none = { rows: 0, first: [] as string[] }
  return {
    name: header[column] ?? '',
    get facts() {
      return none.rows === 0 ? facts : { ...facts, '': none }
    },
    add(cells: readonly string[]) {
      const text = cells[column] ?? ''
      if (text === '') return
      // Almost every amount says nothing of its currency.
      const code = read === currencyIn && PLAIN_AMOUNT.test(text) ? '' : (read(text) ?? '')
      if (code === '') {
        none.rows += 1
        if (none.first.length < MOST_FIRST) pushFirst(none.first, text.trim())
        return
      }
      const known = facts[code] ?? (Object.keys(facts).length < MOST_STATES ? { rows: 0, first: [] } : undefined)
      if (!known) return
      facts[code] = known
      known.rows += 1
      pushFirst(known.first, text.trim())
    },
  }
}

const BARE = /^(?:\d{1,3}(?:[,. ]\d{3})+|\d{1,7})(?:\.0+)?$/
const KILOMETERS = /\d\s*k(?:m|ms|ilomet\w*|il[óo]metros?)\.?$/i
const MILES = /\d\s*k?\s*(?:mi|miles?|millas?)\.?$/i
/** Of yards that count in thousands, no car has more. */
const MOST_THOUSANDS = 400
const LEAST_FULL = 1_000

function milesCounter(column: number) {
  const facts: MilesFacts = {
    ...{ kilometers: 0, miles: 0, bare: 0, low: 0, high: 0 },
    ...{ first: [], firstLow: [], firstHigh: [], firstFull: [] },
  }
  return {
    get facts() {
      return column === -1 ? null : facts
    },
    add(cells: readonly string[]) {
      const text = column === -1 ? '' : (cells[column] ?? '').trim()
      if (text === '') return
      pushFirst(facts.first, text)
      if (!BARE.test(text)) {
        if (KILOMETERS.test(text)) facts.kilometers += 1
        else if (MILES.test(text)) facts.miles += 1
        return
      }
      facts.bare += 1
      const number = Number(text.replace(/\.0+$/, '').replaceAll(/\D/g, ''))
      if (number > MOST_THOUSANDS) {
        facts.high += 1
        pushFirst(facts.firstHigh, text)
        if (number >= LEAST_FULL && /^\d+$/.test(text)) pushFirst(facts.firstFull, text)
      } else if (number > 0) {
        facts.low += 1
        pushFirst(facts.firstLow, text)
      }
    },
  }
}

/** Fields whose columns may also say a state of sale; what is mapped to any other field is read as that. */
const MAY_SAY_STATES: ReadonlySet<string> = new Set(['partdescription'])

/** The words of columns that may say states of sale. A column leaves when it has too many. */
function stateCounters({ header, mapping, saleStates }: FactTerms) {
  const taken = new Set(
    importFields.flatMap((field) => (MAY_SAY_STATES.has(field) ? [] : (mapping[field] ?? []))).map((name) =>
      findColumn(header, name),
    ),
  )
  const all = header.flatMap((name, column) => {
    const says = saleStates.columnOf(name)
    const isOther = taken.has(column) || says === 'place' || says === 'sold date'
    return isOther ? [] : [{ name, column, counts: new Map<string, number>() }]
  })
  const full = new Set<string>()
  let open = all
  return {
    add(cells: readonly string[]) {
      for (const { name, column, counts } of open) {
        const text = cells[column] ?? ''
        if (text === '') continue
        const before = counts.get(text)
        if (before !== undefined) counts.set(text, before + 1)
        else if (text.length > LONGEST_STATE || counts.size >= MOST_STATES) full.add(name)
        else counts.set(text, 1)
      }
      if (full.size > 0 && all.length - full.size < open.length) open = open.filter(({ name }) => !full.has(name))
    },
    facts: () =>
      Object.fromEntries(
        all.flatMap(({ name, counts }): [string, Counted | null][] => {
          if (full.has(name)) return [[name, null]]
          return counts.size === 0 ? [] : [[name, trimmedCounts([...counts])]]
        }),
      ),
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

function joinByName<T>(one: Record<string, T>, other: Record<string, T>, join: (a: T, b: T) => T): Record<string, T> {
  const joined = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = joined[name]
    joined[name] = before === undefined ? value : join(before, value)
  }
  return joined
}

function joinStates(one: Counted | null, other: Counted | null): Counted | null {
  if (one === null || other === null) return null
  const sums = trimmedCounts([...one, ...other])
  return sums.length > MOST_STATES ? null : sums
}

/** The facts of two parts of a file, in its order. */
export const joinFacts = (one: ColumnFacts, other: ColumnFacts): ColumnFacts => ({
  rows: one.rows + other.rows,
  prices: joinByName(one.prices, other.prices, joinRecords),
  currencies: joinByName(one.currencies, other.currencies, (a, b) => joinByName(a, b, joinRecords)),
  miles: one.miles && other.miles ? joinRecords(one.miles, other.miles) : (one.miles ?? other.miles),
  states: joinByName(one.states, other.states, joinStates),
  money: one.money ?? other.money,
})
