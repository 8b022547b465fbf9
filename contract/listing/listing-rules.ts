import { isOneLine, notOneLine } from '#contract/text/one-line.ts'
import { isPhone, notAPhone } from '#contract/text/phone.ts'
import { readFitment } from './fitment.ts'
import { damageCodeRule, readDamageCode } from './grade-rule.ts'
import { allFields, type ListingField, type ListingKind, specOf, termFields } from './listing-fields.ts'
import { readTerm, termContradictions, termRule } from './listing-terms.ts'
import { readYearSpan } from './year-span.ts'

/**
 * The rules of a listing's fields, checked in the form and again on the server. They work on text,
 * as in forms and multipart bodies.
 */

export const grades = ['A', 'B', 'C', 'D'] as const
export type Grade = (typeof grades)[number]

export const firstYear: Record<ListingKind, number> = { ecommerce: 1980, quick: 1900 }

/** Listing fields as text under the API's names; a field that was not sent is absent, an emptied one is ''. */
export type ListingText = Partial<Record<ListingField, string>>

/** The labels used in messages; the quick listing's labels come from the spec. */
export const fieldLabels = Object.fromEntries(
  allFields.map((field) => [field, specOf(field).label]),
) as Record<ListingField, string>

/** In the order in which the message names missing ones. */
export const requiredFields: Record<ListingKind, readonly ListingField[]> = {
  ecommerce: [
    'partcategoryId',
    'partmanuId',
    'partname',
    'partdescription',
    'partmodel',
    'partyear',
    'partprice',
    'partshipping',
    'partcity',
    'partstate',
    'dealername',
    'dealerphone',
    'partnum',
    'partgrade',
  ],
  quick: [
    'partname',
    'partdescription',
    'partcategoryId',
    'partmanuId',
    'partmodel',
    'partmodelId',
    'parttrim',
    'partyear',
    'partgrade',
    'partnum',
    'partprice',
    'partcity',
    'partstate',
    'zipcode',
    'dealername',
    'dealerphone',
    'partmiles',
    'partdamage',
  ],
}

/** Fields that every listing needs; an import requires only these, so an edit must not require more. */
const coreFields: readonly ListingField[] = [
  'partname',
  'partcategoryId',
  'partmanuId',
  'partmodel',
  'partyear',
  'partprice',
]

/** The fields that identify a part's vehicle. A part of a universal category, such as a tire, needs none of them. */
export const vehicleFields: ReadonlySet<ListingField> = new Set<ListingField>([
  'partmanuId',
  'partmanuname',
  'partmodel',
  'partmodelId',
  'parttrim',
  'partyear',
  'partmiles',
])

// For ids, numbers and short words. The rules below expect no more, and matching a pattern against a megabyte would
// block the process.
const LONGEST_OTHER = 100

/** Maximum length of a category, manufacturer or model name. */
export const LONGEST_LOOKUP_NAME = 80

/** What is wrong with a listing: one message for the toast, and one for each field. */
export type ListingProblem = { error: string; fields: Partial<Record<ListingField | 'image', string>> }

type FieldRule = (
  text: string,
  kind: ListingKind,
  year: number,
) => { error: string; detail: string } | undefined

const wholeNumber = (label: string, most: number): FieldRule => {
  const sentence = `${label} must be a whole number from 0 to ${most.toLocaleString('en-US')}`
  return (text) => (toWholeNumber(text) <= most ? undefined : { error: sentence, detail: sentence })
}

/** "84,000" is 84000; NaN if it is not a whole number. */
export function toWholeNumber(text: string): number {
  return /^(\d{1,9}|\d{1,3}(,\d{3}){1,2})$/.test(text) ? Number(text.replaceAll(',', '')) : Number.NaN
}

const coordinate = (label: string, limit: number): FieldRule => {
  const detail = `${label} must be a number from -${limit} to ${limit}`
  return (text) =>
    /^[+-]?\d{1,3}(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= limit
      ? undefined
      : { error: 'Invalid coordinates', detail }
}

const phone: FieldRule = (text) => (isPhone(text) ? undefined : { error: notAPhone, detail: notAPhone })

/** Checked in this order; the first failing rule gives the toast's message. */
const fieldRules: Partial<Record<ListingField, FieldRule>> = {
  zipcode: (text) =>
    /^\d{5}(-\d{4})?$/.test(text)
      ? undefined
      : { error: 'Invalid zipcode format', detail: 'A zipcode has 5 digits, or 5+4 such as 74103-1234' },
  latitude: coordinate('Latitude', 90),
  longitude: coordinate('Longitude', 180),
  partyear: (text, kind, year) => {
    const span = readYearSpan(text)
    return span && span.from >= firstYear[kind] && span.to <= year
      ? undefined
      : {
          error: 'Invalid year',
          detail: `A year from ${firstYear[kind]} to ${year}, or two such as 2012-2015`,
        }
  },
  partprice: (text) =>
    /^\d{1,8}(\.\d{1,2})?$/.test(text)
      ? undefined
      : { error: 'Invalid price format', detail: 'Enter a price like 129.95 (up to 2 decimals)' },
  partgrade: (text) =>
    (grades as readonly string[]).includes(text.toUpperCase())
      ? undefined
      : { error: 'Grade must be A, B, C or D', detail: 'Choose A excellent, B good, C fair or D poor' },
  damagecode: (text) =>
    readDamageCode(text) ? undefined : { error: 'Invalid damage code', detail: damageCodeRule },
  partquantity: wholeNumber('Quantity', 1_000_000),
  partmiles: wholeNumber('Miles', 9_999_999),
  ...Object.fromEntries(
    termFields.map((field): [ListingField, FieldRule] => {
      const sentence = termRule(field)
      return [
        field,
        (text) => (readTerm(field, text) === undefined ? { error: sentence, detail: sentence } : undefined),
      ]
    }),
  ),
  dealerphone: phone,
  phoneb: phone,
  fitment: (text) => {
    const read = readFitment(text)
    return 'rows' in read ? undefined : { error: read.problem, detail: read.problem }
  },
  partshipping: (text) =>
    parseShipping(text)
      ? undefined
      : {
          error: 'Invalid shipping cost',
          detail: 'An amount such as 20, “Free”, “Flat $20” or “Pickup only”',
        },
}

// Built once, because every row of an import is checked with these.
const eachRule = Object.entries(fieldRules) as [ListingField, FieldRule][]

/** Zero is free; "Flat $20" is its amount; "Pickup only" means no shipping. */
export type Shipping = { kind: 'free' | 'pickup' } | { kind: 'flat'; cents: number }

/** Parses a typed shipping cost; undefined if the format is unknown. */
export function parseShipping(text: string): Shipping | undefined {
  const plain = text.trim().toLowerCase()
  if (/^free( shipping)?$/.test(plain)) return { kind: 'free' }
  if (/^(local )?pick-?up( only)?$/.test(plain)) return { kind: 'pickup' }
  const amount = /^(?:flat(?: rate)?)?\s*(?:\$\s*)?(\d{1,6}(?:\.\d{1,2})?)$/.exec(plain)?.[1]
  if (amount === undefined) return undefined
  const cents = toCents(amount)
  return cents === 0 ? { kind: 'free' } : { kind: 'flat', cents }
}

/** "129.9" → 12990, by its digits: 1.1 * 100 is not 110 in floating point. */
export function toCents(price: string): number {
  const [whole = '0', part = ''] = price.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0').slice(0, 2))
}

/** Maximum characters of a field; longer text would break a column or a card. */
export const longestText = (field: ListingField): number => specOf(field).longest ?? LONGEST_OTHER

/** Whether a field may have line breaks. */
const hasSeveralLines = (field: ListingField): boolean => specOf(field).type === 'long text'

/** Whether a field's own rule rejects a value, for callers that check field by field with their own messages. */
export const brokenRule = (field: ListingField, text: string, year: number): boolean =>
  fieldRules[field]?.(text, 'ecommerce', year) !== undefined

function missingProblem(kind: ListingKind, missing: ListingField[]): ListingProblem {
  const fields = Object.fromEntries(missing.map((field) => [field, `${fieldLabels[field]} is required`]))
  const list = missing.map((field) => fieldLabels[field]).join(', ')
  return {
    error: kind === 'quick' ? `Missing required: ${list}` : 'Please fill in all required fields',
    fields,
  }
}

/**
 * Returns what is wrong with a text regardless of its meaning: too long, or not displayable on one line. Ignores names
 * that are not listing fields.
 */
function unfitText(field: ListingField, text: string): string | undefined {
  if (fieldLabels[field] === undefined) return undefined
  const most = longestText(field)
  if (text.length > most)
    return `${fieldLabels[field]} can have at most ${most.toLocaleString('en-US')} characters`
  if (text.trim() === '' || hasSeveralLines(field) || isOneLine(text.trim())) return undefined
  return notOneLine(fieldLabels[field])
}

type Checking = {
  mode: 'create' | 'edit'
  /** The current year. */
  year: number
  /** A file’s phones are kept unchecked: “call Bob” is no reason to reject a part. */
  fromFile?: boolean
  /** The listing’s current text, for rules that compare fields when an edit changes only some of them. */
  stored?: ListingText | undefined
  /** Whether the category that it has, or gets, is universal. */
  universal?: boolean | undefined
}

/** Checks changed terms against unchanged ones. */
function contradictions(
  text: ListingText,
  { stored, fromFile }: { stored: ListingText | undefined; fromFile: boolean },
): [ListingField, string][] {
  const changed = termFields.some((field) => text[field] !== undefined && text[field] !== stored?.[field])
  if (!changed) return []
  return Object.entries(termContradictions({ ...stored, ...text }, { fromFile })) as [ListingField, string][]
}

function brokenFields(
  kind: ListingKind,
  text: ListingText,
  { year, fromFile = false, stored }: Checking,
): ListingProblem | undefined {
  let error: string | undefined
  const fields: ListingProblem['fields'] = {}
  for (const field of Object.keys(text) as ListingField[]) {
    const value = text[field]
    const sentence = value === undefined ? undefined : unfitText(field, value)
    if (sentence === undefined) continue
    fields[field] = sentence
    error ??= sentence
  }
  for (const [field, rule] of eachRule) {
    const value = text[field]?.trim()
    if (!value || fields[field] || (fromFile && rule === phone)) continue
    const broken = rule(value, kind, year)
    if (!broken) continue
    fields[field] = broken.detail
    error ??= broken.error
  }
  for (const [field, sentence] of contradictions(text, { stored, fromFile })) {
    fields[field] ??= sentence
    error ??= sentence
  }
  return error === undefined ? undefined : { error, fields }
}

const isEmpty = (text: ListingText, field: ListingField) => !text[field]?.trim()

function isMissing(field: ListingField, text: ListingText, { mode, stored }: Checking): boolean {
  // A tire without a vehicle that becomes an alternator needs one.
  const needsStored = Boolean(text.partcategoryId) && vehicleFields.has(field)
  if (mode === 'edit' && text[field] === undefined) return needsStored && stored?.[field] === ''
  if (field === 'partmanuId' && !isEmpty(text, 'partmanuname')) return false
  return isEmpty(text, field)
}

/**
 * Checks the text of a whole listing (`create`) or of a change (`edit`: absent fields are unchanged, but an emptied
 * required field is missing). The manufacturer is given by id or name.
 */
export function checkListing(
  kind: ListingKind,
  text: ListingText,
  options: Checking,
): ListingProblem | undefined {
  const required = options.mode === 'edit' ? coreFields : requiredFields[kind]
  const missing = required.filter(
    (field) => !(options.universal && vehicleFields.has(field)) && isMissing(field, text, options),
  )
  const broken = brokenFields(kind, text, options)
  if (missing.length === 0) return broken
  const problem = missingProblem(kind, missing)
  return { error: problem.error, fields: { ...broken?.fields, ...problem.fields } }
}

/** Maximum size of an uploaded picture. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024

/** Maximum number of pictures of a listing. */
export const MAX_PICTURES = 24

export const pictureMissing = 'Image is required for an e-commerce listing'

/** Buyers make no offer for a cheaper part. */
export const MIN_OFFER_CENTS = 100
