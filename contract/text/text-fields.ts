import { z } from 'zod'
import { isOneLine, notOneLine } from './one-line.ts'

/** A text that must be filled in; `label` starts its messages. */
export const requiredText = (label: string, longest: number) =>
  z
    .string(`${label} is required`)
    .trim()
    .min(1, `${label} is required`)
    .max(longest, `${label} can have at most ${longest.toLocaleString('en-US')} characters`)

/** A name or title. */
export const requiredLine = (label: string, longest: number) =>
  requiredText(label, longest).refine(isOneLine, notOneLine(label))

/** The domain of an email address in the letters of the DNS: "info@müller.example" is at xn--mller-kva.example. */
export function asciiDomain(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  if (at < 0 || email.length > 254 || !/[^\x20-\x7e]/.test(domain)) return email
  const host = URL.parse(`http://${domain}`)?.hostname
  return host ? `${email.slice(0, at)}@${host}` : email
}

export const emailAddress = z
  .string()
  .max(254, 'An email address can have at most 254 characters')
  .overwrite(asciiDomain)
  .pipe(z.email('Enter an email address such as name@example.com'))
