import { Skeleton, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { queryClient } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { SaveBar } from '#web/components/form/save-bar.tsx'
import { useListAddress } from '#web/components/listing-nav.tsx'
import { useListingPictures } from '#web/components/listing-picture/use-listing-pictures.ts'
import { LoadError } from '#web/components/page/load-error.tsx'
import { useDelayed } from '#web/components/page/waiting.tsx'
import { notifyDone } from '#web/components/toasts.tsx'
import { GroupDrawing } from '#web/site/card/listing-picture.tsx'
import { type Clash, ClashNotice, type ListingEditor } from './clash-notice.tsx'
import { BothChanged, DraftOffer, type Overlap, useEditDraft, withDraft } from './edit-draft.tsx'
import classes from './listing-form.module.css'
import { ListingForm, ListingPreview, StatusSection } from './listing-form.tsx'
import {
  bodyToUpdate,
  changedFields,
  type ListingValues,
  mergedValues,
  overlapsOf,
  valuesOfListing,
} from './listing-values.ts'
import { about, useListingForm } from './use-listing-form.ts'

/** Given by the spec. */
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
    send: async (values, chosen) => {
      const text = bodyToUpdate(kind, before, values)
      const version = pictures.wasChanged() ? await versionAfterPictures(listing, editor) : listing.version
      const updated = refuseError(
        await editor.save(id, { ...text, ...(statusChanged && { status }), version }),
      )
      if (state.pictures.changed) {
        // The text is saved, whatever becomes of the pictures.
        showText(updated)
        if (!(await pictures.save(state.pictures.origin, chosen))) return
      }
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
  const pictures = useListingPictures(id, {
    desk: state.pictures.desk,
    onRead: state.pictures.showSaved,
    about,
  })
  const textChanged = state.textChanged || statusChanged
  const changed = state.changed || statusChanged
  useLeaveGuard(changed && !saved)
  const draft = useEditDraft({ listing, before, state, status, changed: textChanged && !saved })
  // Unless the user is already leaving for another page.
  useDelayed(saved && !moving, leaveAfterMs, () => void navigate(editor.listPath))

  /** Shows text, keeping what was done to the pictures. */
  const restartText = (values: ListingValues, from: ListingValues) =>
    state.restart(
      { values, pictures: state.pictures.latest() },
      { values: from, pictures: state.pictures.origin },
    )
  const showText = (current: Listing) => {
    const values = valuesOfListing(current)
    restartText(values, values)
    setStatus(current.status)
    setListing(current)
  }

  const resolveClash = (current: Listing, keepTyped: boolean) => {
    const values = valuesOfListing(current)
    const clashing = { before, typed: state.form.values, current: values }
    setOverlaps(keepTyped ? overlapsOf(kind, clashing) : [])
    if (keepTyped) restartText(mergedValues(kind, clashing), values)
    else state.restart({ values, pictures: state.pictures.origin })
    if (!keepTyped || !statusChanged) setStatus(current.status)
    setListing(current)
    setClash(undefined)
  }

  const restoreDraft = () => {
    const edits = draft.restore()
    if (!edits) return
    const { values, overlaps } = withDraft(kind, edits, { before, typed: state.form.values })
    setOverlaps(overlaps)
    restartText(values, before)
    setStatus(edits.status ?? status)
  }

  const discard = () => {
    pictures.discard()
    state.restart({ values: before, pictures: state.pictures.origin })
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
          desk={pictures.desk}
          pictureFrame={<NoPicture listing={listing} query={pictures.query} />}
          categoryName={listing.partcategory?.name}
          listingId={listing.id}
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
          cover={pictures.coverOr(listing.imageUrl ?? undefined)}
          {...(!editor.own && { phoneShown: false })}
        />
      </div>
    </>
  )
}

/** An answer may carry an error instead of a failed status. */
function refuseError(answer: Listing & { error?: unknown }): Listing {
  if (typeof answer.error !== 'string' || answer.error === '') return answer
  throw new ApiError(new Response(null, { status: 200 }), { error: answer.error })
}

function clashOf(error: unknown): Clash | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'STALE') return { kind: 'changed', who: error.changed }
  return error.code === 'LISTING_DELETED' ? { kind: 'deleted' } : undefined
}

/**
 * Each picture that is added, removed or moved is a new version. Saving again after some of them failed is a clash only if
 * something else changed, too: then the version that was opened is sent.
 */
async function versionAfterPictures(opened: Listing, editor: ListingEditor): Promise<number> {
  const current = await editor.read(opened.id)
  const changes = changedFields(opened.kind, valuesOfListing(opened), valuesOfListing(current))
  return changes.length === 0 && current.status === opened.status ? current.version : opened.version
}

type NoPictureProps = { listing: Listing; query: ReturnType<typeof useListingPictures>['query'] }

/** The spec's placeholder of 100 by 100. */
function NoPicture({ listing, query }: NoPictureProps) {
  if (query.isPending) return <Skeleton height="100%" radius={0} />
  if (query.isError) {
    return (
      <div className={classes.currentPicture}>
        <LoadError
          message="The pictures could not be loaded."
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      </div>
    )
  }
  return (
    <div className={classes.currentPicture}>
      <div className={classes.placeholder}>
        <GroupDrawing group={listing.categoryGroup} />
      </div>
    </div>
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
