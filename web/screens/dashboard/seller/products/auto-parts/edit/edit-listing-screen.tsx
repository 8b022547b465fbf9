import { Anchor, Breadcrumbs, Button, Group, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { EditListingForm } from '#web/components/listing-form/edit-listing-form.tsx'
import { FormSkeleton } from '#web/components/listing-form/form-skeleton.tsx'
import { useCurrentAddress } from '#web/components/listing-form/use-current-address.ts'
import { SellerListingNav } from '#web/components/listing-nav/seller-listing-nav.tsx'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { ownListingEditor, useOwnListing } from './own-listing.ts'

export function Component() {
  const { slug = '' } = useParams()
  const listing = useOwnListing(slug)
  useCurrentAddress({ slug, current: listing.data?.partslug, pathOf: paths.editListing })
  return (
    <Page title="Manage Current Listing">
      <SellerListingNav />
      <nav aria-label="Breadcrumbs">
        <Breadcrumbs mb="lg">
          <Anchor component={Link} to={paths.home}>
            Home
          </Anchor>
          <Anchor component={Link} to={paths.myListings}>
            My Listings
          </Anchor>
          <Text component="span" aria-current="page">
            Manage Current Listing
          </Text>
        </Breadcrumbs>
      </nav>
      {listing.isPending && <FormSkeleton />}
      {listing.isError && !listing.data && (
        <Group gap="sm">
          <Text className="second">This listing could not be loaded.</Text>
          <Button variant="default" onClick={() => void listing.refetch()} loading={listing.isFetching}>
            Retry
          </Button>
        </Group>
      )}
      {listing.data && (
        <EditListingForm key={listing.data.id} opened={listing.data} editor={ownListingEditor} />
      )}
    </Page>
  )
}
