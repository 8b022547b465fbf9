/* The parts of a phone number. Public pages import this file, so it has no imports. */

const EXTENSION = /[\s,;]*(?:extension|ext\.?|x|#)\s*(\d{1,6})$/i

/** A number, and the digits of the extension behind it; '' for none. */
export function splitPhone(text: string): { number: string; extension: string } {
  const typed = text.trim()
  const found = EXTENSION.exec(typed)
  return found
    ? { number: typed.slice(0, found.index), extension: found[1] ?? '' }
    : { number: typed, extension: '' }
}
