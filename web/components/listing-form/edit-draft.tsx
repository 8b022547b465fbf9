import { Alert, Button, Group, List, Text } from '@mantine/core'
import { useState } from 'react'
import type { ListingField, ListingKind } from '#contract/listing/listing-fields.ts'
import type { Listing } from '#contract/listings.ts'
import { draftPrefix } from '#web/api/device-copies.ts'
import { currentSession } from '#web/api/session.ts'
import { momentWords } from '#web/components/time-words.ts'
import { type Draft, dropDraft, isRecord, keptRecord, readDraft, textsOf, useDraft } from './listing-draft.ts'
import { labelOf } from './listing-problems.ts'
import { type ListingValues, mergedValues, namedChanges, overlapsOf } from './listing-values.ts'
import type { ListingFormState } from './use-listing-form.ts'

type DraftOfferProps = {
  kind: ListingKind
  draft: EditDraft
  /** Of the listing as it is now. */
  version: number
  onTakeUp: () => void
  onDiscard: () => void
}

/** What somebody typed here and did not save, before the form was left. */
export function DraftOffer({ kind, draft, version, onTakeUp, onDiscard }: DraftOfferProps) {
  const fields = namedChanges(kind, draft.before, draft.values).map((field) => labelOf(kind, field))
  const what = fields.length > 0 ? `${fields.join(', ')}: changed` : 'Changed'
  return (
    <Alert role="status" color="warning" radius="lg" mb="md" title="You left changes here without saving">
      <Text mb="sm">
        {what} {momentWords(draft.savedAt)}.
        {draft.version !== version &&
          ' The listing was changed since; you will see which fields you both changed.'}
      </Text>
      <Group gap="sm">
        <Button onClick={onTakeUp}>Put my changes back</Button>
        <Button variant="default" onClick={onDiscard}>
          Discard them
        </Button>
      </Group>
    </Alert>
  )
}

/** A field that two people changed, each to something else. */
export type Overlap = { field: ListingField; theirs: string; mine: string }

const shown = (text: string) => (text === '' ? 'empty' : text)

/** What saving would put in place of somebody else's change: nobody does so unawares. */
export function BothChanged({ kind, overlaps }: { kind: ListingKind; overlaps: readonly Overlap[] }) {
  return (
    <Alert role="alert" color="warning" radius="lg" mb="md" title="You both changed the same fields">
      <Text mb="xs">Saving puts yours in place of theirs:</Text>
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
  /** Whether anything is left to save. */
  changed: boolean
}

/**
 * Keeps what is typed into an existing listing, and offers it when the form was left without saving: the session
 * ended, the browser was closed. It changes what is for sale, so nothing is put back unasked.
 */
export function useEditDraft({ listing, before, state, status, changed }: EditState) {
  const [key] = useState(() => editDraftKey(listing.id, currentSession().user?.id ?? ''))
  const [offer, setOffer] = useState(() => readEditDraft(key))
  const [takenUp, setTakenUp] = useState(false)
  useDraft({
    // What is offered stays as it is until it is answered; then its picture is read too.
    key: offer ? undefined : key,
    values: state.form.values,
    picture: state.picture,
    changed,
    besides: { before, version: listing.version, ...(status !== listing.status && { status }) },
    onPicture: (picture) => takenUp && state.choosePicture(picture),
  })
  return {
    offer,
    takeUp: (): EditDraft | undefined => {
      setTakenUp(true)
      setOffer(undefined)
      return offer
    },
    discard: () => {
      dropDraft(key)
      setOffer(undefined)
    },
  }
}

/** The form of an existing listing as it was left, with what the listing said then. */
type EditDraft = Draft & {
  before: ListingValues
  version: number
  /** Chosen, but not saved. */
  status?: Listing['status']
}

const editDraftKey = (listingId: string, userId: string): string =>
  `${draftPrefix}edit:${listingId}:${userId}`

function readEditDraft(key: string): EditDraft | undefined {
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
