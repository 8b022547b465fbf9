import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { ListingCard, ListingGrid } from '#web/components/listing-card/listing-card.tsx'
import { useListReturn } from '#web/components/listing-nav.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { placeOf, titleOf } from '#web/site/card/listing-words.ts'
import classes from './listing-cards.module.css'

/** Cards visible on a large screen without scrolling: their pictures load first. */
const inSight = 4

export function ListingCards({ items }: { items: readonly Listing[] }) {
  const status = useStatusSwitch()
  return (
    <ListingGrid>
      {items.map((listing, place) => (
        <AdminListingCard key={listing.id} listing={listing} status={status} first={place < inSight} />
      ))}
    </ListingGrid>
  )
}

type AdminListingCardProps = {
  listing: Listing
  status: ReturnType<typeof useStatusSwitch>
  first: boolean
}

const imageEndpoint = ({ id, images }: Listing) =>
  images.length === 0 ? undefined : `/api/auto-part/image/${id}`

/** Any listing, for an admin. Every button's name includes the listing's title. */
function AdminListingCard({ listing, status, first }: AdminListingCardProps) {
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

type Status = Listing['status']
/** `listing` has the version that was loaded, so that another user's later change is not overwritten. */
type Switch = { listing: Pick<Listing, 'id' | 'version'>; to: Status; isUndo?: boolean }

const opposite = (status: Status): Status => (status === 'ACTIVE' ? 'HIDDEN' : 'ACTIVE')

/** Hides a listing from buyers or shows it again, with Undo. */
function useStatusSwitch() {
  const queryClient = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ listing: { id, version }, to }: Switch) =>
      call(adminListingEndpoints.updateAny, { params: { id }, body: { status: to, version } }),
    onSuccess: (saved, { to, isUndo = false }) => {
      const undo = {
        label: 'Undo',
        run: () => mutate({ listing: saved, to: opposite(to), isUndo: true }),
      }
      notifyDone(to === 'HIDDEN' ? 'Listing hidden' : 'Listing shown', {
        about: `status ${saved.id}`,
        ...(!isUndo && { action: undo }),
      })
    },
    onError: (error, { listing, to }) => {
      const failed = to === 'HIDDEN' ? 'Could not hide the listing' : 'Could not show the listing'
      notifyError(error, failed, { about: `status ${listing.id}` })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listings'] }),
  })
  return {
    switchStatus: (listing: Pick<Listing, 'id' | 'version' | 'status'>) =>
      mutate({ listing, to: opposite(listing.status) }),
    switching: isPending ? variables.listing.id : undefined,
  }
}
