import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/empty-state.tsx'
import { type ListControls, useListState } from '#web/components/listing-filters/use-list-state.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { Page } from '#web/components/page.tsx'
import { Pager } from '#web/components/pager.tsx'
import { noFilters, type PeopleFilters, peoplePageSizes, usePeople } from './people.ts'
import { PeopleFilterBar } from './people-filter-bar.tsx'
import { PeopleTable } from './people-table.tsx'
import { PersonDrawer } from './person-drawer.tsx'

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
