import { Alert, Button, Group, List, Text } from '@mantine/core'
import { useState } from 'react'
import type { ListingField, ListingKind } from '#contract/listing/listing-fields.ts'
import type { Listing } from '#contract/listings.ts'
import { isRecord, parseRecord, readText, removeText } from '#web/api/browser-storage.ts'
import { draftPrefix } from '#web/api/device-copies.ts'
import { currentSession } from '#web/api/session.ts'
import { momentWords } from '#web/components/time-words.ts'
import { type Draft, readDraft, textsOf, useDraft } from './listing-draft.ts'
import { labelOf } from './listing-problems.ts'
import { type ListingValues, mergedValues, namedChanges, overlapsOf } from './listing-values.ts'
import type { ListingFormState } from './use-listing-form.ts'

type DraftOfferProps = {
  kind: ListingKind
  draft: EditDraft
  version: number
  onRestore: () => void
  onDiscard: () => void
}

/** Offers to restore edits that were not saved when the form was closed. */
export function DraftOffer({ kind, draft, version, onRestore, onDiscard }: DraftOfferProps) {
  const fields = namedChanges(kind, draft.before, draft.values).map((field) => labelOf(kind, field))
  const what = fields.length > 0 ? `${fields.join(', ')}: changed` : 'Changed'
  return (
    <Alert role="status" color="warning" radius="lg" mb="md" title="You have unsaved changes">
      <Text mb="sm">
        {what} {momentWords(draft.savedAt)}.
        {draft.version !== version &&
          ' The listing has changed since then. You will see which fields you both changed.'}
      </Text>
      <Group gap="sm">
        <Button onClick={onRestore}>Restore my changes</Button>
        <Button variant="default" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </Alert>
  )
}

/** A field that two people changed to different values. */
export type Overlap = { field: ListingField; theirs: string; mine: string }

const shown = (text: string) => (text === '' ? 'empty' : text)

/** Warns which of someone else's changes saving would overwrite. */
export function BothChanged({ kind, overlaps }: { kind: ListingKind; overlaps: readonly Overlap[] }) {
  return (
    <Alert role="alert" color="warning" radius="lg" mb="md" title="You both changed the same fields">
      <Text mb="xs">Saving overwrites their changes:</Text>
      <List size="sm">
        {overlaps.map(({ field, theirs, mine }) => (
          <List.Item key={field}>
            {field === 'partcategoryId'
              ? labelOf(kind, field)
              : `${labelOf(kind, field)}: theirs ${shown(theirs)}, yours ${shown(mine)}`}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

type EditState = {
  listing: Listing
  before: ListingValues
  state: ListingFormState
  status: Listing['status']
  changed: boolean
}

/**
 * Saves unsaved edits of an existing listing on this device, and offers them when the form is opened again. They are
 * never restored without asking, because the listing is live.
 */
export function useEditDraft({ listing, before, state, status, changed }: EditState) {
  const [key] = useState(() => editDraftKey(listing.id, currentSession().user?.id ?? ''))
  const [offer, setOffer] = useState(() => readEditDraft(key))
  useDraft({
    // Don't overwrite the offered draft until the user decides.
    key: offer ? undefined : key,
    values: state.form.values,
    changed,
    extra: { before, version: listing.version, ...(status !== listing.status && { status }) },
  })
  return {
    offer,
    restore: (): EditDraft | undefined => {
      setOffer(undefined)
      return offer
    },
    discard: () => {
      removeText(key)
      setOffer(undefined)
    },
  }
}

/** Unsaved edits, with the listing's values at the time. */
type EditDraft = Draft & {
  before: ListingValues
  version: number
  /** Set if the status was changed. */
  status?: Listing['status']
}

const editDraftKey = (listingId: string, userId: string): string =>
  `${draftPrefix}edit:${listingId}:${userId}`

function readEditDraft(key: string): EditDraft | undefined {
  const draft = readDraft(key)
  const { before, version, status } = parseRecord(readText(key)) ?? {}
  if (!draft || !isRecord(before) || typeof version !== 'number') return undefined
  const chosen: Pick<EditDraft, 'status'> = status === 'ACTIVE' || status === 'HIDDEN' ? { status } : {}
  return { ...draft, before: textsOf(before), version, ...chosen }
}

type Form = { before: ListingValues; typed: ListingValues }

/**
 * Merges a draft into the form of the current listing. Fields the draft did not change keep the current values, and
 * edits made since the form was opened are kept.
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
