import { type ImportField, importFieldLabels, requiredImportFields } from '#contract/csv/import-fields.ts'
import { joinAddresses, splitAddresses } from '#contract/csv/picture-addresses.ts'
import { printFitment, readFitment } from '#contract/listing/fitment.ts'
import { damageCodeRule, plainDamageCode, readDamageCode } from '#contract/listing/grade-rule.ts'
import { plainInterchange } from '#contract/listing/interchange.ts'
import {
  type FileTextField,
  fileTextFields,
  specOf,
  type TermField,
  termFields,
} from '#contract/listing/listing-fields.ts'
import { firstYear, type Grade, LONGEST_LOOKUP_NAME, longestText } from '#contract/listing/listing-rules.ts'
import { yearSpanText } from '#contract/listing/year-span.ts'
import { isNoValue, visibleNumber } from '#contract/text/no-value.ts'
import { readYears } from '#contract/trade-language/years.ts'
import { plainEntities } from '#contract/yard-file/html-text.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import { saleStates } from '#server/features/finding/vocabulary/sale-states.ts'
import { isInternalHost } from '#server/platform/net/addresses.ts'
import { milesReader, priceReader, quantityReader, shippingReader, termReader } from './amounts.ts'
import { codeReader, type ReadValue, shownValue, textReader, type ValueProblem } from './field-text.ts'

// Makes, grades and cities repeat; a column without repeats must not fill the memory.
const MAX_VALUES = 2_000
const LONGEST_VALUE = 64

/** A slice of a text keeps the whole text in memory, here a quarter of a megabyte. */
const copied = (text: string): string => Buffer.from(text).toString()

/** Caches a function's results for short texts. */
function cached<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const hit = known.get(text)
    if (hit !== undefined) return hit
    const found = read(text)
    if (text.length > LONGEST_VALUE) return found
    if (known.size >= MAX_VALUES) known.clear()
    known.set(copied(text), typeof found === 'string' ? (copied(found) as typeof found) : found)
    return found
  }
}

const words: Readonly<Record<Grade, readonly string[]>> = {
  A: [
    'excellent',
    'exc',
    'excel',
    'ex',
    'xlnt',
    'exlnt',
    'nib',
    'nos',
    'mint',
    'near mint',
    'perfect',
    'new',
    'brand new',
    'like new',
    'excelente',
    'nuevo',
    'nueva',
    'neu',
    'sehr gut',
  ],
  B: [
    'good',
    'gd',
    'very good',
    'v good',
    'vg',
    'vgood',
    'above average',
    'above avg',
    'good cond',
    'good condition',
    'good used',
    'nice',
    'bueno',
    'buena',
    'muy bueno',
    'muy buena',
    'gut',
  ],
  C: ['fair', 'fr', 'average', 'avg', 'ok', 'okay', 'acceptable'],
  D: [
    'poor',
    'pr',
    'bad',
    'rough',
    'damaged',
    'dmg',
    'for parts',
    'parts only',
    'poor cond',
    'broken',
    'junk',
    'malo',
    'mala',
  ],
}
const gradeOfWord = new Map(
  (Object.entries(words) as [Grade, readonly string[]][]).flatMap(([grade, of]) =>
    of.map((word) => [word, grade] as const),
  ),
)

/**
 * Words that are not grades: every part here is used, and shops call a product without variants "Regular". In a
 * column of words it is the Spanish one for fair.
 */
const noGrade =
  /^(?:used|pre-?owned|second[ -]?hand|usad[oa]s?|(?:de )?segunda mano|gebraucht|(?:d['’])?occasion|usag[ée]e?|refurbished|remanufactured|reman|rebuilt|reconditioned|regular|standard|normal|default(?: title)?)$/i
const REGULAR = 'regular'

/** Whether a column's values contain words for grades, besides letters and words that are not grades. */
export const hasGradeWords = (values: readonly string[]): boolean =>
  values.some((value) => gradeOfWord.has(value.trim().toLowerCase()))

const problem: ValueProblem = { code: 'INVALID_GRADE', message: 'Grade must be A, B, C or D' }
const damageCode: ValueProblem = {
  code: 'INVALID_GRADE',
  message:
    'Grade must be A, B, C or D; this looks like a damage code. Choose the column for Damage code, which gives the grade',
}

/** "B+", "Grade B", "b", "good" and "B (good)" are B. */
const gradeReader =
  (grades: Reading['grades']): ReadValue =>
  (text) => {
    if (noGrade.test(text)) return grades === 'words' && text.toLowerCase() === REGULAR ? 'C' : ''
    return readGrade(text)
  }

function readGrade(text: string): string | ValueProblem {
  if (text.length > 40) return problem
  const plain = text.toUpperCase()
  if (LETTER.test(plain)) return plain
  // ARA's grade for too little information.
  if (plain === 'X') return ''
  const known = gradeOfWord.get(text.toLowerCase())
  if (known !== undefined) return known
  const bare = text.replace(AROUND, '').trim()
  const [, letter = '', word] = GRADE.exec(bare) ?? []
  const grade = letter.toUpperCase()
  if (grade !== '' && (word === undefined || gradeOfWord.get(word.toLowerCase()) === grade)) return grade
  return gradeOfWord.get(bare.toLowerCase()) ?? (DAMAGE.test(text) ? damageCode : problem)
}

const invalidDamageCode: ValueProblem = { code: 'INVALID_DAMAGE_CODE', message: damageCodeRule }

/** "5p1,2s1" is 5P1 2S1; "none" and a zero that a spreadsheet shortened are 000. */
const damageCodeReader: ReadValue = (text) => {
  if (/^(?:0+|none|no damage|nd)$/i.test(text)) return '000'
  if (text.length > 60 || !readDamageCode(text)) return invalidDamageCode
  return plainDamageCode(text)
}

const LETTER = /^[A-D]$/
const AROUND =
  /^(?:(?:part )?(?:grade|condition|cond\.?)\b\s*[:-]?|(?:used|pre-?owned)\b\s*[-–:,(]?)\s*|[)]$|\b(?:grade|condition|cond\.?|used)$|(?<=[a-z])\.$/gi
const GRADE = /^([A-D])(?:\s?[-+–−]|\s*[-–:(]\s*([a-z ]+)\)?)?$/i
/** The recyclers' association's codes for location, type and amount of damage, such as 3B1. */
const DAMAGE = /^(?:000|\d[A-Z]\d(?:\W+\d[A-Z]\d)*)$/i

export const unknownListingProblem: ValueProblem = {
  code: 'UNKNOWN_LISTING',
  message: 'Listing id is not one of your listings. Clear the cell to list the row as a new part',
}

export const endedListingProblem: ValueProblem = {
  code: 'GONE_LISTING',
  message: 'This listing is ended or deleted. Clear the cell to list the row as a new part',
}

const LISTING_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isListingId = (text: string): boolean => LISTING_ID.test(text)

/** Checks the format only; whether the listing is the seller's needs the database. */
const listingIdReader: ReadValue = (text) => {
  const id = text.toLowerCase()
  return isListingId(id) ? id : unknownListingProblem
}

const LONGEST = 2_000

const tooLong: ValueProblem = {
  code: 'TOO_LONG',
  message: `Picture address is too long (max ${LONGEST.toLocaleString('en-US')} characters)`,
}
const notAnAddress: ValueProblem = {
  code: 'INVALID_ADDRESS',
  message: 'Picture URL must start with http:// or https:// and be a public web address',
}
const insideAddress: ValueProblem = {
  code: 'INSIDE_ADDRESS',
  message: 'Picture URL leads into a private network. Use a URL that anyone can open',
}

/** The usual form of a URL; anything else is parsed in full. */
const PLAIN_ADDRESS = /^(https?:\/\/[a-z0-9.-]+)(?:\/[!#-;=?-[\]_a-z~]*)?$/i

/**
 * Picture URLs. The first must be valid. Problems with the others, and host names that resolve to a private address,
 * show on the listing when the pictures are fetched.
 */
function pictureReader(): ReadValue {
  // A yard's pictures are on one or two hosts.
  const hostProblemOf = cached((origin: string) => hostProblem(origin) ?? '')
  const problemOf = (address: string): ValueProblem | undefined => {
    if (address.length > LONGEST) return tooLong
    const origin = PLAIN_ADDRESS.exec(address)?.[1]
    return (origin === undefined ? hostProblem(address) : hostProblemOf(origin)) || undefined
  }
  return (cell) => {
    const [first = cell, ...further] = splitAddresses(cell).map(withEncodedSpaces)
    const problem = problemOf(first)
    if (problem || further.length === 0) return problem ?? first
    return joinAddresses([first, ...further.filter((address) => address.length <= LONGEST)])
  }
}

/** "…/front bumper.jpg" as browsers send it. Words after the file's name do not belong to the address. */
const withEncodedSpaces = (address: string): string =>
  address.includes(' ') && SPACED_FILE.test(address) ? address.replaceAll(' ', '%20') : address

const SPACED_FILE = /^https?:\/\/[^\s/]+\/[^?#]*\.(?:jpe?g|png|webp|gif|bmp|avif|heic)(?:[?#]\S*)?$/i

function hostProblem(address: string): ValueProblem | undefined {
  // URL silently repairs missing slashes and spaces in the middle, which are typos.
  const url = /^https?:\/\/[^\s/]\S*$/i.test(address) ? URL.parse(address) : undefined
  if (url?.username !== '') return notAnAddress
  return isInternalHost(url.hostname) ? insideAddress : undefined
}

/** Years as yards write them (`readYears`), within the years that a listing may have. */
function yearReader(first: number, current: number): ReadValue {
  const rule = 'Write the year like 2012'
  const problem = (hint?: string): ValueProblem => ({
    code: 'INVALID_YEAR',
    message: hint === undefined ? rule : `${rule}; ${hint}`,
  })
  const wrong = problem()
  const outside: ValueProblem = {
    code: 'INVALID_YEAR',
    message: `We list cars from ${first} to ${current}. Older ones can be a quick listing`,
  }
  const byProblem = {
    none: wrong,
    unclear: wrong,
    backwards: problem('put the earlier one first'),
    gap: problem(
      'this list leaves out years. Use one row for the years before the gap and one for those after it',
    ),
  }
  const hints: [pattern: RegExp, problem: ValueProblem][] = [
    [/^[\dOolI]{4}$/, problem('this one has a letter, such as O, in place of a digit')],
    [DATE, problem('a spreadsheet may have turned this one into a date')],
  ]
  return (text) => {
    const read = readYears(text, current)
    if (read.years === undefined) {
      const found = byProblem[read.problem]
      return found === wrong ? (hints.find(([pattern]) => pattern.test(text))?.[1] ?? wrong) : found
    }
    const { from, to } = read.years
    return from >= first && to <= current ? yearSpanText(read.years) : outside
  }
}

const DATE = /^\d{1,2}[-/ ][a-z]{3}|^[a-z]{3}[-/ ]\d|^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?/i

const invalidZipcode: ValueProblem = {
  code: 'INVALID_ZIPCODE',
  message: 'Zipcode is 5 digits, or 5+4 such as 74103-1234',
}

/** Restores leading zeros that a spreadsheet dropped: "2134" is 02134, "501" is 00501. */
const zipcodeReader: ReadValue = (text) => {
  if (WHOLE.test(text)) return text
  if (text.length > 20) return invalidZipcode
  const [, five, four] = LOOSE.exec(text) ?? RUN.exec(text) ?? []
  if (five === undefined || /^0*$/.test(five)) return invalidZipcode
  const zipcode = five.padStart(5, '0')
  return four === undefined ? zipcode : `${zipcode}-${four}`
}

const WHOLE = /^\d{5}(?:-\d{4})?$/
/** With a trailing dash, as a number, or with another kind of dash. */
const LOOSE = /^(\d{3,5})(?:\.0+|\s*[-–]\s*(?:0{4})?|\s*[-– ]\s*(\d{4}))?$/
/** Both parts without a dash. */
const RUN = /^(\d{4,5})(\d{4})$/

/** Stored in one form, so that a list that is written differently is not a change. */
const fitmentReader =
  (readText: ReadValue | undefined): ReadValue =>
  (typed) => {
    const text = readText?.(typed) ?? typed
    if (typeof text !== 'string') return text
    const read = readFitment(text)
    return 'rows' in read ? printFitment(read.rows) : { code: 'INVALID_FITMENT', message: read.problem }
  }

/** Stored in one form, too; any text is allowed. */
const interchangeReader =
  (readText: ReadValue | undefined): ReadValue =>
  (typed) => {
    const text = readText?.(typed) ?? typed
    return typeof text === 'string' ? plainInterchange(text) : text
  }

export type FieldRules = {
  /** The current year, for the years of cars. */
  readonly year: number
  /** The decimal mark of each money column, if known. */
  readonly decimals?: Reading['decimals'] | undefined
  /** The unit of the column of miles, if it is not plain miles. */
  readonly miles?: Reading['miles']
  /** Whether the column of grades has words. */
  readonly grades?: Reading['grades']
  readonly corners?: Reading['corners']
  readonly amounts?: Reading['amounts']
  /** By the currency of the prices. */
  readonly isDriverOnRight?: boolean
  /** The column that says each row's currency; by its name if not given. */
  readonly currency?: Reading['currency']
}

/** Part and stock numbers, some of which look like dates; phone numbers and VINs never do. */
const DATED: ReadonlySet<FileTextField> = new Set<FileTextField>(['partnum', 'stocknum'])

function textReaderOf(field: FileTextField): ReadValue {
  const { type, clean } = specOf(field)
  const label = importFieldLabels[field]
  const longest = longestText(field)
  if (type === 'code') return codeReader({ label, longest, dated: DATED.has(field) })
  const isLong = type === 'long text'
  return textReader({ label, longest, clean, lines: isLong ? 'several' : undefined, plain: isLong })
}

/** The reader of each field. They cache values, so make them once per file. */
export function fieldReaders({
  year,
  decimals = {},
  miles,
  grades,
}: FieldRules): Record<ImportField, ReadValue> {
  const texts = Object.fromEntries(
    fileTextFields.map((field) => [field, withoutNothing(field, textReaderOf(field))]),
  )
  return {
    ...(texts as Record<FileTextField, ReadValue>),
    imageUrl: orEmpty(pictureReader()),
    partstate: cached(placeNotState(texts.partstate)),
    partcategory: textReader({ label: importFieldLabels.partcategory, longest: LONGEST_LOOKUP_NAME }),
    partmanu: oneName(
      textReader({ label: importFieldLabels.partmanu, longest: longestText('partmanuname') }),
      'make',
    ),
    partmodel: oneName(
      textReader({ label: importFieldLabels.partmodel, longest: longestText('partmodel') }),
      'model',
    ),
    partyear: cached(orEmpty(yearReader(firstYear.ecommerce, year))),
    partgrade: cached(orEmpty(gradeReader(grades))),
    damagecode: cached(orEmpty(damageCodeReader)),
    partprice: cached(orEmpty(priceReader(decimals.partprice))),
    partshipping: cached(orEmpty(shippingReader(decimals.partshipping))),
    partquantity: cached(orEmpty(quantityReader)),
    partmiles: orEmpty(milesReader(miles)),
    ...terms(),
    zipcode: cached(orEmpty(zipcodeReader)),
    fitment: orEmpty(fitmentReader(texts.fitment)),
    partinterchange: orEmpty(interchangeReader(texts.partinterchange)),
    // A value without a side leaves the name unchanged, so only its length is checked.
    partside: textReader({ label: importFieldLabels.partside, longest: 500 }),
    listingid: listingIdReader,
  }
}

/** Spanish has one word for a state and a condition, so below “Estado” may be “Disponible”, which is no place. */
const placeNotState =
  (read: ReadValue | undefined): ReadValue =>
  (text) =>
    saleStates.stateOfSale('Estado', text) === undefined ? (read?.(text) ?? text) : ''

const terms = () =>
  Object.fromEntries(termFields.map((field) => [field, cached(orEmpty(termReader(field)))])) as Record<
    TermField,
    ReadValue
  >

/** Additions to a single name after a comma: "Chrysler, Inc.", "Camry, LE", "F-150, 4WD". */
const NAME_SUFFIX =
  /^(?:inc|ltd|co|corp|llc|ag|usa|.{1,3}|.*\d\s?(?:l|wd|dr|door|cyl)|base|limited|touring|sport|premium|platinum|lariat|laredo|luxury|hybrid|diesel|turbo|all|others?|etc|.*\b(?:cab|sedan|coupe|wagon|van|hatchback|convertible|pickup|truck|suv|edition|package))\.?$/i

/**
 * Refuses a cell with several names: "Outback, Corolla, RAV4" is not a model, and any one of them would be wrong for
 * the other parts.
 */
function oneName(read: ReadValue, noun: 'make' | 'model'): ReadValue {
  return cached((text) => {
    const value = read(text)
    if (typeof value !== 'string' || !/[,;|]/.test(value)) return value
    const names = text
      .split(/[,;|]/)
      .map((name) => name.trim())
      .filter((name) => name !== '')
    const [first, ...more] = names
    if (!first || more.every((name) => NAME_SUFFIX.test(name))) return value
    const message = `“${shownValue(text)}” has several names. Give each ${noun} its own row, or keep the one the part came from`
    return { code: 'SEVERAL_NAMES', message }
  })
}

/** Reads "N/A" and "-" as empty; names keep such words. */
function orEmpty(read: ReadValue): ReadValue {
  return (text) => {
    const value = read(text)
    return typeof value === 'object' && isNoValue(text) ? '' : value
  }
}

/** Texts that identify a part are kept as sent, so that later files find it; numbers among them are cleaned when names are. */
const identifying: ReadonlySet<FileTextField> = new Set<FileTextField>(['partname', 'partnum', 'h1'])

/** WooCommerce writes the line breaks of a description as \\n. */
const withLines = (text: string): string =>
  text.includes('\\n') && !text.includes('\n') ? text.replaceAll(/(?:\\r)?\\n/g, '\n') : text

function withoutNothing(field: FileTextField, read: ReadValue): ReadValue {
  if (identifying.has(field)) return read
  const { type } = specOf(field)
  if (type === 'long text') return (text) => (isNoValue(text) ? '' : read(withLines(text)))
  if (type !== 'code') return (text) => (isNoValue(text) ? '' : read(plainEntities(text)))
  return (typed) => {
    // A number that a spreadsheet stored as a number.
    const text = visibleNumber(field === 'dealerphone' ? typed.replace(/^(\+?\d{7,15})\.0+$/, '$1') : typed)
    return text === '' ? '' : read(text)
  }
}

/** Values whose loss changes what is sold, or which the rules for listings forbid. */
const decisive: ReadonlySet<ImportField> = new Set<ImportField>([
  ...requiredImportFields,
  'partnum',
  'stocknum',
  'listingid',
  'imageUrl',
])

/**
 * Whether a value that can't be read is left empty, and its row listed: “TMU” as mileage must not prevent a sale.
 * Text that is forbidden or too long is still refused.
 */
export const isLeftEmpty = (field: ImportField, { code }: ValueProblem): boolean =>
  !decisive.has(field) &&
  (code.startsWith('INVALID_') || code === 'DAMAGED_NUMBER' || code === 'OTHER_CURRENCY')
