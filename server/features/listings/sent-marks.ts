import { type Listing, listingStatuses } from '#contract/listings.ts'
import { AppError } from '#server/platform/errors.ts'

/* What a change carries beside the listing's text: the version that its editor had read, and its status. */

export const versionWrong = 'The version is a whole number, as the listing was read with.'
export const statusWrong = 'Status is ACTIVE or HIDDEN'

type Sent = string | number | null | undefined

/** Undefined where none was sent, 'wrong' where it is none. */
export function readVersion(sent: Sent): number | undefined | 'wrong' {
  if (sent === undefined || sent === null || sent === '') return undefined
  return /^\d{1,9}$/.test(String(sent)) ? Number(sent) : 'wrong'
}

/** Undefined where none was sent, 'wrong' where it is none; a listing always has one, so it cannot be emptied. */
export function readStatus(sent: Sent): Listing['status'] | undefined | 'wrong' {
  if (sent === undefined) return undefined
  const typed = String(sent ?? '')
    .trim()
    .toUpperCase()
  return listingStatuses.find((status) => status === typed) ?? 'wrong'
}

/** @throws AppError VALIDATION_FAILED */
export function requireVersion(sent: Sent): number | undefined {
  const version = readVersion(sent)
  if (version === 'wrong') throw wrong('version', versionWrong)
  return version
}

/** @throws AppError VALIDATION_FAILED */
export function requireStatus(sent: Sent): Listing['status'] | undefined {
  const status = readStatus(sent)
  if (status === 'wrong') throw wrong('status', statusWrong)
  return status
}

const wrong = (field: string, sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
