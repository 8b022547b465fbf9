import { Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { savedSearchEndpoints, type WantedPart } from '#contract/search/saved-searches.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { useListState } from '#web/components/listing-filters/list-state.ts'
import { Page } from '#web/components/page/page.tsx'
import { Pager } from '#web/components/pager.tsx'
import classes from '#web/components/records-list.module.css'
import { type Column, NoSuchPage, RecordsList } from '#web/components/records-list.tsx'
import { longDate } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'

const noFilters = { radius: '', ownMakes: '' }
const radiuses = ['50', '100', '250', '500', '1000']

/** What buyers near the seller are waiting for. */
export function Component() {
  const list = useListState(noFilters, [24])
  const { radius, ownMakes } = list.filters
  const query = {
    page: list.page,
    ...(radiuses.includes(radius) && { radius }),
    ...(ownMakes === '1' && { ownMakes: '1' as const }),
  }
  const wanted = useQuery({
    queryKey: ['wanted', query],
    queryFn: ({ signal }) => call(savedSearchEndpoints.listWanted, { query, signal }),
    placeholderData: keepPreviousData,
  })
  const { data } = wanted
  return (
    <Page
      title="Wanted Near You"
      lead="Parts that buyers asked us to watch for. List one, and we’ll email them."
      actions={<ButtonLink to={paths.createListing}>Create a listing</ButtonLink>}
    >
      <Stack gap="md">
        <Group gap="lg" align="flex-end">
          <NativeSelect
            label="Buyers"
            data={[
              { value: '', label: 'Anywhere' },
              ...radiuses.map((miles) => ({
                value: miles,
                label: `Within ${Number(miles).toLocaleString('en-US')} miles${data?.place ? ` of ${data.place}` : ''}`,
              })),
            ]}
            value={radius}
            disabled={data?.place === null}
            onChange={(event) => list.change({ radius: event.currentTarget.value })}
          />
          <Checkbox
            label="Only makes I sell"
            checked={ownMakes === '1'}
            onChange={(event) => list.change({ ownMakes: event.currentTarget.checked ? '1' : '' })}
            mb="xs"
          />
        </Group>
        {data?.place === null && (
          <Text className="second">
            Add a city or ZIP code to your listings to see how far away these buyers are.
          </Text>
        )}
        <RecordsList
          query={wanted}
          items={data?.items.map((item) => ({ ...item, id: `${item.part} ${item.vehicle}` }))}
          failed="Unable to load what buyers want"
          loading="Loading what buyers want…"
          skeleton={{ rows: 8, height: 52 }}
          columns={columns}
          empty={
            list.page > 1 ? (
              <NoSuchPage page={list.page} onFirst={() => list.turnTo(1)} />
            ) : (
              <NoneWanted list={list} />
            )
          }
          footer={
            data && (
              <Pager
                page={list.page}
                pageCount={Math.ceil(data.total / data.perPage)}
                onChange={list.turnTo}
                label="Pages of wanted parts"
              />
            )
          }
        />
      </Stack>
    </Page>
  )
}

function NoneWanted({ list }: { list: ReturnType<typeof useListState<typeof noFilters>> }) {
  if (list.isFiltered) {
    return (
      <Empty
        title="No buyer is waiting here."
        text="Try a larger distance, or all makes."
        drawing={emptyDrawing}
      />
    )
  }
  return (
    <Empty
      title="No buyer is waiting for a part yet."
      text="When a buyer saves a search, the part appears here."
      drawing={emptyDrawing}
    />
  )
}

const columns: readonly Column<WantedPart>[] = [
  { header: 'Part', className: classes.what, cell: ({ part }) => part ?? 'Any part' },
  {
    header: 'Vehicle',
    labeled: true,
    cell: ({ vehicle, years }) => [years, vehicle ?? 'Any vehicle'].filter(Boolean).join(' '),
  },
  { header: 'Buyers', labeled: true, numeric: true, cell: ({ buyers }) => buyers.toLocaleString('en-US') },
  {
    header: 'Nearest buyer',
    labeled: true,
    cell: ({ withinMiles }) =>
      withinMiles === null ? 'Unknown' : `Within ${withinMiles.toLocaleString('en-US')} miles`,
  },
  { header: 'Since', labeled: true, cell: ({ since }) => longDate(since) },
  {
    header: 'Sell one',
    hideHeader: true,
    className: classes.action,
    cell: ({ part, vehicle, starts }) => (
      <TextLink
        to={`${paths.createAutoPartListing}?${new URLSearchParams(starts)}`}
        size="sm"
        aria-label={`Create a listing: ${[vehicle, part].filter(Boolean).join(' ')}`}
      >
        Create a listing
      </TextLink>
    ),
  },
]
