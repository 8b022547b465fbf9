import { Skeleton, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { queryClient } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { SaveBar } from '#web/components/form/save-bar.tsx'
import { useListAddress } from '#web/components/listing-nav.tsx'
import { useDelayed } from '#web/components/page/waiting.tsx'
import { notifyDone } from '#web/components/toasts.tsx'
import { GroupDrawing, ListingPicture } from '#web/site/card/listing-picture.tsx'
import { type Clash, ClashNotice, type ListingEditor } from './clash-notice.tsx'
import { BothChanged, DraftOffer, type Overlap, useEditDraft, withDraft } from './edit-draft.tsx'
import classes from './listing-form.module.css'
import { ListingForm, ListingPreview, StatusSection } from './listing-form.tsx'
import { bodyToUpdate, mergedValues, overlapsOf, valuesOfListing } from './listing-values.ts'
import { about, useListingForm } from './use-listing-form.ts'

/** Spec, section 9. */
const leaveAfterMs = 600

type EditListingFormProps = { opened: Listing; editor: ListingEditor }

/** Edits a listing. Changes made by others meanwhile are shown, and no edits are lost. */
export function EditListingForm({ opened, editor: given }: EditListingFormProps) {
  const editor = { ...given, listPath: useListAddress(given.listPath) }
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
      notifyDone('Listing updated', { about })
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
  // Unless the user is already leaving for another page.
  useDelayed(saved && !moving, leaveAfterMs, () => void navigate(editor.listPath))

  const resolveClash = (current: Listing, keepTyped: boolean) => {
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

  const restoreDraft = () => {
    const edits = draft.restore()
    if (!edits) return
    const { values, overlaps } = withDraft(kind, edits, { before, typed: state.form.values })
    setOverlaps(overlaps)
    state.restart({ values, picture: state.picture }, { values: before })
    setStatus(edits.status ?? status)
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
          onRestore={restoreDraft}
          onDiscard={draft.discard}
        />
      )}
      {clash && <ClashNotice clash={clash} listingId={id} editor={editor} onResolve={resolveClash} />}
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

/** The listing's picture, or a 100 by 100 placeholder (spec, section 2). */
function CurrentPicture({ listing }: { listing: Listing }) {
  if (listing.imageUrl === null) {
    return (
      <div className={classes.currentPicture}>
        <div className={classes.placeholder}>
          <GroupDrawing group={listing.categoryGroup} />
        </div>
        {listing.imageProblem !== null && (
          <Text size="sm" className="second" ta="center" px="md">
            image not fetched: {listing.imageProblem}
          </Text>
        )}
      </div>
    )
  }
  return (
    <ListingPicture src={listing.imageUrl} alt="The listing’s picture" group={listing.categoryGroup} first />
  )
}

export const FormSkeleton = () => (
  <Stack gap="md" role="status" aria-label="Loading listing…">
    <Skeleton height={270} radius="lg" />
    <Skeleton height={420} radius="lg" />
    <Skeleton height={180} radius="lg" />
  </Stack>
)

type ListingAddress = {
  /** The slug in the URL. */
  slug: string
  /** The listing's current slug, once loaded. */
  current: string | undefined
  pathOf: (slug: string) => string
}

/** Replaces an old slug in the URL with the current one. */
export function useCurrentAddress({ slug, current, pathOf }: ListingAddress): void {
  const navigate = useNavigate()
  const { search, state } = useLocation()
  useEffect(() => {
    if (current !== undefined && current !== slug) {
      void navigate({ pathname: pathOf(current), search }, { replace: true, state })
    }
  }, [slug, current, pathOf, search, state, navigate])
}
