import { type ReactNode, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { ListingKind } from '#contract/listing-fields.ts'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { queryClient } from '#web/api/query-client.ts'
import { useLeaveGuard } from '#web/components/leave-guard.ts'
import { SaveBar } from '#web/components/save-bar.tsx'
import { clockWords, momentWords } from '#web/components/time-words.ts'
import { useDelayed } from '#web/components/use-delayed.ts'
import { deviceListingDefaults } from './device-defaults.ts'
import classes from './form-columns.module.css'
import { draftKey, readDraft } from './listing-draft.ts'
import { ListingForm } from './listing-form.tsx'
import { ListingPreview } from './listing-preview.tsx'
import {
  bodyToCreate,
  duplicateValues,
  type ListingValues,
  namesToCreate,
  renamed,
  sameCarValues,
  valuesFromDefaults,
} from './listing-values.ts'
import { SuccessPanel } from './success-panel.tsx'
import { useDraft } from './use-draft.ts'
import { type FormContent, useListingForm } from './use-listing-form.ts'

/** Spec, section 9: time to see what was saved before the form starts afresh. */
const freshAfterMs = 2000

type NewListingFormProps = {
  kind: ListingKind
  user: User
  label: string
  /** A listing to begin with, already without what is its own. */
  copy?: FormContent | undefined
  pictureFrame?: ReactNode
}

type Saved = { listing: Listing; content: FormContent }

export function NewListingForm({ kind, user, label, copy, pictureFrame }: NewListingFormProps) {
  const [saved, setSaved] = useState<Saved>()
  const [resting, setResting] = useState(false)
  // A copy, and what follows it in this form, is no draft: it would take the place of one that was begun before.
  const key = copy ? undefined : draftKey(kind, user.id)
  const fresh = (): FormContent => ({
    values: valuesFromDefaults(deviceListingDefaults(), user.listingDefaults),
  })
  const [first] = useState(() => {
    const draft = key === undefined ? undefined : readDraft(key)
    return { start: copy ?? fresh(), draft: draft?.values }
  })

  const state = useListingForm({
    kind,
    ...first,
    resting,
    send: async (values, picture) => {
      const listing = await create(kind, values, picture)
      state.restart({ values, picture })
      setSaved({ listing, content: { values, picture } })
      setResting(true)
      void queryClient.invalidateQueries({ queryKey: ['listings'] })
    },
    fallback: 'Failed to Create Your Product Listing. Try again.',
  })
  const draft = useDraft({
    key,
    values: state.form.values,
    picture: state.picture,
    changed: state.changed,
    onPicture: state.choosePicture,
  })
  useLeaveGuard(state.changed && !resting && (key === undefined || draft.failed))

  const goOn = (content: FormContent) => {
    setResting(false)
    state.restart(content, fresh())
  }
  useDelayed(resting, freshAfterMs, () => goOn(fresh()))

  return (
    <>
      {saved && (
        <SuccessPanel
          listing={saved.listing}
          onAnother={() => goOn({ values: sameCarValues(saved.content.values) })}
          onDuplicate={() => goOn({ ...saved.content, values: duplicateValues(saved.content.values) })}
        />
      )}
      <div className={classes.columns}>
        <ListingForm
          kind={kind}
          state={state}
          label={label}
          pictureFrame={pictureFrame}
          pictureRequired
          withAddress={kind === 'ecommerce'}
          inputNames={namesToCreate[kind]}
        >
          <SaveBar
            changed
            saving={state.busy}
            message={draftLine(draft)}
            saveLabel="Create Listing"
            discardLabel="Discard draft"
            onDiscard={state.changed ? () => state.restart(fresh()) : undefined}
          />
        </ListingForm>
        <ListingPreview state={state} />
      </div>
    </>
  )
}

function create(kind: ListingKind, values: ListingValues, picture: File | undefined): Promise<Listing> {
  const body = renamed(bodyToCreate(kind, values), namesToCreate[kind])
  return kind === 'quick'
    ? call(listingEndpoints.createQuickListing, { body })
    : call(listingEndpoints.createPart, { body, file: picture })
}

function draftLine({ savedAt, failed }: { savedAt: string | undefined; failed: boolean }): string {
  if (failed) return 'This browser keeps no draft'
  if (savedAt === undefined) return '* required'
  const today = new Date(savedAt).toDateString() === new Date().toDateString()
  return `Draft saved ${today ? clockWords(savedAt) : momentWords(savedAt)}`
}
