import { useState } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { ApiError } from '#web/api/failures.ts'
import { queryClient } from '#web/api/query-client.ts'
import { useLeaveGuard } from '#web/components/leave-guard.ts'
import { useListAddress } from '#web/components/listing-nav/list-return.ts'
import { SaveBar } from '#web/components/save-bar.tsx'
import { notifyDone } from '#web/components/toasts.tsx'
import { useDelayed } from '#web/components/use-delayed.ts'
import { BothChanged, type Overlap } from './both-changed.tsx'
import { type Clash, ClashNotice } from './clash-notice.tsx'
import { CurrentPicture } from './current-picture.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { withDraft } from './edit-draft.ts'
import classes from './form-columns.module.css'
import type { ListingEditor } from './listing-editor.ts'
import { ListingForm } from './listing-form.tsx'
import { ListingPreview } from './listing-preview.tsx'
import { bodyToUpdate, mergedValues, overlapsOf, valuesOfListing } from './listing-values.ts'
import { StatusSection } from './status-section.tsx'
import { useEditDraft } from './use-edit-draft.ts'
import { useListingForm } from './use-listing-form.ts'

/** Spec, section 9. */
const leaveAfterMs = 600

type EditListingFormProps = { opened: Listing; editor: ListingEditor }

/** Changes a listing. What somebody else did to it meanwhile is shown, and nothing typed is lost over it. */
export function EditListingForm({ opened, editor: given }: EditListingFormProps) {
  const editor = { ...given, leadsTo: useListAddress(given.leadsTo) }
  const navigate = useNavigate()
  const moving = useNavigation().state !== 'idle'
  const [listing, setListing] = useState(opened)
  const [clash, setClash] = useState<Clash>()
  const [overlaps, setOverlaps] = useState<Overlap[]>([])
  const [saved, setSaved] = useState(false)
  const [status, setStatus] = useState(opened.status)
  const { id, kind } = listing
  const statusChanged = status !== listing.status
  const before = valuesOfListing(listing)

  const state = useListingForm({
    kind,
    start: { values: before },
    before,
    resting: saved,
    send: async (values, picture) => {
      const text = bodyToUpdate(kind, before, values)
      const body = { ...text, ...(statusChanged && { status }), version: listing.version }
      await editor.save(id, body, picture)
      setSaved(true)
      notifyDone('Listing updated')
      void queryClient.invalidateQueries({ queryKey: ['listings'] })
      void queryClient.invalidateQueries({ queryKey: ['listing'], refetchType: 'none' })
    },
    fallback: 'Failed to update your product listing. Please try again.',
    onFailure: (error) => {
      const found = clashOf(error)
      setClash(found)
      return found !== undefined
    },
  })
  const changed = state.changed || statusChanged
  useLeaveGuard(changed && !saved)
  const draft = useEditDraft({ listing, before, state, status, changed: changed && !saved })
  // Who is on the way to another page already, goes there.
  useDelayed(saved && !moving, leaveAfterMs, () => void navigate(editor.leadsTo))

  const goOnWith = (current: Listing, keepTyped: boolean) => {
    const values = valuesOfListing(current)
    const { form, picture } = state
    const clashing = { before, typed: form.values, current: values }
    const content = { values: mergedValues(kind, clashing), picture }
    setOverlaps(keepTyped ? overlapsOf(kind, clashing) : [])
    state.restart(keepTyped ? content : { values }, { values })
    if (!keepTyped || !statusChanged) setStatus(current.status)
    setListing(current)
    setClash(undefined)
  }

  const takeUpDraft = () => {
    const left = draft.takeUp()
    if (!left) return
    const { values, overlaps } = withDraft(kind, left, { before, typed: state.form.values })
    setOverlaps(overlaps)
    state.restart({ values, picture: state.picture }, { values: before })
    setStatus(left.status ?? status)
  }

  const discard = () => {
    state.restart({ values: before })
    setOverlaps([])
    setStatus(listing.status)
  }

  return (
    <>
      {draft.offer && (
        <DraftOffer
          kind={kind}
          draft={draft.offer}
          version={listing.version}
          onTakeUp={takeUpDraft}
          onDiscard={draft.discard}
        />
      )}
      {clash && <ClashNotice clash={clash} listingId={id} editor={editor} onGoOn={goOnWith} />}
      {overlaps.length > 0 && !clash && <BothChanged kind={kind} overlaps={overlaps} />}
      <div className={classes.columns}>
        <ListingForm
          kind={kind}
          state={state}
          label="Edit listing"
          pictureFrame={<CurrentPicture listing={listing} />}
          categoryName={listing.partcategory?.name}
          withAddress={editor.mayMoveAddress ?? false}
          own={editor.own}
          extra={
            editor.maySetStatus && <StatusSection value={status} onChange={setStatus} disabled={state.busy} />
          }
        >
          <SaveBar
            changed
            saving={state.busy}
            message={changed ? 'Unsaved changes' : ''}
            saveLabel="Save"
            discardLabel="Discard changes"
            onDiscard={changed ? discard : undefined}
          />
        </ListingForm>
        <ListingPreview
          state={state}
          imageUrl={listing.imageUrl}
          {...(!editor.own && { phoneShown: false })}
        />
      </div>
    </>
  )
}

function clashOf(error: unknown): Clash | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'STALE') return { kind: 'changed', who: error.changed }
  return error.code === 'LISTING_DELETED' ? { kind: 'deleted' } : undefined
}
