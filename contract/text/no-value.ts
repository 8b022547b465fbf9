import { visibleText } from '#contract/trade-language/names.ts'

/* What people and programs write into a cell that has no value. */

const NOTHING: ReadonlySet<string> = new Set(
  `n/a n.a. n.a na n/a. #n/a null nil none unknown unk tbd tba not_available not_applicable not_known not_specified not_listed
  does_not_apply doesn't_apply doesn’t_apply doesnt_apply sin_número sin_numero sin_dato sin_datos s/n ninguno ninguna
  desconocido desconocida no_aplica aucun aucune inconnu inconnue sans_numéro sans_numero kein keine keiner ohne unbekannt
  entfällt`
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' ')),
)
const LONGEST = Math.max(...[...NOTHING].map((word) => word.length))
const MARKS = /^[-–—?.*#/_\s]+$/
const NO_NUMBER = /^(?:0+(?:\.0+)?|no(?: (?:part|stock|oem))?(?: ?(?:number|num|no\.?|#))?|x{2,})$/i

const INITIALS = new Set([...NOTHING].map((word) => word.charCodeAt(0)))
const isAlphanumeric = (code: number) =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || code > 0xbf

/** Whether a text only says that there is no value: "N/A", "none", "does not apply", "-". Called for every cell. */
export function isNoValue(text: string): boolean {
  if (text.length > LONGEST) return false
  const first = text.charCodeAt(0)
  const code = first >= 0x41 && first <= 0x5a ? first | 0x20 : first
  if (INITIALS.has(code) && NOTHING.has(text.toLowerCase())) return true
  return !isAlphanumeric(code) && MARKS.test(text)
}

const MAY_BE_NONE = new Set('0nNxX')

/** A part or stock number as typed, without invisible characters; '' if it only says that there is none. */
export function visibleNumber(typed: string): string {
  const text = visibleText(typed).trim()
  return isNoValue(text) || (MAY_BE_NONE.has(text.charAt(0)) && NO_NUMBER.test(text)) ? '' : text
}
