import { Button, Group, NativeSelect, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { Person } from '#contract/admin-people.ts'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import classes from '#web/components/admin/records.module.css'
import { Moment } from '#web/components/admin/records.tsx'
import { type ListControls, useListState } from '#web/components/listing-filters/list-state.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { Pager } from '#web/components/pager.tsx'
import { noFilters, type PeopleFilters, peoplePageSizes, usePeople } from './people.ts'
import { PersonBadges, PersonDrawer } from './person-drawer.tsx'

export function Component() {
  const list = useListState(noFilters, peoplePageSizes)
  const people = usePeople(list)
  const [chosen, setChosen] = useState<string>()
  return (
    <Page title="Users" lead="Everybody with an account: role, plan, trust and access.">
      <PeopleFilterBar list={list} />
      {people.isError && !people.data ? (
        <LoadError
          message="Unable to load the users"
          onRetry={() => void people.refetch()}
          retrying={people.isFetching}
        />
      ) : (
        <Found list={list} people={people} onChoose={setChosen} />
      )}
      <PersonDrawer
        id={chosen}
        listed={people.data?.items.find(({ id }) => id === chosen)}
        onClose={() => setChosen(undefined)}
      />
    </Page>
  )
}

type FoundProps = {
  list: ListControls<PeopleFilters>
  people: ReturnType<typeof usePeople>
  onChoose: (id: string) => void
}

function Found({ list, people: { data: found, isPlaceholderData }, onChoose }: FoundProps) {
  if (!found) return <Loading />
  if (found.items.length === 0) return <Nothing list={list} beyond={found.total > 0} />
  return (
    <Stack gap="md">
      <Text role="status" fw={600}>
        {found.total.toLocaleString('en-US')} {found.total === 1 ? 'user' : 'users'}
      </Text>
      <PeopleTable people={found.items} turning={isPlaceholderData} onChoose={onChoose} />
      <Group justify="flex-end">
        <Pager
          page={list.page}
          pageCount={Math.ceil(found.total / found.perPage)}
          onChange={list.turnTo}
          label="Pages of users"
        />
      </Group>
    </Stack>
  )
}

function Nothing({ list, beyond }: { list: ListControls<PeopleFilters>; beyond: boolean }) {
  if (beyond) {
    return (
      <EmptyState
        title={`There is no page ${list.page}`}
        text="The list has become shorter."
        action={<Button onClick={() => list.turnTo(1)}>Go to the first page</Button>}
      />
    )
  }
  return (
    <EmptyState
      title="No users match these filters."
      text="Try part of the name, of the e-mail address or of the seller’s name."
      action={<Button onClick={list.clear}>Clear filters</Button>}
      drawing={emptyDrawing}
    />
  )
}

const Loading = () => (
  <Stack gap={1} role="status" aria-label="Loading users…">
    {Array.from({ length: 8 }, (_, line) => line).map((line) => (
      <Skeleton key={line} height={56} radius={0} />
    ))}
  </Stack>
)

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
        placeholder="name, e-mail or seller"
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

type PeopleTableProps = { people: readonly Person[]; turning: boolean; onChoose: (id: string) => void }

function PeopleTable({ people, turning, onChoose }: PeopleTableProps) {
  return (
    <div className={classes.frame} aria-busy={turning}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>User</Table.Th>
            <Table.Th>Role and plan</Table.Th>
            <Table.Th className={classes.number}>Listings</Table.Th>
            <Table.Th>Last seen</Table.Th>
            <Table.Th>
              <span className={classes.hidden}>Manage</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((person) => (
            <Table.Tr key={person.id}>
              <Table.Td>
                <Text fw={600}>{person.name}</Text>
                <Text size="sm" className="second">
                  {person.email}
                </Text>
                {person.sellerName !== person.name && (
                  <Text size="sm" className="second">
                    {person.sellerName}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <PersonBadges person={person} />
              </Table.Td>
              <Table.Td data-label="Listings" className={classes.number}>
                {person.activeListings.toLocaleString('en-US')}
              </Table.Td>
              <Table.Td data-label="Last seen">
                {person.lastSeenAt === null ? (
                  <span className="second">never</span>
                ) : (
                  <Moment at={person.lastSeenAt} />
                )}
              </Table.Td>
              <Table.Td className={classes.action}>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onChoose(person.id)}
                  aria-label={`Manage ${person.name}, ${person.email}`}
                >
                  Manage
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
