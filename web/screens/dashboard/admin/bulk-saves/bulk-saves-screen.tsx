import { Alert, Badge, Button, Group, List, Skeleton, Stack, Table } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { adminListingEndpoints } from '#contract/admin-listings.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import classes from '#web/components/admin/records.module.css'
import { Moment } from '#web/components/admin/records.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { listingsInWords } from '#web/components/imports/import-words.ts'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

/** What was saved many at once, and the way to take it back. */
export function Component() {
  const saves = useBulkSaves()
  const { undoing, outcome } = useUndoSave()
  return (
    <Page
      title="Bulk Saves"
      lead="Each save of the bulk edit, newest first. An undo leaves what was changed since."
      actions={
        <Button component={Link} to={paths.bulkEdit} variant="default">
          Bulk Edit
        </Button>
      }
    >
      <Stack gap="md">
        {outcome && <KeptListings key={outcome.id} undone={outcome.undone} kept={outcome.kept} />}
        {saves.isError && !saves.data ? (
          <LoadError
            message="Unable to load the bulk saves"
            onRetry={() => void saves.refetch()}
            retrying={saves.isFetching}
          />
        ) : (
          <Saves saves={saves} undoing={undoing} />
        )}
      </Stack>
    </Page>
  )
}

type SavesProps = {
  saves: ReturnType<typeof useBulkSaves>
  undoing: ReturnType<typeof useUndoSave>['undoing']
}

function Saves({ saves: { data, hasNextPage, isFetchingNextPage, fetchNextPage }, undoing }: SavesProps) {
  if (!data) return <Loading />
  const items = data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState
        title="No bulk saves yet."
        text="What you save in Bulk Edit stands here and can be taken back as a whole."
        action={
          <Button component={Link} to={paths.bulkEdit}>
            Edit products in bulk
          </Button>
        }
        drawing={emptyDrawing}
      />
    )
  }
  return (
    <>
      <SavesTable saves={items} undoing={undoing} />
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
            Load More
          </Button>
        </Group>
      )}
    </>
  )
}

const Loading = () => (
  <Stack gap={1} role="status" aria-label="Loading bulk saves…">
    {Array.from({ length: 6 }, (_, line) => line).map((line) => (
      <Skeleton key={line} height={52} radius={0} />
    ))}
  </Stack>
)

type SavesTableProps = { saves: readonly BulkSave[]; undoing: ReturnType<typeof useUndoSave>['undoing'] }

const whoOf = ({ by }: BulkSave) => by ?? 'the program'

function SavesTable({ saves, undoing }: SavesTableProps) {
  const ask = async (save: BulkSave) => {
    const sure = await askToConfirm({
      title: `Undo this save of ${listingsInWords(save.listings)}?`,
      text: `They will be as they were before ${whoOf(save)} saved them on ${momentWords(save.at)}. What was changed since stays, and is named afterwards.`,
      confirm: 'Undo save',
      destroys: true,
    })
    if (sure) undoing.mutate(save)
  }
  return (
    <div className={classes.frame}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Saved</Table.Th>
            <Table.Th>By</Table.Th>
            <Table.Th>How</Table.Th>
            <Table.Th className={classes.number}>Listings</Table.Th>
            <Table.Th>
              <span className={classes.hidden}>Undo</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {saves.map((save) => (
            <Table.Tr key={save.id}>
              <Table.Td>
                <Moment at={save.at} />
              </Table.Td>
              <Table.Td data-label="By">{whoOf(save)}</Table.Td>
              <Table.Td data-label="How" className={classes.begins}>
                {save.how}
              </Table.Td>
              <Table.Td data-label="Listings" className={classes.number}>
                {save.listings.toLocaleString('en-US')}
              </Table.Td>
              <Table.Td className={classes.action}>
                {save.undoneAt === null ? (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => void ask(save)}
                    loading={undoing.isPending && undoing.variables.id === save.id}
                    aria-label={`Undo the save of ${listingsInWords(save.listings)} on ${momentWords(save.at)}`}
                  >
                    Undo
                  </Button>
                ) : (
                  <Badge color="gray" title={momentWords(save.undoneAt)}>
                    Undone
                  </Badge>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** What an undo left as it is, by name and with the reason. */
function KeptListings({ undone, kept }: Pick<Undone, 'undone' | 'kept'>) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    notice.current?.focus({ preventScroll: true })
    notice.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      role="alert"
      color="warning"
      radius="lg"
      title={`${listingsInWords(undone)} taken back, ${listingsInWords(kept.length)} left`}
    >
      <List>
        {kept.map(({ id, title, why }) => (
          <List.Item key={id}>
            <strong>{title}</strong>: {why}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

type BulkSave = Answer<typeof adminListingEndpoints.listChangeSets>['items'][number]
type Undone = Answer<typeof adminListingEndpoints.undoChangeSet>

function useBulkSaves() {
  return useInfiniteQuery({
    queryKey: ['bulk-saves'],
    queryFn: ({ pageParam: before, signal }) =>
      call(adminListingEndpoints.listChangeSets, {
        query: before === undefined ? {} : { before },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
  })
}

/** Takes a save back; `outcome` tells what was left because it was changed since. */
function useUndoSave() {
  const queryClient = useQueryClient()
  const undoing = useMutation({
    mutationFn: ({ id }: BulkSave) => call(adminListingEndpoints.undoChangeSet, { params: { id } }),
    onSuccess: ({ kept }) => {
      if (kept.length === 0) notifyDone('Bulk save undone', { about: 'bulk save' })
    },
    onError: (error) =>
      notifyError(error, 'The save could not be undone. Try again.', { about: 'bulk save' }),
    onSettled: () => {
      for (const list of ['bulk-saves', 'listings', 'listing-history']) {
        void queryClient.invalidateQueries({ queryKey: [list] })
      }
    },
  })
  const outcome =
    undoing.data && undoing.data.kept.length > 0 ? { id: undoing.variables.id, ...undoing.data } : undefined
  return { undoing, outcome }
}
