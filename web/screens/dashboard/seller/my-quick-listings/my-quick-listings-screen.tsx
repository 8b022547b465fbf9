import { Group, NativeSelect, SegmentedControl, Select, SimpleGrid, Stack } from '@mantine/core'
import { IconPhotoPlus, IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { pricingEndpoints } from '#contract/listing/pricing.ts'
import { gapNames, type ListingGap, listingGaps } from '#contract/listing/seller-check.ts'
import { ExportOwnParts } from '#web/components/downloads.tsx'
import { ButtonLink } from '#web/components/links.tsx'
import {
  type ListControls,
  type ListState,
  useListState,
} from '#web/components/listing-filters/list-state.ts'
import { countId, ListingResults } from '#web/components/listing-filters/listing-results.tsx'
import { SellerListingNav } from '#web/components/listing-nav.tsx'
import { Page } from '#web/components/page/page.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { BulkBar } from './bulk-change.tsx'
import { OwnListingCard, useListingActions } from './own-listing-card.tsx'
import { type AgedPrices, OwnListingTable, type OwnSort } from './own-listing-table.tsx'
import own from './own-listings.module.css'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ListingPage, listingEndpoints, ownSorts } from '#contract/listings.ts'
import { readText, writeText } from '#web/api/browser-storage.ts'
import { call } from '#web/api/client.ts'
import { FilterDrawer, LookupFilters } from '#web/components/listing-filters/filter-drawer.tsx'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'

/** Given by the spec. */
const failure = 'Unable to load your products'

export function Component() {
  const list = useListState(noFilters)
  const listings = useOwnListings(list)
  // Also as a toast, which is the only sign of failure if an older list is still shown.
  useEffect(() => {
    if (listings.error) notifyError(listings.error, failure, { place: 'top-center', about: 'my listings' })
  }, [listings.error])
  const actions = useListingActions({
    toFirstPage: () => list.turnTo(1),
    focusList: () => document.getElementById(countId)?.focus(),
  })
  const createFirst = <ButtonLink to={paths.createListing}>Create a listing</ButtonLink>
  const none = isSoldView(list)
    ? {
        title: 'Nothing sold yet.',
        text: 'Parts you mark as sold are kept here. You can put them back on sale.',
      }
    : {
        title: 'No quick listings yet.',
        text: 'Parts you list appear here with their price and number.',
        action: createFirst,
      }
  // The Active/Sold view is not a filter: an empty "Sold" view means nothing was sold, not that nothing matched.
  const { q, categoryId, manuId, missing, state } = list.filters
  const [view, setView] = useView()
  const aged = useAgedPrices(view === 'table' && state === 'active' ? listings.data : undefined)
  // Kept while turning pages, but sold and active listings cannot be changed together.
  const selection = useSelection(state)
  return (
    <Page
      title="My Listings"
      actions={
        <>
          <ExportOwnParts place="top-center" />
          <ButtonLink
            variant="default"
            to={paths.addPictures}
            leftSection={<IconPhotoPlus size={18} aria-hidden />}
          >
            Add pictures
          </ButtonLink>
          <ButtonLink to={paths.createListing} leftSection={<IconPlus size={18} aria-hidden />}>
            Create a listing
          </ButtonLink>
        </>
      }
      compact
    >
      <SellerListingNav />
      <OwnListingFilters list={list} found={listings.data} view={view} onView={setView} />
      <ListingResults
        list={{ ...list, isFiltered: [q, categoryId, manuId, missing].some(Boolean) }}
        answer={listings}
        failure={failure}
        none={none}
        withActions
        aside={
          <NativeSelect
            aria-label="Sort by"
            data={ownSorts.map((value) => ({ value, label: sortNames[value] }))}
            value={sortOf(list)}
            onChange={(event) => list.change({ sort: event.currentTarget.value })}
          />
        }
        card={(listing, first) => (
          <OwnListingCard
            listing={listing}
            order={listings.data?.figures[listing.id]?.order}
            actions={actions}
            first={first}
          />
        )}
        rows={
          view === 'table'
            ? (items) => (
                <OwnListingTable
                  listings={items}
                  figures={listings.data?.figures ?? {}}
                  yardHasTerms={listings.data?.yardHasTerms ?? false}
                  aged={aged}
                  actions={actions}
                  {...selection}
                  sort={sortOf(list)}
                  onSort={(sort) => list.change({ sort })}
                />
              )
            : undefined
        }
      />
      {view === 'table' && selection.chosen.size > 0 && (
        <BulkBar
          chosen={[...selection.chosen]}
          sold={isSoldView(list)}
          onClear={selection.clear}
          matching={{
            total: listings.data?.total ?? 0,
            findIds: async () => (await call(listingEndpoints.listOwnIds, { query: queryOf(list) })).ids,
            onFound: (ids) => selection.onChoose(ids, true),
          }}
        />
      )}
    </Page>
  )
}

const views = [
  { value: 'active', label: 'Active' },
  { value: 'sold', label: 'Sold' },
]

const layouts: { value: View; label: string }[] = [
  { value: 'cards', label: 'Cards' },
  { value: 'table', label: 'Table' },
]

const sortNames: Record<OwnSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  'price-low': 'Lowest price',
  'price-high': 'Highest price',
  'most-views': 'Most views',
  'fewest-views': 'Fewest views',
  'most-messages': 'Most messages',
  'fewest-messages': 'Fewest messages',
}

type OwnListingFiltersProps = {
  list: ListControls<OwnFilters>
  found: ListingPage | undefined
  view: View
  onView: (view: View) => void
}

function OwnListingFilters({ list, found, view, onView }: OwnListingFiltersProps) {
  const { filters, change } = list
  const choices = (
    <>
      <LookupFilters
        filters={filters}
        onCategory={(categoryId) => change({ categoryId })}
        onManufacturer={(manuId) => change({ manuId })}
      />
      <MissingFilter list={list} />
    </>
  )
  return (
    <Stack className={own.filters}>
      <Group gap="sm" justify="space-between" className={own.views}>
        <SegmentedControl
          aria-label="Show"
          data={views}
          value={isSoldView(list) ? 'sold' : 'active'}
          onChange={(state) => change({ state })}
        />
        <SegmentedControl aria-label="View as" data={layouts} value={view} onChange={onView} />
      </Group>
      <Group gap="md" align="flex-end" wrap="nowrap">
        <SearchInput
          label="Search"
          placeholder="title, part #, model"
          classNames={{ label: own.searchLabel }}
          flex={1}
          value={filters.q}
          onSearch={(q) => change({ q }, { typing: true })}
        />
        <SimpleGrid cols={3} spacing="md" flex={3} visibleFrom="sm">
          {choices}
        </SimpleGrid>
        <FilterDrawer
          count={[filters.categoryId, filters.manuId, filters.missing].filter(Boolean).length}
          found={found}
          onClear={() => change({ categoryId: '', manuId: '', missing: '' })}
        >
          {choices}
        </FilterDrawer>
      </Group>
    </Stack>
  )
}

/** Filters by what listings lack, so that it can be added, one by one or for all of them together. */
function MissingFilter({ list }: { list: ListControls<OwnFilters> }) {
  const [isAsked, setAsked] = useState(false)
  const { missing: _, sort: __, ...query } = queryOf(list)
  // Counting reads many listings, so only when the filter is opened.
  const { data } = useQuery({
    queryKey: ['listings', 'gaps', query],
    queryFn: ({ signal }) => call(listingEndpoints.countOwnGaps, { query, signal }),
    enabled: isAsked,
  })
  const counted = (gap: ListingGap) => {
    const count = data?.counts[gap]
    if (count === undefined) return listingGaps[gap]
    return `${listingGaps[gap]} (${count.toLocaleString('en-US')}${data?.isPartial ? '+' : ''})`
  }
  return (
    <Select
      label="Needs attention"
      placeholder="All listings"
      clearable
      data={gapNames.map((gap) => ({ value: gap, label: counted(gap) }))}
      value={gapOf(list) ?? null}
      onChange={(missing) => list.change({ missing: missing ?? '' })}
      onDropdownOpen={() => setAsked(true)}
      // Shows a full last row, because a list that ends in the middle of a row looks complete.
      maxDropdownHeight={420}
    />
  )
}

const noFilters = { q: '', categoryId: '', manuId: '', missing: '', state: 'active', sort: 'newest' } as const
type OwnFilters = typeof noFilters
export type OwnListState = ListState<OwnFilters>

const gapOf = ({ filters }: OwnListState): ListingGap | undefined =>
  gapNames.find((gap) => gap === filters.missing)

const isSoldView = ({ filters }: OwnListState): boolean => filters.state === 'sold'

const sortOf = ({ filters }: OwnListState): OwnSort =>
  ownSorts.find((sort) => sort === filters.sort) ?? 'newest'

type View = 'cards' | 'table'
const viewKey = 'myListingsView'

/** Cards or a table; remembered on this device. */
function useView(): [View, (view: View) => void] {
  const [view, setView] = useState<View>(() => (readText(viewKey) === 'table' ? 'table' : 'cards'))
  return [
    view,
    (next) => {
      setView(next)
      writeText(viewKey, next)
    },
  ]
}

/** The chosen listings of one state, active or sold. */
function useSelection(state: string) {
  const [kept, setKept] = useState<{ state: string; ids: ReadonlySet<string> }>({ state, ids: new Set() })
  const chosen = kept.state === state ? kept.ids : new Set<string>()
  return {
    chosen,
    onChoose: (ids: readonly string[], isChosen: boolean) => {
      const next = new Set(chosen)
      for (const id of ids) isChosen ? next.add(id) : next.delete(id)
      setKept({ state, ids: next })
    },
    clear: () => setKept({ state, ids: new Set() }),
  }
}

/** What similar parts cost, for the page's old listings; empty until loaded. */
function useAgedPrices(page: ListingPage | undefined): AgedPrices {
  const ids = page?.items.map(({ id }) => id).join(',') ?? ''
  const { data } = useQuery({
    queryKey: ['listings', 'aged-prices', ids],
    queryFn: ({ signal }) => call(pricingEndpoints.agedPrices, { query: { ids }, signal }),
    enabled: ids !== '',
    retry: false,
  })
  return data?.aged ?? {}
}

const queryOf = (list: OwnListState) => ({
  ...list.filters,
  state: isSoldView(list) ? ('sold' as const) : ('active' as const),
  missing: gapOf(list) ?? ('' as const),
  sort: sortOf(list),
})

function useOwnListings(list: OwnListState) {
  const query = { ...queryOf(list), page: list.page, perPage: list.perPage }
  return useQuery({
    queryKey: ['listings', 'own', query],
    queryFn: ({ signal }) => call(listingEndpoints.listOwn, { query, signal }),
    // Keeps the old cards until the next ones load, to avoid a flash of gray.
    placeholderData: keepPreviousData,
  })
}
