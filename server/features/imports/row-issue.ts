import type { RecordProblem } from '#contract/yard-file/records.ts'

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
