import { z } from 'zod'

/** What people write a phone number with, and an extension at its end. */
const WRITTEN = /^[+(\d][\d\s().+\-–/]*$/
const EXTENSION = /[\s,;]*(?:extension|ext\.?|x|#)\s*\d{1,6}$/i

export const notAPhone = 'Enter a phone number such as (918) 555-0142'

/**
 * Whether a text can be called: 7 digits (a local number) to 15 (the longest there is, ITU E.164), written as people
 * write them. Looser than a country's own plan, because a number from abroad is one, too.
 */
export function isPhone(text: string): boolean {
  const number = text.trim().replace(EXTENSION, '')
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
