import { Button, Card, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { Moment } from '#web/components/admin/records.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { valueInWords } from '#web/components/value-words.ts'
import classes from './edit-any-listing.module.css'

type History = Answer<typeof adminListingEndpoints.listingHistory>
type Change = History['items'][number]

export function ListingHistory({ listingId }: { listingId: string }) {
  const history = useHistory(listingId)
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = history
  const first = data?.pages[0]
  if (history.isError && !data) {
    return (
      <LoadError
        message="Unable to load the history"
        onRetry={() => void history.refetch()}
        retrying={history.isFetching}
      />
    )
  }
  if (!first) {
    return (
      <Stack gap="md" role="status" aria-label="Loading history…">
        <Skeleton height={140} radius="lg" />
        <Skeleton height={140} radius="lg" />
      </Stack>
    )
  }
  const changes = data.pages.flatMap(({ items }) => items)
  return (
    <Stack gap="md">
      {changes.map((change) => (
        <ChangeCard key={change.version} change={change} />
      ))}
      {hasNextPage ? (
        <Group justify="center">
          <Button variant="default" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
            Show earlier changes
          </Button>
        </Group>
      ) : (
        <Text className="second">
          {changes.length === 0 && 'No changes since it was created. '}
          Created <Moment at={first.created.at} />: {first.created.how}.
        </Text>
      )}
    </Stack>
  )
}

function useHistory(listingId: string) {
  return useInfiniteQuery({
    queryKey: ['listing-history', listingId],
    queryFn: ({ pageParam, signal }) =>
      call(adminListingEndpoints.listingHistory, {
        params: { id: listingId },
        query: pageParam === undefined ? {} : { before: pageParam },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
    staleTime: 0,
  })
}

function ChangeCard({ change: { version, at, by, how, fields } }: { change: Change }) {
  return (
    <Card component="article" aria-labelledby={`change-${version}`}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4" id={`change-${version}`}>
          {capitalize(how)}
        </Title>
        <Text size="sm" className="second">
          {by ?? 'The system'} · <Moment at={at} /> · version {version}
        </Text>
      </Group>
      {fields.length === 0 ? (
        <Text className="second">No visible field changed.</Text>
      ) : (
        <Table className={classes.fields}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>After</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map(({ field, label, before, after }) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td data-label="Before">
                  <Value words={valueInWords(field, before)} />
                </Table.Td>
                <Table.Td data-label="After">
                  <Value words={valueInWords(field, after)} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  )
}

const Value = ({ words }: { words: string | undefined }) =>
  words === undefined ? <span className="second">empty</span> : <span className={classes.value}>{words}</span>

/** "edit listing" → "Edit listing" */
export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
