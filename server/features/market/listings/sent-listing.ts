import type { z } from 'zod'
import { sentFields, specOf } from '#contract/listing/listing-fields.ts'
import type { ListingText } from '#contract/listing/listing-rules.ts'
import { type Listing, type listingBody, listingStatuses } from '#contract/listings.ts'
import { plainDescription } from '#contract/text/description.ts'
import { AppError } from '#server/platform/errors.ts'

export type SentListing = z.output<typeof listingBody>
type Loose = string | number | boolean | null | { id: string } | { _id: string } | undefined

// Built once, as a bulk save runs this a thousand times. A field's main name first, then its aliases.
const eachField = sentFields.map(
  (field) => [field, [field, ...((specOf(field).also ?? []) as (keyof SentListing)[])]] as const,
)

/** One text for each sent field, under its first name; null and '' both empty it. */
export function readListingText(sent: SentListing): ListingText {
  const text: ListingText = {}
  for (const [field, names] of eachField) {
    for (const name of names) {
      const value = plainText(sent[name])
      if (value === undefined) continue
      text[field] = specOf(field).type === 'long text' ? plainDescription(value) : value
      break
    }
  }
  return text
}

function plainText(value: Loose): string | undefined {
  if (value === undefined) return undefined
  if (value === null) return ''
  if (typeof value === 'object') return 'id' in value ? value.id : value._id
  // `String` is exact enough for numbers: 19.99 is "19.99", and 1e21 is rejected as a price. Forms send line ends as
  // CRLF, JSON as typed; only LF is stored.
  return String(value).trim().replaceAll('\r\n', '\n')
}

/* What a change sends besides the listing's text: the version its editor loaded, and the status. */

export const versionWrong = 'Version must be the whole number that the listing was loaded with.'
export const statusWrong = 'Status must be ACTIVE or HIDDEN'

type SentValue = string | number | null | undefined

/** Undefined if none was sent, 'wrong' if it is invalid. */
export function readVersion(sent: SentValue): number | undefined | 'wrong' {
  if (sent === undefined || sent === null || sent === '') return undefined
  return /^\d{1,9}$/.test(String(sent)) ? Number(sent) : 'wrong'
}

/** Undefined if none was sent, 'wrong' if it is invalid; it is required and can't be cleared. */
export function readStatus(sent: SentValue): Listing['status'] | undefined | 'wrong' {
  if (sent === undefined) return undefined
  const typed = String(sent ?? '')
    .trim()
    .toUpperCase()
  return listingStatuses.find((status) => status === typed) ?? 'wrong'
}

/** @throws AppError VALIDATION_FAILED */
export function requireVersion(sent: SentValue): number | undefined {
  const version = readVersion(sent)
  if (version === 'wrong') throw wrong('version', versionWrong)
  return version
}

/** @throws AppError VALIDATION_FAILED */
export function requireStatus(sent: SentValue): Listing['status'] | undefined {
  const status = readStatus(sent)
  if (status === 'wrong') throw wrong('status', statusWrong)
  return status
}

const wrong = (field: string, sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
