import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { currentSession } from '#web/api/session.ts'
import { type EditDraft, editDraftKey, readEditDraft } from './edit-draft.ts'
import { dropDraft } from './listing-draft.ts'
import type { ListingValues } from './listing-values.ts'
import { useDraft } from './use-draft.ts'
import type { ListingFormState } from './use-listing-form.ts'

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
