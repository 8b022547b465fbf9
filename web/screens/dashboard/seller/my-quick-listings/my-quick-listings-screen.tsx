import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { ExportOwnParts } from '#web/components/export-own-parts.tsx'
import { countId, ListingResults } from '#web/components/listing-filters/listing-results.tsx'
import { useListState } from '#web/components/listing-filters/use-list-state.ts'
import { SellerListingNav } from '#web/components/listing-nav/seller-listing-nav.tsx'
import { Page } from '#web/components/page.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { OwnListingCard } from './own-listing-card.tsx'
import { OwnListingFilters } from './own-listing-filters.tsx'
import { isSoldView, noFilters, useOwnListings } from './own-listings.ts'
import { useListingActions } from './use-listing-actions.ts'

/** Spec, section 9. */
const failure = 'Unable to load your products'

export function Component() {
  const list = useListState(noFilters)
  const listings = useOwnListings(list)
  // Spec 2, section 8: also as a message, which is all there is where a list stands already.
  useEffect(() => {
    if (listings.error) notifyError(listings.error, failure, { place: 'top-center', about: 'my listings' })
  }, [listings.error])
  const actions = useListingActions({
    toFirstPage: () => list.turnTo(1),
    focusList: () => document.getElementById(countId)?.focus(),
  })
  const createFirst = (
    <Button component={Link} to={paths.createListing}>
      Create a listing
    </Button>
  )
  const none = isSoldView(list)
    ? { title: 'Nothing sold yet.', text: 'What you mark as sold is kept here and can be put back on sale.' }
    : {
        title: 'No quick listings yet.',
        text: 'Parts that you list stand here, with their price and number.',
        action: createFirst,
      }
  // The view is not a filter that hides something: "Sold" without anything sold is empty, not unmatched.
  const { q, categoryId, manuId } = list.filters
  return (
    <Page
      title="My Listings"
      actions={
        <>
          <ExportOwnParts place="top-center" />
          {createFirst}
        </>
      }
    >
      <SellerListingNav />
      <OwnListingFilters list={list} found={listings.data} />
      <ListingResults
        list={{ ...list, isFiltered: [q, categoryId, manuId].some(Boolean) }}
        answer={listings}
        failure={failure}
        none={none}
        withActions
        card={(listing, first) => <OwnListingCard listing={listing} actions={actions} first={first} />}
      />
    </Page>
  )
}
