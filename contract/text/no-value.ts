import { visibleText } from '#contract/trade-language/names.ts'

/* What people and programs write into a cell that has no value. */

const NOTHING =
  /^(?:n[/.\s]?a\.?|#n\/a|null|nil|none|unknown|unk|tbd|tba|not (?:available|applicable|known|specified|listed)|does ?n[o’']t apply|sin (?:n[uú]mero|dato)s?|s\/n|ningun[oa]|desconocido|no aplica|aucune?|inconnue?|sans (?:num[eé]ro)|kein[er]?|ohne|unbekannt|entf[aä]llt|[-–—?.*#/_\s]+)$/i
const NO_NUMBER = /^(?:0+(?:\.0+)?|no(?: (?:part|stock|oem))?(?: ?(?:number|num|no\.?|#))?|x{2,})$/i

const LONGEST = 30

/** Whether a text only says that there is no value: "N/A", "none", "does not apply", "-". */
export const isNoValue = (text: string): boolean => text.length <= LONGEST && NOTHING.test(text)

/** A part or stock number as typed, without characters that show nothing; '' if it only says that there is none. */
export function visibleNumber(typed: string): string {
  const text = visibleText(typed).trim()
  return isNoValue(text) || (text.length <= LONGEST && NO_NUMBER.test(text)) ? '' : text
}
