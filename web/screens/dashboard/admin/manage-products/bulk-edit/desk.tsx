import { Button, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import { DataGrid } from '#web/components/data-grid/data-grid.tsx'
import { FindBar } from '#web/components/data-grid/find-bar.tsx'
import type { Grid } from '#web/components/data-grid/grid.ts'
import { redo, undo } from '#web/components/data-grid/grid-edits.ts'
import { shortcuts } from '#web/components/data-grid/grid-keys.ts'
import { GridToolbar } from '#web/components/data-grid/grid-toolbar.tsx'
import type { ColumnControls } from '#web/components/data-grid/use-column-layout.ts'
import { useSheetView } from '#web/components/data-grid/use-grid.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { ShortcutSheet } from '#web/components/shortcuts/shortcut-sheet.tsx'
import { notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { ERRORS } from './bulk-columns.tsx'
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
  onResolve: (id: string) => void
}

/** The rows with everything to work on them: a grid where there is room for one, cards on a phone. */
export function Desk(props: DeskProps) {
  const { grid, list, saving, isPhone, onSave, onResolve } = props
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
          onResolve={onResolve}
          empty={<Empty list={list} grid={grid} />}
        />
      ) : (
        <GridDesk {...props} />
      )}
      <ListPages list={list} grid={grid} />
    </section>
  )
}

function GridDesk({ grid, controls, list, onSave }: DeskProps) {
  const [isFinding, setFinding] = useState(false)
  const [isHelping, setHelping] = useState(false)
  const onFind = () => setFinding(true)
  const onHelp = () => setHelping(true)
  useHotkeys([
    ['shift+?', onHelp],
    ['mod+F', onFind],
    ['mod+Z', () => undo(grid)],
    ['mod+Y', () => redo(grid)],
    ['mod+shift+Z', () => redo(grid)],
  ])
  return (
    <>
      <GridToolbar
        grid={grid}
        controls={controls}
        errorColumn={ERRORS}
        onFind={onFind}
        onHelp={onHelp}
        onNotUnderstood={() => notifyProblem('Type +5%, *1.1, -2 or =19.99')}
      />
      {isFinding && (
        <FindBar
          grid={grid}
          onClose={() => setFinding(false)}
          onReplaced={(cells) => notifyInfo(`Replaced in ${cells} cell(s)`)}
        />
      )}
      <DataGrid
        grid={grid}
        controls={controls}
        label="Products to edit"
        actions={{ onSave, onFind, onHelp, errorColumn: ERRORS }}
        panel={(id) => <MoreRow grid={grid} id={id} />}
        panelHeight={MORE_HEIGHT}
        busy={list.loading}
        onTooLong={notifyProblem}
        empty={<Empty list={list} grid={grid} />}
      />
      <ShortcutSheet groups={shortcuts} opened={isHelping} onClose={() => setHelping(false)}>
        <Text className="second" size="sm">
          On a Mac, Cmd is Ctrl. While you write in a cell, the keys are those of a text field.
        </Text>
      </ShortcutSheet>
    </>
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
