import { type ImportField, importFieldLabels } from '#contract/csv/import-fields.ts'
import { type FileTextField, fileTextFields, specOf } from '#contract/listing/listing-fields.ts'
import {
  brokenRule,
  firstYear,
  type Grade,
  LONGEST_LOOKUP_NAME,
  longestText,
  toWholeNumber,
} from '#contract/listing/listing-rules.ts'
import { readYearSpan, type YearSpan, yearSpanText } from '#contract/listing/year-span.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import { isInsideHost } from '#server/platform/net/addresses.ts'
import { priceReader, shippingReader } from './amounts.ts'
import { codeReader, type ReadValue, textReader, type ValueProblem } from './field-text.ts'

// Makes, grades and cities repeat; a column in which nothing does must not fill the memory.
const MOST_VALUES = 2_000
const LONGEST_VALUE = 64

/** A value is a piece of the text that was read, and kept would keep a quarter of a megabyte. */
const copied = (text: string): string => Buffer.from(text).toString()

/** The same function, which remembers its answers for short texts. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const answer = known.get(text)
    if (answer !== undefined) return answer
    const found = read(text)
    if (text.length > LONGEST_VALUE) return found
    if (known.size >= MOST_VALUES) known.clear()
    known.set(copied(text), typeof found === 'string' ? (copied(found) as typeof found) : found)
    return found
  }
}

type Count = {
  readonly field: 'partquantity' | 'partmiles'
  readonly rule: string
  /** Words that may stand behind it. */
  readonly unit: RegExp
  /** Whether "150k" is 150,000. */
  readonly thousands: boolean
}

const QUANTITY: Count = {
  field: 'partquantity',
  rule: 'Quantity is a whole number from 0 to 1,000,000',
  unit: /\s*(?:ea|each|pcs?|pieces?|units?|in stock|qty)\.?$/i,
  thousands: false,
}
const MILES: Count = {
  field: 'partmiles',
  rule: 'Miles is a whole number from 0 to 9,999,999',
  unit: /\s*(?:miles?|mi)\.?$/i,
  thousands: true,
}

/** What a listing's rule takes stays as it is, without commas; a unit, a ".0" and spaces between thousands are taken away. */
function countReader({ field, rule, unit, thousands }: Count): ReadValue {
  const problem: ValueProblem = { code: 'INVALID_NUMBER', message: rule }
  const kilometres: ValueProblem = {
    code: 'INVALID_NUMBER',
    message: `${rule}; this is in kilometres. Convert it to miles`,
  }
  return (text) => {
    const plain = text.includes(',') ? String(toWholeNumber(text)) : text
    if (!brokenRule(field, plain, 0)) return plain
    if (text.length > 40) return problem
    const bare = text
      .replace(unit, '')
      .replace(SPACED, (groups) => groups.replace(/\D/g, ''))
      .replace(/\.0{1,2}$/, '')
    const value = thousands ? inThousands(bare) : toWholeNumber(bare)
    if (!Number.isNaN(value) && !brokenRule(field, String(value), 0)) return String(value)
    return thousands && /\d\s*k(?:m|ilomet\w*)$/i.test(text) ? kilometres : problem
  }
}

const SPACED = /^\d{1,3}(?:[ '\u00a0\u2009\u202f’]\d{3})+(?=\D|$)/

function inThousands(text: string): number {
  const [, whole, tenths = ''] = /^(\d{1,4})(?:\.(\d))?\s*k$/i.exec(text) ?? []
  return whole === undefined ? toWholeNumber(text) : Number(whole) * 1_000 + Number(tenths) * 100
}

/** "1 ea" and "1.0" are 1. */
const quantityReader: ReadValue = countReader(QUANTITY)
/** "150k", "150K miles" and "150,000 mi" are 150000. */
const milesReader: ReadValue = countReader(MILES)

const words: Readonly<Record<Grade, readonly string[]>> = {
  A: ['excellent', 'mint', 'near mint', 'perfect', 'new', 'brand new', 'like new'],
  B: ['good', 'very good', 'above average'],
  C: ['fair', 'average', 'ok', 'okay', 'acceptable'],
  D: ['poor', 'bad', 'rough', 'damaged', 'for parts'],
}
const gradeOfWord = new Map(
  (Object.entries(words) as [Grade, readonly string[]][]).flatMap(([grade, of]) =>
    of.map((word) => [word, grade] as const),
  ),
)

const problem: ValueProblem = { code: 'INVALID_GRADE', message: 'Grade is A, B, C or D' }
const damageCode: ValueProblem = {
  code: 'INVALID_GRADE',
  message:
    'Grade is A, B, C or D; this looks like a damage code. Match the column of the grade, or give a grade for the file',
}

/** "B+", "Grade B", "b", "good" and "B (good)" are B. */
const gradeReader: ReadValue = (text) => {
  if (text.length > 40) return problem
  const plain = text.toUpperCase()
  if (LETTER.test(plain)) return plain
  const bare = text.replace(AROUND, '').trim()
  const [, letter = '', word] = GRADE.exec(bare) ?? []
  const grade = letter.toUpperCase()
  if (grade !== '' && (word === undefined || gradeOfWord.get(word.toLowerCase()) === grade)) return grade
  return gradeOfWord.get(bare.toLowerCase()) ?? (DAMAGE.test(text) ? damageCode : problem)
}

const LETTER = /^[A-D]$/
const AROUND = /^(?:part )?(?:grade|condition|cond\.?)\b\s*[:-]?|\b(?:grade|condition)$/gi
const GRADE = /^([A-D])(?:\s?[-+–−]|\s*[-–:(]\s*([a-z ]+)\)?)?$/i
/** Of the recyclers' association: where, what and how much, such as 3B1. */
const DAMAGE = /^(?:000|\d[A-Z]\d(?:\W+\d[A-Z]\d)*)$/i

export const unknownListing: ValueProblem = {
  code: 'UNKNOWN_LISTING',
  message: 'Listing id is none of your listings. Empty the cell to list the row as a new part',
}

export const goneListing: ValueProblem = {
  code: 'GONE_LISTING',
  message:
    'Listing id is of a listing that is ended or deleted. Empty the cell to list the row as a new part',
}

const LISTING_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isListingId = (text: string): boolean => LISTING_ID.test(text)

/** Whose listing it is, is asked where the database is at hand. */
const listingIdReader: ReadValue = (text) => {
  const id = text.toLowerCase()
  return isListingId(id) ? id : unknownListing
}

const LONGEST = 2_000

const tooLong: ValueProblem = {
  code: 'TOO_LONG',
  message: `Picture address is too long (max ${LONGEST.toLocaleString('en-US')} characters)`,
}
const notAnAddress: ValueProblem = {
  code: 'INVALID_ADDRESS',
  message: 'Picture address begins with http:// or https:// and names a public web address',
}
const insideAddress: ValueProblem = {
  code: 'INSIDE_ADDRESS',
  message: 'Picture address leads into a private network. Use an address that everybody can open',
}

/** An address as files have them; anything odd goes the long way. */
const PLAIN_ADDRESS = /^(https?:\/\/[a-z0-9.-]+)(?:\/[!#-;=?-[\]_a-z~]*)?$/i

/**
 * A web address of a picture, of several the first, since a listing takes one from its file; whether its name leads inside all
 * the same is seen when it is fetched.
 */
function pictureReader(): ReadValue {
  // The pictures of a yard lie on one or two hosts.
  const problemOf = remembered((origin: string) => hostProblem(origin) ?? '')
  return (cell) => {
    const text = cell.includes('http', 4) ? firstAddress(cell) : cell
    if (text.length > LONGEST) return tooLong
    const origin = PLAIN_ADDRESS.exec(text)?.[1]
    const problem = origin === undefined ? hostProblem(text) : problemOf(origin)
    return problem || text
  }
}

const isBetween = (mark: string | undefined): boolean => mark !== undefined && /[\s|;,]/.test(mark)

/** Of several addresses in a cell, with blanks or marks such as | between them, the first. */
function firstAddress(cell: string): string {
  const text = cell.slice(0, 2 * LONGEST)
  for (const { index } of text.matchAll(/https?:\/\//gi)) {
    let end = index
    while (end > 0 && isBetween(text[end - 1])) end -= 1
    if (end > 0 && end < index) return text.slice(0, end)
  }
  return cell
}

function hostProblem(address: string): ValueProblem | undefined {
  // What URL repairs silently (no slashes, a blank in the middle) is a slip of the one who typed it.
  const url = /^https?:\/\/[^\s/]\S*$/i.test(address) ? URL.parse(address) : undefined
  if (url?.username !== '') return notAnAddress
  return isInsideHost(url.hostname) ? insideAddress : undefined
}

const TICK = "['’‘`]"
const ONE = new RegExp(`^(?:(\\d{4})(?:\\.0+)?|${TICK}(\\d{2}))$`)
const SPAN = new RegExp(
  `^${TICK}?(\\d{4}|\\d{2})\\s*(-|–|—|‐|‑|−|/|to|thru|through)\\s*${TICK}?(\\d{4}|\\d{2})$`,
  'i',
)

/** A year or a span of years: "2012", "2012.0", "'12", "2012-2015", "2012–15", "2012/2015", "12-15". */
function yearReader(first: number, current: number): ReadValue {
  const rule = `Year is a year from ${first} to ${current}, or two such as 2012-2015`
  const of = (hint?: string): ValueProblem => ({
    code: 'INVALID_YEAR',
    message: hint === undefined ? rule : `${rule}; ${hint}`,
  })
  const wrong = of()
  const backwards = of('the earlier one comes first')
  const hints: [pattern: RegExp, problem: ValueProblem][] = [
    [/^\d{2}$/, of('it is written in four figures')],
    [/^[\dOolI]{4}$/, of('a letter such as O stands where a figure should')],
    [DATE, of('a spreadsheet may have made a date of it')],
  ]
  return (text) => {
    const span = readYearSpan(text) ?? readSpan(text, current)
    if (span === undefined) return hints.find(([pattern]) => pattern.test(text))?.[1] ?? wrong
    if (span.from > span.to) return backwards
    return span.from >= first && span.to <= current ? yearSpanText(span) : wrong
  }
}

const DATE = /^\d{1,2}[-/ ][a-z]{3}|^[a-z]{3}[-/ ]\d|^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?/i

function readSpan(text: string, current: number): YearSpan | undefined {
  const [, year, short] = ONE.exec(text) ?? []
  if (year !== undefined) return { from: Number(year), to: Number(year) }
  if (short !== undefined) return { from: inFull(short, current), to: inFull(short, current) }
  const [, from = '', dash, to = ''] = SPAN.exec(text) ?? []
  if (dash === undefined) return undefined
  // 05/2012 is a month and 12/15 a day, as likely as years.
  if (from.length === 2 && (to.length === 4 || dash === '/')) return undefined
  const start = from.length === 4 ? Number(from) : inFull(from, current)
  return { from: start, to: to.length === 4 ? Number(to) : notBefore(start, Number(to)) }
}

/** '12 is 2012 and '98 is 1998: no car is of a year to come. */
function inFull(short: string, current: number): number {
  const year = current - (current % 100) + Number(short)
  return year > current ? year - 100 : year
}

/** The first year that ends in these two figures, from another year on: 1998-02 ends in 2002. */
function notBefore(start: number, short: number): number {
  const year = start - (start % 100) + short
  return year < start ? year + 100 : year
}

const fieldZipcodeProblem: ValueProblem = {
  code: 'INVALID_ZIPCODE',
  message: 'Zipcode is 5 digits, or 5+4 such as 74103-1234',
}

/** A zipcode whose zeros in front a spreadsheet dropped has them again: "2134" is 02134, "501" is 00501. */
const zipcodeReader: ReadValue = (text) => {
  if (WHOLE.test(text)) return text
  if (text.length > 20) return fieldZipcodeProblem
  const [, five, four] = LOOSE.exec(text) ?? RUN.exec(text) ?? []
  if (five === undefined || /^0*$/.test(five)) return fieldZipcodeProblem
  const zipcode = five.padStart(5, '0')
  return four === undefined ? zipcode : `${zipcode}-${four}`
}

const WHOLE = /^\d{5}(?:-\d{4})?$/
/** With a dash that nothing follows, as a number, or with another dash. */
const LOOSE = /^(\d{3,5})(?:\.0+|\s*[-–]\s*(?:0{4})?|\s*[-– ]\s*(\d{4}))?$/
/** Both parts without a dash. */
const RUN = /^(\d{4,5})(\d{4})$/

export type FieldRules = {
  /** The current one, for the years of cars. */
  readonly year: number
  /** What separates cents in the columns of money, where that is known. */
  readonly decimals?: Reading['decimals'] | undefined
}

function textReaderOf(field: FileTextField): ReadValue {
  const { type, clean } = specOf(field)
  const label = importFieldLabels[field]
  const longest = longestText(field)
  if (type === 'code') return codeReader({ label, longest })
  return textReader({ label, longest, clean, lines: type === 'long text' ? 'several' : undefined })
}

/** How the values of each field are read. The answers may remember, so one for each file. */
export function fieldReaders({ year, decimals = {} }: FieldRules): Record<ImportField, ReadValue> {
  const texts = Object.fromEntries(fileTextFields.map((field) => [field, textReaderOf(field)]))
  return {
    ...(texts as Record<FileTextField, ReadValue>),
    imageUrl: orNothing(pictureReader()),
    partcategory: textReader({ label: importFieldLabels.partcategory, longest: LONGEST_LOOKUP_NAME }),
    partmanu: textReader({ label: importFieldLabels.partmanu, longest: longestText('partmanuname') }),
    partmodel: textReader({ label: importFieldLabels.partmodel, longest: longestText('partmodel') }),
    partyear: remembered(orNothing(yearReader(firstYear.ecommerce, year))),
    partgrade: remembered(orNothing(gradeReader)),
    partprice: remembered(orNothing(priceReader(decimals.partprice))),
    partshipping: remembered(orNothing(shippingReader(decimals.partshipping))),
    partquantity: remembered(orNothing(quantityReader)),
    partmiles: orNothing(milesReader),
    zipcode: remembered(orNothing(zipcodeReader)),
    listingid: listingIdReader,
  }
}

/** "N/A" and "-" say nothing, as an empty cell does; words of a column of text stay as they are. */
function orNothing(read: ReadValue): ReadValue {
  return (text) => {
    const value = read(text)
    return typeof value === 'object' && text.length <= 12 && NOTHING.test(text) ? '' : value
  }
}

const NOTHING = /^(?:n[/.]?a\.?|#n\/a|null|nil|unknown|tbd|tba|[-–—?.]+)$/i
