import { z } from 'zod'
import { splitPhone } from './phone-parts.ts'

/** Characters that people use in phone numbers. */
const WRITTEN = /^[+(\d][\d\s().+\-–/]*$/

export const notAPhone = 'Enter a phone number such as (918) 555-0142'

/**
 * Whether a text is a phone number in common notation, with 7 (a local number) to 15 digits (the maximum, ITU E.164).
 * Looser than a country's numbering plan, so that foreign numbers pass.
 */
export function isPhone(text: string): boolean {
  const { number } = splitPhone(text)
  if (!WRITTEN.test(number)) return false
  const digits = number.replace(/\D/g, '').length
  return digits >= 7 && digits <= 15
}

/** An optional phone number; '' for none. */
export const phoneField = (label: string, most: number) =>
  z
    .string()
    .trim()
    .max(most, { error: `${label} can have at most ${most} characters`, abort: true })
    .refine((text) => text === '' || isPhone(text), notAPhone)
    .optional()
