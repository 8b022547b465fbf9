/* The parts of a phone number. Public pages import this file, so it has no imports. */

const EXTENSION = /[\s,;]*(?:extension|ext\.?|x|#)\s*(\d{1,6})$/i

/** A number, and the digits of its extension or ''. */
export function splitPhone(text: string): { number: string; extension: string } {
  const [number = '', extension = ''] = text.trim().split(EXTENSION)
  return { number, extension }
}

/** A `tel:` link (RFC 3966), or undefined if the text contains no number to dial. */
export function phoneLink(phone: string | null): string | undefined {
  const { number, extension } = splitPhone(phone ?? '')
  const digits = number.replaceAll(/[^\d+]/g, '')
  if (!/\d{3}/.test(digits)) return undefined
  // A phone that keeps the extension needs the number with its country, which a global number has.
  const dialed = extension && /^1?\d{10}$/.test(digits) ? `+1${digits.slice(-10)}` : digits
  return `tel:${dialed}${extension && `;ext=${extension}`}`
}
