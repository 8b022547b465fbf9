import { unitOfName } from '#contract/vehicle/mile-units.ts'
import type { ColumnProfile } from './profile-columns.ts'
import { type Columns, columnsPassing, type Evidence, isNamedAs, type Judge } from './text-evidence.ts'

/* Counts: miles and quantities, as people write them. */

export const shareOf = ({ values, count }: ColumnProfile, test: (value: string) => boolean) =>
  values.filter((value) => value !== '' && test(value)).length / Math.max(1, count)

export const halfFit = (share: number) => (share >= 0.5 ? 1 : share)

/** For fields whose values have a distinct form. If half of the values lack it, the column is something else. */
export const formed = (share: number, strength: number, words: string): Evidence => ({
  fit: halfFit(share),
  strength: share >= 0.5 ? strength * share : 0,
  words,
  share,
})

/** The number of values that mean yes or no, as in a check box. */
export function checkedShare({ values, count }: ColumnProfile): number {
  const checked = values.filter((value) => /^(?:true|false|yes|no|y|n)$/i.test(value))
  return checked.length / Math.max(1, count)
}

/** What yards write for unknown mileage. */
const NO_MILES = /^(?:tmu|exempt|unk(?:nown|own)?|n\/?a|none|not actual|-+|\?+|0)\.?$/i
const MILES_WRITTEN = /^[~<>]?\s?\d[\d,.'\s’]*(?:k|mi|miles|km|kms|kilometers)?\.?\+?$/i
const MOST_THOUSANDS = 400
const MILES = 'whole numbers like miles'

/** Numbers as spread out as mileages; vehicle numbers are closer together. */
function looksLikeMiles({ share, lowest, median, highest, distinct, running, even }: ColumnProfile): boolean {
  const isSpread = lowest < 0.7 * median && highest > 1.4 * median
  const isUsual = median >= 15_000 && median <= 250_000 && highest > 60_000
  return isSpread && isUsual && distinct > 0.02 && !running && !even && share.money < 0.1
}

const FEWEST_CARS = 5
const MOST_AS_HIGH = 60
const BY_CAR = 0.75

/** Whether short numbers without a name are the same for all parts of a car, as miles in thousands are in exchange files. */
function isOfCar(column: ColumnProfile, columns: Columns): boolean {
  const { says, share, highest, kinds } = column
  if (says !== 'nothing' || share.whole < 0.9 || highest > MOST_THOUSANDS || highest < MOST_AS_HIGH)
    return false
  return kinds >= FEWEST_CARS && carKeys(columns).some((keys) => isSameWithin(keys, column.values))
}

/** "C1001-07" is a part of the car C1001. */
const PART_OF_CAR = /^(.*\w)-\d{1,3}$/
const MOST_KEYS = 0.8

/** For each column that has the cars' numbers, which car each row's part is of. */
const carKeys = (columns: Columns): (readonly (string | undefined)[])[] =>
  columnsPassing(
    columns,
    'numbers of cars',
    ({ count, share }) => count > 0 && Math.max(share.vinShaped, share.code) >= MOST_KEYS,
  ).map(({ values, share }) =>
    values.map((value) => (share.vinShaped >= MOST_KEYS ? value || undefined : PART_OF_CAR.exec(value)?.[1])),
  )

/** Whether most rows have a key that others share, and rows with the same key the same value. */
function isSameWithin(keys: readonly (string | undefined)[], values: readonly string[]): boolean {
  const found = new Map<string, string>()
  let keyed = 0
  for (const [row, key] of keys.entries()) {
    if (key === undefined) continue
    const value = values[row] ?? ''
    if ((found.get(key) ?? value) !== value) return false
    found.set(key, value)
    keyed += 1
  }
  return found.size >= FEWEST_CARS && 2 * found.size <= keyed && keyed >= MOST_KEYS * keys.length
}

/** Of a column of kilometers and one of miles, the miles are meant. */
export const miles: Judge = (column, columns) => {
  if (isOfCar(column, columns)) return { fit: 1, strength: BY_CAR, words: MILES, share: 1 }
  const found = milesOf(column)
  const isOfOther = isNamedAs('partmiles', column) && unitOfName(column.header) === 'kilometers'
  const hasMiles =
    isOfOther &&
    columnsPassing(columns, 'named miles', (other) => other.count > 0 && isNamedAs('partmiles', other)).some(
      (other) => unitOfName(other.header) === undefined,
    )
  return hasMiles ? { ...found, weight: BESIDE_MILES } : found
}

const BESIDE_MILES = 0.5

const milesOf = (column: ColumnProfile): Evidence => {
  const { share, highest } = column
  if (share.milesMarked >= 0.5) return formed(share.miles, 0.96, 'miles')
  if (share.year > 0.9) return { fit: 0.1, strength: 0, words: MILES, share: share.miles }
  if (!isNamedAs('partmiles', column)) {
    const strength = looksLikeMiles(column) ? 0.79 : 0.2
    const fit = halfFit(share.miles + shareOf(column, (value) => value === '0'))
    return { ...formed(share.miles, strength, MILES), fit }
  }
  const written = shareOf(column, (value) => MILES_WRITTEN.test(value) || NO_MILES.test(value))
  // “60” is 60,000 where no value is higher than such numbers are.
  const inThousands = highest <= MOST_THOUSANDS && share.money < 0.1
  const isPlain = written >= 0.5 && (share.miles >= 0.5 || inThousands)
  const found = isPlain ? formed(Math.max(share.miles, written), 0.9, MILES) : formed(share.miles, 0.2, MILES)
  return { ...found, fit: halfFit(written) }
}

/** “2 pcs”, “In Stock” and “out of stock”, as people write it. */
const QUANTITY_WRITTEN =
  /^(?:\d{1,4}(?:\.0+)?\s*(?:\+|pcs?\.?|pieces?|ea\.?|each|units?|available|in stock|on hand|left)?|(?:in|out of|low) stock|available|sold( out)?|none|n\/?a|-+)$/i

const ASKED = 0.85

function weightOfCount(column: ColumnProfile, columns: Columns): number {
  if (/\?\W*$|^is[ _]/i.test(column.header)) return ASKED
  return isNamedAs('partquantity', column) && isBesideAvailable(column, columns) ? BESIDE_AVAILABLE : 1
}

/** Of what is on the shelf, some may be sold to others already. */
const TO_SELL = /avail|unrestr|free|disp|verf[uü]gbar/i
const BESIDE_AVAILABLE = 0.8

const isBesideAvailable = (column: ColumnProfile, columns: Columns): boolean =>
  !TO_SELL.test(column.header) &&
  columnsPassing(
    columns,
    'pieces to sell',
    (other) => other.share.quantity >= 0.5 && TO_SELL.test(other.header) && isNamedAs('partquantity', other),
  ).length > 0

export const quantities: Judge = (column, columns) => {
  const { share, usual, usualShare, kinds, highest } = column
  const isNamed = isNamedAs('partquantity', column)
  const likely = usual === '1' && usualShare >= 0.5 && highest <= 200
  const guessed = likely ? 0.62 + (kinds > 1 ? 0.12 : 0) : 0.2
  const checked = checkedShare(column)
  const written = isNamed ? shareOf(column, (value) => QUANTITY_WRITTEN.test(value)) : 0
  const isCounted = isNamed && checked < 0.1 && written >= 0.5
  return {
    ...formed(Math.max(share.quantity, checked, written), isCounted ? 0.95 : guessed, 'small whole numbers'),
    // “In stock?” is a shop's yes or no; the number is in another column.
    weight: weightOfCount(column, columns),
  }
}
