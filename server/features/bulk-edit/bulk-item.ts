import type { z } from 'zod'
import { type adminListingEndpoints, type BulkField, bulkFields } from '#contract/admin-listings.ts'
import type { ListingField, ListingText } from '#contract/listing-rules.ts'
import type { Listing } from '#contract/listings.ts'
import { readListingText } from '#server/features/listings/listing-text.ts'
import { readStatus, readVersion } from '#server/features/listings/sent-marks.ts'

type Sent = z.output<typeof adminListingEndpoints.bulkUpdate.body>['items'][number]

/** What one item of a bulk save wants; nothing of it is checked yet. */
export type BulkItem = {
  /** Which listing it is for: by id, or by a part number that only one has. */
  key: { id: string } | { partnum: string } | undefined
  /** Only fields that a bulk save may change. */
  text: ListingText
  status: Listing['status'] | undefined | 'wrong'
  /** The version that the editor had read; undefined overwrites. */
  version: number | undefined | 'wrong'
  /** Fields whose value is neither text nor a number. */
  unreadable: readonly string[]
}

export function readItem(sent: Sent): BulkItem {
  const id = String(sent.id ?? '').trim()
  const all = readListingText(sent)
  const { partnum } = all
  const text: ListingText = {}
  for (const field of changeable) if (all[field] !== undefined) text[field] = all[field]
  // Without an id the part number says which listing; it is no change then.
  if (!id) delete text.partnum
  return {
    key: chooseKey(id, partnum),
    text,
    status: readStatus(sent.status),
    version: readVersion(sent.version),
    unreadable: 'unreadable' in sent ? sent.unreadable : [],
  }
}

function chooseKey(id: string, partnum: string | undefined): BulkItem['key'] {
  if (id) return { id }
  return partnum ? { partnum } : undefined
}

const isText = (field: BulkField): field is BulkField & ListingField => field !== 'status'
const changeable = bulkFields.filter(isText)
