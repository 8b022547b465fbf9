import { Alert, Badge, Button, List, Stack } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { Moment } from '#web/components/admin/records.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { listingsInWords } from '#web/components/imports/import-words.ts'
import { Page } from '#web/components/page/page.tsx'
import classes from '#web/components/records-list.module.css'
import { type Column, LoadMore, RecordsList } from '#web/components/records-list.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'

export function Component() {
  const saves = useBulkSaves()
  const { undoing, outcome } = useUndoSave()
  return (
    <Page
      title="Bulk Saves"
      lead="Each save from Bulk Edit, newest first. Undo keeps later changes."
      actions={
        <Button component={Link} to={paths.bulkEdit} variant="default">
          Bulk Edit
        </Button>
      }
    >
      <Stack gap="md">
        {outcome && <KeptListings key={outcome.id} undone={outcome.undone} kept={outcome.kept} />}
        <RecordsList
          query={saves}
          items={saves.data?.pages.flatMap(({ items }) => items)}
          failed="Unable to load the bulk saves"
          loading="Loading bulk saves…"
          skeleton={{ rows: 6, height: 52 }}
          columns={[...columns, undoColumn(undoing)]}
          empty={
            <Empty
              title="No bulk saves yet."
              text="Saves from Bulk Edit appear here, and each can be undone."
              action={
                <Button component={Link} to={paths.bulkEdit}>
                  Edit products in bulk
                </Button>
              }
              drawing={emptyDrawing}
            />
          }
          footer={<LoadMore query={saves} />}
        />
      </Stack>
    </Page>
  )
}

const savedBy = ({ by }: BulkSave) => by ?? 'the system'

const columns: readonly Column<BulkSave>[] = [
  { header: 'Saved', cell: ({ at }) => <Moment at={at} /> },
  { header: 'By', labeled: true, cell: savedBy },
  { header: 'How', labeled: true, className: classes.begins, cell: ({ how }) => how },
  {
    header: 'Listings',
    labeled: true,
    numeric: true,
    cell: ({ listings }) => listings.toLocaleString('en-US'),
  },
]

function undoColumn(undoing: ReturnType<typeof useUndoSave>['undoing']): Column<BulkSave> {
  const ask = async (save: BulkSave) => {
    const sure = await askToConfirm({
      title: `Undo this save of ${listingsInWords(save.listings)}?`,
      text: `They go back to what they were before ${savedBy(save)} saved them on ${momentWords(save.at)}. Later changes are kept and listed.`,
      confirm: 'Undo save',
      destroys: true,
    })
    if (sure) undoing.mutate(save)
  }
  return {
    header: 'Undo',
    hideHeader: true,
    className: classes.action,
    cell: (save) =>
      save.undoneAt === null ? (
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
      ),
  }
}

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
      title={`${listingsInWords(undone)} undone, ${listingsInWords(kept.length)} left alone`}
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

/** Undoes a save; `outcome` lists the listings left alone because they were changed later. */
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
