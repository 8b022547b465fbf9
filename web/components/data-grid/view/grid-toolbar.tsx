import {
  ActionIcon,
  Button,
  Checkbox,
  CloseButton,
  Group,
  Popover,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconColumns3,
  IconKeyboard,
  IconReplace,
} from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { type ColumnControls, toggleColumn } from '#web/components/data-grid/columns.ts'
import { type Grid, useGridState, useSheetView } from '#web/components/data-grid/grid.ts'
import {
  applyTypedArithmetic,
  countReplacements,
  findNext,
  nextError,
  redo,
  replaceAll,
  undo,
} from '#web/components/data-grid/grid-edits.ts'
import { isOneCell } from '#web/components/data-grid/selection.ts'
import type { Sheet } from '#web/components/data-grid/sheet.ts'
import { MatchArrows } from '#web/components/pager.tsx'
import { notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { rowFilters } from './cards.tsx'
import classes from './data-grid.module.css'
import { type GridViews, SavedViews } from './saved-views.tsx'

type GridToolbarProps = {
  grid: Grid
  controls: ColumnControls
  views: GridViews
  errorColumn: string
  onFind: () => void
  onHelp: () => void
}

/** The keyboard commands as buttons; they apply to the selected cells. */
export function GridToolbar(props: GridToolbarProps) {
  const { grid, controls, views, errorColumn, onFind, onHelp } = props
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
        <NumberChange grid={grid} />
      </Group>
      <RowsToShow sheet={grid.sheet} />
      <Button
        variant="default"
        size="xs"
        disabled={view.wrong === 0}
        onClick={() => {
          nextError(grid, errorColumn)
          // So that typing corrects the cell right away.
          grid.focus()
        }}
      >
        Next error
      </Button>
      <Group gap={4} ml="auto">
        <SavedViews grid={grid} controls={controls} views={views} />
        <ColumnsMenu controls={controls} />
        <Tool label="Keyboard shortcuts (?)" onClick={onHelp}>
          <IconKeyboard size={18} />
        </Tool>
      </Group>
    </div>
  )
}

function RowsToShow({ sheet }: { sheet: Sheet }) {
  const view = useSheetView(sheet)
  return (
    <fieldset aria-label="Rows to show" className={classes.filter}>
      <Button.Group>
        {rowFilters(view).map(({ value, label }) => (
          <Button
            key={value}
            size="xs"
            variant={value === view.filter ? 'light' : 'default'}
            color="sea"
            aria-pressed={value === view.filter}
            onClick={() => sheet.show(value)}
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

function NumberChange({ grid }: { grid: Grid }) {
  const [typed, setTyped] = useState('')
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || typed.trim() === '') return
    if (applyTypedArithmetic(grid, typed)) setTyped('')
    else notifyProblem('Type +5%, *1.1, -2, or =19.99')
  }
  return (
    <Tooltip label="Enter changes the selected numbers: +5%, *1.1, -2, or =19.99">
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

/** Shows and hides columns; at least one stays. */
function ColumnsMenu({ controls }: { controls: ColumnControls }) {
  const { all, shown, layout, change, reset } = controls
  return (
    <Popover position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={16} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah="60dvh" style={{ overflowY: 'auto' }}>
        <Stack gap="xs">
          {all.map(({ key, label }) => {
            const isShown = !layout.hidden.includes(key)
            return (
              <Checkbox
                key={key}
                label={label}
                checked={isShown}
                disabled={isShown && shown.length === 1}
                onChange={() => change((before) => toggleColumn(before, key))}
              />
            )
          })}
          <Button variant="subtle" size="compact-sm" onClick={reset}>
            Reset columns
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

export function FindBar({ grid, onClose }: { grid: Grid; onClose: () => void }) {
  useGridState(grid)
  const [search, setSearch] = useState({ find: '', matchCase: false, wholeCell: false })
  const [replacement, setReplacement] = useState('')
  const place = isOneCell(grid.range()) ? 'all loaded rows' : 'selection'
  useSheetView(grid.sheet)
  const matches = countReplacements(grid, search, replacement)
  return (
    <section
      className={classes.find}
      aria-label="Find and replace"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <TextInput
        label="Find"
        data-autofocus
        ref={focusOnce}
        value={search.find}
        onChange={(event) => setSearch({ ...search, find: event.currentTarget.value })}
        onKeyDown={(event) => event.key === 'Enter' && findNext(grid, search, event.shiftKey)}
      />
      <Group gap={4} align="flex-end">
        <MatchArrows size={36} onFind={(backwards) => findNext(grid, search, backwards)} />
      </Group>
      <TextInput
        label="Replace with"
        value={replacement}
        onChange={(event) => setReplacement(event.currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={matches === 0}
        onClick={() => notifyInfo(`Replaced in ${replaceAll(grid, search, replacement)} cell(s)`)}
      >
        Replace in {place}
      </Button>
      {search.find !== '' && (
        <Text role="status" className="second" mih={36} lh="36px">
          {matches === 0 ? 'No cell to change' : `${matches.toLocaleString('en-US')} cell(s) will change`}
        </Text>
      )}
      <Group gap="md" mih={36}>
        <Checkbox
          label="Match case"
          checked={search.matchCase}
          onChange={(event) => setSearch({ ...search, matchCase: event.currentTarget.checked })}
        />
        <Checkbox
          label="Whole cell"
          checked={search.wholeCell}
          onChange={(event) => setSearch({ ...search, wholeCell: event.currentTarget.checked })}
        />
      </Group>
      <CloseButton aria-label="Close find and replace" ml="auto" onClick={onClose} />
    </section>
  )
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus()
