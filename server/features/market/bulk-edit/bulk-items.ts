import { sql } from 'kysely'
import type { z } from 'zod'
import {
  type adminListingEndpoints,
  type BulkField,
  type BulkResult,
  bulkFields,
} from '#contract/admin/listings.ts'
import { isId } from '#contract/endpoint.ts'
import type { ListingField } from '#contract/listing/listing-fields.ts'
import { fieldLabels, type ListingText } from '#contract/listing/listing-rules.ts'
import type { Listing } from '#contract/listings.ts'
import { foldText } from '#contract/trade-language/names.ts'
import { storedTerms } from '#server/features/market/listings/listing-columns.ts'
import { wordKey } from '#server/features/market/listings/search-row/search-terms.ts'
import {
  readListingText,
  readStatus,
  readVersion,
  statusWrong,
  versionWrong,
} from '#server/features/market/listings/sent-listing.ts'
import { findTextProblem } from '#server/features/market/listings/text-check.ts'
import type { ListingRecord } from '#server/features/market/listings/write-queries.ts'
import type { Db } from '#server/platform/database/database.ts'
import { quotedLexeme } from '#server/platform/database/quoted-text.ts'

type Sent = z.output<typeof adminListingEndpoints.bulkUpdate.body>['items'][number]

/** One unchecked item of a bulk save. */
export type BulkItem = {
  /** The listing's id, or a part number that only one listing has. */
  key: { id: string } | { partnum: string } | undefined
  /** Only fields that a bulk save may change. */
  text: ListingText
  status: Listing['status'] | undefined | 'wrong'
  /** The version that the editor loaded; undefined overwrites. */
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
  // Without an id the part number is the key, not a change.
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

/**
 * Finds ids of listings by typed part number, ignoring spelling variants; excludes deleted listings. Uses the search
 * index, which has every part number as one word, but that word may also come from other texts.
 */
export async function findByPartNumbers(
  db: Db,
  partNumbers: readonly string[],
): Promise<Map<string, string[]>> {
  const asked = [...new Set(partNumbers)].flatMap((typed) => {
    const key = wordKey(foldText(typed))
    return key === '' ? [] : { typed, word: quotedLexeme(key) }
  })
  if (asked.length === 0) return new Map()
  const { rows } = await sql<{ typed: string; ids: string[] }>`
    select k.typed, array_agg(l.id order by l.id) as ids
    from unnest(${asked.map(({ typed }) => typed)}::text[], ${asked.map(({ word }) => word)}::text[]) as k(typed, word)
    join listing_search t on t.document @@ k.word::tsquery
    join listing l on l.id = t.listing_id and l.part_number_key = part_number_key(k.typed)
    group by k.typed
  `.execute(db)
  return new Map(rows.map(({ typed, ids }) => [typed, ids]))
}

/** Why an item is not saved. */
export type ItemFailure = Pick<BulkResult, 'errors' | 'fields'> & { code: NonNullable<BulkResult['code']> }

/** Listing ids by part number as sent. */
export type ByPartNumber = ReadonlyMap<string, readonly string[]>

/** Returns the id of the item's listing, or why there is none. */
export function chooseListing({ key }: BulkItem, byPartNumber: ByPartNumber): string | ItemFailure {
  if (!key) return failure('VALIDATION_FAILED', 'An item needs the id or the part number of its listing')
  if ('id' in key) return isId(key.id) ? key.id.toLowerCase() : failure('NOT_FOUND', noSuchId(key.id))
  const [id, other] = byPartNumber.get(key.partnum) ?? []
  if (id === undefined)
    return failure('NOT_FOUND', `There is no listing with part number ${shown(key.partnum)}`)
  if (other === undefined) return id
  const sentence = `More than one listing has part number ${shown(key.partnum)}. Send the listing’s id instead.`
  return failure('AMBIGUOUS', sentence)
}

// Keeps error messages short, whatever was sent as a key.
const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
const noSuchId = (id: string) => `There is no listing with the id ${shown(id)}`

export const duplicateItem = failure(
  'VALIDATION_FAILED',
  'The same listing appears twice in this call; send all its changes in one item',
)

/** Returns what is wrong with an item; 'stale' if someone changed the listing since it was loaded. */
export function checkItem(
  item: BulkItem,
  listing: ListingRecord | undefined,
  { now, universal }: { now: Date; universal?: ReadonlySet<string | null> },
): ItemFailure | 'stale' | undefined {
  if (!listing) return failure('NOT_FOUND', 'There is no such listing')
  if (listing.deleted_at) return failure('LISTING_DELETED', 'This listing was deleted')
  const fields: Record<string, string> = {
    ...findTextProblem(listing.kind as 'ecommerce' | 'quick', item.text, {
      mode: 'edit',
      now,
      stored: storedTerms((column) => listing[column]),
      universal: universal?.has(listing.category_id),
    })?.fields,
    ...(item.status === 'wrong' && { status: statusWrong }),
    ...(item.version === 'wrong' && { version: versionWrong }),
    ...Object.fromEntries(item.unreadable.map((field) => [field, unreadableWords(field)])),
  }
  const wrong = Object.entries(fields)
  if (wrong.length === 0) {
    return item.version === undefined || item.version === listing.version ? undefined : 'stale'
  }
  return { code: 'VALIDATION_FAILED', errors: wrong.map(named), fields }
}

const marksWrong: Record<string, string> = { status: statusWrong, version: versionWrong }

function unreadableWords(field: string): string {
  if (field in fieldLabels) return 'This must be text or a number'
  return marksWrong[field] ?? `${field} must be text or a number`
}

/** The message with its field's label, for lists of errors. */
function named([field, sentence]: [string, string]): string {
  const label = fieldLabels[field as ListingField] ?? ''
  return sentence.startsWith(label) ? sentence : `${label}: ${sentence}`
}

export function failure(code: ItemFailure['code'], sentence: string): ItemFailure {
  return { code, errors: [sentence] }
}
