import type { ListingKind } from '#contract/listing-fields.ts'
import type { Listing } from '#contract/listings.ts'
import { draftPrefix } from '#web/api/device-copies.ts'
import type { Overlap } from './both-changed.tsx'
import { type Draft, isRecord, keptRecord, readDraft, textsOf } from './listing-draft.ts'
import { type ListingValues, mergedValues, overlapsOf } from './listing-values.ts'

/** The form of an existing listing as it was left, with what the listing said then. */
export type EditDraft = Draft & {
  before: ListingValues
  version: number
  /** Chosen, but not saved. */
  status?: Listing['status']
}

export const editDraftKey = (listingId: string, userId: string): string =>
  `${draftPrefix}edit:${listingId}:${userId}`

export function readEditDraft(key: string): EditDraft | undefined {
  const draft = readDraft(key)
  const { before, version, status } = keptRecord(key) ?? {}
  if (!draft || !isRecord(before) || typeof version !== 'number') return undefined
  const chosen: Pick<EditDraft, 'status'> = status === 'ACTIVE' || status === 'HIDDEN' ? { status } : {}
  return { ...draft, before: textsOf(before), version, ...chosen }
}

type Form = { before: ListingValues; typed: ListingValues }

/**
 * What was left, put back into the form of the listing as it is now. Fields that were not touched then follow the
 * listing; what was typed since it was opened stays.
 */
export function withDraft(
  kind: ListingKind,
  draft: Pick<EditDraft, 'before' | 'values'>,
  { before, typed }: Form,
): { values: ListingValues; overlaps: Overlap[] } {
  const left = { before: draft.before, typed: draft.values, current: before }
  const values = mergedValues(kind, { before, typed, current: mergedValues(kind, left) })
  return { values, overlaps: overlapsOf(kind, { ...left, typed: values }) }
}
