import { wordsOf } from '#contract/trade-language/names.ts'

/*
 * Whether a column of miles is in miles, kilometers or thousands. Its header or its values decide: no yard has only
 * cars with fewer than 400 miles.
 */

export const mileUnits = ['miles', 'kilometers', 'thousands', 'thousand kilometers'] as const
export type MileUnit = (typeof mileUnits)[number]

export const MILES_PER_KILOMETER = 0.621371

const KILOMETERS =
  /^(?:t?kms?|klms?|kmt|kilom\p{L}*|laufleistung)$|^(?:odo(?:meter)?|mileage|miles|miliage)kms?$/u
const MILES = /^(?:mi|miles?|millas?|meilen)$/
const THOUSANDS =
  /\(\s*(?:k|000'?s?|x\s?1,?000|thousands?)\s*\)|\bx\s?1,?000\b|\/\s?1,?000\b|\bin (?:thousands|k)\b|\b(?:miles|mileage|mi|km|odometer)[ _-]k$|^k[ _-]?(?:miles|mi)$|\btkm\b|\b000s?\b|\bthousands?\b|\bmiles de km\b/i

/** The unit in the column's name, or undefined. */
export function unitOfName(header: string): MileUnit | undefined {
  const words = wordsOf(header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
  const isKilometers = words.some((word) => KILOMETERS.test(word))
  // "Miles (km)" contradicts itself, so its cells decide.
  const isBoth = isKilometers && words.some((word) => MILES.test(word))
  const inThousands = THOUSANDS.test(header)
  if (isKilometers && !isBoth) return inThousands ? 'thousand kilometers' : 'kilometers'
  return inThousands ? 'thousands' : undefined
}

/** More than a car's odometer in thousands shows, and fewer than any used car's in miles. */
const MOST_THOUSANDS = { miles: 400, kilometers: 650 } as const
const FEWEST_VALUES = 3
const IN_FULL = /\d{4}|\d[ ,.']\d{3}/
const BARE = /^\d{1,7}(?:[.,]\d)?$/

/** The unit of a column, from its name and the values of the file's first rows; undefined for plain miles. */
export function mileUnit(header: string, values: Iterable<string>): MileUnit | undefined {
  const named = unitOfName(header)
  if (named === 'thousands' || named === 'thousand kilometers') return named
  const unit = named === 'kilometers' ? 'kilometers' : 'miles'
  if (!areThousands(values, MOST_THOUSANDS[unit])) return named
  return unit === 'kilometers' ? 'thousand kilometers' : 'thousands'
}

/** "87k" and "60" may be in one column; "98,213" and "98213" show that it has no thousands. */
function areThousands(values: Iterable<string>, most: number): boolean {
  let count = 0
  for (const value of values) {
    const text = value.trim()
    if (IN_FULL.test(text)) return false
    if (!BARE.test(text) || /^0+$/.test(text)) continue
    if (Number(text.replace(',', '.')) > most) return false
    count += 1
  }
  return count >= FEWEST_VALUES
}

/** A note about a column that is not in plain miles. */
export function mileNote(column: string, unit: MileUnit | undefined): string | undefined {
  if (unit === undefined || unit === 'miles') return undefined
  const read = {
    kilometers: 'is in kilometers: 160,000 is read as 99,419 miles.',
    thousands: 'is in thousands of miles: 98 is read as 98,000.',
    'thousand kilometers': 'is in thousands of kilometers: 160 is read as 99,419 miles.',
  }[unit]
  return `“${column}” ${read}`
}
