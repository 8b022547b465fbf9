import { ActionIcon, Button, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { titleOf } from '#web/components/listing-card/listing-words.ts'
import { useListReturn } from '#web/components/listing-nav/list-return.ts'
import { paths } from '#web/paths.ts'
import type { ListingActions } from './use-listing-actions.ts'

const duplicatePath = ({ kind, partslug }: Listing) => {
  const form = kind === 'quick' ? paths.createDataTableListing : paths.createAutoPartListing
  return `${form}?${new URLSearchParams({ from: partslug })}`
}

type OwnListingCardProps = { listing: Listing; actions: ListingActions; first: boolean }

/** A seller's own listing. Every name says which listing it means, for people who hear them one by one. */
export function OwnListingCard({ listing, actions, first }: OwnListingCardProps) {
  const title = titleOf(listing)
  const back = useListReturn(paths.myListings)
  const sold = listing.endedAt !== null
  return (
    <ListingCard
      listing={listing}
      to={paths.part(listing.partslug)}
      first={first}
      actions={
        <>
          <Button
            size="xs"
            component={Link}
            to={paths.editListing(listing.partslug)}
            state={back}
            aria-label={`Update ${title}`}
            variant={sold ? 'default' : 'filled'}
          >
            Update
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => void (sold ? actions.putBack(listing) : actions.markSold(listing))}
            aria-label={`${sold ? 'Put back on sale' : 'Mark as sold'}: ${title}`}
          >
            {sold ? 'Put back on sale' : 'Mark as sold'}
          </Button>
          <Tooltip label="Duplicate">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="md"
              component={Link}
              to={duplicatePath(listing)}
              aria-label={`Duplicate ${title}`}
            >
              <IconCopy size={18} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Delete">
            <ActionIcon
              variant="subtle"
              color="bad"
              size="md"
              onClick={() => void actions.remove(listing)}
              aria-label={`Delete ${title}`}
            >
              <IconTrash size={18} />
              <VisuallyHidden>Delete</VisuallyHidden>
            </ActionIcon>
          </Tooltip>
        </>
      }
    />
  )
}
