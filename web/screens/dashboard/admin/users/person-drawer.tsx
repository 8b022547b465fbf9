import { Skeleton, Stack, Text } from '@mantine/core'
import type { Person } from '#contract/admin-people.ts'
import { statusWords } from '#web/components/account/account-words.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { Moment } from '#web/components/admin/moment.tsx'
import { SideDrawer, useLastChosen } from '#web/components/admin/side-drawer.tsx'
import { LoadError } from '#web/components/load-error.tsx'
import { usePerson } from './people.ts'
import { PersonAccess } from './person-access.tsx'
import { PersonBadges } from './person-badges.tsx'

type PersonDrawerProps = { id: string | undefined; listed: Person | undefined; onClose: () => void }

/** One account, and what an admin may do with it. */
export function PersonDrawer({ id, listed, onClose }: PersonDrawerProps) {
  const last = useLastChosen(id)
  const person = usePerson(last, listed)
  return (
    <SideDrawer opened={id !== undefined} onClose={onClose} title={person.data?.name ?? 'User'}>
      {person.data && <Account key={person.data.id} person={person.data} />}
      {person.isLoading && !person.data && (
        <Skeleton height={320} radius="lg" role="status" aria-label="Loading the user…" />
      )}
      {person.isError && !person.data && (
        <LoadError
          message="Unable to load this user"
          onRetry={() => void person.refetch()}
          retrying={person.isFetching}
        />
      )}
    </SideDrawer>
  )
}

function Account({ person }: { person: Person }) {
  return (
    <Stack gap="lg" pb="lg">
      <Stack gap="xs">
        <Text className="second">{person.email}</Text>
        <PersonBadges person={person} />
      </Stack>
      <Facts
        facts={[
          { name: 'Seller', value: person.sellerName },
          { name: 'Active listings', value: person.activeListings.toLocaleString('en-US') },
          { name: 'Subscription', value: statusWords(person.subscriptionStatus) },
          { name: 'Payouts', value: statusWords(person.connectStatus) },
          { name: 'Joined', value: <Moment at={person.createdAt} /> },
          {
            name: 'Last seen',
            value: person.lastSeenAt === null ? 'never' : <Moment at={person.lastSeenAt} />,
          },
          { name: 'Signed in on', value: devices(person.sessions) },
        ]}
      />
      <PersonAccess person={person} />
    </Stack>
  )
}

function devices(sessions: number): string {
  if (sessions === 0) return 'no device'
  return sessions === 1 ? '1 device' : `${sessions} devices`
}
