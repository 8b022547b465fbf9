import { brokenRule, toWholeNumber } from '#contract/listing-rules.ts'
import type { ReadValue } from './field-text.ts'
import type { ValueProblem } from './row-issue.ts'

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
export const quantityReader: ReadValue = countReader(QUANTITY)
/** "150k", "150K miles" and "150,000 mi" are 150000. */
export const milesReader: ReadValue = countReader(MILES)
