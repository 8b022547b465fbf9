import { Button, Group, NativeSelect, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import type { Person } from '#contract/admin/people.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { Moment } from '#web/components/admin/records.tsx'
import { type ListControls, useListState } from '#web/components/listing-filters/list-state.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { Page } from '#web/components/page/page.tsx'
import { Pager } from '#web/components/pager.tsx'
import classes from '#web/components/records-list.module.css'
import { type Column, NoSuchPage, RecordsList } from '#web/components/records-list.tsx'
import { Empty } from '#web/site/page.tsx'
import { NameReviews } from './name-reviews.tsx'
import { noFilters, type PeopleFilters, peoplePageSizes, usePeople } from './people.ts'
import { PersonBadges, PersonDrawer } from './person-drawer.tsx'

export function Component() {
  const list = useListState(noFilters, peoplePageSizes)
  const people = usePeople(list)
  const [chosen, setChosen] = useState<string>()
  const found = people.data
  return (
    <Page title="Users" lead="Every account: role, plan, trust, and access.">
      <NameReviews />
      <PeopleFilterBar list={list} />
      <RecordsList
        query={people}
        items={found?.items}
        failed="Unable to load the users"
        loading="Loading users…"
        skeleton={{ rows: 8, height: 56 }}
        columns={[...columns, manageColumn(setChosen)]}
        empty={<NoUsers list={list} total={found?.total ?? 0} />}
        summary={
          found && (
            <Text role="status" fw={600}>
              {found.total.toLocaleString('en-US')} {found.total === 1 ? 'user' : 'users'}
            </Text>
          )
        }
        footer={
          found &&
          found.items.length > 0 && (
            <Group justify="flex-end">
              <Pager
                page={list.page}
                pageCount={Math.ceil(found.total / found.perPage)}
                onChange={list.turnTo}
                label="Pages of users"
              />
            </Group>
          )
        }
      />
      <PersonDrawer
        id={chosen}
        listed={found?.items.find(({ id }) => id === chosen)}
        onClose={() => setChosen(undefined)}
      />
    </Page>
  )
}

function NoUsers({ list, total }: { list: ListControls<PeopleFilters>; total: number }) {
  if (total > 0) return <NoSuchPage page={list.page} onFirst={() => list.turnTo(1)} />
  return (
    <Empty
      title="No users match these filters."
      text="Try part of a name, an email address, or a seller’s name."
      action={<Button onClick={list.clear}>Clear filters</Button>}
      drawing={emptyDrawing}
    />
  )
}

const choices = [
  {
    name: 'role',
    label: 'Role',
    data: [
      { value: '', label: 'All roles' },
      { value: 'admin', label: 'Admins' },
      { value: 'seller', label: 'Sellers' },
    ],
  },
  {
    name: 'tier',
    label: 'Plan',
    data: [
      { value: '', label: 'All plans' },
      { value: 'FREE', label: 'Free' },
      { value: 'PAID', label: 'Pro' },
    ],
  },
  {
    name: 'state',
    label: 'Access',
    data: [
      { value: '', label: 'All' },
      { value: 'active', label: 'Active' },
      { value: 'disabled', label: 'Disabled' },
    ],
  },
] as const

function PeopleFilterBar({ list: { filters, change } }: { list: ListControls<PeopleFilters> }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="lg">
      <SearchInput
        label="Search"
        placeholder="name, email, yard"
        value={filters.q}
        onSearch={(q) => change({ q }, { typing: true })}
      />
      {choices.map(({ name, label, data }) => (
        <NativeSelect
          key={name}
          label={label}
          data={[...data]}
          value={filters[name]}
          onChange={(event) => change({ [name]: event.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  )
}

const columns: readonly Column<Person>[] = [
  {
    header: 'User',
    cell: ({ name, email, sellerName }) => (
      <>
        <Text fw={600}>{name}</Text>
        <Text size="sm" className="second">
          {email}
        </Text>
        {sellerName !== name && (
          <Text size="sm" className="second">
            {sellerName}
          </Text>
        )}
      </>
    ),
  },
  { header: 'Role and plan', cell: (person) => <PersonBadges person={person} /> },
  {
    header: 'Listings',
    labeled: true,
    numeric: true,
    cell: ({ activeListings }) => activeListings.toLocaleString('en-US'),
  },
  {
    header: 'Last seen',
    labeled: true,
    cell: ({ lastSeenAt }) =>
      lastSeenAt === null ? <span className="second">never</span> : <Moment at={lastSeenAt} />,
  },
]

const manageColumn = (onChoose: (id: string) => void): Column<Person> => ({
  header: 'Manage',
  hideHeader: true,
  className: classes.action,
  cell: ({ id, name, email }) => (
    <Button size="xs" variant="default" onClick={() => onChoose(id)} aria-label={`Manage ${name}, ${email}`}>
      Manage
    </Button>
  ),
})
