import { Anchor, Breadcrumbs, Button, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { ApiError } from '#web/api/failures.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { titleOf } from '#web/components/listing-card/listing-words.ts'
import { EditListingForm } from '#web/components/listing-form/edit-listing-form.tsx'
import { FormSkeleton } from '#web/components/listing-form/form-skeleton.tsx'
import { useCurrentAddress } from '#web/components/listing-form/use-current-address.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { anyListingEditor, useAnyListing } from './any-listing.ts'
import { EditTabs } from './edit-tabs.tsx'
import { ListingHistory } from './listing-history.tsx'
import { ListingViews, useListingView } from './listing-views.tsx'

export function Component() {
  const { slug = '' } = useParams()
  const listing = useAnyListing(slug)
  useCurrentAddress({ slug, current: listing.data?.partslug, pathOf: paths.manageListing })
  return (
    <Page title="Edit Auto Part Listing" lead={listing.data && titleOf(listing.data)}>
      <nav aria-label="Breadcrumbs">
        <Breadcrumbs mb="md">
          <Anchor component={Link} to={paths.home}>
            Home
          </Anchor>
          <Anchor component={Link} to={`${paths.manageProducts}/`}>
            Manage All Auto Part Listings
          </Anchor>
          <Text component="span" aria-current="page">
            Manage Current Listing
          </Text>
        </Breadcrumbs>
      </nav>
      <EditTabs />
      {listing.isPending && <FormSkeleton />}
      {listing.isError && !listing.data && (
        <Failure error={listing.error} onRetry={() => void listing.refetch()} retrying={listing.isFetching} />
      )}
      {listing.data && <Views key={listing.data.id} listing={listing.data} />}
    </Page>
  )
}

function Views({ listing }: { listing: Listing }) {
  const view = useListingView()
  return (
    <>
      <ListingViews view={view} />
      {/* What is typed stays while one looks into the history. */}
      <div hidden={view !== 'listing'}>
        <EditListingForm opened={listing} editor={anyListingEditor} />
      </div>
      {view === 'history' && <ListingHistory listingId={listing.id} />}
    </>
  )
}

type FailureProps = { error: unknown; onRetry: () => void; retrying: boolean }

function Failure({ error, onRetry, retrying }: FailureProps) {
  const gone = error instanceof ApiError && (error.status === 404 || error.code === 'LISTING_DELETED')
  if (!gone) return <LoadError message="Unable to load this listing" onRetry={onRetry} retrying={retrying} />
  return (
    <EmptyState
      title="There is no such listing"
      text="It was deleted by its seller, or the address is not right."
      action={
        <Button component={Link} to={paths.manageProducts} variant="default">
          Go to Manage Products
        </Button>
      }
    />
  )
}
