import { Text } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import type { ListingKind } from '#contract/listing-fields.ts'
import { useSession } from '#web/api/session.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { Waiting } from '#web/components/waiting.tsx'
import classes from './form-columns.module.css'
import { NewListingForm } from './new-listing-form.tsx'
import { useCopiedListing } from './use-copied-listing.ts'

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
  if (!user) return null
  if (slug !== '' && copy.isPending) return <Waiting label="Copying the listing…" />
  return (
    <>
      {copy.isError && (
        <LoadError message="The listing to copy could not be loaded." onRetry={() => void copy.refetch()} />
      )}
      <NewListingForm
        key={`${user.id} ${slug} ${copy.status}`}
        kind={kind}
        user={user}
        label={label}
        copy={copy.data}
        {...(kind === 'ecommerce' && { pictureFrame: emptyFrame })}
      />
    </>
  )
}
