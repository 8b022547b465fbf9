import { Button, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { Grid } from '#web/components/data-grid/grid.ts'
import { GridDesk } from '#web/components/data-grid/grid-desk.tsx'
import type { ColumnControls } from '#web/components/data-grid/use-column-layout.ts'
import { useSheetView } from '#web/components/data-grid/use-grid.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { ERRORS, type RowWays } from './bulk-columns.tsx'
import classes from './bulk-edit.module.css'
import { ListPages } from './list-pages.tsx'
import { MORE_HEIGHT, MoreRow } from './more-row.tsx'
import { RowCards } from './row-cards.tsx'
import { type BulkList, ROWS_A_PAGE } from './use-bulk-list.ts'

type DeskProps = {
  grid: Grid
  controls: ColumnControls
  list: BulkList
  saving: boolean
  isPhone: boolean
  onSave: () => void
  ways: RowWays
}

/** The rows with everything to work on them: a grid where there is room for one, cards on a phone. */
export function Desk({ grid, controls, list, saving, isPhone, onSave, ways }: DeskProps) {
  const { changed } = useSheetView(grid.sheet)
  useHotkeys([['mod+S', onSave]], [])
  const from = (list.page - 1) * ROWS_A_PAGE
  return (
    <section className={classes.desk} aria-label="Products">
      <div className={classes.actions}>
        <Text role="status" className={classes.counter}>
          {changed > 0 ? `Unsaved changes: ${changed}` : 'No pending changes'}
        </Text>
        {changed > 0 && (
          <Button variant="default" disabled={saving} onClick={() => grid.sheet.discard()}>
            Discard changes
          </Button>
        )}
        <Button loading={saving} disabled={changed === 0} onClick={onSave}>
          {`Save ${changed} change(s)`}
        </Button>
      </div>
      {isPhone ? (
        <RowCards
          grid={grid}
          from={from}
          to={from + ROWS_A_PAGE}
          ways={ways}
          empty={<Empty list={list} grid={grid} />}
        />
      ) : (
        <GridDesk
          grid={grid}
          controls={controls}
          label="Products to edit"
          errorColumn={ERRORS}
          onSave={onSave}
          panel={(id) => <MoreRow grid={grid} id={id} />}
          panelHeight={MORE_HEIGHT}
          busy={list.loading}
          empty={<Empty list={list} grid={grid} />}
        />
      )}
      <ListPages list={list} grid={grid} />
    </section>
  )
}

/** Why there are no rows. */
function Empty({ list, grid }: { list: BulkList; grid: Grid }) {
  const { loaded, filter } = useSheetView(grid.sheet)
  if (list.loading) return <Text className="second">Loading products…</Text>
  if (list.failed) {
    return <LoadError message="Could not load products" onRetry={() => void list.reload()} />
  }
  if (loaded > 0) {
    const which = filter === 'wrong' ? 'an error' : 'unsaved changes'
    return <Text className="second">No loaded row has {which}. “All rows” shows the others.</Text>
  }
  return <Text className="second">No products loaded. Use “Reload First Page” to fetch the latest.</Text>
}
