import { useState } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { queryClient } from '#web/api/query-client.ts'
import { useLeaveGuard } from '#web/components/leave-guard.ts'
import classes from '#web/components/listing-form/form-columns.module.css'
import { ListingForm } from '#web/components/listing-form/listing-form.tsx'
import { ListingPreview } from '#web/components/listing-form/listing-preview.tsx'
import { bodyToUpdate, mergedValues, valuesOfListing } from '#web/components/listing-form/listing-values.ts'
import { useListingForm } from '#web/components/listing-form/use-listing-form.ts'
import { SaveBar } from '#web/components/save-bar.tsx'
import { notifyDone } from '#web/components/toasts.tsx'
import { useDelayed } from '#web/components/use-delayed.ts'
import { paths } from '#web/paths.ts'
import { type Clash, ClashNotice } from './clash-notice.tsx'
import { CurrentPicture } from './current-picture.tsx'

/** Spec, section 9. */
const leaveAfterMs = 600

/** Changes a listing. What somebody else did to it meanwhile is shown, and nothing typed is lost over it. */
export function EditListingForm({ opened }: { opened: Listing }) {
  const navigate = useNavigate()
  const moving = useNavigation().state !== 'idle'
  const [listing, setListing] = useState(opened)
  const [clash, setClash] = useState<Clash>()
  const [saved, setSaved] = useState(false)
  const { id, kind } = listing
  const before = valuesOfListing(listing)

  const state = useListingForm({
    kind,
    start: { values: before },
    before,
    resting: saved,
    send: async (values, picture) => {
      const body = { ...bodyToUpdate(kind, before, values), version: listing.version }
      await call(listingEndpoints.updateOwn, { params: { id }, body, file: picture })
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
  useLeaveGuard(state.changed && !saved)
  // Who is on the way to another page already, goes there.
  useDelayed(saved && !moving, leaveAfterMs, () => void navigate(paths.myListings))

  const goOnWith = (current: Listing, keepTyped: boolean) => {
    const values = valuesOfListing(current)
    const { form, picture } = state
    const content = { values: mergedValues(kind, { before, typed: form.values, current: values }), picture }
    state.restart(keepTyped ? content : { values }, { values })
    setListing(current)
    setClash(undefined)
  }

  return (
    <>
      {clash && <ClashNotice clash={clash} listingId={id} onGoOn={goOnWith} />}
      <div className={classes.columns}>
        <ListingForm
          kind={kind}
          state={state}
          label="Edit listing"
          pictureFrame={<CurrentPicture listing={listing} />}
          categoryName={listing.partcategory?.name}
        >
          <SaveBar
            changed
            saving={state.busy}
            message={state.changed ? 'Unsaved changes' : ''}
            saveLabel="Save"
            discardLabel="Discard changes"
            onDiscard={state.changed ? () => state.restart({ values: before }) : undefined}
          />
        </ListingForm>
        <ListingPreview state={state} imageUrl={listing.imageUrl} />
      </div>
    </>
  )
}

function clashOf(error: unknown): Clash | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'STALE') return 'changed'
  return error.code === 'LISTING_DELETED' ? 'deleted' : undefined
}
