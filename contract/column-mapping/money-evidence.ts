import type { ImportField } from '#contract/import-fields.ts'
import { type Columns, columnsThat, type Evidence, type Judge } from './evidence.ts'
import type { ColumnProfile } from './profile-columns.ts'

/* Prices and shipping look alike; which is which shows only beside the other columns of money. */

/** Of so few rows it is chance whether an amount comes twice. */
const FEW = 30

/** Amounts that are no years, codes or counts: with cents or a sign, or whole and neither small nor large. */
function isMoney({ share, median, running, kinds, distinct, count }: ColumnProfile): boolean {
  if (share.amount < 0.7 || share.year > 0.9) return false
  if (share.money >= 0.3) return true
  // Of many rows, numbers that are all different are somebody's numbers.
  const isRepeated = distinct < 0.98 || count < FEW
  return median >= 10 && median <= 5_000 && !running && share.zip < 0.5 && kinds > 3 && isRepeated
}

/** In how many rows that have both the amount of one column is at most that of the other. */
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

// A file has a price, what shipping costs, a deposit and some more; a table of hundreds of amounts is none of parts.
const MOST_RIVALS = 12

const rivalsOf = (column: ColumnProfile, columns: Columns) =>
  columnsThat(columns, 'money', (other) => isMoney(other) && other.says !== 'other')
    .filter(({ at }) => at !== column.at)
    .slice(0, MOST_RIVALS)

function priceStrength(column: ColumnProfile, columns: Columns): number {
  if (!isMoney(column)) return column.share.amount > 0.9 && column.share.year < 0.9 ? 0.1 : 0
  const rivals = rivalsOf(column, columns)
  const alone = column.share.money >= 0.3 ? 0.93 : 0.7
  if (rivals.length === 0) return isFixed(column) && column.count > 20 ? 0.7 : alone
  // Of several, the one that is above the others and has the most different amounts.
  const below = rivals.filter((other) => atMost(other, column) >= 0.85)
  const varied = rivals.filter((other) => !isFixed(other))
  if (below.length < rivals.length || isFixed(column)) return varied.length > 0 ? 0.45 : 0.6
  return varied.length === 0 ? 0.9 * (alone / 0.93) : 0.62
}

function price(column: ColumnProfile, columns: Columns): Evidence {
  const { amount } = column.share
  const isYears = column.share.year > 0.9 && column.share.money < 0.1
  return {
    fit: isYears ? 0.2 : fitOf(amount),
    // “Free” and “Pickup only” are said of shipping.
    strength: priceStrength(column, columns) * amount * (column.share.shipping > 0.05 ? 0.4 : 1),
    words: 'amounts',
    share: amount,
  }
}

const fitOf = (share: number) => (share >= 0.4 ? 1 : share)

function shipping(column: ColumnProfile, columns: Columns): Evidence {
  const { amount, shipping: said } = column.share
  const share = Math.min(1, amount + said)
  const isMixed = said >= 0.05 && share >= 0.9
  const isBelowAPrice = rivalsOf(column, columns).some(
    (other) => !isFixed(other) && atMost(column, other) >= 0.85,
  )
  const mayBe = column.share.money >= 0.3 && isFixed(column) && isBelowAPrice
  const guessed = mayBe ? 0.6 : 0
  return {
    fit: fitOf(share),
    strength: isMixed ? 0.93 : guessed,
    words: said > 0 ? 'amounts or words such as “Free”' : 'amounts',
    share,
  }
}

export const moneyEvidence: Partial<Record<ImportField, Judge>> = {
  partprice: price,
  partshipping: shipping,
}
