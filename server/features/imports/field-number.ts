import { brokenRule, type ListingField, toWholeNumber } from '#contract/listing-rules.ts'
import type { ReadValue } from './field-text.ts'
import type { RowIssueCode, ValueProblem } from './row-issue.ts'

type ValueRule = {
  field: ListingField
  code: RowIssueCode
  /** What is allowed, as a sentence. */
  message: string
  /** The value as the listing's rule wants it. */
  plain?: (text: string) => string
  /** A better sentence for some mistake. */
  advice?: (text: string) => string | undefined
}

/** Judged by the rule of the listing's field, in words that name column and value beside them. */
function ruleReader({ field, code, message, plain, advice }: ValueRule, year: number): ReadValue {
  const problem: ValueProblem = { code, message }
  return (text) => {
    const value = plain ? plain(text) : text
    if (!brokenRule(field, value, year)) return value
    const better = advice?.(text)
    return better === undefined ? problem : { code, message: better }
  }
}

export const yearReader = (firstYear: number, year: number): ReadValue =>
  ruleReader(
    { field: 'partyear', code: 'INVALID_YEAR', message: `Year is a year from ${firstYear} to ${year}` },
    year,
  )

export const gradeReader: ReadValue = ruleReader(
  {
    field: 'partgrade',
    code: 'INVALID_GRADE',
    message: 'Grade is A, B, C or D',
    plain: (text) => text.toUpperCase(),
  },
  0,
)

export const zipcodeReader: ReadValue = ruleReader(
  {
    field: 'zipcode',
    code: 'INVALID_ZIPCODE',
    message: 'Zipcode is 5 digits, or 5+4 such as 74103-1234',
    advice: (text) =>
      /^\d{4}$/.test(text)
        ? `Zipcode is 5 digits; a spreadsheet may have dropped the 0 in front: 0${text}?`
        : undefined,
  },
  0,
)

export const shippingReader: ReadValue = ruleReader(
  {
    field: 'partshipping',
    code: 'INVALID_SHIPPING',
    message: 'Shipping is an amount such as 20, “Free”, “Flat $20” or “Pickup only”',
  },
  0,
)

const PRICE = /^(?:\$\s*)?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?$/

/** "$1,299.00" is 1299.00; a comma is never taken for a decimal point, since nobody can tell 1,299 from 1,29. */
export const priceReader: ReadValue = ruleReader(
  {
    field: 'partprice',
    code: 'INVALID_PRICE',
    message: 'Price is an amount in dollars from 0 to 99,999,999.99, such as 1299.50 or $1,299.50',
    plain: (text) => {
      const [, whole, cents = ''] = PRICE.exec(text) ?? []
      return whole === undefined ? '' : whole.replaceAll(',', '') + cents
    },
    advice: (text) =>
      /^(\$\s*)?[\d.]*\d,\d{1,2}$/.test(text)
        ? 'Price has a decimal point, not a comma, such as 1299.50 or $1,299.50'
        : undefined,
  },
  0,
)

/** "150,000" is 150000. */
export const wholeNumberReader = (field: 'partquantity' | 'partmiles', message: string): ReadValue =>
  ruleReader(
    {
      field,
      code: 'INVALID_NUMBER',
      message,
      plain: (text) => (text.includes(',') ? String(toWholeNumber(text)) : text),
    },
    0,
  )
