import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { placeOf, titleOf } from '#web/components/listing-card/listing-words.ts'
import { useListReturn } from '#web/components/listing-nav/list-return.ts'
import { paths } from '#web/paths.ts'
import classes from './admin-listing-card.module.css'
import type { useStatusSwitch } from './use-status-switch.ts'

type AdminListingCardProps = {
  listing: Listing
  status: ReturnType<typeof useStatusSwitch>
  first: boolean
}

/** The part's picture under the part's own id; a part without any is known to have none there either. */
const imageEndpoint = ({ id, images }: Listing) =>
  images.length === 0 ? undefined : `/api/auto-part/image/${id}`

/** Any listing, as an admin finds it. Every button's name says which listing it means. */
export function AdminListingCard({ listing, status, first }: AdminListingCardProps) {
  const title = titleOf(listing)
  const back = useListReturn(paths.manageProducts)
  const verb = listing.status === 'HIDDEN' ? 'Show' : 'Hide'
  return (
    <ListingCard
      listing={listing}
      to={paths.manageListing(listing.partslug)}
      linkState={back}
      first={first}
      flat
      otherwise={imageEndpoint(listing)}
      details={<Details listing={listing} />}
      actions={
        <>
          <Button
            size="xs"
            component={Link}
            to={paths.manageListing(listing.partslug)}
            state={back}
            aria-label={`Update ${title}`}
          >
            Update
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => status.switchStatus(listing)}
            loading={status.switching === listing.id}
            aria-label={`${verb} ${title}`}
          >
            {verb}
          </Button>
        </>
      }
    />
  )
}

function Details({ listing }: { listing: Listing }) {
  const facts = [
    ['Part #', listing.partnum],
    ['Phone', listing.dealerphone],
    ['Dealer', listing.dealername],
    ['Location', placeOf(listing)],
  ] as const
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
