import type { BulkResult } from '#contract/admin-listings.ts'
import { fieldLabels, type ListingField } from '#contract/listing-rules.ts'
import { findTextProblem } from '#server/features/listings/check-text.ts'
import { statusWrong, versionWrong } from '#server/features/listings/sent-marks.ts'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import type { BulkItem } from './bulk-item.ts'

/** Why an item is not saved. */
export type ItemFailure = Pick<BulkResult, 'errors' | 'fields'> & { code: NonNullable<BulkResult['code']> }

/** Those that a part number may mean, by the number as it was sent. */
export type ByPartNumber = ReadonlyMap<string, readonly string[]>

/** The id of the one listing that an item is for, or why there is none. */
export function chooseListing({ key }: BulkItem, byPartNumber: ByPartNumber): string | ItemFailure {
  if (!key) return failure('VALIDATION_FAILED', 'An item needs the id or the part number of its listing')
  if ('id' in key) return UUID.test(key.id) ? key.id.toLowerCase() : failure('NOT_FOUND', noSuchId(key.id))
  const [id, other] = byPartNumber.get(key.partnum) ?? []
  if (id === undefined)
    return failure('NOT_FOUND', `There is no listing with part number ${shown(key.partnum)}`)
  if (other === undefined) return id
  const sentence = `ambiguous part number: more than one listing has ${shown(key.partnum)}; send the id of the one you mean`
  return failure('AMBIGUOUS', sentence)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
// Sentences stay readable, whatever was sent as a key.
const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
const noSuchId = (id: string) => `There is no listing with the id ${shown(id)}`

export const sentTwice = failure(
  'VALIDATION_FAILED',
  'The same listing comes twice in this call; send all its changes in one item',
)

/** What is wrong with an item for this listing; 'stale' where somebody changed it since it was read. */
export function checkItem(
  item: BulkItem,
  listing: ListingRecord | undefined,
  now: Date,
): ItemFailure | 'stale' | undefined {
  if (!listing) return failure('NOT_FOUND', 'There is no such listing')
  if (listing.deleted_at) return failure('LISTING_DELETED', 'This listing was deleted')
  const fields: Record<string, string> = {
    ...findTextProblem(listing.kind as 'ecommerce' | 'quick', item.text, { mode: 'edit', now })?.fields,
    ...(item.status === 'wrong' && { status: statusWrong }),
    ...(item.version === 'wrong' && { version: versionWrong }),
    ...Object.fromEntries(item.unreadable.map((field) => [field, unreadableWords(field)])),
  }
  if (item.version !== undefined && item.version !== 'wrong' && item.version !== listing.version)
    return 'stale'
  const wrong = Object.entries(fields)
  if (wrong.length === 0) return undefined
  return { code: 'VALIDATION_FAILED', errors: wrong.map(named), fields }
}

const marksWrong: Record<string, string> = { status: statusWrong, version: versionWrong }

function unreadableWords(field: string): string {
  if (field in fieldLabels) return 'This must be text or a number'
  return marksWrong[field] ?? `${field} must be text or a number`
}

/** On its own, away from its field, a sentence says which field it is about. */
function named([field, sentence]: [string, string]): string {
  const label = fieldLabels[field as ListingField] ?? ''
  return sentence.startsWith(label) ? sentence : `${label}: ${sentence}`
}

export function failure(code: ItemFailure['code'], sentence: string): ItemFailure {
  return { code, errors: [sentence] }
}
