import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** The dialable form (+19185550123) of a number as typed, read as a US number unless it says otherwise. */
export function toE164(typed: string): string | undefined {
  const parsed = parsePhoneNumberFromString(typed, 'US')
  return parsed?.isPossible() ? parsed.number : undefined
}
