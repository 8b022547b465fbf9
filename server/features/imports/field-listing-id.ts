import type { ReadValue } from './field-text.ts'
import type { ValueProblem } from './row-issue.ts'

export const unknownListing: ValueProblem = {
  code: 'UNKNOWN_LISTING',
  message: 'Listing id is none of your listings. Empty the cell to list the row as a new part',
}

export const goneListing: ValueProblem = {
  code: 'GONE_LISTING',
  message:
    'Listing id is of a listing that is ended or deleted. Empty the cell to list the row as a new part',
}

const LISTING_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isListingId = (text: string): boolean => LISTING_ID.test(text)

/** Whose listing it is, is asked where the database is at hand. */
export const listingIdReader: ReadValue = (text) => {
  const id = text.toLowerCase()
  return isListingId(id) ? id : unknownListing
}
