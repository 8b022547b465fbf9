import type { ReadValue } from './field-text.ts'
import type { ValueProblem } from './row-issue.ts'

const problem: ValueProblem = {
  code: 'INVALID_ZIPCODE',
  message: 'Zipcode is 5 digits, or 5+4 such as 74103-1234',
}

/** A zipcode whose zeros in front a spreadsheet dropped has them again: "2134" is 02134, "501" is 00501. */
export const zipcodeReader: ReadValue = (text) => {
  if (WHOLE.test(text)) return text
  if (text.length > 20) return problem
  const [, five, four] = LOOSE.exec(text) ?? RUN.exec(text) ?? []
  if (five === undefined || /^0*$/.test(five)) return problem
  const zipcode = five.padStart(5, '0')
  return four === undefined ? zipcode : `${zipcode}-${four}`
}

const WHOLE = /^\d{5}(?:-\d{4})?$/
/** With a dash that nothing follows, as a number, or with another dash. */
const LOOSE = /^(\d{3,5})(?:\.0+|\s*[-–]\s*(?:0{4})?|\s*[-– ]\s*(\d{4}))?$/
/** Both parts without a dash. */
const RUN = /^(\d{4,5})(\d{4})$/
