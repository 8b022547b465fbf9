import type { ColumnProfile } from './profile-columns.ts'
import {
  type Columns,
  columnsPassing,
  type Evidence,
  isNamedAs,
  type Judge,
  partColumns,
} from './text-evidence.ts'

/*
 * Prices, shipping, core charges and costs look alike; their headers and the other money columns tell them apart. A
 * wrong price is the costliest mistake of all, so a doubtful column is never certain.
 */

/** If at least this share of values has cents or a currency sign, the column contains money. */
const MARKED = 0.3
/** With so few rows, repeated amounts are chance. */
const FEW = 30

/** Amounts that cannot be years, codes or counts: with cents or a currency sign, or whole numbers of medium size. */
function isMoney({ share, median, running, kinds, distinct, count }: ColumnProfile): boolean {
  if (share.amount < 0.7 || share.year > 0.9) return false
  if (share.money >= MARKED) return true
  // If all numbers differ in many rows, they are identifiers.
  const isRepeated = distinct < 0.98 || count < FEW
  return median >= 10 && median <= 5_000 && !running && share.zip < 0.5 && kinds > 3 && isRepeated
}

/** Counts the rows with both amounts in which the first column's is not greater than the second's. */
function atMost(one: ColumnProfile, other: ColumnProfile): number {
  let both = 0
  let below = 0
  one.numbers.forEach((own, row) => {
    const its = other.numbers[row] ?? Number.NaN
    if (Number.isNaN(own) || Number.isNaN(its)) return
    both++
    if (own <= its) below++
  })
  return both === 0 ? 0 : below / both
}

/** Few amounts over and over, as for shipping, deposits and fees. */
const isFixed = ({ kinds, distinct, count }: ColumnProfile) =>
  (kinds <= 15 && distinct <= 0.3) || (count < FEW && kinds <= Math.max(3, count / 2))

// A file has a price, what shipping costs, a deposit and some more; a table with hundreds of amounts does not list
// parts.
const MOST_RIVALS = 12

const amountsIn = (columns: Columns) =>
  columnsPassing(
    columns,
    'money',
    (other) => isMoney(other) && other.says !== 'other' && !isCodes(other, columns),
  )

/** Whole numbers, such as miles in thousands or days, do not compete with amounts that have cents. */
const markedIn = (columns: Columns) => {
  const amounts = amountsIn(columns)
  return columnsPassing(amounts, 'marked', ({ share }) => share.money >= MARKED)
}

const rivalsOf = (column: ColumnProfile, columns: Columns): Columns =>
  firstBeside(column, column.share.money >= MARKED ? markedIn(columns) : amountsIn(columns))

/** The first few of the columns, without this one. */
const firstBeside = (column: ColumnProfile, columns: Columns): Columns =>
  columns
    .slice(0, MOST_RIVALS + 1)
    .filter((other) => other !== column)
    .slice(0, MOST_RIVALS)

/* Codes: Hollander's number of a part's type is a whole number of three digits, as many prices are. */

/** With fewer rows it is chance. */
const FEWEST_CODES = 4
const MOST_NEIGHBORS = 12
const MOST_NAMES = 2

/** Whole numbers that begin a neighbor's values: 638 and 638-66387. */
function isPrefix(column: ColumnProfile, columns: Columns): boolean {
  const others = columnsPassing(
    columns,
    'numbers with a mark',
    ({ share, count }) => count > 0 && share.code >= 0.5,
  )
  return others.slice(0, MOST_NEIGHBORS).some(({ at, values }) => {
    if (at === column.at) return false
    let both = 0
    let begun = 0
    values.forEach((value, row) => {
      const own = column.values[row] ?? ''
      if (own.length < 2 || value.length <= own.length) return
      both++
      if (value.startsWith(own) && !/\d/.test(value.charAt(own.length))) begun++
    })
    return both >= FEWEST_CODES && begun >= 0.8 * both
  })
}

/** Each part name has one number and each number one name: a second name for the type, not its price. */
function isNumberOfName(column: ColumnProfile, columns: Columns): boolean {
  return partColumns(columns)
    .slice(0, MOST_NAMES)
    .some((names) => {
      const pairs = new Map<string, number>()
      const numbers = new Map<string, Set<string>>()
      const called = new Map<string, Set<string>>()
      names.values.forEach((name, row) => {
        const own = column.values[row] ?? ''
        if (name === '' || own === '') return
        const key = name.toLowerCase()
        pairs.set(key, (pairs.get(key) ?? 0) + 1)
        numbers.set(key, (numbers.get(key) ?? new Set()).add(own))
        called.set(own, (called.get(own) ?? new Set()).add(key))
      })
      const again = [...pairs.values()].filter((times) => times > 1).length
      const agree = [...numbers.values(), ...called.values()].filter(({ size }) => size === 1).length
      return again >= FEWEST_CODES && agree >= 0.95 * (numbers.size + called.size)
    })
}

const isWholes = ({ share, count }: ColumnProfile) =>
  count >= FEWEST_CODES && share.whole >= 0.9 && share.money < 0.05

const mayBeCodes = (column: ColumnProfile, columns: Columns) => isWholes(column) && isPrefix(column, columns)

/** Whether whole numbers are the codes of something, whatever their column is called. */
function isCodes(column: ColumnProfile, columns: Columns): boolean {
  const prefixes = columnsPassing(columns, 'prefixes', (other) => mayBeCodes(other, columns))
  if (prefixes.includes(column)) return true
  const isOpen = column.says === 'nothing' && isWholes(column) && isMoney(column)
  return isOpen && isNumberOfName(column, columns)
}

/* The price. */

const ranks = { paid: 3, price: 2, list: 1, never: 0 } as const
const rankOf = ({ name: { price } }: ColumnProfile) => (price === undefined ? 0 : ranks[price.kind])

/** Columns whose names and values are of prices. */
const pricesIn = (columns: Columns) =>
  columnsPassing(
    columns,
    'prices',
    (column) => column.highest > 0 && rankOf(column) > 0 && column.share.amount >= 0.4,
  )

const isForeign = ({ name }: ColumnProfile) => name.price?.isForeign === true

/** A column of sale prices that is mostly empty: the other rows have the regular price. */
const SPARSE = 0.8
const OTHER_PRICE = 0.45
const UNSURE = 0.8
const SPARSE_PRICE = 0.7

/** The factor by which other columns that may be the price lower a column's certainty. */
function weightOf(column: ColumnProfile, columns: Columns): number {
  const rank = rankOf(column)
  const others = firstBeside(column, pricesIn(columns))
  if (rank === 0) return others.length > 0 ? OTHER_PRICE : 1
  if (isForeign(column) && others.some((other) => !isForeign(other))) return OTHER_PRICE
  // A column with the sale price or else the regular price does not compete with the columns of either.
  const rivals = others.filter(
    (other) => (isForeign(column) || !isForeign(other)) && !isSameWhereBoth(column, other),
  )
  const above = rivals.filter((other) => rankOf(other) > rank)
  if (above.some(({ filled }) => filled >= SPARSE * column.filled)) return OTHER_PRICE
  const below = rivals.filter((other) => rankOf(other) < rank)
  if (below.some(({ filled }) => column.filled < SPARSE * filled)) return SPARSE_PRICE
  const isOneOfSeveral = below.length < rivals.length
  const isListAlone = rank === ranks.list && rivals.length === 0 && hasCosts(columns)
  const isRivaled = rank < ranks.paid && hasUnknownBelow(column, columns)
  return isOneOfSeveral || isListAlone || isRivaled ? UNSURE : 1
}

function isSameWhereBoth(one: ColumnProfile, other: ColumnProfile): boolean {
  if (one.filled < other.filled) return false
  let both = 0
  const isSame = one.numbers.every((own, row) => {
    const its = other.numbers[row] ?? Number.NaN
    if (Number.isNaN(own) || Number.isNaN(its)) return true
    both++
    return own === its
  })
  return isSame && both > 0
}

/** Amounts far below the price are a tax or a fee. */
const LEAST_OF_PRICE = 0.3

/** Amounts under the name of a field of words: “Dealer” may be the price for dealers. */
const isTextField = (other: ColumnProfile): boolean =>
  other.says === 'field' &&
  !(['partshipping', 'corecharge'] as const).some((field) => isNamedAs(field, other))

/** Amounts under a name that we do not know, which may be what a buyer pays: “Special” beside “MSRP”. */
function hasUnknownBelow(column: ColumnProfile, columns: Columns): boolean {
  const unknown = columnsPassing(
    columns,
    'unknown money',
    (other) =>
      (other.says === 'something' || isTextField(other)) &&
      !other.name.price &&
      other.share.money >= MARKED &&
      !isFixed(other),
  )
  return firstBeside(column, unknown).some(
    (other) => other.median >= LEAST_OF_PRICE * column.median && atMost(other, column) >= 0.85,
  )
}

const hasCosts = (columns: Columns) =>
  columnsPassing(columns, 'costs', ({ name, share }) => name.price?.kind === 'never' && share.amount >= 0.4)
    .length > 0

const BESIDE_MONEY = 0.3

const isBesideMoney = (columns: Columns) =>
  columnsPassing(
    columns,
    'varied money',
    (other) => isMoney(other) && other.share.money >= MARKED && !isFixed(other),
  ).length > 0

function priceStrength(column: ColumnProfile, columns: Columns): number {
  const isMarked = column.share.money >= MARKED
  // A name of something else that has whole numbers: “Watchers”.
  if ((column.says === 'something' && !isMarked) || isCodes(column, columns)) return 0
  if (!isMoney(column)) return column.share.amount > 0.9 && column.share.year < 0.9 ? 0.1 : 0
  if (!isMarked && isBesideMoney(columns)) return BESIDE_MONEY
  const alone = isMarked ? 0.93 : 0.7
  const rivals = rivalsOf(column, columns)
  if (rivals.length === 0) return isFixed(column) && column.count > 20 ? 0.7 : alone
  return amongRivals(column, rivals, alone)
}

/** Of several columns, the price is the one with the highest amounts and the most distinct ones. */
function amongRivals(column: ColumnProfile, rivals: Columns, alone: number): number {
  const isHighest = rivals.every((other) => atMost(other, column) >= 0.85)
  const isVaried = rivals.some((other) => !isFixed(other))
  if (!isHighest || isFixed(column)) return isVaried ? 0.45 : 0.6
  return isVaried ? 0.62 : 0.91 * (alone / 0.93)
}

export const price: Judge = (column, columns): Evidence => {
  const { amount } = column.share
  const isYears = column.share.year > 0.9 && column.share.money < 0.1
  const isOther = isYears || isCodes(column, columns)
  return {
    fit: isOther ? 0.2 : fitOf(amount),
    // “Free” and “Pickup only” are about shipping.
    strength: priceStrength(column, columns) * amount * (column.share.shipping > 0.05 ? 0.4 : 1),
    words: 'amounts',
    share: amount,
    weight: weightOf(column, columns),
  }
}

const fitOf = (share: number) => (share >= 0.4 ? 1 : share)

const MOST_FREIGHTS = 8

export const shipping: Judge = (column, columns): Evidence => {
  const { amount, shipping: said } = column.share
  const share = Math.min(1, amount + said)
  // A column of prices has a free part now and then, and many amounts.
  const isMixed = said >= 0.05 && share >= 0.9 && isFixed(column) && column.kinds <= MOST_FREIGHTS
  const isBelowAPrice = rivalsOf(column, columns).some(
    (other) => !isFixed(other) && atMost(column, other) >= 0.85,
  )
  const mayBe = column.share.money >= MARKED && isFixed(column) && isBelowAPrice
  const guessed = mayBe ? 0.6 : 0
  return {
    fit: fitOf(share),
    strength: isMixed ? 0.93 : guessed,
    words: said > 0 ? 'amounts or words such as “Free”' : 'amounts',
    share,
  }
}

const CORE_WORDS = /^(?:core\s*)?\$?\d[\d,.]*(?:\s*core)?$/i

/** Chosen by its header, since a deposit looks like any amount. Amounts below such a header make it certain. */
export const coreCharge: Judge = (column): Evidence => {
  const words = column.values.filter((value) => value !== '' && CORE_WORDS.test(value)).length
  const share = Math.max(column.share.amount, words / Math.max(1, column.count))
  const isNamed = isNamedAs('corecharge', column) && column.name.plain !== 'deposit'
  return {
    fit: share >= 0.5 ? 1 : 0.2,
    strength: isNamed && share >= 0.5 ? 0.95 * share : 0,
    words: 'amounts',
    share,
  }
}
