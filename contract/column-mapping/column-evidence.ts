import { legendOf } from '#contract/csv/header-legend.ts'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { isId } from '#contract/endpoint.ts'
import { readDamageCode } from '#contract/listing/grade-rule.ts'
import { specOf, termFields } from '#contract/listing/listing-fields.ts'
import { isOfBuildDates, yearOfDate } from '#contract/trade-language/years.ts'
import { interchanges, partNumbers, stocks } from './code-evidence.ts'
import { formed, halfFit, miles, quantities, shareOf } from './count-evidence.ts'
import { coreCharge, price, shipping } from './money-evidence.ts'
import type { ColumnProfile } from './profile-columns.ts'
import {
  best,
  type Columns,
  columnsNear,
  columnsPassing,
  type Evidence,
  isNamedAs,
  type Judge,
  nameEvidence,
  seen,
} from './text-evidence.ts'
import { zipDigits } from './value-shapes.ts'

const numeric = (column: ColumnProfile) => Math.max(column.share.amount, column.share.date)

/** A car is registered in the year it was built or later. */
const isRegistration = ({ header }: ColumnProfile): boolean =>
  /^(?:ez|erstzulassung|first reg\w*|date of (?:first )?reg\w*|1st reg\w*|reg(?:istration)?)\b/i.test(header)

/** Counted among the years already. */
const YEAR_SHAPED = /^(?:0?[1-9]|1[0-2])\/\d{4}$/

const years: Judge = (column, columns) => {
  const ofDays = isOfBuildDates(column.header)
    ? shareOf(column, (value) => yearOfDate(value) !== undefined && !YEAR_SHAPED.test(value))
    : 0
  const share = Math.min(1, column.share.year + column.share.years + ofDays)
  const others = columnsPassing(
    columns,
    'years',
    (other) => other.share.year + other.share.years >= 0.8,
  ).filter(({ at }) => at !== column.at)
  // Of “from” and “to”, “from” is the year. A column with only the last few years is more likely a purchase date.
  const rival = others.some((other) => other.kinds > 2 * column.kinds)
  const isSecond = others.some((other) => other.at < column.at && column.kinds <= 2 * other.kinds)
  const isAlone = others.length === 0
  const isVaried = column.kinds > 3 || column.count < 5
  const strength = isAlone && isVaried ? 0.97 : 0.75
  const short =
    column.values.filter((value) => /^\d\d(?:\s*(?:reg|plate))?$/i.test(value)).length /
    Math.max(1, column.count)
  return {
    ...formed(share, rival || isSecond ? 0.4 : strength, 'years'),
    fit: halfFit(share + short),
    weight: isRegistration(column) && others.some((other) => isNamedAs('partyear', other)) ? 0.85 : 1,
  }
}

const phones: Judge = (column, columns) => {
  const first = best(columns, 'phone')[0]
  const strength = first === undefined || first.at === column.at ? 0.97 : 0.5
  // Phones without an area code, or from another country.
  const dialled = column.values.filter((value) => /^[+(]?\d[\d\s().\-/]{6,}/.test(value)).length
  const fit = halfFit(column.share.date > 0.5 ? 0 : dialled / Math.max(1, column.count))
  return { ...formed(column.share.phone, strength, 'phone numbers'), fit }
}

const pictures: Judge = (column, columns) => {
  const { url, picture } = column.share
  const first = best(columns, 'picture', 0.5)[0]
  const isFirst = first === undefined || first.at === column.at
  return formed(
    url,
    picture >= 0.5 && isFirst ? 0.98 : 0.45,
    picture >= 0.5 ? 'addresses of pictures' : 'web addresses',
  )
}

/** Letters that are neither grades nor sides. With F, R means rear; with A and B, it is a shelf. */
const OTHER_LETTERS = 0.05
const FEWEST_GRADES = 4
/** “Used” does not describe a part's condition. */
const NO_GRADE =
  /^(?:pre-?owned|used|usad[oa]|gebraucht|d['’]?occasion|occasion|refurbished|remanufactured)\b/i
const NO_GRADES: Evidence = { fit: 0.3, strength: 0, words: 'grades', share: 0 }

const grades: Judge = (column) => {
  const { grade, gradeMarked } = column.share
  if (grade === 0) return NO_GRADES
  const isWords = /^\p{L}{3,}/u.test(column.usual) && gradeMarked < 0.1
  // “Regular” in every row is a shop's variation, and “New” is not a grade of a used part.
  if (isWords && column.kinds === 1 && column.count >= FEWEST_GRADES) return NO_GRADES
  if (shareOf(column, (value) => NO_GRADE.test(value)) >= 0.3) return NO_GRADES
  // A, H and S are states of sale, A to H rows of shelves.
  if (shareOf(column, (value) => /^[e-wyz]$/i.test(value)) > OTHER_LETTERS) return NO_GRADES
  const letters = column.kinds >= 2 && column.kinds <= 10 ? 0.92 : 0.6
  const strength = gradeMarked >= 0.1 ? 0.96 : letters
  return { ...formed(grade, isWords ? 0.7 : strength, 'grades'), fit: grade >= 0.3 ? 1 : grade }
}

const vins: Judge = (column) => {
  const { vin, vinShaped } = column.share
  // One in eleven passes by chance.
  if (vin >= 0.6)
    return { fit: 1, strength: 0.99 * vin, words: 'VINs with the right check digit', share: vin }
  // VINs of cars before 1981, or the last digits of a VIN.
  const fit = column.share.code >= 0.5 && column.share.year < 0.5 ? 1 : vinShaped
  return { ...formed(vinShaped, vin > 0.25 ? 0.75 : 0.5, 'shaped like VINs'), fit }
}

/** How many rows have a zip code of their own state, if another column has states. */
function zipsInState(column: ColumnProfile, columns: Columns): number {
  const states = best(columns, 'state')[0]
  if (!states) return 0
  const pairs = column.values.flatMap((zip, row) => {
    const digit = zipDigits.get(states.values[row]?.toLowerCase() ?? '')
    return zip === '' || digit === undefined ? [] : [zip.padStart(5, '0').startsWith(digit)]
  })
  return pairs.length === 0 ? 0 : pairs.filter(Boolean).length / pairs.length
}

const FEWEST_ZIPS = 5

const zips: Judge = (column, columns) => {
  const lostZeros = shareOf(column, (value) => /^\d{4}$/.test(value))
  const share = Math.min(1, column.share.zip + (column.share.year > 0.9 ? 0 : lostZeros))
  const inState = zipsInState(column, columns)
  const isShaped = column.share.zip > 0.2 || inState > 0.9
  // A yard has one location or a few. A different location in each row is the buyers'.
  const isOfOthers = column.count >= FEWEST_ZIPS && column.distinct > 0.9 && inState < 0.9
  return {
    ...formed(share, isShaped ? zipStrength(column, columns, inState) : 0, 'zip codes'),
    weight: isOfOthers ? 0.9 : 1,
  }
}

function zipStrength(column: ColumnProfile, columns: Columns, inState: number): number {
  const { kinds, distinct, share } = column
  const fewKinds = kinds <= 12 && distinct <= 0.5
  if (inState > 0.9 && (fewKinds || (share.zip < 1 && share.zip >= 0.3))) {
    const besideState = best(columns, 'state').some((state) => Math.abs(state.at - column.at) <= 2)
    return besideState || kinds > 1 ? 0.93 : 0.7
  }
  if (isNamedAs('zipcode', column) && share.zip >= 0.9) return 0.9
  if (!fewKinds) return 0.3
  return kinds > 1 ? 0.6 : 0.5
}

const states: Judge = (column, columns) => {
  const { state } = column.share
  const beside = columnsNear(columns, column, 3).some(
    (other) => other.share.zip >= 0.8 || other.share.city >= 0.3,
  )
  const spelt = column.usual.length > 2
  // “OK”, “IN” and “ON” are words too.
  const alone = column.kinds > 2 || spelt ? 0.9 : 0.6
  // A, S and H are sale states.
  const isLetters = shareOf(column, (value) => value.length === 1) > 0.5
  // Spanish has one word, “estado”, for a state and for a condition.
  const isOther = Math.max(numeric(column), column.share.sentence, column.share.grade) > 0.5
  const fit = isLetters || (isOther && state < 0.5) ? 0.1 : 1
  return { ...formed(state, state >= 0.9 && beside ? 0.95 : alone * state, 'states'), fit }
}

/** Only our own ids: another market has listing ids too. */
const listingIds: Judge = ({ values, count }) => {
  const share = values.filter((value) => isId(value)).length / Math.max(1, count)
  return formed(share, 0, 'ids of listings')
}

/** Tests a field whose values can be anything but numbers. */
const wordsOnly: Judge = (column) => ({
  fit: numeric(column) > 0.8 || column.share.url > 0.5 ? 0.1 : 1,
  strength: 0,
  words: 'words',
  share: 1 - numeric(column),
})

/** Yards also call columns of words "Damage"; words are not codes. */
const damageCodes: Judge = ({ values, count }) => {
  const codes = values.filter((value) => value !== '' && readDamageCode(value)).length
  return formed(codes / Math.max(1, count), 0.97, 'damage codes')
}

const FEWEST_WORDS = 3
/** Of one letter, G and D may be fuels. Words for both sides, beside parts that have none, are sides. */
const areWords = (values: readonly string[]): boolean =>
  values.includes('') &&
  values.filter((value) => value.length > 1).length >= FEWEST_WORDS &&
  values.every((value) => value.length !== 1)

/** Without a header, letters alone never make it certain. */
const positions: Judge = ({ header, positions: sides, values, count, says }) => {
  // Where the header explains its signs, a 0 is none of them.
  const none = legendOf(header).size === 0 ? 0 : values.filter((value) => value === '0').length
  const share = (test: (value: string) => boolean) => values.filter(test).length / Math.max(1, count - none)
  // Beside L and R, N is a part of neither side.
  const hasBoth = sides.has('L') && sides.has('R')
  const isSide = (value: string) => sides.has(value) || (hasBoth && value === 'N')
  const isTold = says !== 'nothing' || (sides.size > 1 && areWords(values))
  const found = formed(share(isSide), isTold ? 0.97 : 0.79, 'sides or positions')
  const others = share((value) => /^[a-z]$/i.test(value) && !isSide(value))
  return others > OTHER_LETTERS ? { ...found, fit: 0.1, strength: 0 } : found
}

/** “90”, “90 Day” and “6 mo” are certain if the header matches. */
const warranties: Judge = (column) => {
  const share = shareOf(column, (value) =>
    /^(?:0|none|\d{1,3}\s*(?:d(?:ays?)?|mo?s?\.?|months?|y(?:ea)?rs?)?)$/i.test(value),
  )
  const isNamed = isNamedAs('warrantydays', column)
  return { ...numberTerms(column, []), strength: isNamed && share >= 0.5 ? 0.95 * share : 0, share }
}

/** Terms of a sale are chosen by their names alone: their values look like any small number. */
const termsOf =
  (isWritten: RegExp): Judge =>
  (column) => {
    const { vinShaped, url, phone } = column.share
    return {
      fit: vinShaped > 0.5 || url > 0.5 || phone > 0.5 ? 0.1 : 1,
      strength: 0,
      words: 'days, percent or amounts',
      share: 1,
      weight: seen(
        column,
        shareOf(column, (value) => isWritten.test(value)),
      ),
    }
  }

const NO_TERM = 'none|free|ninguna?|sin|keine?|sans|aucune?|no (?:returns?|warranty)|as[ -]?is'
const numberTerms = termsOf(new RegExp(`\\d|^(?:${NO_TERM})\\b`, 'i'))
const yesTerms = termsOf(/^(?:y|yes|x|true|1|n|no|false|0|as[ -]?is|s[ií]|ja|oui)\b/i)
const textTerms = termsOf(/\p{L}/u)

const termJudge = (field: (typeof termFields)[number]): Judge => {
  const { type } = specOf(field)
  if (type === 'yes') return yesTerms
  return type === 'text' ? textTerms : numberTerms
}

const judges: Partial<Record<ImportField, Judge>> = {
  imageUrl: pictures,
  partyear: years,
  partgrade: grades,
  partnum: partNumbers,
  partinterchange: interchanges,
  partstate: states,
  dealerphone: phones,
  stocknum: stocks,
  partquantity: quantities,
  partmiles: miles,
  zipcode: zips,
  vin: vins,
  partside: positions,
  h1: wordsOnly,
  listingid: listingIds,
  damagecode: damageCodes,
  ...Object.fromEntries(termFields.map((field) => [field, termJudge(field)])),
  corecharge: coreCharge,
  warrantydays: warranties,
  partprice: price,
  partshipping: shipping,
  ...nameEvidence,
}

/** Fields that a column is only by its name. */
export const namedFields: ReadonlySet<ImportField> = new Set([
  ...termFields,
  'corecharge',
  'warrantydays',
  'h1',
  'listingid',
  'gradereason',
  'bodystyle',
  'fitment',
])

/** Few rows are weak evidence: three values support a guess less than three hundred. */
const trust = (count: number) => count / (count + 0.4)

export function evidenceOf(field: ImportField, column: ColumnProfile, columns: Columns): Evidence {
  const found = (judges[field] ?? wordsOnly)(column, columns)
  return { ...found, strength: found.strength * trust(column.count) }
}
