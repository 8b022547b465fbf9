import { isOneLine } from '#contract/text/one-line.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'
import { findProfanity } from '#server/features/listings/text-check.ts'

/** What can be wrong with a row. */
export type RowIssueCode =
  | 'REQUIRED'
  | 'TOO_LONG'
  | 'NOT_ONE_LINE'
  | 'CONTROL_CHARACTERS'
  | 'INAPPROPRIATE'
  | 'INVALID_YEAR'
  | 'INVALID_PRICE'
  | 'INVALID_GRADE'
  | 'INVALID_NUMBER'
  | 'INVALID_ZIPCODE'
  | 'INVALID_SHIPPING'
  | 'INVALID_ADDRESS'
  | 'INSIDE_ADDRESS'
  | 'UNKNOWN_LISTING'
  | 'GONE_LISTING'
  | 'DAMAGED_NUMBER'
  | 'TOO_FEW_CELLS'
  | 'TOO_MANY_CELLS'
  | 'NOT_A_PART'
  | 'SEVERAL_NAMES'
  | 'UNSURE_SPLIT'
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

/** Reads a non-empty, trimmed value: the value to store, or what is wrong with it. */
export type ReadValue = (text: string) => string | ValueProblem

type TextLimits = {
  label: string
  longest: number
  lines?: 'several' | undefined
  clean?: boolean | undefined
}

/** Free text; `clean`: refuses profanity. */
export function textReader({ label, longest, lines, clean = false }: TextLimits): ReadValue {
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
  return (text) => {
    if (text.length > longest) return tooLong
    if (lines === 'several' ? UNUSUAL.test(text) && CONTROLS.test(text) : !isPlainLine(text)) {
      return lines === 'several' ? control : notOneLine
    }
    return clean ? readClean(text) : text
  }
}

/** A part, stock, vehicle or phone number: kept as typed, unless a spreadsheet has rounded it. */
export function codeReader(limits: TextLimits): ReadValue {
  const read = textReader(limits)
  const damaged: ValueProblem = {
    code: 'DAMAGED_NUMBER',
    message: `${limits.label} was rounded by a spreadsheet that took it for a quantity, and its last digits are lost. Export the file again, and do not save it from a spreadsheet unless the column is text`,
  }
  // Almost no number has a plus there, and comparing is faster than a pattern.
  const mayBeRounded = (text: string) =>
    text.charCodeAt(text.length - 3) === PLUS || text.charCodeAt(text.length - 4) === PLUS
  return (text) => (mayBeRounded(text) && ROUNDED.test(text) ? damaged : read(text))
}

/** "1.23457E+11", as spreadsheets shorten long numbers. */
const ROUNDED = /^\d(?:[.,]\d{1,20})?E\+\d{2,3}$/i
const PLUS = 0x2b

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
