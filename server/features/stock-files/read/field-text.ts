import { plainDescription } from '#contract/text/description.ts'
import { isOneLine } from '#contract/text/one-line.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'
import { findProfanity } from '#server/features/market/writing/profanity.ts'

/** What can be wrong with a row. */
export type RowIssueCode =
  | 'REQUIRED'
  | 'TOO_LONG'
  | 'NOT_ONE_LINE'
  | 'CONTROL_CHARACTERS'
  | 'INAPPROPRIATE'
  | 'INVALID_YEAR'
  | 'INVALID_PRICE'
  | 'OTHER_CURRENCY'
  | 'INVALID_GRADE'
  | 'INVALID_NUMBER'
  | 'INVALID_ZIPCODE'
  | 'INVALID_SHIPPING'
  | 'INVALID_DAMAGE_CODE'
  | 'INVALID_TERM'
  | 'CONTRADICTING_TERMS'
  | 'CONTRADICTING_SIDE'
  | 'INVALID_FITMENT'
  | 'INVALID_VIN'
  | 'INVALID_ADDRESS'
  | 'INSIDE_ADDRESS'
  | 'UNKNOWN_LISTING'
  | 'GONE_LISTING'
  | 'DAMAGED_NUMBER'
  | 'TOO_FEW_CELLS'
  | 'TOO_MANY_CELLS'
  | 'NOT_A_PART'
  | 'NOT_A_CAR'
  | 'OUT_OF_STOCK'
  | 'SEVERAL_NAMES'
  | 'UNSURE_SPLIT'
  | 'NOT_ALLOWED'
  | RecordProblem

/** Why a value is refused. */
export type ValueProblem = { readonly code: RowIssueCode; readonly message: string }

/** What is wrong with a row. */
export type FoundIssue = {
  /** The file's header, or the target field if no column is mapped; '' if the whole row is wrong. */
  readonly column: string
  readonly code: RowIssueCode
  /** Cut to 100 characters. */
  readonly value: string
  readonly message: string
}

const LONGEST_VALUE = 100

/** The value as an issue shows it: cut, and copied, since a slice keeps the whole text in memory. */
export function shownValue(value: string): string {
  if (value.length <= LONGEST_VALUE) return Buffer.from(value).toString()
  const last = value.charCodeAt(LONGEST_VALUE - 1)
  const startsPair = last >= 0xd800 && last < 0xdc00
  return Buffer.from(value.slice(0, LONGEST_VALUE - (startsPair ? 1 : 0))).toString()
}

/** The issue of a cell that is refused. */
export const issueOf = (column: string, text: string, { code, message }: ValueProblem): FoundIssue => ({
  column,
  code,
  value: shownValue(text),
  message,
})

/** Reads a non-empty, trimmed value: the value to store, or what is wrong with it. */
export type ReadValue = (text: string) => string | ValueProblem

type TextLimits = {
  label: string
  longest: number
  lines?: 'several' | undefined
  clean?: boolean | undefined
  /** HTML becomes the text it shows. */
  plain?: boolean | undefined
}

/** Free text; `clean`: refuses profanity. */
export function textReader({ label, longest, lines, clean = false, plain = false }: TextLimits): ReadValue {
  const tooLong: ValueProblem = {
    code: 'TOO_LONG',
    message: `${label} is too long (max ${longest.toLocaleString('en-US')} characters)`,
  }
  const notOneLine: ValueProblem = {
    code: 'NOT_ONE_LINE',
    message: `${label} must be one line, without line breaks or unreadable characters`,
  }
  const control: ValueProblem = {
    code: 'CONTROL_CHARACTERS',
    message: `${label} contains control characters; only line breaks and tabs are allowed`,
  }
  return (typed) => {
    const text = plain ? plainDescription(typed) : typed
    if (text.length > longest) return tooLong
    if (lines === 'several' ? UNUSUAL.test(text) && CONTROLS.test(text) : !isPlainLine(text)) {
      return lines === 'several' ? control : notOneLine
    }
    return clean ? readClean(text) : text
  }
}

type CodeLimits = TextLimits & {
  /** Also refuses what a spreadsheet turned into a date; for numbers of parts, which may look like one. */
  dated?: boolean
}

/**
 * A part, stock, vehicle or phone number: kept as typed, unless a spreadsheet has rounded it or turned it into a date.
 */
export function codeReader({ dated = false, ...limits }: CodeLimits): ReadValue {
  const read = textReader(limits)
  const damagedNumber = (message: string): ValueProblem => ({ code: 'DAMAGED_NUMBER', message })
  // Almost no number has a plus there, and comparing is faster than a pattern.
  const mayBeRounded = (text: string) =>
    text.charCodeAt(text.length - 3) === PLUS || text.charCodeAt(text.length - 4) === PLUS
  return (text) => {
    if (mayBeRounded(text) && ROUNDED.test(text)) {
      return damagedNumber(
        `${limits.label} was rounded by a spreadsheet that took it for a quantity: it was ${beforeRounding(text)}. ${TYPE_AGAIN}`,
      )
    }
    const typed = dated && MAY_BE_DATED.test(text) ? beforeDating(text) : []
    if (typed.length === 0) return read(text)
    const quoted = typed.map((one) => `“${one}”`)
    return damagedNumber(
      `${limits.label} was turned into a date by a spreadsheet: it was probably ${quoted.join(' or ')}. ${TYPE_AGAIN}`,
    )
  }
}

const TYPE_AGAIN =
  'Format the column as Text and type the number again, or export the file again and upload it without opening it in a spreadsheet'

/** "1.23457E+11", as spreadsheets shorten long numbers. */
const ROUNDED = /^(\d)(?:[.,](\d{1,20}))?E\+(\d{2,3})$/i
const PLUS = 0x2b

/** What a rounded number was before: a long number with these first digits, or one with an E. */
function beforeRounding(text: string): string {
  const [, first = '', rest = '', exponent = ''] = ROUNDED.exec(text) ?? []
  const power = Number(exponent)
  const long = `a number of ${power + 1} digits that begins with ${first}${rest}; the other digits are lost`
  // 2E05 is a part number like any other until a spreadsheet reads it.
  return rest === '' ? `“${first}E${power}” or ${long}` : long
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** As spreadsheets in French, Spanish and German abbreviate them. */
const OTHER_MONTHS: Readonly<Record<string, number>> = {
  ...{ janv: 1, févr: 2, fév: 2, mars: 3, avr: 4, mai: 5, juin: 6, juil: 7, août: 8, sept: 9, déc: 12 },
  ...{ ene: 1, abr: 4, ago: 8, dic: 12, mrz: 3, mär: 3, okt: 10, dez: 12 },
}
const MONTH = `(${[...Object.keys(OTHER_MONTHS), ...MONTHS].join('|')})(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?`

const MAY_BE_DATED = /^(?:\d{1,4}[-/. ]|\p{L}{3,9}[-/. ]\d)/iu
const DAY_OF_MONTH = new RegExp(`^(\\d{1,2})[-/ ]${MONTH}\\.?(?:[-/ ,]+(\\d{4}|\\d{2}))?$`, 'i')
const MONTH_OF_YEAR = new RegExp(`^${MONTH}[-/ ](\\d{4}|\\d{2})$`, 'i')
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
/** As dates in workbook cells are read. */
const STORED = /^(\d{4})-(\d{2})-(\d{2})(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/

/**
 * What was probably typed when a spreadsheet shows a date; empty if it shows none. The month comes first, as in the
 * US.
 */
function beforeDating(text: string): string[] {
  const [, day, named, year] = DAY_OF_MONTH.exec(text) ?? []
  if (day !== undefined && named !== undefined) {
    const month = monthOf(named)
    // MAR10 is March 10 to a spreadsheet.
    return year === undefined
      ? [`${month}-${day}`, `${named.toUpperCase()}${day}`]
      : [`${month}-${day}-${year}`]
  }
  const [, ofYear, shortYear] = MONTH_OF_YEAR.exec(text) ?? []
  if (ofYear !== undefined && shortYear !== undefined) {
    return [`${monthOf(ofYear)}-${shortYear}`, `${ofYear.toUpperCase()}${shortYear}`]
  }
  const [, first = '', second = '', slashedYear] = SLASHED.exec(text) ?? []
  if (slashedYear !== undefined) return typedAs(first, second, slashedYear)
  const [, dayFirst = '', monthSecond = '', dottedYear] = DOTTED.exec(text) ?? []
  if (dottedYear !== undefined) return typedAs(monthSecond, dayFirst, dottedYear)
  const [, storedYear, storedMonth = '', storedDay = ''] = STORED.exec(text) ?? []
  if (storedYear === undefined) return []
  return typedAs(String(Number(storedMonth)), String(Number(storedDay)), storedYear, true)
}

const monthOf = (name: string) => {
  const month = name.toLowerCase()
  return OTHER_MONTHS[month] ?? MONTHS.indexOf(month) + 1
}

/** A stored date does not show whether its year was typed. */
function typedAs(month: string, day: string, year: string, isStored = false): string[] {
  const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
  if (!isDate) return []
  const short = `${month}-${day}-${year.slice(-2)}`
  return isStored ? [`${month}-${day}`, short] : [short]
}

function readClean(text: string): string | ValueProblem {
  const word = findProfanity(text)
  if (word === undefined) return text
  return { code: 'INAPPROPRIATE', message: `Please remove inappropriate language (${word}).` }
}

/** Like isOneLine, for a non-blank text. Nearly every cell is ASCII, where a loop is ten times as fast as patterns. */
function isPlainLine(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20) return false
    if (code >= 0x7f) return isOneLine(text)
  }
  return true
}

const UNUSUAL = /[^ -~]/
/** Control characters other than tab, line feed and carriage return. */
const CONTROLS = /[^\P{Cc}\t\n\r]/u
