import type { ImportField } from '#contract/import-fields.ts'
import type { Columns, Evidence, Judge } from './evidence.ts'
import { nameSays } from './field-headers.ts'
import type { ColumnProfile } from './profile-columns.ts'
import { numberOf } from './value-shapes.ts'

/* Prices and shipping look alike; which is which shows only beside the other columns of money. */

/** Amounts that are no years, codes or counts: with cents or a sign, or whole and neither small nor large. */
function isMoney({ share, median, running, kinds, distinct }: ColumnProfile): boolean {
  if (share.amount < 0.7 || share.year > 0.9) return false
  if (share.money >= 0.3) return true
  return median >= 10 && median <= 5_000 && !running && share.zip < 0.5 && kinds > 3 && distinct < 0.98
}

/** In how many rows that have both the amount of one column is at most that of the other. */
function atMost(one: ColumnProfile, other: ColumnProfile): number {
  const pairs = one.values.flatMap((value, row) => {
    const [own, its] = [numberOf(value), numberOf(other.values[row] ?? '')]
    return Number.isNaN(own) || Number.isNaN(its) ? [] : [own <= its]
  })
  return pairs.length === 0 ? 0 : pairs.filter(Boolean).length / pairs.length
}

/** Few amounts over and over, as for shipping, deposits and fees. */
const isFixed = ({ kinds, distinct, count }: ColumnProfile) =>
  (kinds <= 15 && distinct <= 0.3) || (count < 20 && kinds <= 3)

const rivalsOf = (column: ColumnProfile, columns: Columns) =>
  columns.filter((other) => other.at !== column.at && isMoney(other) && nameSays(other.header) !== 'other')

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
    strength: priceStrength(column, columns) * amount,
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
