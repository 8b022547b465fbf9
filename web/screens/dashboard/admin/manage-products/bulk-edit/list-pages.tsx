import { Button, Text } from '@mantine/core'
import type { Grid } from '#web/components/data-grid/grid.ts'
import { useSheetView } from '#web/components/data-grid/use-grid.ts'
import classes from './bulk-edit.module.css'
import { type BulkList, ROWS_MOST } from './use-bulk-list.ts'

/** Prev and Next, how much is loaded, and the way to load the rest at once. */
export function ListPages({ list, grid }: { list: BulkList; grid: Grid }) {
  const { loaded } = useSheetView(grid.sheet)
  const { found, loading } = list
  // Unsaved rows stay in view, also where the filter finds fewer.
  const total = Math.max(found?.total ?? 0, loaded)
  const all = Math.min(total, ROWS_MOST)
  const what = found?.totalIsAtLeast || total > ROWS_MOST ? 'first' : 'all'
  return (
    <nav className={classes.pages} aria-label="Pages">
      <Button variant="default" disabled={loading || !list.hasPrevious} onClick={list.previous}>
        Prev
      </Button>
      <Text>
        Page {list.page} of {Math.max(list.page, found?.lastPage ?? 1)}
      </Text>
      <Button variant="default" disabled={loading || !list.hasNext} onClick={() => void list.next()}>
        Next
      </Button>
      <Text className="second" flex={1}>
        {`${loaded.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}${found?.totalIsAtLeast ? '+' : ''} loaded`}
      </Text>
      {loaded < all && (
        <Button variant="subtle" disabled={loading} onClick={() => void list.loadAll()}>
          {`Load ${what} ${all.toLocaleString('en-US')}`}
        </Button>
      )}
    </nav>
  )
}
