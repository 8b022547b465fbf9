import { Stack, Text } from '@mantine/core'
import { useSession } from '#web/api/session.ts'
import { type CardListing, ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { useCategories } from '#web/components/listing-lookups/lookup-queries.ts'
import { useFileAddress } from '#web/components/listing-picture/use-file-address.ts'
import classes from './listing-preview.module.css'
import type { ListingFormState } from './use-listing-form.ts'

type ListingPreviewProps = {
  state: ListingFormState
  imageUrl?: string | null
  /** Whether buyers see the phone number; as the person's own settings say unless told otherwise. */
  phoneShown?: boolean
}

/** The card as buyers will see it, beside the form where there is room. */
export function ListingPreview({ state, imageUrl = null, phoneShown }: ListingPreviewProps) {
  const { values } = state.form
  const { user } = useSession()
  const chosen = useFileAddress(state.picture)
  const { data: categories } = useCategories()
  const card: CardListing = {
    ...values,
    partname: values.partname || 'Part name',
    partprice: Number(values.partprice) || null,
    dealerphone: (phoneShown ?? user?.communicationPrefs.showPhonePublicly) ? values.dealerphone : '',
    currency: 'USD',
    imageUrl: chosen ?? imageUrl,
    categoryGroup: categories?.find(({ id }) => id === values.partcategoryId)?.group ?? null,
    endedAt: null,
    endedReason: null,
  }
  return (
    <aside className={classes.preview} aria-label="Preview">
      <Stack gap="xs">
        <Text size="sm" fw={600} className="second">
          What buyers will see
        </Text>
        <ListingCard listing={card} />
      </Stack>
    </aside>
  )
}
