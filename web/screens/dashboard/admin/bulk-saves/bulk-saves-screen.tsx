import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { Link } from 'react-router'
import emptyDrawing from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/empty-state.tsx'
import { LoadError } from '#web/components/load-error.tsx'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { KeptListings } from './kept-listings.tsx'
import { SavesTable } from './saves-table.tsx'
import { useBulkSaves, useUndoSave } from './use-bulk-saves.ts'

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
