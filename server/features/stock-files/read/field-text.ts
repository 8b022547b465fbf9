import { isOneLine } from '#contract/text/one-line.ts'
import type { RecordProblem } from '#contract/yard-file/records.ts'
import { findProfanity } from '#server/features/listings/text-check.ts'

/** What can be wrong with a row, as a machine word. */
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
  | RecordProblem

/** Why a value is not taken; what it is the value of, the caller knows. */
export type ValueProblem = { readonly code: RowIssueCode; readonly message: string }

/** What is wrong with a row; its number the caller knows. */
export type FoundIssue = {
  /** The file's header, or the target field where no column is mapped; '' where the whole row is wrong. */
  readonly column: string
  readonly code: RowIssueCode
  /** Cut to 100 characters. */
  readonly value: string
  readonly message: string
}

const LONGEST_VALUE = 100

/** The value as an issue shows it: cut, and as a copy, since a piece of a text keeps the whole of it in memory. */
export function shownValue(value: string): string {
  if (value.length <= LONGEST_VALUE) return Buffer.from(value).toString()
  const last = value.charCodeAt(LONGEST_VALUE - 1)
  const startsPair = last >= 0xd800 && last < 0xdc00
  return Buffer.from(value.slice(0, LONGEST_VALUE - (startsPair ? 1 : 0))).toString()
}

/** Reads a value that is not empty and has no spaces at its ends: as it is kept, or what is wrong with it. */
export type ReadValue = (text: string) => string | ValueProblem

type TextLimits = {
  label: string
  longest: number
  lines?: 'several' | undefined
  clean?: boolean | undefined
}

/** A text of the yard's own words; `clean`: without what the profanity rule refuses. */
export function textReader({ label, longest, lines, clean = false }: TextLimits): ReadValue {
  const tooLong: ValueProblem = {
    code: 'TOO_LONG',
    message: `${label} is too long (max ${longest.toLocaleString('en-US')} characters)`,
  }
  const notOneLine: ValueProblem = {
    code: 'NOT_ONE_LINE',
    message: `${label} is one line of text, without line breaks or characters that cannot be shown`,
  }
  const control: ValueProblem = {
    code: 'CONTROL_CHARACTERS',
    message: `${label} holds control characters; only line breaks and tabs may stand in it`,
  }
  return (text) => {
    if (text.length > longest) return tooLong
    if (lines === 'several' ? UNUSUAL.test(text) && CONTROLS.test(text) : !isPlainLine(text)) {
      return lines === 'several' ? control : notOneLine
    }
    return clean ? readClean(text) : text
  }
}

/** A number of a part, a shelf, a car or a phone: kept as typed, unless a spreadsheet has made a quantity of it. */
export function codeReader(limits: TextLimits): ReadValue {
  const read = textReader(limits)
  const damaged: ValueProblem = {
    code: 'DAMAGED_NUMBER',
    message: `${limits.label} is rounded: a spreadsheet took it for a quantity, and its last figures are lost. Export the file again, and do not save it from a spreadsheet unless the column is text`,
  }
  // Nearly no number has a plus there, and looking is faster than a pattern.
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

/** As isOneLine, of a text that is not blank. Nearly every cell is ASCII, where a loop is ten times as fast as patterns. */
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
