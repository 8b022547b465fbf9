import { ActionIcon, Button, Group, TextInput, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconKeyboard, IconReplace } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { ColumnsMenu } from './columns-menu.tsx'
import type { Grid } from './grid.ts'
import { nextError, reckon, redo, undo } from './grid-edits.ts'
import classes from './grid-toolbar.module.css'
import type { RowFilter } from './row-filter.ts'
import type { Sheet } from './sheet.ts'
import type { ColumnControls } from './use-column-layout.ts'
import { useSheetView } from './use-grid.ts'

type GridToolbarProps = {
  grid: Grid
  controls: ColumnControls
  errorColumn: string
  onFind: () => void
  onHelp: () => void
  /** Something typed into "Change numbers" was no reckoning. */
  onNotUnderstood: () => void
}

/** Everything that the keys do, for the mouse; it works on the selected cells. */
export function GridToolbar({
  grid,
  controls,
  errorColumn,
  onFind,
  onHelp,
  onNotUnderstood,
}: GridToolbarProps) {
  const view = useSheetView(grid.sheet)
  return (
    <div role="toolbar" aria-label="Edit cells" className={classes.bar}>
      <Group gap={4}>
        <Tool label="Undo (Ctrl+Z)" disabled={!view.canUndo} onClick={() => undo(grid)}>
          <IconArrowBackUp size={18} />
        </Tool>
        <Tool label="Redo (Ctrl+Y)" disabled={!view.canRedo} onClick={() => redo(grid)}>
          <IconArrowForwardUp size={18} />
        </Tool>
        <Tool label="Find and replace (Ctrl+F)" onClick={onFind}>
          <IconReplace size={18} />
        </Tool>
        <Reckoning grid={grid} onNotUnderstood={onNotUnderstood} />
      </Group>
      <RowsToShow sheet={grid.sheet} />
      <Button
        variant="default"
        size="xs"
        disabled={view.wrong === 0}
        onClick={() => {
          nextError(grid, errorColumn)
          // The next letter puts the cell right.
          grid.focus()
        }}
      >
        Next error
      </Button>
      <Group gap={4} ml="auto">
        <ColumnsMenu controls={controls} />
        <Tool label="Keyboard shortcuts (?)" onClick={onHelp}>
          <IconKeyboard size={18} />
        </Tool>
      </Group>
    </div>
  )
}

function RowsToShow({ sheet }: { sheet: Sheet }) {
  const { filter, wrong, changed } = useSheetView(sheet)
  const ways: [RowFilter, string][] = [
    ['all', 'All rows'],
    ['wrong', `Only rows with errors (${wrong})`],
    ['changed', `Only changed rows (${changed})`],
  ]
  return (
    <fieldset aria-label="Rows to show" className={classes.ways}>
      <Button.Group>
        {ways.map(([way, label]) => (
          <Button
            key={way}
            size="xs"
            variant={way === filter ? 'light' : 'default'}
            color="sea"
            aria-pressed={way === filter}
            onClick={() => sheet.show(way)}
          >
            {label}
          </Button>
        ))}
      </Button.Group>
    </fieldset>
  )
}

type ToolProps = { label: string; disabled?: boolean; onClick: () => void; children: ReactNode }

function Tool({ label, disabled = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={30} aria-label={label} disabled={disabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

type ReckoningProps = { grid: Grid; onNotUnderstood: () => void }

function Reckoning({ grid, onNotUnderstood }: ReckoningProps) {
  const [typed, setTyped] = useState('')
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || typed.trim() === '') return
    if (reckon(grid, typed)) setTyped('')
    else onNotUnderstood()
  }
  return (
    <Tooltip label="Enter changes the selected numbers: +5%, *1.1, -2 or =19.99">
      <TextInput
        size="xs"
        w="9rem"
        aria-label="Change numbers"
        placeholder="+5%  *1.1  =19.99"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={press}
      />
    </Tooltip>
  )
}
