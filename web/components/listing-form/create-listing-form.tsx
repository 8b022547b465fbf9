import { Alert, Button, Group, Text } from '@mantine/core'
import { IconCircleCheck, IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { User } from '#contract/account/accounts.ts'
import { allFields, type ListingKind } from '#contract/listing/listing-fields.ts'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call, queryClient } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { SaveBar } from '#web/components/form/save-bar.tsx'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { type FormPicture, newPicture } from '#web/components/listing-picture/form-pictures.ts'
import { listingUploads, sendToListing } from '#web/components/listing-picture/listing-uploads.ts'
import {
  isUnderway,
  type PictureUpload,
  usePictureQueue,
} from '#web/components/listing-picture/picture-queue.ts'
import { QueryError } from '#web/components/page/load-error.tsx'
import { useDelayed, Waiting } from '#web/components/page/waiting.tsx'
import { clockWords, momentWords } from '#web/components/time-words.ts'
import { clearToast } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { titleOf } from '#web/site/card/listing-words.ts'
import { draftKey, readDraft, useDraft } from './listing-draft.ts'
import classes from './listing-form.module.css'
import { ListingForm, ListingPreview } from './listing-form.tsx'
import {
  bodyToCreate,
  deviceListingDefaults,
  duplicateValues,
  type ListingValues,
  namesToCreate,
  rememberedFor,
  rememberForNextListing,
  renamed,
  sameCarValues,
  valuesFromDefaults,
  valuesOfListing,
} from './listing-values.ts'
import { about, type FormContent, useListingForm } from './use-listing-form.ts'

const emptyFrame = (
  <div className={classes.frame}>
    <IconPhoto size={32} stroke={1.25} aria-hidden />
    <Text size="sm">No picture yet</Text>
  </div>
)

/** A new listing of either kind, empty or as a copy of another. */
export function CreateListingForm({ kind, label }: { kind: ListingKind; label: string }) {
  const { user } = useSession()
  const { slug, copy } = useCopiedListing()
  const known = knownFields(useSearchParams()[0])
  if (!user) return null
  if (slug !== '' && copy.isPending) return <Waiting label="Copying the listing…" />
  return (
    <>
      {copy.isError && <QueryError message="The listing to copy could not be loaded." query={copy} />}
      <NewListingForm
        key={`${user.id} ${slug} ${copy.status} ${JSON.stringify(known)}`}
        kind={kind}
        user={user}
        label={label}
        copy={copy.data}
        known={known}
      />
    </>
  )
}

/** Time to see what was saved before the form is cleared. */
const clearAfterMs = 2000

type NewListingFormProps = {
  kind: ListingKind
  user: User
  label: string
  /** A listing to copy, without its stock number and URL. */
  copy?: FormContent | undefined
  /** Values for the form from the link that opened it. */
  known: Partial<ListingValues>
}

type Saved = { listing: Listing; content: FormContent }

function NewListingForm({ kind, user, label, copy, known }: NewListingFormProps) {
  const [saved, setSaved] = useState<Saved>()
  const [resting, setResting] = useState(false)
  // Neither a copy nor a part from a link is saved as a draft, because it would overwrite an existing one.
  const isBegun = copy !== undefined || Object.keys(known).length > 0
  const key = isBegun ? undefined : draftKey(kind, user.id)
  const fresh = (): FormContent => ({
    values: valuesFromDefaults(deviceListingDefaults(), user.listingDefaults, rememberedFor(user.id)),
  })
  const [first] = useState(() => {
    const draft = key === undefined ? undefined : readDraft(key)
    return { start: copy ?? { values: { ...fresh().values, ...known } }, draft: draft?.values }
  })

  const state = useListingForm({
    kind,
    ...first,
    resting,
    send: async (values, pictures) => {
      const listing = await create(kind, values, pictures[0])
      await sendFurther(listing, pictures)
      rememberForNextListing(user.id, values)
      // The success is shown on the page itself.
      clearToast(about)
      state.restart({ values, pictures })
      setSaved({ listing, content: { values, pictures } })
      setResting(true)
      void queryClient.invalidateQueries({ queryKey: ['listings'] })
    },
    fallback: 'Failed to Create Your Product Listing. Try again.',
  })
  const draft = useDraft({
    key,
    values: state.form.values,
    pictures: state.pictures.list,
    changed: state.changed,
    onPictures: state.pictures.reset,
  })
  useLeaveGuard(state.changed && !resting && (key === undefined || draft.failed))

  const startNext = (content: FormContent) => {
    setResting(false)
    state.restart(content, fresh())
  }
  useDelayed(resting, clearAfterMs, () => startNext(fresh()))

  return (
    <>
      {saved && (
        <SuccessPanel
          listing={saved.listing}
          onAnother={() => startNext({ values: sameCarValues(saved.content.values) })}
          onDuplicate={() => startNext({ ...saved.content, values: duplicateValues(saved.content.values) })}
        />
      )}
      <div className={classes.columns}>
        <ListingForm
          kind={kind}
          state={state}
          label={label}
          {...(kind === 'ecommerce' && { desk: state.pictures.desk })}
          pictureFrame={emptyFrame}
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
        <ListingPreview state={state} cover={state.pictures.desk.pictures[0]?.thumb} />
      </div>
    </>
  )
}

function create(kind: ListingKind, values: ListingValues, cover: FormPicture | undefined): Promise<Listing> {
  const body = renamed(bodyToCreate(kind, values), namesToCreate[kind])
  return kind === 'quick'
    ? call(listingEndpoints.createQuickListing, { body })
    : call(listingEndpoints.createPart, { body, file: cover?.prepared?.file })
}

/** The cover was sent with the listing. It is sent again only to add its description and marks. */
async function sendFurther({ id }: Listing, [cover, ...others]: readonly FormPicture[]): Promise<void> {
  const isDescribed = cover !== undefined && (cover.alt !== '' || cover.marks.length > 0)
  const further = isDescribed ? [cover, ...others] : others
  if (further.length > 0) await sendToListing(id, further)
}

function draftLine({ savedAt, failed }: { savedAt: string | undefined; failed: boolean }): string {
  if (failed) return 'This browser can’t save drafts'
  if (savedAt === undefined) return '* required'
  const today = new Date(savedAt).toDateString() === new Date().toDateString()
  return `Draft saved ${today ? clockWords(savedAt) : momentWords(savedAt)}`
}

type SuccessPanelProps = {
  listing: Listing
  /** For another part from the same car. */
  onAnother: () => void
  onDuplicate: () => void
}

/** Stays visible after the form below is cleared. */
function SuccessPanel({ listing, onAnother, onDuplicate }: SuccessPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new listing is announced again
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    panel.current?.scrollIntoView({ block: 'center' })
  }, [listing.id])
  return (
    <Alert
      ref={panel}
      tabIndex={-1}
      role="status"
      color="good"
      radius="lg"
      mb="md"
      icon={<IconCircleCheck aria-hidden />}
      title="Listing created"
    >
      <Text mb="sm">{titleOf(listing)} is now for sale.</Text>
      <FurtherPictures listing={listing} />
      <Group gap="xs">
        <ButtonLink to={paths.part(listing.partslug)}>View listing</ButtonLink>
        <Button variant="default" onClick={onAnother} title="Keeps the car and seller details">
          Create another
        </Button>
        <Button variant="default" onClick={onDuplicate} title="Keeps everything, for an identical part">
          Duplicate
        </Button>
        <ButtonLink variant="subtle" to={paths.myListings}>
          My Listings
        </ButtonLink>
      </Group>
    </Alert>
  )
}

/** Upload progress of the pictures after the cover. */
function FurtherPictures({ listing: { id, partslug } }: { listing: Listing }) {
  const uploads = usePictureQueue(listingUploads).uploads.filter(({ listingId }) => listingId === id)
  if (uploads.length === 0) return null
  const count = (step: PictureUpload['state']['step']) =>
    uploads.filter(({ state }) => state.step === step).length
  const isOver = !uploads.some(isUnderway)
  const failed = count('failed')
  return (
    <Text mb="sm">
      {!isOver && `Adding pictures: ${count('done')} of ${uploads.length}. You can go on with the next part.`}
      {isOver && failed === 0 && 'All pictures are added.'}
      {isOver && failed > 0 && (
        <>
          {failed === 1 ? 'One picture was not added. ' : `${failed} pictures were not added. `}
          <TextLink to={paths.editListing(partslug)}>See why</TextLink>
        </>
      )}
    </Text>
  )
}

/** The fields that a link fills in (`?partname=Alternator`). */
const knownFields = (address: URLSearchParams): Partial<ListingValues> =>
  Object.fromEntries(
    allFields.flatMap((field) => {
      const text = address.get(field)
      return text === null ? [] : [[field, text]]
    }),
  )

/** The listing to copy (`?from=its-slug`), if any. */
function useCopiedListing() {
  const slug = useSearchParams()[0].get('from') ?? ''
  const copy = useQuery({
    queryKey: ['listing-copy', slug],
    queryFn: ({ signal }) => readCopy(slug, signal),
    enabled: slug !== '',
    // Never refetch into a form that is being filled in.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { slug, copy }
}

async function readCopy(slug: string, signal: AbortSignal): Promise<FormContent> {
  const listing = await call(listingEndpoints.readPublic, { params: { slug }, signal })
  const values = duplicateValues(valuesOfListing(listing))
  const pictures = await Promise.all(listing.images.map(({ url }) => readPicture(url, signal)))
  return { values, pictures: pictures.filter((picture) => picture !== undefined) }
}

/** A picture as a file to upload again. Without it, the rest of the copy is still useful. */
async function readPicture(address: string, signal: AbortSignal): Promise<FormPicture | undefined> {
  try {
    const answer = await fetch(address, { signal })
    if (!answer.ok) return undefined
    const content = await answer.blob()
    const file = new File([content], 'copied-picture', { type: content.type })
    // The server already made it small enough.
    return newPicture({ file, thumb: undefined })
  } catch {
    return undefined
  }
}
