import { Text, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ComponentProps, useState } from 'react'
import { type Grid, useGridState } from '#web/components/data-grid/grid.ts'
import { redo, undo } from '#web/components/data-grid/grid-edits.ts'
import { shortcuts } from '#web/components/data-grid/grid-keys.ts'
import { ShortcutSheet } from '#web/components/shortcuts/shortcut-sheet.tsx'
import { DataGrid } from './data-grid.tsx'
import { FindBar, GridToolbar } from './grid-toolbar.tsx'
import type { GridViews } from './saved-views.tsx'

type GridDeskProps = Omit<ComponentProps<typeof DataGrid>, 'actions'> & {
  /** The column for errors of a whole row, or ''. */
  errorColumn?: string
  views: GridViews
  onSave: () => void
}

export function GridDesk({ errorColumn = '', views, onSave, ...props }: GridDeskProps) {
  const { grid, controls } = props
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
        views={views}
        errorColumn={errorColumn}
        onFind={onFind}
        onHelp={onHelp}
      />
      {isFinding && <FindBar grid={grid} onClose={() => setFinding(false)} />}
      <DataGrid {...props} actions={{ onSave, onFind, onHelp, errorColumn }} />
      <ShortcutSheet groups={shortcuts} opened={isHelping} onClose={() => setHelping(false)}>
        <Text className="second" size="sm">
          On a Mac, use Cmd instead of Ctrl. While you edit a cell, the usual text field keys apply.
        </Text>
      </ShortcutSheet>
    </>
  )
}

/** Announces what happened in the grid to screen readers; repeated text is announced again. */
export function LiveWords({ grid }: { grid: Grid }) {
  const { announcement } = useGridState(grid)
  return (
    <VisuallyHidden role="status">
      <span key={announcement.count}>{announcement.text}</span>
    </VisuallyHidden>
  )
}
