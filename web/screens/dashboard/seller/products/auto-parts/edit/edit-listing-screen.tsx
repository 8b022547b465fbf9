import { Anchor, Breadcrumbs, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { EditListingForm } from '#web/components/listing-form/edit-listing-form.tsx'
import { SellerListingNav } from '#web/components/listing-nav/seller-listing-nav.tsx'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { ownListingEditor, useOwnListing } from './own-listing.ts'

export function Component() {
  const { slug = '' } = useParams()
  const listing = useOwnListing(slug)
  useCurrentAddress(slug, listing.data?.partslug)
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
      {listing.isError && (
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

/** An earlier address of the listing leads here too; the bar then shows the one that counts. */
function useCurrentAddress(slug: string, current: string | undefined): void {
  const navigate = useNavigate()
  const { state } = useLocation()
  useEffect(() => {
    if (current !== undefined && current !== slug) {
      void navigate(paths.editListing(current), { replace: true, state })
    }
  }, [slug, current, state, navigate])
}

const FormSkeleton = () => (
  <Stack gap="md" role="status" aria-label="Loading listing…">
    <Skeleton height={270} radius="lg" />
    <Skeleton height={420} radius="lg" />
    <Skeleton height={180} radius="lg" />
  </Stack>
)
