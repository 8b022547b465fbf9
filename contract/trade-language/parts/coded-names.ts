import { wordsOf } from '#contract/trade-language/names.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'

/*
 * Engines and transmissions that a yard lists by code: "E" or "TRN" in one column, "2.4L VIN B 8th digit" or "5 spd MT" in
 * another.
 */

const CODE_COLUMN =
  /^(?:(?:e(?:ng(?:ine)?)?|t(?:rn|rans(?:mission)?)?|motor)?(?:codes?|sizes?|types?|codesize|sizecode|codeor?size|id)|(?:8th)?(?:vin)?(?:8th)?digit|vin8|vincode|liters?|litres?|displacement|disp)$/

/** Whether a column has codes of engines or transmissions, by its name. */
export const isCodeColumn = (header: string): boolean => CODE_COLUMN.test(wordsOf(header).join(''))

const MANUAL = /\b(?:m\/?t|man(?:ual)?|stick|\d ?-?(?:sp|spd|speed) ?m)\b/i
const CVT = /\bcvt\b/i
/** Also by ZF's, Aisin's and GM's codes, whose kind is in them. */
const AUTOMATIC =
  /\b(?:a\/?t|auto(?:matic)?|\d ?-?(?:sp|spd|speed) ?a|\d{1,2}hp\d{2,3}\w?|\d{1,2}[lrtf]\d{2,3}\w{0,2}|4l\d{2}e?|u\d{3}[ef]|a\d{3}[ef])\b/i

/** What the part is called if its name is only such a letter or word; undefined for any other name. */
export function nameByCode(name: string, code: string, roles: WordRoles): string | undefined {
  const isOf = (role: string) => roles.set(role).has(name.toLowerCase())
  if (isOf('engine word')) return 'Engine'
  if (!isOf('transmission word')) return undefined
  if (CVT.test(code)) return 'CVT Transmission'
  if (MANUAL.test(code)) return 'Manual Transmission'
  return AUTOMATIC.test(code) ? 'Automatic Transmission' : 'Transmission'
}
