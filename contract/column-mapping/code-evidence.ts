import { checkedShare, shareOf } from './count-evidence.ts'
import type { ColumnProfile } from './profile-columns.ts'
import { best, type Columns, columnsPassing, isNamedAs, type Judge, partColumns } from './text-evidence.ts'
import { partNumberForm } from './value-shapes.ts'

/* Codes: the numbers of parts, of cars and of catalogs. Below no name, only what other columns confirm is certain. */

const LONGEST_STOCK_NUMBER = 16

const STOCK_NAME = /\bst(?:oc)?k(?![a-z])/i
const ownStockNumbers = (columns: Columns) =>
  columnsPassing(
    columns,
    'stock numbers',
    (one) =>
      STOCK_NAME.test(one.header) && isNamedAs('stocknum', one) && one.distinct >= 0.98 && one.filled >= 0.9,
  )

/** In a catalog for social networks or a merchant center, the id is the seller's own. */
const isFeedId = ({ header, distinct, filled }: ColumnProfile, columns: Columns): boolean =>
  /^id$/i.test(header) &&
  distinct === 1 &&
  filled === 1 &&
  columnsPassing(columns, 'feed', (one) => /^(?:availability|image[_ ]link)$/i.test(one.header)).length === 2

const CERTAIN = 0.96

/** Counted on after letters, as a person begins to; a database counts its records in digits alone. */
const COUNTED = /^\p{L}{1,3}-?\d{3,8}$/u
const isCounter = ({ count, distinct, filled, running, values }: ColumnProfile): boolean =>
  count > 0 && running && distinct === 1 && filled === 1 && values.every((value) => COUNTED.test(value))

/** Another system’s record numbers may be counted on as well, beside the seller’s own. */
const isOwnCode = ({ count, distinct, filled, share, usual }: ColumnProfile): boolean =>
  count > 0 &&
  distinct >= 0.98 &&
  filled >= 0.9 &&
  share.code > 0.9 &&
  share.partNumber < 0.7 &&
  Math.max(share.vinShaped, share.money, share.date, share.interchange) < 0.5 &&
  usual.length > 3

const isOnlyCounter = (column: ColumnProfile, columns: Columns): boolean =>
  isCounter(column) && columnsPassing(columns, 'own codes', isOwnCode).every((other) => other === column)

/** How likely codes without a name are stock numbers. */
function stockStrength(column: ColumnProfile, columns: Columns): number {
  const { share, distinct, filled, running, count, usual, header } = column
  if (/^id$/i.test(header)) return isFeedId(column, columns) ? 0.95 : 0
  if (distinct < 0.98 || filled < 0.9 || count < 3) return 0
  const isLong = (share.whole > 0.9 && usual.length > 9) || usual.length > LONGEST_STOCK_NUMBER
  if (!isLong && isOnlyCounter(column, columns)) return CERTAIN
  if (running) return isLong ? 0.395 : 0.79
  return 0.66 * (share.partNumber > 0.7 ? 0.75 : 1) * (isLong ? 0.5 : 1)
}

export const stocks: Judge = (column, columns) => {
  const { share, distinct, header } = column
  const isCode = Math.max(share.code, share.whole) > 0.9
  const taken = Math.max(share.phone, share.vinShaped, share.money, share.year, share.date, share.url)
  // A number on many parts is a vehicle's if the header says stock, else a catalog's.
  const isRepeated = distinct < 0.9 && !/stock|stk|tag|sku|inv|lager|label/i.test(header)
  // A tag or shelf label is another number of a part that has a stock number of its own.
  const isSecond = !STOCK_NAME.test(header) && ownStockNumbers(columns).length > 0
  const isOther = share.sentence > 0.5 || share.money > 0.5 || checkedShare(column) > 0.5
  return {
    fit: isOther ? 0.1 : 1,
    weight: isRepeated || isSecond ? 0.9 : 1,
    strength: isCode && taken < 0.5 ? stockStrength(column, columns) : 0,
    words: 'different and short, as stock numbers are',
    share: distinct,
  }
}

const FEWEST_OF_FORM = 0.1
const MOSTLY_DISTINCT = 0.7

/** A yard’s own numbers, plates and shelves all have one form; carmakers have one each. */
function hasFormsOfMakers({ values, count, distinct }: ColumnProfile): boolean {
  const times = new Map<string, number>()
  for (const value of values) {
    const form = partNumberForm(value)
    if (form !== undefined) times.set(form, (times.get(form) ?? 0) + 1)
  }
  return (
    distinct >= MOSTLY_DISTINCT && [...times.values()].filter((of) => of >= FEWEST_OF_FORM * count).length > 1
  )
}

export const partNumbers: Judge = (column) => {
  const { share, running, distinct } = column
  const taken = Math.max(share.phone, share.vinShaped, share.date, share.money, share.url)
  // Digits alone may be any numbers.
  const likely = share.partNumber >= 0.5 && hasFormsOfMakers(column) ? CERTAIN : 0.9
  const certain = share.whole > 0.9 ? 0.68 : likely
  const strength = (running || share.zip > 0.5 ? 0.35 : certain) * (distinct > 0.25 ? 1 : 0.6)
  const against = share.sentence > 0.5 || share.money > 0.5 || share.vin > 0.6 || share.url > 0.5
  return {
    fit: against ? 0.1 : 1,
    strength: taken < 0.5 && share.partNumber >= 0.5 ? strength * share.partNumber : 0,
    words: 'shaped like part numbers',
    share: share.partNumber,
  }
}

const WITH_LETTER = /^\d{3}-\d{5}[A-Z]{1,2}$/i
const FEWEST_WITH_LETTER = 0.15

/** Hollander’s book: the number begins with the part type, and may end in its side or variant. */
function isOfBook(column: ColumnProfile, columns: Columns): boolean {
  if (
    column.share.interchange < 0.9 ||
    shareOf(column, (value) => WITH_LETTER.test(value)) < FEWEST_WITH_LETTER
  )
    return false
  return partColumns(columns).every((parts) => agrees(parts, column))
}

/** Whether parts of the same name have numbers of one part type; two in ten may be filed otherwise. */
function agrees(parts: ColumnProfile, { values }: ColumnProfile): boolean {
  const types = new Map<string, string>()
  const pairs = { all: 0, same: 0 }
  for (const [row, value] of values.entries()) {
    const part = parts.values[row]?.toLowerCase() ?? ''
    if (part === '' || value === '') continue
    const type = value.slice(0, 3)
    const before = types.get(part)
    if (before === undefined) types.set(part, type)
    else {
      pairs.all += 1
      pairs.same += Number(before === type)
    }
  }
  return pairs.same >= 0.8 * pairs.all
}

/** Beside a column of part numbers, a column of interchange numbers is just that; alone it may be the part number. */
export const interchanges: Judge = (column, columns) => {
  const { interchange, partNumber, phone, url, sentence } = column.share
  const numbers = best(columns, 'partNumber', 0.5).filter(({ at }) => at !== column.at)
  // Other catalogs use numbers of this form, so it is only suggested.
  const isNamed = isNamedAs('partinterchange', column)
  const unnamed = isOfBook(column, columns) ? CERTAIN : 0.75
  const strength = (isNamed ? 0.95 : unnamed) * interchange
  return {
    fit: Math.max(phone, url, sentence) > 0.5 ? 0.1 : 1,
    strength: numbers.length > 0 && interchange >= 0.5 ? strength : 0,
    words: 'shaped like interchange numbers',
    share: interchange + partNumber,
  }
}
