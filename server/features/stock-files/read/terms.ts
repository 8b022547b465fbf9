import { specOf, type TermField } from '#contract/listing/listing-fields.ts'
import { readTerm, termRule, termText } from '#contract/listing/listing-terms.ts'
import type { ReadValue, ValueProblem } from './field-text.ts'

/* The terms of a sale as yards write them: "90 Day", "6 mo", "1 YR", "none", "20%", "$75.00", "AS IS". */

const daysIn: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 }
const DAYS = /^(\d{1,4})[ -]*(d|w|m|y)[a-z.]*(?: +(?:warranty|guarantee|returns?|money back.*))?$/i
const NONE = /^(?:none|no|no (?:warranty|returns?|core)|not accepted|returns ?not ?accepted)$/i
const EBAY_DAYS = /^days_(\d{1,3})$/i

/** A number of days or percent as digits. Months count 30 days and years 365, as warranties do. */
function digitsOf(field: TermField, text: string): string {
  if (NONE.test(text)) return field === 'coredays' ? '' : '0'
  if (field === 'restockpct') return text.replace(/\s*(?:%|percent|pct\.?)$/i, '')
  const [, count = '', unit = ''] = DAYS.exec(text) ?? []
  if (unit !== '') return String(Number(count) * (daysIn[unit.toLowerCase()] ?? 1))
  return EBAY_DAYS.exec(text)?.[1] ?? text
}

const amountOf = (text: string) =>
  NONE.test(text) ? '0' : text.replace(/^(?:USD?\s*)?\$?\s*/i, '').replaceAll(/,(?=\d{3}(?:\D|$))/g, '')

const plain = {
  number: digitsOf,
  amount: (_: TermField, text: string) => amountOf(text),
  yes: (_: TermField, text: string) => text,
}

/** The reader of a term's column in a file. */
export function termReader(field: TermField): ReadValue {
  const problem: ValueProblem = { code: 'INVALID_TERM', message: termRule(field) }
  const asIs: ValueProblem = {
    code: 'INVALID_TERM',
    message: `${termRule(field)}. For “as is”, map a column to AS-IS and leave this cell empty`,
  }
  const read = plain[specOf(field).type as keyof typeof plain]
  return (text) => {
    if (text.length > 60) return problem
    const value = readTerm(field, read(field, text))
    if (value !== undefined) return termText(field, value)
    return /^as[ -]?is\b/i.test(text) ? asIs : problem
  }
}
