import { Anchor, Breadcrumbs, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams, useSearchParams } from 'react-router'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import type { ListingEditor } from '#web/components/listing-form/clash-notice.tsx'
import {
  EditListingForm,
  FormSkeleton,
  useCurrentAddress,
} from '#web/components/listing-form/edit-listing-form.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import tabs from '#web/components/page/tabs.module.css'
import { paths } from '#web/paths.ts'
import { titleOf } from '#web/site/card/listing-words.ts'
import { Empty } from '#web/site/page.tsx'
import classes from './edit-any-listing.module.css'
import { ListingHistory } from './listing-history.tsx'

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
  const view = useSearchParams()[0].get('view') === 'history' ? 'history' : 'listing'
  // The list the user came from.
  const { state } = useLocation()
  return (
    <>
      <nav aria-label="This listing" className={tabs.bar}>
        {views.map(({ name, label, search }) => (
          <Link
            key={name}
            to={{ search }}
            state={state}
            preventScrollReset
            className={tabs.tab}
            aria-current={name === view ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {/* Only hidden, so that unsaved input survives a look at the history. */}
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
    <Empty
      title="There is no such listing"
      text="The seller deleted it, or the URL is wrong."
      action={
        <Button component={Link} to={paths.manageProducts} variant="default">
          Go to Manage Products
        </Button>
      }
    />
  )
}

/** The spec's tab bar for this page. Its first link was broken there and opens the listing chooser here. */
const tabLinks = [
  { label: 'Create a New Listing', to: paths.createListing },
  { label: 'Manage Users', to: paths.manageUsers },
  { label: 'Manage Products', to: paths.manageProducts },
  { label: 'Manage Cat(s)', to: paths.manageCategories },
  { label: 'My Admin Dashboard', to: paths.adminDashboard },
]

function EditTabs() {
  return (
    <Group
      component="nav"
      aria-label="From here"
      gap="xs"
      mb="sm"
      py={4}
      wrap="nowrap"
      className={classes.links}
    >
      {tabLinks.map(({ label, to }) => (
        <Button key={label} component={Link} to={to} variant="default" size="xs" flex="none">
          {label}
        </Button>
      ))}
    </Group>
  )
}

const views = [
  { name: 'listing', label: 'Listing', search: '' },
  { name: 'history', label: 'History', search: '?view=history' },
]

const readAny = (id: string, signal?: AbortSignal): Promise<Listing> =>
  call(adminListingEndpoints.readAny, { params: { id }, ...(signal && { signal }) })

const anyListingEditor: ListingEditor = {
  own: false,
  listPath: paths.manageProducts,
  read: (id) => readAny(id),
  save: (id, body) => call(adminListingEndpoints.updateAny, { params: { id }, body }),
  maySetStatus: true,
  mayMoveAddress: true,
}

function useAnyListing(slug: string) {
  return useQuery({
    queryKey: ['listing', 'any', slug],
    queryFn: async ({ signal }) => {
      const { id } = await call(listingEndpoints.readPublic, { params: { slug }, signal })
      return readAny(id, signal)
    },
    // The form needs fresh data: saving a cached version would be refused as stale.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}
