import { Text, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import type { ColumnControls } from '#web/components/data-grid/columns.ts'
import { type Grid, useGridState } from '#web/components/data-grid/grid.ts'
import { redo, undo } from '#web/components/data-grid/grid-edits.ts'
import { shortcuts } from '#web/components/data-grid/grid-keys.ts'
import { ShortcutSheet } from '#web/components/shortcut-sheet.tsx'
import { notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { DataGrid } from './data-grid.tsx'
import { FindBar, GridToolbar } from './grid-toolbar.tsx'

type GridDeskProps = {
  grid: Grid
  controls: ColumnControls
  label: string
  /** The column that speaks for a row as a whole; '' where none does. */
  errorColumn?: string
  onSave: () => void
  panel?: (id: string) => ReactNode
  panelHeight?: number
  busy?: boolean
  onTooLong?: (sentence: string) => void
  /** Stands in place of the rows while there are none. */
  empty: ReactNode
}

/** A grid with what one works it with: toolbar, find and replace, keys and the sheet that lists them. */
export function GridDesk({
  grid,
  controls,
  label,
  errorColumn = '',
  onSave,
  panel = () => null,
  panelHeight = 0,
  busy = false,
  onTooLong = notifyProblem,
  empty,
}: GridDeskProps) {
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
        errorColumn={errorColumn}
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
        label={label}
        actions={{ onSave, onFind, onHelp, errorColumn }}
        panel={panel}
        panelHeight={panelHeight}
        busy={busy}
        onTooLong={onTooLong}
        empty={empty}
      />
      <ShortcutSheet groups={shortcuts} opened={isHelping} onClose={() => setHelping(false)}>
        <Text className="second" size="sm">
          On a Mac, Cmd is Ctrl. While you write in a cell, the keys are those of a text field.
        </Text>
      </ShortcutSheet>
    </>
  )
}

/** Says what happened in the grid to whoever does not see it. The same words twice are said twice. */
export function LiveWords({ grid }: { grid: Grid }) {
  const { said } = useGridState(grid)
  return (
    <VisuallyHidden role="status">
      <span key={said.count}>{said.text}</span>
    </VisuallyHidden>
  )
}
