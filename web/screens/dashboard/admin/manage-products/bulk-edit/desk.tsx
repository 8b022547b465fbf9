import { Button, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { ColumnControls } from '#web/components/data-grid/columns.ts'
import { type Grid, useSheetRow, useSheetView } from '#web/components/data-grid/grid.ts'
import { GridDesk } from '#web/components/data-grid/view/grid-desk.tsx'
import type { GridViews } from '#web/components/data-grid/view/saved-views.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { ERRORS, morePanelId, type RowActions } from './bulk-columns.tsx'
import classes from './bulk-edit.module.css'
import { titleOf } from './bulk-values.ts'
import { RowCards, SheetField } from './row-cards.tsx'
import { type BulkList, MAX_LOADED_ROWS, ROWS_PER_PAGE } from './use-bulk-list.ts'

type DeskProps = {
  grid: Grid
  controls: ColumnControls
  list: BulkList
  saving: boolean
  isPhone: boolean
  views: GridViews
  onSave: () => void
  actions: RowActions
}

export function Desk(props: DeskProps) {
  const { grid, controls, list, saving, isPhone, views, onSave, actions } = props
  const { changed } = useSheetView(grid.sheet)
  useHotkeys([['mod+S', onSave]], [])
  const from = (list.page - 1) * ROWS_PER_PAGE
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
          controls={controls}
          views={views}
          from={from}
          to={from + ROWS_PER_PAGE}
          actions={actions}
          empty={<Empty list={list} grid={grid} />}
        />
      ) : (
        <GridDesk
          grid={grid}
          controls={controls}
          label="Products to edit"
          errorColumn={ERRORS}
          views={views}
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

function Empty({ list, grid }: { list: BulkList; grid: Grid }) {
  const { loaded, filter } = useSheetView(grid.sheet)
  if (list.loading) return <Text className="second">Loading products…</Text>
  if (list.failed) {
    return <LoadError message="Could not load products" onRetry={() => void list.reload()} />
  }
  if (loaded > 0) {
    const which = filter === 'wrong' ? 'an error' : 'unsaved changes'
    return <Text className="second">No loaded row has {which}. Choose “All rows” to see the rest.</Text>
  }
  return <Text className="second">No products loaded. Use “Reload First Page” to fetch the latest.</Text>
}

const MORE_HEIGHT = 184

const fields = ['partdescription', 'dealername', 'dealerphone', 'partcity', 'partstate', 'zipcode']

/** Fields without a visible column. Escape returns to the row. */
function MoreRow({ grid, id }: { grid: Grid; id: string }) {
  const row = useSheetRow(grid.sheet, id)
  if (!row) return null
  return (
    <fieldset
      id={morePanelId(id)}
      aria-label={`More of ${titleOf(row)}`}
      className={classes.more}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.currentTarget.closest<HTMLElement>('[role="grid"]')?.focus()
        grid.toggle(id)
      }}
    >
      {fields.map((field) => (
        <SheetField
          key={field}
          sheet={grid.sheet}
          row={row}
          field={field}
          className={field === 'partdescription' ? classes.description : undefined}
        />
      ))}
    </fieldset>
  )
}

function ListPages({ list, grid }: { list: BulkList; grid: Grid }) {
  const { loaded, order } = useSheetView(grid.sheet)
  const { found, loading } = list
  // Unsaved rows stay in view even if the filter matches fewer.
  const total = Math.max(found?.total ?? 0, loaded)
  const all = Math.min(total, MAX_LOADED_ROWS)
  const what = found?.totalIsAtLeast || total > MAX_LOADED_ROWS ? 'first' : 'all'
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
        {order && loaded < total && ', sorted among these'}
      </Text>
      {loaded < all && (
        <Button variant="subtle" disabled={loading} onClick={() => void list.loadAll()}>
          {`Load ${what} ${all.toLocaleString('en-US')}`}
        </Button>
      )}
    </nav>
  )
}
