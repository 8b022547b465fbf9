import { Button, Card, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Frequency, type SavedSearch, savedSearchEndpoints } from '#contract/search/saved-searches.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { askToConfirm } from '#web/components/confirm.tsx'
import { DeadLink, isExpired, useLinkToken } from '#web/components/entry/emailed-link.tsx'
import { ButtonLink } from '#web/components/links.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { longDate, timeAgo } from '#web/components/time-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { loginFrom, paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'

/** A buyer's saved searches, found by the key in the fragment of an emailed link, or by the signed-in account. */
export function Component() {
  const key = useLinkToken()
  const { user } = useSession()
  return (
    <Page
      title="Saved Searches"
      lead="We email you when a matching part is listed."
      width="text"
      actions={<ButtonLink to={paths.parts}>Find parts</ButtonLink>}
    >
      {key === undefined && !user ? <SignInFirst /> : <Searches key={key ?? user?.id} linkKey={key} />}
    </Page>
  )
}

const SignInFirst = () => (
  <Empty
    title="Open the link in one of our emails"
    text="It shows your saved searches. If you have an account, sign in."
    action={<ButtonLink to={loginFrom(paths.savedSearches)}>Sign in</ButtonLink>}
    drawing={emptyDrawing}
  />
)

type Whose = { key?: string }

function Searches({ linkKey }: { linkKey: string | undefined }) {
  const whose: Whose = linkKey === undefined ? {} : { key: linkKey }
  const searches = useQuery({
    queryKey: ['saved searches', linkKey],
    queryFn: ({ signal }) => call(savedSearchEndpoints.listSavedSearches, { body: whose, signal }),
    retry: false,
  })
  if (isExpired(searches.error)) {
    return (
      <DeadLink next={<ButtonLink to={paths.parts}>Find parts</ButtonLink>}>
        Part of the link is missing. Open it again from the email.
      </DeadLink>
    )
  }
  return (
    <Loaded
      query={searches}
      failure="Unable to load your saved searches"
      waiting={<Skeleton height={220} role="status" aria-label="Loading saved searches…" />}
    >
      {({ items, email }) =>
        items.length === 0 ? (
          <Empty
            title="No saved searches yet"
            text="Search for a part, then choose “Save this search”."
            action={<ButtonLink to={paths.parts}>Find parts</ButtonLink>}
            drawing={emptyDrawing}
          />
        ) : (
          <Stack gap="md">
            <Text className="second">Emails go to {email}.</Text>
            <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
              {items.map((search) => (
                <li key={search.id}>
                  <SearchCard search={search} whose={whose} />
                </li>
              ))}
            </Stack>
          </Stack>
        )
      }
    </Loaded>
  )
}

const frequencyOptions: readonly { value: Frequency; label: string }[] = [
  { value: 'hourly', label: 'Right away (up to one email an hour)' },
  { value: 'daily', label: 'Once a day, in the morning' },
  { value: 'off', label: 'Paused' },
]

function SearchCard({ search, whose }: { search: SavedSearch; whose: Whose }) {
  const { id, title, query, frequency, createdAt, mailedAt } = search
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['saved searches'] })
  const changing = useMutation({
    mutationFn: (next: Frequency) =>
      call(savedSearchEndpoints.changeSavedSearches, { body: { ...whose, id, frequency: next } }),
    onSuccess: (_, next) => notifyDone(next === 'off' ? 'Search paused' : 'Search changed'),
    onError: (error) => notifyError(error, 'Could not change the search'),
    onSettled: refresh,
  })
  const removing = useMutation({
    mutationFn: () => call(savedSearchEndpoints.removeSavedSearch, { body: { ...whose, id } }),
    onSuccess: () => notifyDone('Search deleted'),
    onError: (error) => notifyError(error, 'Could not delete the search'),
    onSettled: refresh,
  })
  const askToRemove = async () => {
    const question = { title: `Delete “${title}”?`, text: 'You won’t get any more emails about it.' }
    if (await askToConfirm({ ...question, confirm: 'Delete search', destroys: true })) removing.mutate()
  }
  return (
    <Card>
      <Stack gap="sm">
        <div style={{ overflowWrap: 'anywhere' }}>
          <Text fw={600}>
            <Link to={`${paths.parts}?${query}`}>{title}</Link>
          </Text>
          <Text size="sm" className="second">
            Saved {longDate(createdAt)} ·{' '}
            {mailedAt === null ? 'No email yet' : `Last email ${timeAgo(mailedAt, new Date())}`}
          </Text>
        </div>
        <Group gap="sm" align="flex-end" justify="space-between">
          <NativeSelect
            label="Email me"
            aria-label={`Email me about ${title}`}
            data={frequencyOptions}
            value={changing.isPending ? changing.variables : frequency}
            onChange={(event) => changing.mutate(event.currentTarget.value as Frequency)}
            flex="1 1 16rem"
            maw="22rem"
          />
          <Button
            variant="default"
            onClick={() => void askToRemove()}
            loading={removing.isPending}
            aria-label={`Delete ${title}`}
          >
            Delete
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
