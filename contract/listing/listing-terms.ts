import { moneyInWords } from '#contract/text/typed-number.ts'
import { stateCode } from '#contract/text/us-states.ts'
import { type ListingField, listingFields, specOf, type TermField, termFields } from './listing-fields.ts'
import { neverDeployedSentence } from './restricted-parts.ts'

/*
 * The terms of a sale: warranty, returns, restocking, AS-IS and core charge. Each is a number, an amount or yes. Only
 * this file converts them from and to text, for forms, grid, files, exports and replies. '' means "not stated", which
 * is not 0.
 */

type TermColumn = (typeof listingFields)[TermField]['column']
/** The stored value: a whole number, cents, or true. */
export type TermValue = number | true | null

export const termColumns: readonly TermColumn[] = termFields.map((field) => listingFields[field].column)

const WHOLE = /^\d{1,6}$/
const AMOUNT = /^(\d{1,6})(?:\.(\d{1,2}))?$/
const YES = /^(?:yes|y|true|1|x|as[ -]?is)$/i
const NO = /^(?:no|n|false|0|)$/i

/** Returns the stored value of a text, null if it is empty, or undefined if it is invalid. */
export function readTerm(field: TermField, typed: string): TermValue | undefined {
  const text = typed.trim()
  const { type, most = 0 } = specOf(field)
  if (type === 'yes') {
    if (NO.test(text)) return null
    return YES.test(text) ? true : undefined
  }
  if (text === '') return null
  if (type === 'number') return WHOLE.test(text) && Number(text) <= most ? Number(text) : undefined
  const [, dollars, cents = ''] = AMOUNT.exec(text) ?? []
  if (dollars === undefined || Number(dollars) > most) return undefined
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'))
}

/** The text of a stored value, as in forms, grid and files. */
export function termText(field: TermField, stored: TermValue | undefined): string {
  if (stored === null || stored === undefined) return ''
  if (stored === true) return 'Yes'
  return specOf(field).type === 'amount' ? (stored / 100).toFixed(2) : String(stored)
}

/** The same for a value from a reply: dollars, and false for no. */
export function replyTermText(field: TermField, value: number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'Yes' : ''
  return termText(field, value !== null && specOf(field).type === 'amount' ? Math.round(value * 100) : value)
}

export const termRule = (field: TermField): string => {
  const { label, type, most = 0 } = specOf(field)
  if (type === 'yes') return `${label} must be Yes or empty`
  if (type === 'amount')
    return `${label} must be an amount from 0 to ${most.toLocaleString('en-US')}, such as 75`
  return `${label} must be a whole number from 0 to ${most.toLocaleString('en-US')}`
}

type Texts = Partial<Record<ListingField, string>>

/**
 * Finds contradictions in a listing's terms, as messages by field. A file's row is compared only with itself, and a
 * file need not have a column for return days.
 */
export function termContradictions(
  text: Texts,
  { fromFile = false } = {},
): Partial<Record<ListingField, string>> {
  const has = (field: TermField) => !['', '0', '0.00'].includes(text[field]?.trim() ?? '')
  const found: Partial<Record<ListingField, string>> = {}
  if (readTerm('asis', text.asis ?? '') === true && has('warrantydays'))
    found.warrantydays = 'Warranty must be empty or 0 for a part sold AS-IS. Clear it, or clear AS-IS'
  if (fromFile) return found
  if (has('restockpct') && !has('returndays'))
    found.restockpct =
      'Restocking fee needs a number of days for returns. Fill in Returns within, or clear the fee'
  if (has('coredays') && !has('corecharge'))
    found.corecharge = 'Core charge is needed with “Core due within”. Fill it in, or clear the days'
  return found
}

/** A listing's terms in replies: amounts in dollars. */
export type Terms = {
  [F in TermField]: (typeof listingFields)[F]['type'] extends 'yes' ? boolean : number | null
} & { corepart: string | null }

/** Converts a form's texts to terms; invalid values count as not stated. */
export function termsOfTexts(text: Texts): Terms {
  const terms = Object.fromEntries(
    termFields.map((field) => [field, replyTerm(field, readTerm(field, text[field] ?? '') ?? null)]),
  ) as Omit<Terms, 'corepart'>
  return { ...terms, corepart: text.corepart?.trim() || null }
}

/** Converts a stored value to its reply form: dollars, and false for no. */
export function replyTerm(field: TermField, stored: TermValue): number | boolean | null {
  const { type } = specOf(field)
  if (type === 'yes') return stored === true
  return type === 'amount' && typeof stored === 'number' ? stored / 100 : stored
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** The stated terms in plain words, one line each. AS-IS overrides a warranty left over from a file. */
export function termsInWords(terms: Terms): string[] {
  const airBag = terms.neverdeployed ? neverDeployedSentence : undefined
  return [warranty(terms), returns(terms), core(terms), airBag].filter((line) => line !== undefined)
}

const AS_IS = 'Sold AS-IS, no warranty'
const NO_WARRANTY = 'No warranty'
export const NO_RETURNS = 'No returns'

function warranty({ asis, warrantydays }: Terms): string | undefined {
  if (asis) return AS_IS
  if (warrantydays === null) return undefined
  return warrantydays === 0 ? NO_WARRANTY : `${warrantydays}-day warranty`
}

/** Where the law leaves consumers an implied warranty, whatever the seller says (docs/decisions/0058). */
const statesWithoutAsIs: ReadonlySet<string> = new Set('AL CT DC KS MA MD ME MN MS NH VT WA WV'.split(' '))

/**
 * Terms for a buyer in a state. Where a part cannot be sold "as is" to a consumer, the buyer reads "No returns" instead,
 * unless the terms already say something about returns.
 */
export function termsForState(lines: readonly string[], state: string): string[] {
  if (!statesWithoutAsIs.has(stateCode(state))) return [...lines]
  const isDenial = (line: string) => line === AS_IS || line === NO_WARRANTY
  const kept = lines.filter((line) => !isDenial(line))
  if (kept.length === lines.length || kept.some((line) => RETURNS.test(line))) return kept
  return [NO_RETURNS, ...kept]
}

const RETURNS = /^(?:No returns$|\d+-day returns)/

function returns({ returndays, restockpct }: Terms): string | undefined {
  if (returndays === null) return undefined
  if (returndays === 0) return NO_RETURNS
  const charged = restockpct === 0 ? ', no restocking fee' : `, ${restockpct}% restocking fee`
  const fee = restockpct === null ? '' : charged
  return `${returndays}-day returns${fee}`
}

function core({ corecharge, coredays, corepart }: Terms): string | undefined {
  if (!corecharge) return undefined
  const within = coredays ? ` within ${days(coredays)}` : ''
  return `Core charge ${moneyInWords(Math.round(corecharge * 100))}, refunded when you return the old part${within}${corepart ? ` (${corepart})` : ''}`
}
